"""Private training: trainers behind one protocol, their public hyper-parameters and their profiles."""
