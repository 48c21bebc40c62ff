/** How the house stands, and its figures over time. */

import { call, type Asset } from "../../app/http";
import { asked } from "../parts/filters";
import type { Step } from "../parts/time_axis";
import type { Format } from "../words_of_hands";

/** Units. circulating: what all players have; trial_balance: 0 when the books balance. */
export interface TokensNow {
  readonly asset: Asset;
  readonly held: number;
  readonly circulating: number;
  readonly commission: number;
  readonly trial_balance: number;
}

export interface LiveNow {
  readonly now_ms: number;
  readonly hands_running: number;
  readonly matches_running: number;
  readonly open_tables: number;
  readonly private_tables: number;
  readonly active_tables: number;
  readonly seated: number;
  readonly bots: number;
  readonly waiting: number;
  readonly connected: number;
  readonly draining: boolean;
  readonly balances: boolean;
  readonly tokens: readonly TokensNow[];
}

/** disconnect_bp: of seats dealt in, those whose player lost the line, in 1/10,000. Money in units. */
export interface Figures {
  readonly hands: number;
  readonly voids: number;
  readonly tables: number;
  readonly players: number;
  readonly seats: number;
  readonly seats_cut_off: number;
  readonly disconnect_bp: number;
  readonly settled: number;
  readonly turnover: number;
  readonly commission: number;
}

export interface Today {
  readonly live: LiveNow;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly step: Step;
  readonly offset_minutes: number;
  readonly series: {
    readonly total: Figures;
    readonly steps: readonly { readonly from_ms: number; readonly figures: Figures }[];
  };
  readonly choices: {
    readonly tables: readonly { readonly table_id: string; readonly name: string }[];
    readonly rates: readonly number[];
    readonly formats: readonly Format[];
  };
}

/** from_ms, to_ms: null for the day so far. */
export interface TodayQuestion {
  readonly from_ms: number | null;
  readonly to_ms: number | null;
  readonly step: Step;
  readonly asset: Asset;
  readonly table_id: string | undefined;
  readonly rate: string | undefined;
  readonly format: string | undefined;
}

export function today(question: TodayQuestion): Promise<Today> {
  return call(`/api/operator/today${asked({ ...question })}`);
}

export function liveNow(): Promise<LiveNow> {
  return call("/api/operator/live");
}
