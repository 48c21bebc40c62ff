"""Tables that players open for themselves: found by an invite, closed when nobody sits there any more."""
