import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StepId } from "../../src/fair/findings";
import { parseJson } from "../../src/fair/json_form";
import { verifyHand } from "../../src/fair/verify";
import { HOUSE_KEYS, SAMPLES, sample } from "./samples";

// The tests reach into files that may be broken in any way, so they are read without types here.
type Json = any;

function firstFailure(file: unknown): StepId | null {
  return verifyHand(file, HOUSE_KEYS).failed?.id ?? null;
}

function changed(name: string, change: (file: Json) => void): unknown {
  const file = structuredClone(sample(name).own) as Json;
  change(file);
  return file;
}

function eventOf(file: Json, type: string): Json {
  return file.events.find((event: Json) => event.type === type);
}

describe("a hand file of the house", () => {
  it.each(SAMPLES)("verifies: $name", ({ public: everybodys, own }) => {
    for (const file of [everybodys, own]) {
      const found = verifyHand(file, HOUSE_KEYS);
      expect(found.failed).toBeNull();
      expect(found.ok).toBe(true);
      expect(found.steps.map((step) => step.status)).toEqual(Array(12).fill("ok"));
    }
  });

  it("verifies by its own keys when nobody gives the house's", () => {
    expect(verifyHand(sample("declared").public, null).ok).toBe(true);
  });

  it("shows the state of the hand after every event that the hand knows", () => {
    const { file, replay } = verifyHand(sample("declared").public, HOUSE_KEYS);
    // All but the roster and the reveal.
    expect(replay?.states.length).toBe((file?.events.length ?? 0) - 2);
  });
});

