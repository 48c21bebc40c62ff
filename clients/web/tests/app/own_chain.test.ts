import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OwnChain } from "../../src/app/table/own_chain";
import { fromHex, toHex } from "../../src/fair/encoding";
import { seatHeadAt, type Showing } from "../../src/fair/transcript";

type Event = Readonly<Record<string, unknown>> & { readonly type: string; readonly seat: number };

interface Hand {
  readonly input: { readonly terms: { readonly players: { readonly seat: number; readonly player_id: string }[] } };
  readonly deal: { readonly terms_hash: string; readonly commitment: string };
  readonly events: Event[];
  readonly heads: string[];
  readonly seats: Record<string, { readonly private: Showing[]; readonly heads: string[] }>;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../tests/vectors/fairness.json", import.meta.url), "utf8"),
) as { hands: Hand[] };
const hand = vectors.hands[0] as Hand;
const SEAT = 0;
const FIRST_DRAW = hand.events.findIndex(({ type, seat }) => type === "draw_stock" && seat === SEAT);
const own = hand.seats[SEAT] as (typeof hand.seats)[string];
const dealt = own.private[0]?.cards ?? [];
const drawn = own.private[1]?.cards[0] ?? 0;
const events = hand.events.map((event, k) => ({ k, ...event }));
const discard = hand.events[FIRST_DRAW + 1]?.["card"] as number;
const held = [...dealt, drawn];
const later = held.filter((card) => card !== discard);

function chain(): OwnChain {
  const player = hand.input.terms.players.find((one) => one.seat === SEAT)?.player_id ?? "";
  return new OwnChain(fromHex(hand.deal.terms_hash), fromHex(hand.deal.commitment), SEAT, player);
}

const OTHER = "ab".repeat(32);
const head = (k: number): string => hand.heads[k + 1] as string;
const seatHead = (k: number): string => toHex(seatHeadAt(own.heads.map(fromHex), own.private, k));

describe("the own chain of a running hand", () => {
  it("agrees with both chains of a hand that it has seen from its deal on, and with no others", () => {
    const seen = chain();
    seen.follow(events.slice(0, FIRST_DRAW), dealt, null);
    seen.follow(events.slice(FIRST_DRAW, FIRST_DRAW + 1), held, drawn);
    expect(seen.agrees(FIRST_DRAW, head(FIRST_DRAW), seatHead(FIRST_DRAW))).toBe(true);
    expect(seen.agrees(FIRST_DRAW, OTHER, seatHead(FIRST_DRAW))).toBe(false);
    expect(seen.agrees(FIRST_DRAW, head(FIRST_DRAW), OTHER)).toBe(false);
  });

  it.each([
    ["after the own draw", FIRST_DRAW, held, drawn],
    ["after the own discard", FIRST_DRAW + 1, later, null],
    ["at its end", events.length - 1, later, null],
    ["without own cards", FIRST_DRAW - 1, [], null],
  ])("believes a whole hand shown at once %s, whose deal nobody can tell from the cards held", (_, k, cards, card) => {
    const seen = chain();
    seen.follow(events.slice(0, k + 1), cards, card);
    expect(seen.agrees(k, head(k), seatHead(k))).not.toBe(false);
    expect(seen.agrees(k, OTHER, seatHead(k))).toBe(false);
  });

  it("tells no earlier draw by the card that a later one gave", () => {
    const seen = chain();
    const again = { ...events[FIRST_DRAW], k: FIRST_DRAW + 2 };
    seen.follow(events.slice(0, FIRST_DRAW), dealt, null);
    seen.follow([...events.slice(FIRST_DRAW, FIRST_DRAW + 2), again], later, drawn + 1);
    expect(seen.agrees(FIRST_DRAW, head(FIRST_DRAW), seatHead(FIRST_DRAW))).not.toBe(false);
  });

  it("knows nothing after a gap, until the whole hand is shown again", () => {
    const seen = chain();
    seen.follow(events.slice(0, FIRST_DRAW - 1), dealt, null);
    seen.follow(events.slice(FIRST_DRAW, FIRST_DRAW + 1), held, drawn);
    expect(seen.agrees(FIRST_DRAW, OTHER, OTHER)).toBeNull();
    seen.follow(events.slice(0, FIRST_DRAW + 1), held, drawn);
    expect(seen.agrees(FIRST_DRAW, OTHER, seatHead(FIRST_DRAW))).toBe(false);
    expect(seen.agrees(FIRST_DRAW, head(FIRST_DRAW), OTHER)).toBe(false);
    expect(seen.agrees(FIRST_DRAW, head(FIRST_DRAW), seatHead(FIRST_DRAW))).toBe(true);
  });
});
