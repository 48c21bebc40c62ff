/**
 * Plays a hand again from its public events: each must be what some legal action gives there.
 *
 * Nothing is trusted: whose turn it was, what was drawn, every turn that the clock played, every validity and every
 * point follow from the deck and the events before. Source: `rummy/replay.py`, with the state after each event.
 */

import type { HandEvent } from "./events";
import { apply, beforeDeal, evolve, start, type Action, type HandSetup, type HandState, type Refusal } from "./hand";

/** The first event that the rules do not give. */
export type Unlawful =
  | { readonly kind: "refused"; readonly found: HandEvent; readonly refusal: Refusal }
  | { readonly kind: "no_action"; readonly found: HandEvent }
  | { readonly kind: "missing"; readonly expected: HandEvent }
  | { readonly kind: "other"; readonly found: HandEvent; readonly expected: HandEvent };

export interface Replay {
  /** states[i] is the hand after event i; as many as events were found lawful. */
  readonly states: readonly HandState[];
  readonly unlawful: Unlawful | null;
}

export function replay(setup: HandSetup, events: readonly HandEvent[]): Replay {
  const states: HandState[] = [];
  let state = beforeDeal(setup);
  let expected = start(setup);
  for (;;) {
    for (const right of expected) {
      const found = events[states.length];
      if (found === undefined) return { states, unlawful: { kind: "missing", expected: right } };
      if (!sameEvent(found, right)) return { states, unlawful: { kind: "other", found, expected: right } };
      state = evolve(state, right);
      states.push(state);
    }
    const found = events[states.length];
    if (found === undefined) return { states, unlawful: null };
    const action = actionBehind(state, found, events[states.length + 1]);
    if (action === null) return { states, unlawful: { kind: "no_action", found } };
    const outcome = apply(state, action);
    if (typeof outcome === "string") return { states, unlawful: { kind: "refused", found, refusal: outcome } };
    expected = outcome;
  }
}

/** The action whose first event this is; null when such an event never comes first. */
function actionBehind(state: HandState, event: HandEvent, next: HandEvent | undefined): Action | null {
  switch (event.type) {
    case "reshuffle":
      return next?.type === "draw_stock" ? drawBehind(next) : null;
    case "draw_stock":
      return drawBehind(event);
    case "draw_pile":
      return { type: "draw_pile", seat: event.seat };
    case "discard":
      return event.auto
        ? { type: "timeout", seat: event.seat }
        : { type: "discard", seat: event.seat, card: event.card };
    case "declare":
      return { type: "declare", seat: event.seat, finish_card: event.finish_card, groups: event.groups };
    case "out":
      if (event.how === "missed_turns") return null;
      return { type: event.how === "left" ? "leave" : "drop", seat: event.seat };
    case "void":
      if (event.reason !== "stock_exhausted") return { type: "void", reason: event.reason };
      return state.turnSeat === null ? null : { type: "draw_stock", seat: state.turnSeat };
    default:
      return null;
  }
}

function drawBehind(event: HandEvent & { type: "draw_stock" }): Action {
  return { type: event.auto ? "timeout" : "draw_stock", seat: event.seat };
}

/** Whether two events, or what they hold, say the same, in whatever order their fields were written. */
function sameEvent(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => sameEvent((left as never)[name], (right as never)[name]))
  );
}
