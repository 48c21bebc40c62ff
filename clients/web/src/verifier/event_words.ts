/** The events of a hand in the person's words, as a viewer of it may read them. */

import * as m from "../paraglide/messages";
import { count, tokens } from "../app/numbers";
import { cardSign, outWords, pointsWords, voidWords } from "../app/words";
import type { Fact } from "../fair/events";
import { PRINTED_JOKER, faceOf, type Card } from "../rummy/cards";
import { drawnCard, type Moment, type Viewer } from "./moments";
import { seatWords } from "./step_words";

/** What somebody on a seat is called. */
export type Naming = (seat: number) => string;

export function eventWords(moment: Moment, viewer: Viewer, called: Naming = seatWords): string {
  return factWords(moment.fact, drawnCard(moment, viewer), called);
}

/** drawn: what a draw from the stock gave, where the reader may know it. */
export function factWords(fact: Fact, drawn: Card | null, called: Naming): string {
  const line = factLine(fact, drawn, called);
  return "auto" in fact && fact.auto ? m.verify_event_by_clock({ line }) : line;
}

function factLine(fact: Fact, drawn: Card | null, called: Naming): string {
  const seat = "seat" in fact ? called(fact.seat) : "";
  switch (fact.type) {
    case "dealt":
      return m.verify_event_dealt();
    case "wild":
      if (faceOf(fact.card) === PRINTED_JOKER) return m.verify_event_wild_joker();
      return m.verify_event_wild({ card: cardSign(fact.card) });
    case "open":
      return m.verify_event_open({ card: cardSign(fact.card) });
    case "draw_stock":
      if (drawn === null) return m.verify_event_draw_stock_hidden({ seat });
      return m.verify_event_draw_stock({ seat, card: cardSign(drawn) });
    case "draw_pile":
      return m.verify_event_draw_pile({ seat, card: cardSign(fact.card) });
    case "discard":
      return m.verify_event_discard({ seat, card: cardSign(fact.card) });
    case "out":
      return m.verify_event_out({ seat, how: outWords(fact.how), points: pointsWords(fact.points) });
    case "declare":
      return fact.valid ? m.verify_event_declare_good({ seat }) : m.verify_event_declare_bad({ seat });
    case "reshuffle":
      return m.verify_event_reshuffle({ count: count(fact.stock_count) });
    case "show":
      return m.verify_event_show({ seat, points: pointsWords(fact.points) });
    case "void":
      return m.verify_event_void({ reason: voidWords(fact.reason) });
    case "settle": {
      const won = fact.lines.find((line) => line.seat === fact.winner);
      if (won === undefined) return m.verify_event_settle_void();
      return m.verify_event_settle_won({ seat: called(won.seat), tokens: tokens(won.delta) });
    }
    case "roster":
    case "reveal":
      return "";
  }
}
