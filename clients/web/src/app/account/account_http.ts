/** The house's doors for accounts: kept names, sign-in, sessions, the second factor. */

import { call, post } from "../http";

/** One place where this account is signed in. */
export interface OwnSession {
  readonly session_id: string;
  /** Browser and system by their names. */
  readonly device: string;
  readonly created_ms: number;
  readonly last_seen_ms: number;
  readonly expires_ms: number;
  /** The one that asks. */
  readonly current: boolean;
  /** Has a connection open now. */
  readonly connected: boolean;
}

export interface SecondFactor {
  readonly enrolled: boolean;
  /** This role can't do without. */
  readonly required: boolean;
  readonly recovery_codes_left: number;
  /** Until when this session may do what needs a fresh code. */
  readonly fresh_until_ms: number | null;
}

/** A secret for an authenticator app; in use once a code of it was confirmed. */
export interface OfferedSecret {
  /** Base32, to type in where the QR code of the uri can't be read. */
  readonly secret: string;
  readonly otpauth_uri: string;
}

export function keepAccount(name: string, password: string): Promise<unknown> {
  return post("/api/me/account", { name, password });
}

/** code: of the second factor; refused with `second_factor_needed` when the account has one and none came along. */
export function signIn(name: string, password: string, code: string | null): Promise<unknown> {
  return post("/api/sign-in", { name, password, ...(code === null ? {} : { code }) });
}

/** Ends every other session of the account. */
export function changePassword(password: string, newPassword: string): Promise<unknown> {
  return post("/api/me/password", { password, new_password: newPassword });
}

export async function mySessions(): Promise<readonly OwnSession[]> {
  return (await call<{ sessions: readonly OwnSession[] }>("/api/me/sessions")).sessions;
}

export function endSession(sessionId: string): Promise<unknown> {
  return call(`/api/me/sessions/${sessionId}`, { method: "DELETE", headers: { "x-rummy": "1" } });
}

export function endOtherSessions(): Promise<unknown> {
  return post("/api/me/sessions/end-others");
}

export function mySecondFactor(): Promise<SecondFactor> {
  return call("/api/me/second-factor");
}

export function offerSecret(password: string): Promise<OfferedSecret> {
  return post("/api/me/second-factor", { password });
}

/** Puts the offered secret to use; the codes it answers are shown this once. */
export async function confirmSecret(code: string): Promise<readonly string[]> {
  return (await post<{ recovery_codes: readonly string[] }>("/api/me/second-factor/confirm", { code })).recovery_codes;
}

export function proveSecondFactor(code: string): Promise<unknown> {
  return post("/api/me/second-factor/prove", { code });
}

export async function newRecoveryCodes(): Promise<readonly string[]> {
  return (await post<{ recovery_codes: readonly string[] }>("/api/me/second-factor/recovery-codes")).recovery_codes;
}
