"""The compiled part: rows of a batch, trees that ask an evaluator, and the learner of weights."""