describe("a changed hand file is named by its step", () => {
  const other = "00".repeat(32);
  const cases: [StepId, string, string, (file: Json) => void][] = [
    ["V1", "another protocol", "declared", (file) => (file.protocol = "rummy-fair/2")],
    ["V1", "a field more", "declared", (file) => (file.note = "trust me")],
    ["V1", "upper-case hex", "declared", (file) => (file.commitment = file.commitment.toUpperCase())],
    ["V2", "the rate", "declared", (file) => (file.input.terms.rate += 1)],
    ["V2", "a rule", "declared", (file) => (file.input.terms.rules.missed_turns_to_drop = "4")],
    ["V2", "a player", "declared", (file) => (file.input.terms.players[0].player_id = "00".repeat(16))],
    ["V3", "the commitment", "declared", (file) => (file.commitment = other)],
    ["V3", "the seed", "declared", (file) => (file.input.server_seed = other)],
    ["V3", "the revealed seed", "declared", (file) => (eventOf(file, "reveal").server_seed = other)],
    [
      "V4",
      "a text",
      "declared_by_one_of_four",
      (file) => (file.input.contributions.find((c: Json) => c.nonce).text_hex = "41"),
    ],
    [
      "V4",
      "a control character",
      "declared_by_one_of_four",
      (file) => (file.input.contributions.find((c: Json) => c.nonce).text_hex = "07"),
    ],
    ["V4", "no signed list", "declared", (file) => (file.hashes_receipt = null)],
    ["V4", "another signed list", "declared", (file) => (file.hashes_receipt.hashes = "00")],
    ["V5", "the wild card", "declared", (file) => (eventOf(file, "wild").card = 7)],
    ["V5", "the opener", "declared", (file) => (eventOf(file, "open").card = 7)],
    [
      "V6",
      "a discard of a card not held",
      "declared",
      (file) => (eventOf(file, "discard").card = eventOf(file, "open").card),
    ],
    [
      "V6",
      "two events in another order",
      "declared",
      (file) => file.events.splice(4, 2, file.events[5], file.events[4]),
    ],
    ["V6", "an event left out", "declared", (file) => file.events.splice(4, 1)],
    ["V6", "an event twice", "declared", (file) => file.events.splice(4, 0, file.events[4])],
    ["V6", "time that runs back", "declared", (file) => (file.events[5].at_ms = file.events[3].at_ms - 1)],
    [
      "V6",
      "a move played by the clock called the player's own",
      "clock",
      (file) => (file.events[1 + file.events.findIndex((e: Json) => e.type === "draw_stock" && e.auto === 1)].auto = 0),
    ],
    ["V7", "the count of a reshuffle", "stock_exhausted", (file) => (eventOf(file, "reshuffle").stock_count += 1)],
    ["V7", "the number of a reshuffle", "stock_exhausted", (file) => (eventOf(file, "reshuffle").r = 2)],
    ["V8", "a wrong declare called right", "wrong_declare", (file) => (eventOf(file, "declare").valid = 1)],
    [
      "V8",
      "the price of a drop",
      "leaving",
      (file) => (eventOf(file, "out").points = 20 + eventOf(file, "out").points),
    ],
    ["V8", "the points of a show", "declared", (file) => (eventOf(file, "show").points += 1)],
    ["V8", "the cards of a show", "declared", (file) => eventOf(file, "show").cards.reverse()],
    ["V9", "another winner", "declared", (file) => (eventOf(file, "settle").winner = eventOf(file, "show").seat)],
    ["V9", "points in the settlement", "declared", (file) => (eventOf(file, "settle").lines[0].points += 1)],
    ["V9", "one unit of tokens", "declared", (file) => (eventOf(file, "settle").lines[0].delta += 1)],
    ["V9", "one unit of commission", "declared", (file) => (eventOf(file, "settle").commission += 1)],
    ["V10", "the time of an event", "declared", (file) => (file.events[0].at_ms -= 1)],
    ["V10", "the groups as shown", "declared", (file) => eventOf(file, "declare").groups.reverse()],
    ["V10", "a head", "declared", (file) => (file.heads[9] = other)],
    [
      "V10",
      "a card that a seat was shown",
      "declared",
      (file) => ((Object.values(file.seats)[0] as Json).private[0].cards[0] = 1),
    ],
    ["V10", "a head of a seat", "declared", (file) => ((Object.values(file.seats)[0] as Json).heads[1] = other)],
    ["V10", "a state receipt", "declared", (file) => ((Object.values(file.seats)[0] as Json).state_receipts[1].k += 1)],
    ["V11", "a signature", "declared", (file) => (file.commit_receipt.signature = other + other)],
    ["V11", "the day of a signature", "declared", (file) => (file.sth.at_ms += 86_400_000 * 1000)],
    ["V11", "the days of a key", "declared", (file) => (file.keys[0].last_day = "2099-01-01")],
    ["V12", "an inclusion proof", "declared", (file) => (file.sth.inclusion_close[0] = other)],
    ["V12", "a shorter proof", "declared", (file) => file.sth.inclusion_close.pop()],
    ["V12", "the close leaf's place", "declared", (file) => (file.close_index += 1)],
    ["V12", "the size before", "declared", (file) => (file.sth.consistency_from += 1)],
  ];

  it("would not be tested on a file that fails anyway", () => {
    expect(firstFailure(changed("declared", () => undefined))).toBeNull();
  });

  it.each(cases)("%s: %s", (step, _, name, change) => {
    expect(firstFailure(changed(name, change))).toBe(step);
  });

  it("V11: keys that are not the house's", () => {
    const ring = HOUSE_KEYS.map((key) => ({ ...key, lastDay: key.lastDay - 1 }));
    expect(verifyHand(sample("declared").public, ring).failed).toMatchObject({
      id: "V11",
      problem: { code: "key_not_published" },
    });
  });
});

type Path = (string | number)[];

