/** Reads the hands of tests/vectors/hands: the notation is described at the top of `rummy/script.py`. */

import { CARDS_PER_HAND, FACES_PER_DECK, cardName, parseFace, type Card } from "../../src/rummy/cards";
import type { HandEvent } from "../../src/rummy/events";
import type { Action, HandSetup } from "../../src/rummy/hand";
import { readRules, type TableRules } from "../../src/rummy/rules";

export interface ScriptedAction {
  readonly action: Action;
  /** The lines that answer it: events, or a refusal; what else stands there is not for us. */
  readonly answers: readonly string[];
}

export interface Script {
  readonly setup: HandSetup;
  readonly dealAnswers: readonly string[];
  readonly actions: readonly ScriptedAction[];
}

const DEFAULT_RULES: Record<string, string> = {
  format: "points",
  min_players: "2",
  turn_seconds: "30",
  time_bank_seconds: "30",
  missed_turns_to_drop: "3",
  take_wild_from_pile: "allowed",
  return_taken_card: "forbidden",
  reshuffles_allowed: "3",
};

export function readScript(text: string): Script {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const settings = lines.filter((line) => !line.startsWith(" ") && !line.startsWith(">")).map(spoken);
  const firstAction = lines.findIndex((line) => line.startsWith(">"));
  const actions: ScriptedAction[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith(">")) continue;
    const answers = answersAfter(lines, at);
    actions.push({ action: readAction(spoken(line.slice(1)), answers), answers });
  }
  return { setup: readSetup(settings), dealAnswers: lines.slice(0, firstAction).filter(isAnswer).map(bare), actions };
}

function spoken(line: string): string {
  return (line.split("#")[0] ?? "").trim();
}

function isAnswer(line: string): boolean {
  return line.startsWith("    ");
}

/** An answer without the cards that not everybody may see. */
function bare(line: string): string {
  return line.replace(/ \[.*\]$/, "").trim();
}

function answersAfter(lines: readonly string[], at: number): string[] {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !isAnswer(line));
  return rest.slice(0, end < 0 ? rest.length : end).map(bare);
}

function readSetup(settings: readonly string[]): HandSetup {
  const valuesOf = (key: string): string[] =>
    settings.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  const seatCount = Number(valuesOf("seats")[0] ?? 4);
  const players = (valuesOf("players")[0]?.split(" ") ?? [...Array(seatCount).keys()]).map(Number);
  const dealer = Number(valuesOf("dealer")[0] ?? seatCount - 1);
  const dealOrder = [...players.filter((seat) => seat > dealer), ...players.filter((seat) => seat <= dealer)];
  const changed = Object.fromEntries(valuesOf("rule").map((line) => line.split(" ")));
  const rules = readRules({ ...DEFAULT_RULES, ...changed }, seatCount) as TableRules;
  const placedCards = new Map(valuesOf("cards").map((line) => [Number(line.split(" ")[0]), readCards(line.slice(2))]));
  const [wild, open, stock] = ["wild", "open", "stock"].map((key) => readCards(valuesOf(key)[0] ?? ""));
  const placed = new Set([...[...placedCards.values()].flat(), ...(wild ?? []), ...(open ?? []), ...(stock ?? [])]);
  const rest = [...Array(FACES_PER_DECK * (seatCount === 8 ? 3 : 2)).keys()].filter((card) => !placed.has(card));
  const filled = (cards: readonly Card[] = [], count: number): Card[] => [
    ...cards,
    ...rest.splice(0, count - cards.length),
  ];
  const hands = dealOrder.map((seat) => filled(placedCards.get(seat), CARDS_PER_HAND));
  const dealt = Array.from({ length: CARDS_PER_HAND }, (_, turn) => hands.map((hand) => hand[turn] as Card)).flat();
  const deck = [...dealt, ...filled(wild, 1), ...filled(open, 1), ...(stock ?? []), ...rest];
  return { rules, seatCount, dealOrder, deck, reshuffle: (_, pile) => pile.slice(0, -1) };
}

function readCards(text: string): Card[] {
  return text.split(" ").filter(Boolean).map(readCard);
}

function readCard(text: string): Card {
  const name = text.replaceAll("'", "");
  return (parseFace(name) as number) + FACES_PER_DECK * (text.length - name.length);
}

function readAction(text: string, answers: readonly string[]): Action {
  const [subject = "", ...words] = text.split(" ");
  if (subject === "void") return { type: "void", reason: words[0] as "operator" };
  const seat = Number(subject);
  const act = words.join(" ");
  if (act.startsWith("discard ")) return { type: "discard", seat, card: readCard(words[1] ?? "") };
  if (act.startsWith("declare ")) return readDeclare(seat, act, answers);
  if (act.startsWith("draw ")) return { type: words[1] === "pile" ? "draw_pile" : "draw_stock", seat };
  return { type: act as "drop" | "leave" | "timeout", seat };
}

/** A declare that says nothing of its groups shows the best arrangement: which one, only the answer tells. */
function readDeclare(seat: number, act: string, answers: readonly string[]): Action {
  const [finish = "", said] = act.slice("declare ".length).split(": ");
  const groups = said ?? answers.find((line) => line.includes("finish card"))?.split(": ")[1] ?? "";
  const laid = groups.split("|").filter((group) => group.trim() !== "");
  return { type: "declare", seat, finish_card: readCard(finish), groups: laid.map(readCards) };
}

function cardText(card: Card): string {
  return cardName(card) + "'".repeat(Math.floor(card / FACES_PER_DECK));
}

function cardsText(cards: readonly Card[]): string {
  return cards.map(cardText).join(" ");
}

/** One line for an event, as `rummy/notation.py` writes it. */
export function eventText(event: HandEvent): string {
  const forIt = "auto" in event && event.auto ? " for it" : "";
  switch (event.type) {
    case "dealt":
      return "dealt";
    case "wild":
    case "open":
      return `${event.type} ${cardText(event.card)}`;
    case "draw_stock":
      return `${event.seat} drew from the stock${forIt}`;
    case "draw_pile":
      return `${event.seat} took ${cardText(event.card)}${forIt}`;
    case "discard":
      return `${event.seat} discarded ${cardText(event.card)}${forIt}`;
    case "out":
      return `${event.seat} out by ${event.how}, ${event.points} points`;
    case "declare": {
      const verdict = event.valid ? "declared" : "declared wrongly";
      const groups = event.groups.map(cardsText).join(" | ");
      return `${event.seat} ${verdict}, finish card ${cardText(event.finish_card)}: ${groups}`;
    }
    case "reshuffle":
      return `reshuffle ${event.r}, ${event.stock_count} cards`;
    case "show":
      return `${event.seat} shows ${event.points} points: ${cardsText(event.cards)}`;
    case "void":
      return `void, ${event.reason}`;
    case "settle": {
      const won = event.winner === null ? "nobody wins" : `seat ${event.winner} wins`;
      const lines = event.lines.map((line) => `${line.seat} counts ${line.points}`).join(", ");
      return `ended by ${event.outcome}, ${won}: ${lines}`;
    }
  }
}
