/** In which order the players of a match are listed. */

import type { MatchPlayer } from "../../generated/protocol";

const LAST: Readonly<Record<MatchPlayer["standing"], number>> = { in: 0, out: 1, left: 2 };

/** Those who are in before those who are out; the fewest points of a pool, the most chips of deals first. */
export function ranked(players: readonly MatchPlayer[], kind: "pool" | "deals"): readonly MatchPlayer[] {
  const sign = kind === "pool" ? 1 : -1;
  return players.toSorted(
    (a, b) => LAST[a.standing] - LAST[b.standing] || sign * (a.score - b.score) || a.seat - b.seat,
  );
}
