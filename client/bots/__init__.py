"""Bots as a person meets them: their names, programs, boxes, checks and bundles, and the shell that lets them play."""
