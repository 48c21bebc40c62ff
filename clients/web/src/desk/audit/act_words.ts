/** Acts of the desk in words, and the way to what was acted on. */

import * as m from "../../paraglide/messages";
import type { Cell } from "../parts/cells";
import { toOne, toPage } from "../route.svelte";
import { dayWords, shortId } from "../words_of_hands";
import type { Act } from "./audit_http";

export const ACTS: Readonly<Record<string, () => string>> = {
  void_hand: m.desk_act_void_hand,
  void_match: m.desk_act_void_match,
  set_customs: m.desk_act_set_customs,
  silence: m.desk_act_silence,
  ask_adjustment: m.desk_act_ask_adjustment,
  approve_adjustment: m.desk_act_approve_adjustment,
  reject_adjustment: m.desk_act_reject_adjustment,
  close_day: m.desk_act_close_day,
  freeze: m.desk_act_freeze,
  unfreeze: m.desk_act_unfreeze,
  open_table: m.desk_act_open_table,
  close_table: m.desk_act_close_table,
  set_stakes: m.desk_act_set_stakes,
  open_case: m.desk_act_open_case,
  note_case: m.desk_act_note_case,
  assign_case: m.desk_act_assign_case,
  close_case: m.desk_act_close_case,
  reopen_case: m.desk_act_reopen_case,
};

/** A newer house may know acts that this page does not: they keep their own name. */
export function actWords(act: string): string {
  return ACTS[act]?.() ?? act;
}

export function subjectOf({ act, subject }: Act): Cell {
  if (act.endsWith("_case")) return { text: m.desk_case_no({ id: shortId(subject) }), href: toOne("case", subject) };
  if (act.endsWith("_adjustment")) return { text: m.desk_adjustment_no({ id: shortId(subject) }), href: toPage("adjustments") };
  switch (act) {
    case "close_day":
      return { text: dayWords(subject), href: toOne("report", subject) };
    case "freeze":
    case "unfreeze":
    case "silence":
      return { text: m.desk_player_no({ id: shortId(subject) }), href: toOne("player", subject) };
    default:
      return { text: m.desk_table_no({ id: shortId(subject) }), href: toOne("table", subject) };
  }
}
