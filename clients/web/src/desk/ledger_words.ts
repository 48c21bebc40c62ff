/** The ledger's own words in the person's. */

import * as m from "../paraglide/messages";

/** What an entry of the ledger did. */
export function entryWords(kind: string): string {
  switch (kind) {
    case "grant":
      return m.desk_entry_grant();
    case "hold":
      return m.reason_hold();
    case "release":
      return m.reason_released_hand();
    case "settle":
      return m.reason_settle();
    case "adjust":
      return m.reason_reverse();
    default:
      return kind;
  }
}

/** Whose account it is that is no player's. */
export function ownerWords(owner: string): string {
  switch (owner) {
    case "commission":
      return m.desk_owner_commission();
    case "issuance":
      return m.desk_owner_issuance();
    case "void":
      return m.desk_owner_void();
    default:
      return owner;
  }
}
