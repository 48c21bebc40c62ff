"""The desk: what operators and auditors may see of the house."""
