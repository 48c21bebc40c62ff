/**
 * Deals random hands, has Python solve them, solves them here, and compares: `npm run check:solver [hands] [seed]`.
 * PYTHON names the interpreter that has the house installed, `python3` by default. Ends with 1 when an answer differs.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import {
  CARDS_PER_HAND,
  FACES_PER_DECK,
  PRINTED_JOKER_NAME,
  RANK_NAMES,
  cardName,
  faceOf,
  isWild,
  rankOf,
  suitOf,
  type Card,
  type Rank,
} from "../../src/rummy/cards";
import { bestArrangement } from "../../src/rummy/solver";

interface Hand {
  readonly id: number;
  readonly cards: readonly Card[];
  readonly wildRank: Rank | null;
  readonly decks: number;
}

interface Answer {
  readonly points: number;
  readonly can_declare: boolean;
}

const DIFFERENCES_SHOWN = 10;
/** npm runs scripts in the folder of the client. */
const REPOSITORY = "../..";
const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 1);

/** The generator known as mulberry32: small, and the same everywhere. */
function randomFrom(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Every other hand is dealt plainly; the rest are dense in few suits and ranks, or rich in wild cards. */
function dealHand(id: number, random: (below: number) => number): Hand {
  const decks = 2 + random(2);
  const wildRank = random(12) === 0 ? null : 1 + random(13);
  const pack = [...Array(FACES_PER_DECK * decks).keys()];
  const lowest = 1 + random(8);
  const suits = 1 + random(3);
  const narrow = (card: Card): boolean => {
    const face = faceOf(card);
    return isWild(face, wildRank) || (suitOf(face) < suits && rankOf(face) >= lowest && rankOf(face) < lowest + 7);
  };
  const rich = (card: Card): boolean => isWild(faceOf(card), wildRank) || random(3) === 0;
  const from = id % 4 === 2 ? pack.filter(narrow) : id % 4 === 3 ? pack.filter(rich) : pack;
  const source = from.length >= CARDS_PER_HAND ? from : pack;
  const cards = Array.from({ length: CARDS_PER_HAND }, () => source.splice(random(source.length), 1)[0] as Card);
  return { id, cards, wildRank, decks };
}

function question({ id, cards, wildRank, decks }: Hand): string {
  const wild = wildRank === null ? PRINTED_JOKER_NAME : RANK_NAMES[wildRank - 1];
  return JSON.stringify({ id, cards: cards.map(cardName), wild, decks });
}

const random = randomFrom(seed);
const asked: Hand[] = [];
const python = spawn(process.env["PYTHON"] ?? "python3", ["-m", "rummy", "solve"], {
  cwd: REPOSITORY,
  stdio: ["pipe", "pipe", "inherit"],
});

async function ask(): Promise<void> {
  for (let id = 0; id < count; id += 1) {
    const hand = dealHand(id, random);
    asked.push(hand);
    if (!python.stdin.write(`${question(hand)}\n`)) await once(python.stdin, "drain");
  }
  python.stdin.end();
}

const asking = ask();
let checked = 0;
let different = 0;
for await (const line of createInterface({ input: python.stdout })) {
  const hand = asked[checked] as Hand;
  const wanted = JSON.parse(line) as Answer;
  const here = bestArrangement(hand.cards, hand.wildRank);
  checked += 1;
  if (here.points === wanted.points && here.complete === wanted.can_declare) continue;
  different += 1;
  if (different <= DIFFERENCES_SHOWN) {
    console.error(`${question(hand)}\n  Python ${line}\n  here ${here.points} points, can declare: ${here.complete}`);
  }
}
await asking;
console.log(`${checked} of ${count} hands (seed ${seed}): ${different} different`);
process.exitCode = different === 0 && checked === count ? 0 : 1;
