"""The pictures of the lessons: curves of a noisy count, fields of dots, a curve over shares."""
