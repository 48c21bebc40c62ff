/** How a table stands and what was ordered of it. */

import { percent, tokens } from "../../app/numbers";
import * as m from "../../paraglide/messages";
import type { Cell } from "../parts/cells";
import type { DeskTable } from "./tables_http";

export function stateOf({ table, closing }: DeskTable): Cell {
  const playing = table.hand_running ? m.lobby_running() : table.match_running ? m.lobby_match_running() : m.lobby_waiting();
  if (closing) return { text: m.desk_table_closing(), chip: "bad", note: playing };
  return { text: playing, chip: table.hand_running || table.match_running ? "good" : null };
}

/** What is in force from the next hand on; null when nothing changes. */
export function comingWords({ table, coming }: DeskTable): string | null {
  if (coming === null) return null;
  const parts = [
    coming.rate === null ? null : m.per_point({ amount: tokens(coming.rate), asset: table.asset }),
    coming.commission_bp === null ? null : percent(coming.commission_bp),
  ].filter((part) => part !== null);
  return m.desk_coming({ stakes: parts.join(", ") });
}
