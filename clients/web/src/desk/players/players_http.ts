/** People who play, as the desk knows them. */

import { call, post, type Asset, type Statement } from "../../app/http";
import type { Limits } from "../../app/limits";
import type { Part } from "../loading.svelte";
import { asked } from "../parts/filters";
import type { Adjustment } from "./adjustments_http";

/** Units. */
export interface TokensOf {
  readonly asset: Asset;
  readonly available: number;
  readonly held: number;
}

/** self_excluded_until_ms: of a self-exclusion that runs, which nobody can shorten. */
export interface ListedPlayer {
  readonly player_id: string;
  readonly name: string;
  readonly kind: "guest" | "member" | "bot";
  readonly created_ms: number;
  readonly last_seen_ms: number | null;
  readonly tokens: readonly TokensOf[];
  readonly frozen: boolean;
  readonly self_excluded_until_ms: number | null;
}

export interface KnownSession {
  readonly session_id: string;
  readonly device: string;
  readonly device_id: string | null;
  readonly address: string;
  readonly created_ms: number;
  readonly last_seen_ms: number;
  readonly expires_ms: number;
  readonly ended_ms: number | null;
}

/** Another account from the same browser, or from the same address. */
export interface SharedWith {
  readonly player_id: string;
  readonly name: string;
  readonly kind: ListedPlayer["kind"];
  readonly device: boolean;
  readonly address: boolean;
}

export interface FreezeOnRecord {
  readonly frozen: boolean;
  readonly by_name: string;
  readonly reason: string;
  readonly at_ms: number;
}

/** approved: null while it waits. */
export interface AdjustmentOnRecord extends Omit<Adjustment, "player_id" | "player_name"> {
  readonly approved: boolean | null;
  readonly decided_name: string | null;
  readonly decided_ms: number | null;
}

export interface PlayerAtTheDesk {
  readonly page: {
    readonly player: ListedPlayer;
    readonly hands: number;
    readonly sessions: readonly KnownSession[];
    readonly shared_with: readonly SharedWith[];
    readonly freezes: readonly FreezeOnRecord[];
    readonly adjustments: readonly AdjustmentOnRecord[];
  };
  readonly limits: Limits;
  readonly seated_at: readonly string[];
  readonly connected: boolean;
}

/** The newest first; search: an id, or how the name begins. */
export async function players(search: string | undefined, before: string | null): Promise<Part<ListedPlayer>> {
  const found = await call<{ players: readonly ListedPlayer[]; next: string | null }>(
    `/api/operator/players${asked({ q: search, before, limit: 50 })}`,
  );
  return { rows: found.players, next: found.next };
}

export function playerAtTheDesk(playerId: string): Promise<PlayerAtTheDesk> {
  return call(`/api/operator/players/${encodeURIComponent(playerId)}`);
}

export function statementOf(playerId: string, asset: Asset, before: string | null): Promise<Statement> {
  return call(`/api/operator/players/${encodeURIComponent(playerId)}/statement${asked({ asset, before, limit: 50 })}`);
}

export function setFrozen(playerId: string, frozen: boolean, reason: string): Promise<unknown> {
  return post(`/api/operator/players/${encodeURIComponent(playerId)}/${frozen ? "freeze" : "unfreeze"}`, { reason });
}
