"""One panel a file; each shows a part of a finished result and computes nothing."""
