/** What a hand is bound to before anything is drawn: players, seats, rate, rules. Source: FAIRNESS_SPEC section 3. */

import { ascii, fromHex, hash, join, lengthPrefixed, u16, u64, u8, type Bytes } from "./encoding";

export interface Player {
  readonly seat: number;
  /** 16 bytes as hex. */
  readonly player_id: string;
}

/** Field names as in the hand file. Ids are 16 bytes as hex; rate is in the smallest token unit per point. */
export interface Terms {
  readonly hand_id: string;
  readonly table_id: string;
  readonly hand_no: number;
  readonly seats: number;
  readonly decks: number;
  readonly dealer: number;
  readonly rate: number;
  readonly commission_bp: number;
  readonly rules: Readonly<Record<string, string>>;
  readonly opened_ms: number;
  readonly players: readonly Player[];
}

/** Keys are ASCII, so comparing their characters compares their bytes. */
export function encodeRules(rules: Readonly<Record<string, string>>): Bytes {
  const entries = Object.entries(rules).sort(([left], [right]) => (left < right ? -1 : 1));
  const fields = entries.flatMap(([key, value]) => [lengthPrefixed(ascii(key)), lengthPrefixed(ascii(value))]);
  return join(u16(entries.length), ...fields);
}

export function encodeTerms(terms: Terms): Bytes {
  return join(
    u8(1),
    fromHex(terms.hand_id),
    fromHex(terms.table_id),
    u64(terms.hand_no),
    u8(terms.seats),
    u8(terms.decks),
    u8(terms.dealer),
    u64(terms.rate),
    u16(terms.commission_bp),
    hash("rules", encodeRules(terms.rules)),
    u64(terms.opened_ms),
    u8(terms.players.length),
    ...terms.players.flatMap((player) => [u8(player.seat), fromHex(player.player_id)]),
  );
}

/** `th`. */
export function termsHash(terms: Terms): Bytes {
  return hash("terms", encodeTerms(terms));
}
