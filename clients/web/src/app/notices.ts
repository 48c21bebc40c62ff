/** Which of the house's notices stand on the screen at once, and which of them go by themselves. */

import type { Notice } from "../generated/protocol";

const KEPT = 3;
const SHOWN_MS = 8_000;

/** By what a notice is ended, at the same table: a table that goes on is not paused any more. */
const ENDS: Partial<Record<Notice["code"], Notice["code"]>> = {
  paused: "resumed",
  resumed: "paused",
  chat_silenced: "chat_restored",
  chat_restored: "chat_silenced",
};

const PASSING: readonly Notice["code"][] = ["resumed", "slow_connection", "chat_restored"];

/** What a house says again to everybody who comes while it holds. */
const SAID_AGAIN: readonly Notice["code"][] = ["draining", "paused"];

export function withNotice(shown: readonly Notice[], notice: Notice): readonly Notice[] {
  const stays = (one: Notice): boolean =>
    one.code !== notice.code && !(one.code === ENDS[notice.code] && one.table_id === notice.table_id);
  return [...shown.filter(stays), notice].slice(-KEPT);
}

/** After how long a notice goes by itself; null for what holds until the house says otherwise or somebody closes it. */
export function shownMs(notice: Notice): number | null {
  return PASSING.includes(notice.code) ? SHOWN_MS : null;
}

/** A house that greets is not about to go, or says so again at once. */
export function afterWelcome(shown: readonly Notice[]): readonly Notice[] {
  return shown.filter((notice) => !SAID_AGAIN.includes(notice.code));
}

/** Whoever plays again, or has left the chair, need not be told why they sat out. */
export function afterSittingOut(shown: readonly Notice[], tableId: string): readonly Notice[] {
  return shown.filter((notice) => notice.table_id !== tableId || !notice.code.startsWith("sat_out"));
}
