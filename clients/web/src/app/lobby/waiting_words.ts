/** What a place in a waiting list means, in words. */

import type { WaitingPlace } from "../../generated/protocol";
import * as m from "../../paraglide/messages";
import { count } from "../numbers";

export function placeWords(place: WaitingPlace): string {
  if (place.offer_until_ms !== null) return m.waiting_offer();
  if (place.position !== null) return m.waiting_place({ n: count(place.position), of: count(place.waiting) });
  switch (place.ended) {
    case "offer_expired":
      return m.waiting_offer_expired();
    case "removed":
      return m.waiting_removed();
    default:
      return m.waiting_away();
  }
}