/** The path of every value in a file that is no object or list itself. */
function leafPaths(value: Json, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return Object.keys(value).flatMap((name) =>
    leafPaths(value[name], [...at, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Another value of the same kind: a number one away, a text with one character changed. */
function nudged(value: Json, by: number): Json {
  if (typeof value === "number") return value === 0 || by % 2 === 0 ? value + 1 : value - 1;
  if (value === null) return 0;
  const at = by % Math.max(1, value.length);
  const old = value[at] ?? "";
  const next = /[0-9a-e]/.test(old) ? (parseInt(old, 16) + 1).toString(16) : old === "f" ? "0" : "a";
  return value.slice(0, at) + next + value.slice(at + 1);
}

function withNudge(file: unknown, path: Path, by: number): unknown {
  const copy = structuredClone(file) as Json;
  const parent = path.slice(0, -1).reduce((value: Json, name) => value[name], copy);
  const last = path.at(-1) as string | number;
  parent[last] = nudged(parent[last], by);
  return copy;
}

describe("tampering", () => {
  const everyField = ["declared_by_one_of_four", "wrong_declare", "void_before_roster"];

  it.each(everyField)("with any single field is found: %s", (name) => {
    const { own } = sample(name);
    const paths = leafPaths(own);
    for (const [at, path] of paths.entries()) {
      const failure = firstFailure(withNudge(own, path, at));
      expect([path.join("."), failure]).toEqual([path.join("."), expect.stringMatching(/^V\d+$/)]);
    }
  });

  it("with a field of any hand is found", () => {
    const picks = SAMPLES.map(({ own }) => ({ own, paths: leafPaths(own) }));
    fc.assert(
      fc.property(fc.nat(picks.length - 1), fc.nat(), fc.nat(), (which, place, by) => {
        const { own, paths } = picks[which] as (typeof picks)[number];
        const path = paths[place % paths.length] as Path;
        return firstFailure(withNudge(own, path, by)) !== null;
      }),
      { numRuns: 250 },
    );
  });

  it("by changing the order of two events is found", () => {
    const { own } = sample("declared");
    const count = (own as Json).events.length as number;
    for (let at = 0; at + 1 < count; at += 1) {
      const swapped = changed("declared", ({ events }) => events.splice(at, 2, events[at + 1], events[at]));
      expect([at, firstFailure(swapped)]).toEqual([at, expect.stringMatching(/^V\d+$/)]);
    }
  });

  it("by leaving any field out is found", () => {
    const { public: file } = sample("declared_by_one_of_four");
    for (const path of leafPaths(file)) {
      const copy = structuredClone(file) as Json;
      const parent = path.slice(0, -1).reduce((value: Json, name) => value[name], copy);
      if (Array.isArray(parent)) parent.splice(path.at(-1) as number, 1);
      else delete parent[path.at(-1) as string];
      expect([path.join("."), firstFailure(copy)]).toEqual([path.join("."), expect.stringMatching(/^V\d+$/)]);
    }
  });
});

describe("what is no hand file", () => {
  it.each([
    null,
    undefined,
    0,
    "",
    "hello",
    [],
    {},
    [[]],
    { protocol: 1 },
    { protocol: "rummy-fair/1" },
    Symbol.iterator,
  ])("is refused in words: %j", (value) => {
    const found = verifyHand(value, null);
    expect([found.failed?.id, found.failed?.problem?.code]).toEqual(["V1", "malformed"]);
  });

  it("never makes the verifier throw", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => verifyHand(value, null).failed?.id === "V1"));
  });

  it("never makes the verifier throw when a part of a good file is anything", () => {
    const { own } = sample("declared_by_one_of_four");
    const paths = leafPaths(own);
    fc.assert(
      fc.property(fc.nat(paths.length - 1), fc.nat(3), fc.jsonValue(), (place, up, value) => {
        const path = (paths[place] as Path).slice(0, Math.max(1, (paths[place] as Path).length - up));
        const copy = structuredClone(own) as Json;
        path.slice(0, -1).reduce((at: Json, name) => at[name], copy)[path.at(-1) as string] = value;
        const same = JSON.stringify(copy) === JSON.stringify(own);
        // Who kept no state receipts has a good file, too, and the keys are also in the published list.
        const mayBeEmpty = path.at(-1) === "state_receipts" || path.join() === "keys";
        const goodWithLess = mayBeEmpty && JSON.stringify(value) === "[]";
        return verifyHand(copy, HOUSE_KEYS).ok === (same || goodWithLess);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['{"a":1,"a":1}', /twice/],
    ['{"a":{"b":1},"c":[{"b":1,"\\u0062":2}]}', /twice/],
    ['{"a":1.0}', /not an integer/],
    ['{"a":1e3}', /not an integer/],
    ['{"a":9007199254740992}', /out of range/],
    ['{"a":NaN}', /not JSON/],
    ["", /not JSON/],
    ["[".repeat(100_000), /not JSON/],
  ])("is refused as text: %s", (text, words) => {
    expect(() => parseJson(text)).toThrow(words);
  });

  it("is not seen in strings that look like numbers or names", () => {
    expect(parseJson('{"a":"1.5e3","b":"{\\"a\\":1.5}","c":[true,false,null,-1]}')).toBeTruthy();
  });
});
