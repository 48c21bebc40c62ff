import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, it } from "vitest";
import { join, label, toHex, u32, u64, type Bytes } from "../../src/fair/encoding";
import { dayName, type KeyRing } from "../../src/fair/key_ring";
import { readKeyList, signerOf } from "../../src/fair/keys";
import { keyId } from "../../src/fair/receipts";

const DAY_MS = 86_400_000;
const SECRET = new Uint8Array(32).fill(7);
const PUBLIC = toHex(ed25519.getPublicKey(SECRET));

function statement(firstDay: number, lastDay: number): Record<string, unknown> {
  const message = join(label("key"), ed25519.getPublicKey(SECRET), u32(firstDay), u32(lastDay));
  return {
    key_id: keyId(PUBLIC),
    public_key: PUBLIC,
    first_day: dayName(firstDay),
    last_day: dayName(lastDay),
    signature: toHex(ed25519.sign(message, SECRET)),
  };
}

function ring(firstDay: number, lastDay: number): KeyRing {
  return readKeyList({ keys: [statement(firstDay, lastDay)] });
}

const message: Bytes = u64(1);
const signature = toHex(ed25519.sign(message, SECRET));

describe("a key of the house", () => {
  it.each([
    [20_000 * DAY_MS, "valid"],
    [20_010 * DAY_MS + DAY_MS - 1, "valid"],
    [20_000 * DAY_MS - 1, "key_not_valid_then"],
    [20_011 * DAY_MS, "key_not_valid_then"],
  ])("signs on its first and last day and between: %i", (at_ms, state) => {
    expect(signerOf(ring(20_000, 20_010), message, at_ms, signature).state).toBe(state);
  });

  it("does not sign what it did not sign", () => {
    expect(signerOf(ring(0, 30_000), u64(2), DAY_MS, signature).state).toBe("unknown_key");
    expect(signerOf([], message, DAY_MS, signature).state).toBe("unknown_key");
  });

  it("is no other point, and no longer signature, that means the same to looser rules", () => {
    const s = BigInt(`0x${[...(signature.slice(64).match(/../g) ?? [])].reverse().join("")}`);
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const again = (s + order).toString(16).padStart(64, "0");
    const stretched = signature.slice(0, 64) + [...(again.match(/../g) ?? [])].reverse().join("");
    expect(signerOf(ring(0, 30_000), message, DAY_MS, stretched).state).toBe("unknown_key");
  });

  it.each([
    ["days that it did not sign", { last_day: "2099-01-01" }],
    ["another key's id", { key_id: "0011223344556677" }],
    ["a day that is none", { first_day: "2026-02-30" }],
    ["a day in other words", { first_day: "2026-2-3" }],
    ["a day before all days", { first_day: "1969-12-31" }],
    ["an end before its beginning", { first_day: "2026-03-01", last_day: "2026-02-28" }],
    ["no point of the curve", { public_key: "ff".repeat(32), key_id: keyId("ff".repeat(32)) }],
    ["a field more", { note: "" }],
  ])("is refused with %s", (_, change) => {
    expect(() => readKeyList({ keys: [{ ...statement(20_000, 20_010), ...change }] })).toThrow();
  });
});
