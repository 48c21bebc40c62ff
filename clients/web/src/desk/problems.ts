/** What the house refused at the desk, in the person's words. */

import { Refused } from "../app/http";
import * as m from "../paraglide/messages";

export function problemWords(error: unknown): string {
  if (!(error instanceof Refused) || error.status === 0) return m.unreachable();
  switch (error.code) {
    case "read_only":
      return m.desk_refused_read_only();
    case "prove_second_factor":
      return m.desk_refused_code();
    case "same_operator":
      return m.desk_refused_same_operator();
    case "already_decided":
      return m.desk_refused_already_decided();
    case "insufficient_funds":
      return m.desk_refused_insufficient_funds();
    case "no_such_player":
      return m.desk_refused_no_such_player();
    case "no_such_table":
      return m.desk_refused_no_such_table();
    case "no_hand":
      return m.desk_refused_no_hand();
    case "too_many":
    case "busy":
      return m.error_too_many();
    default:
      return m.error_other({ message: error.message });
  }
}
