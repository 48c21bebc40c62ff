"""The schema's history, one file per step. Steps add first and remove later, so that the old server still runs."""
