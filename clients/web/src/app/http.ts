/** The house's HTTP doors, typed. Every refusal is a Refused with the house's code. */

import type { Balance, Player, TableSummary } from "../generated/protocol";

export type Asset = "HT" | "PT";
export type Balances = Partial<Record<Asset, Balance>>;

export interface Me {
  readonly player: Player;
  readonly role: "player" | "operator" | "auditor";
  /** Has a name and a password: this account can be opened from any device. */
  readonly permanent: boolean;
  readonly second_factor: boolean;
  /** What an operator or auditor does before the desk opens; null for players, and once it is done. */
  readonly next_step: "choose_password" | "enrol_second_factor" | "prove_second_factor" | null;
  readonly balances: Balances;
  readonly seated_at: readonly string[];
}

export interface StatementLine {
  readonly at_ms: number;
  readonly kind: "grant" | "hold" | "release" | "settle" | "adjust";
  readonly reason: string;
  readonly hand_id: string | null;
  readonly table_id: string | null;
  readonly amount: number;
  readonly balance_after: number;
  readonly entry_id: string;
}

export interface Statement {
  readonly lines: readonly StatementLine[];
  readonly next: string | null;
}

export interface PlayedHand {
  readonly hand_id: string;
  readonly table_id: string;
  readonly table_name: string;
  readonly hand_no: number;
  readonly closed_ms: number;
  readonly outcome: "declared" | "last_in" | "void";
  readonly void_reason: string | null;
  readonly seat: number;
  readonly points: number;
  readonly delta: number;
  readonly asset: Asset;
  /** Null when nobody won. */
  readonly winner: SeatName | null;
  readonly players: readonly SeatName[];
}

export interface SeatName {
  readonly seat: number;
  readonly player_id: string;
  readonly name: string;
}

export interface PlayedHands {
  readonly hands: readonly PlayedHand[];
  /** What `before` of the next page is; null on the last. */
  readonly next: string | null;
}

/** The house said no. `code` is for deciding, `message` for people; 0 means that it could not be reached. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  /** After how many seconds the same request may be made again; null when the house did not say. */
  readonly waitSeconds: number | null;

  constructor(status: number, code: string, message: string, waitSeconds: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.waitSeconds = waitSeconds;
  }
}

export async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Refused(0, "unreachable", "unreachable");
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  const error = (body as { error?: { code?: string; message?: string } } | null)?.error;
  const wait = Number(response.headers.get("retry-after") ?? "");
  const waitSeconds = Number.isFinite(wait) && wait > 0 ? wait : null;
  throw new Refused(response.status, error?.code ?? "internal", error?.message ?? response.statusText, waitSeconds);
}

export function post<T>(path: string, body: unknown = {}, method: "POST" | "PUT" = "POST"): Promise<T> {
  return call(path, {
    method,
    headers: { "content-type": "application/json", "x-rummy": "1" },
    body: JSON.stringify(body),
  });
}

/** Who is signed in here; null when nobody is. */
export async function whoAmI(): Promise<Me | null> {
  try {
    return await call<Me>("/api/me");
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null;
    throw error;
  }
}

export function signInAsGuest(name: string): Promise<{ player: Player }> {
  return post("/api/guests", name === "" ? {} : { name });
}

export function signOut(): Promise<unknown> {
  return post("/api/sign-out");
}

export function listTables(): Promise<readonly TableSummary[]> {
  return call("/api/tables");
}

export function myStatement(asset: Asset, before: string | null): Promise<Statement> {
  const query = new URLSearchParams({ asset, limit: "50", ...(before === null ? {} : { before }) });
  return call(`/api/me/statement?${query}`);
}

/** The last to close first. */
export function myHands(before: string | null): Promise<PlayedHands> {
  const query = new URLSearchParams({ limit: "25", ...(before === null ? {} : { before }) });
  return call(`/api/me/hands?${query}`);
}

export function fairnessKeys(): Promise<unknown> {
  return call("/api/fairness/keys");
}

/** The proof that the log of `toSize` leaves begins with that of `fromSize`, as hex. */
export async function logConsistency(fromSize: number, toSize: number): Promise<readonly string[]> {
  const body = await call<{ consistency: readonly string[] }>(`/api/log/consistency?from=${fromSize}&to=${toSize}`);
  return body.consistency;
}

export function topUpPractice(): Promise<unknown> {
  return post("/api/practice/top-up");
}
