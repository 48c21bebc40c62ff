"""Why a hand can be believed: `rummy-fair/1`, byte for byte as FAIRNESS_SPEC and docs/fairness.md say."""
