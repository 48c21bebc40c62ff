/** Which of the house's notices stand on the screen at once, and which of them go by themselves. */

import type { Notice } from "../generated/protocol";

const KEPT = 3;
const SHOWN_MS = 8_000;

/** What a notice puts an end to, at the same table: a table that goes on is not paused any more. */
const ENDS: Partial<Record<Notice["code"], Notice["code"]>> = { paused: "resumed", resumed: "paused" };

export function withNotice(shown: readonly Notice[], notice: Notice): readonly Notice[] {
  const stays = (one: Notice): boolean =>
    one.code !== notice.code && !(one.code === ENDS[notice.code] && one.table_id === notice.table_id);
  return [...shown.filter(stays), notice].slice(-KEPT);
}

/** After how long a notice goes by itself; null for what holds until the house says otherwise or somebody closes it. */
export function shownMs(notice: Notice): number | null {
  return notice.code === "resumed" || notice.code === "slow_connection" ? SHOWN_MS : null;
}
