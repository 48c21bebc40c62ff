/** Places in waiting lists, as the house tells them. */

import type { WaitingPlace } from "../../generated/protocol";

export type Places = ReadonlyMap<string, WaitingPlace>;

/** The places after the house said one; one that has ended is gone, but for a place that the person lost unasked. */
export function withPlace(places: Places, place: WaitingPlace): Places {
  const lost = place.ended === "offer_expired" || place.ended === "removed" || place.ended === "away";
  const others = [...places].filter(([tableId]) => tableId !== place.table_id);
  return new Map(place.position !== null || lost ? [...others, [place.table_id, place]] : others);
}
