/** What kind of account somebody has, and what keeps them from playing. */

import { dayAndTime } from "../../app/numbers";
import * as m from "../../paraglide/messages";
import type { Cell } from "../parts/cells";
import { amountWords } from "../words_of_hands";
import type { ListedPlayer } from "./players_http";

export function kindWords(kind: ListedPlayer["kind"]): string {
  switch (kind) {
    case "guest":
      return m.account_guest();
    case "member":
      return m.account_kept();
    case "bot":
      return m.bot();
  }
}

export function standingOf(player: ListedPlayer): Cell {
  if (player.frozen) return { text: m.desk_frozen(), chip: "bad" };
  if (player.self_excluded_until_ms !== null) {
    return { text: m.desk_excluded(), chip: "notice", note: m.limits_until({ when: dayAndTime(player.self_excluded_until_ms) }) };
  }
  return { text: m.desk_may_play(), chip: "good" };
}

export function tokensCell(player: ListedPlayer, asset: "HT" | "PT"): Cell {
  const found = player.tokens.find((one) => one.asset === asset);
  if (found === undefined) return { text: "–" };
  return {
    text: amountWords(found.available, asset),
    ...(found.held === 0 ? {} : { note: m.desk_held({ amount: amountWords(found.held, asset) }) }),
  };
}
