import { describe, expect, it } from "vitest";
import { verifyHand } from "../../src/fair/verify";
import type { Replay } from "../../src/rummy/replay";
import type { HandFile } from "../../src/fair/hand_file";
import { drawnCard, heldCards, momentsOf, seenCard, type Moment } from "../../src/verifier/moments";
import { HOUSE_KEYS, SAMPLES } from "../fair/samples";

const DEALT = SAMPLES.map(({ name, public: file }) => ({ name, ...verifyHand(file, HOUSE_KEYS) })).filter(
  (one) => one.replay !== null,
);

/** All that this seat could know of the others' cards at a moment, by what it was shown. */
function publicKnowledge(moments: readonly Moment[], upTo: number): Set<number> {
  const known = new Set<number>();
  for (const { fact } of moments.slice(0, upTo + 1)) {
    if (fact.type === "open" || fact.type === "discard" || fact.type === "draw_pile") known.add(fact.card);
    if (fact.type === "show") fact.cards.forEach((card) => known.add(card));
    if (fact.type === "declare") [fact.finish_card, ...fact.groups.flat()].forEach((card) => known.add(card));
  }
  return known;
}

describe.each(DEALT)("the moments of $name", ({ file, replay }) => {
  const moments = momentsOf(file as HandFile, replay as Replay);
  const seats = (file as HandFile).terms.players.map((player) => player.seat);

  it("show a seat no card of another that it could not know", () => {
    for (const [at, moment] of moments.entries()) {
      const known = publicKnowledge(moments, at);
      for (const viewer of seats) {
        for (const seat of seats.filter((one) => one !== viewer)) {
          for (const card of moment.state.seats[seat]?.cards ?? []) {
            if (seenCard(moment, viewer, seat, card) !== null) expect(known).toContain(card);
          }
        }
        if (drawnCard(moment, viewer) !== null) expect(moment.fact).toMatchObject({ seat: viewer });
      }
    }
  });

  it("show every card to whoever sees everywhere, and each seat its own", () => {
    for (const moment of moments) {
      for (const seat of seats) {
        for (const card of moment.state.seats[seat]?.cards ?? []) {
          expect(seenCard(moment, "all", seat, card)).toBe(card);
          expect(seenCard(moment, seat, seat, card)).toBe(card);
        }
      }
    }
  });

  it("keep the card just drawn apart from the thirteen held", () => {
    for (const moment of moments) {
      for (const seat of seats) {
        const { held, drawn } = heldCards(moment, seat);
        expect(held.length + (drawn === null ? 0 : 1)).toBe(moment.state.seats[seat]?.cards.length);
        if (drawn !== null) expect([moment.state.turnSeat, held.length]).toEqual([seat, 13]);
      }
    }
  });
});
