import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { HandEvent } from "../../src/rummy/events";
import { apply, beforeDeal, evolve, seatState, start, type HandState } from "../../src/rummy/hand";
import { replay } from "../../src/rummy/replay";
import { eventText, readScript } from "./hand_script";

const FOLDER = new URL("../../../../tests/vectors/hands/", import.meta.url);
const SCRIPTS = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

function script(name: string): ReturnType<typeof readScript> {
  return readScript(readFileSync(new URL(name, FOLDER), "utf8"));
}

function folded(state: HandState, events: readonly HandEvent[]): HandState {
  return events.reduce(evolve, state);
}

/** Every card of the deck lies in exactly one place. */
function expectConserved(state: HandState): void {
  const inHands = state.seats.flatMap((seat) => seat?.cards ?? []);
  const apart = [state.turned, state.finishCard].filter((card) => card !== null);
  const everywhere = [...state.stock, ...state.pile, ...inHands, ...apart];
  expect(everywhere.sort((a, b) => a - b)).toEqual([...state.setup.deck].sort((a, b) => a - b));
}

/** Plays a script; the events that happened. */
function play(name: string): HandEvent[] {
  const { setup, dealAnswers, actions } = script(name);
  const happened = [...start(setup)];
  let state = folded(beforeDeal(setup), happened);
  expect(dealAnswers).toEqual(expect.arrayContaining(happened.map(eventText)));
  for (const { action, answers } of actions) {
    const outcome = apply(state, action);
    if (typeof outcome === "string") {
      expect(answers[0]).toMatch(new RegExp(`^refused: ${outcome};`));
      continue;
    }
    expect(answers.slice(0, outcome.length)).toEqual(outcome.map(eventText));
    state = folded(state, outcome);
    expectConserved(state);
    happened.push(...outcome);
  }
  return happened;
}

describe("the hand", () => {
  it.each(SCRIPTS)("plays %s as the shared transcript says", (name) => {
    play(name);
  });

  it.each(SCRIPTS)("finds %s lawful when it is replayed", (name) => {
    const events = play(name);
    const { states, unlawful } = replay(script(name).setup, events);
    expect(unlawful).toBeNull();
    expect(states.length).toBe(events.length);
  });
});

describe("a replay", () => {
  const events = play("declared.txt");
  const { setup } = script("declared.txt");

  function replayChanged(change: (events: HandEvent[]) => void): ReturnType<typeof replay> {
    const changed = structuredClone(events);
    change(changed);
    return replay(setup, changed);
  }

  it("stops at a missing event", () => {
    const { unlawful, states } = replayChanged((list) => list.splice(list.length - 2, 1));
    expect([unlawful?.kind, states.length]).toEqual(["other", events.length - 2]);
  });

  it("stops where the hand ends too early", () => {
    expect(replayChanged((list) => list.pop()).unlawful?.kind).toBe("missing");
  });

  it("stops at a turn taken out of turn", () => {
    const { unlawful } = replayChanged((list) => list.splice(3, 2));
    expect(unlawful).toMatchObject({ kind: "refused", refusal: "not_your_turn" });
  });

  it("stops at an event that nobody's action begins with", () => {
    const show = events.find((event) => event.type === "show") as HandEvent;
    expect(replayChanged((list) => list.splice(3, 0, show)).unlawful).toMatchObject({ kind: "no_action" });
  });

  it("stops at a wrong verdict on a declare", () => {
    const { unlawful } = replayChanged((list) => {
      const at = list.findIndex((event) => event.type === "declare");
      list[at] = { ...(list[at] as HandEvent & { type: "declare" }), valid: false };
    });
    expect(unlawful).toMatchObject({ kind: "other", expected: { valid: true } });
  });

  it("keeps every seat's cards at every moment", () => {
    const { states } = replay(setup, events);
    for (const seat of setup.dealOrder) expect(seatState(states[2] as HandState, seat).cards.length).toBe(13);
  });
});
