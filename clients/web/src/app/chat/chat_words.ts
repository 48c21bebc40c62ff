/** Quick phrases and what is said about lines of chat, in the reader's language. */

import type { ChatLine, Phrase } from "../../generated/protocol";
import * as m from "../../paraglide/messages";

/** In the order of a hand: greeting, playing, parting. */
export const PHRASES: readonly Phrase[] = [
  "hello",
  "good_luck",
  "well_played",
  "nice_hand",
  "thanks",
  "sorry",
  "oops",
  "so_close",
  "one_moment",
  "your_turn",
  "last_hand",
  "good_game",
  "bye",
];

export const REASONS = ["abuse", "cheating", "spam", "other"] as const;
export type Reason = (typeof REASONS)[number];

export function phraseWords(phrase: Phrase): string {
  switch (phrase) {
    case "hello":
      return m.chat_hello();
    case "good_luck":
      return m.chat_good_luck();
    case "well_played":
      return m.chat_well_played();
    case "thanks":
      return m.chat_thanks();
    case "sorry":
      return m.chat_sorry();
    case "oops":
      return m.chat_oops();
    case "nice_hand":
      return m.chat_nice_hand();
    case "so_close":
      return m.chat_so_close();
    case "one_moment":
      return m.chat_one_moment();
    case "your_turn":
      return m.chat_your_turn();
    case "last_hand":
      return m.chat_last_hand();
    case "good_game":
      return m.chat_good_game();
    case "bye":
      return m.chat_bye();
  }
}

export function saidWords(line: ChatLine): string {
  return line.phrase === null ? (line.text ?? "") : phraseWords(line.phrase);
}

export function reasonWords(reason: Reason): string {
  switch (reason) {
    case "abuse":
      return m.chat_reason_abuse();
    case "cheating":
      return m.chat_reason_cheating();
    case "spam":
      return m.chat_reason_spam();
    case "other":
      return m.chat_reason_other();
  }
}
