"""Indian Rummy as a pure core: cards, groups, solver, scoring and the hand as a state machine."""
