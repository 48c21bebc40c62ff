/** V10 to V12: the chains that leave no event out, the signatures under them, and the log that no hand vanishes from. */

import type { Replay } from "../rummy/replay";
import { fromHex, toHex, type Bytes } from "./encoding";
import { Mismatch, type Findings, type SignedKind } from "./findings";
import type { HandFile, SeatPart } from "./hand_file";
import { dayName, type KeyRing, type PublicKey } from "./key_ring";
import { signerOf, statesItself } from "./keys";
import { closeLeaf, openLeaf } from "./leaves";
import { provesConsistency, provesInclusion } from "./merkle";
import { FIRST_HAND_EVENT, isDealt } from "./play_checks";
import { commitMessage, contributionMessage, hashesMessage, stateMessage, treeHeadMessage } from "./receipts";
import { chainHeads, seatHeadAt, seatHeads, type Showing } from "./transcript";
import type { Player } from "./terms";

/** V10: the public chain, every seat's own, and the receipts that players kept of them. */
export function checkChains(file: HandFile, th: Bytes, C: Bytes, replay: Replay | null, findings: Findings): void {
  const heads = chainHeads(th, C, file.events).map(toHex);
  if (heads.length !== file.heads.length) throw new Mismatch({ code: "heads_missing" });
  for (const [at, head] of heads.entries()) {
    if (head === file.heads[at] && at < heads.length - 1) continue;
    findings.compare("head", file.heads[at] as string, head, { code: "head_differs", k: at - 1 });
  }
  for (const player of file.terms.players) checkSeat(file, th, heads, player, replay, findings);
}

function checkSeat(
  file: HandFile,
  th: Bytes,
  heads: readonly string[],
  player: Player,
  replay: Replay | null,
  findings: Findings,
): void {
  const { seat } = player;
  const part = file.seats.get(seat) as SeatPart;
  const showings = showingsOf(file, seat, replay);
  if (JSON.stringify(part.private) !== JSON.stringify(showings)) throw new Mismatch({ code: "showings_differ", seat });
  const own = seatHeads(th, seat, player.player_id, showings);
  if (own.length !== part.heads.length) throw new Mismatch({ code: "seat_chain_differs", seat });
  for (const [at, head] of own.map(toHex).entries()) {
    if (head === part.heads[at] && at < own.length - 1) continue;
    findings.compare("seat_head", part.heads[at] as string, head, { code: "seat_chain_differs", seat }, seat);
  }
  checkKeptReceipts(file, part, seat);
  for (const receipt of part.state_receipts) {
    const head = heads[receipt.k + 1];
    if (head === undefined) throw new Mismatch({ code: "receipt_of_missing_event", seat, k: receipt.k });
    const right = [seat, head, toHex(seatHeadAt(own, showings, receipt.k))].join();
    if ([receipt.seat, receipt.head, receipt.seat_head].join() !== right) {
      throw new Mismatch({ code: "receipt_of_other_history", seat, k: receipt.k });
    }
  }
}

/** What a seat alone was shown: 13 cards at the deal, one at each own draw from the stock. */
function showingsOf(file: HandFile, seat: number, replay: Replay | null): Showing[] {
  if (replay === null) return [];
  const showings: Showing[] = [];
  for (const [k, { fact }] of file.events.entries()) {
    const cards = replay.states[k - FIRST_HAND_EVENT]?.seats[seat]?.cards ?? [];
    if (fact.type === "dealt") showings.push({ k, cards });
    if (fact.type === "draw_stock" && fact.seat === seat) showings.push({ k, cards: cards.slice(-1) });
  }
  return showings;
}

function checkKeptReceipts(file: HandFile, part: SeatPart, seat: number): void {
  const line = file.contributions.find((one) => one.seat === seat);
  const hash = line === undefined || line.status === "none" ? null : line.hash;
  for (const receipt of [part.contribution_receipt, part.reveal_receipt]) {
    if (receipt !== null && (receipt.seat !== seat || receipt.hash !== hash)) {
      throw new Mismatch({ code: "receipt_of_other_contribution", seat });
    }
  }
  // A hand voided before the deal calls nobody's contribution given.
  if (part.reveal_receipt !== null && isDealt(file.events) && line?.status !== "given") {
    throw new Mismatch({ code: "revealed_but_withheld", seat });
  }
}

/** V11: every signature, by a key that was valid when it was made. houseKeys: null to go by the file's own keys. */
export function checkSignatures(
  file: HandFile,
  th: Bytes,
  C: Bytes,
  houseKeys: KeyRing | null,
  findings: Findings,
): void {
  for (const key of file.keys) checkKey(key, houseKeys);
  const ring = houseKeys ?? file.keys;
  const { commitReceipt, hashesReceipt, treeHead } = file;
  const check = (what: SignedKind, message: Bytes, signed: { at_ms: number; signature: string }, seat?: number): void =>
    checkSignature(ring, what, message, signed, findings, seat);
  check("commit", commitMessage(th, C, commitReceipt), commitReceipt);
  if (hashesReceipt !== null) check("hashes", hashesMessage(th, hashesReceipt), hashesReceipt);
  for (const [seat, part] of file.seats) {
    const { contribution_receipt: accepted, reveal_receipt: revealed } = part;
    if (accepted !== null) check("contribution", contributionMessage("contribution", th, accepted), accepted, seat);
    if (revealed !== null) check("reveal", contributionMessage("reveal", th, revealed), revealed, seat);
    for (const receipt of part.state_receipts) check("state", stateMessage(th, receipt), receipt, seat);
  }
  check("tree_head", treeHeadMessage(treeHead), treeHead);
}

function checkKey(key: PublicKey, houseKeys: KeyRing | null): void {
  if (!statesItself(key)) throw new Mismatch({ code: "key_days_not_signed", key: key.key_id });
  const published = houseKeys?.some((one) => JSON.stringify(one) === JSON.stringify(key)) ?? true;
  if (!published) throw new Mismatch({ code: "key_not_published", key: key.key_id });
}

function checkSignature(
  ring: KeyRing,
  what: SignedKind,
  message: Bytes,
  signed: { at_ms: number; signature: string },
  findings: Findings,
  seat?: number,
): void {
  const { state, key } = signerOf(ring, message, signed.at_ms, signed.signature);
  const signer = key === null ? "" : `${key.key_id} (${dayName(key.firstDay)} – ${dayName(key.lastDay)})`;
  findings.note(what, signed.signature, signer, state === "valid", seat);
  if (state === "unknown_key") throw new Mismatch({ code: "not_signed", what });
  if (state === "key_not_valid_then") throw new Mismatch({ code: "key_not_valid_then", what });
}

/** V12: the hand was in the log before anybody contributed, and its end is there too. */
export function checkLog(file: HandFile, th: Bytes, C: Bytes, findings: Findings): void {
  const { terms, commitReceipt: opened, treeHead: head } = file;
  const open = provesInclusion(
    openLeaf(terms, th, C),
    opened.leaf_index,
    opened.tree_size,
    opened.inclusion.map(fromHex),
    fromHex(opened.root),
  );
  findings.note("open_leaf", `${opened.leaf_index} / ${opened.tree_size}`, opened.root, open);
  if (!open) throw new Mismatch({ code: "open_leaf_missing" });
  const grown =
    head.consistency_from === opened.tree_size &&
    provesConsistency(
      opened.tree_size,
      fromHex(opened.root),
      head.tree_size,
      fromHex(head.root),
      head.consistency.map(fromHex),
    );
  findings.note("consistency", `${opened.tree_size} → ${head.tree_size}`, head.root, grown);
  if (!grown) throw new Mismatch({ code: "tree_heads_disagree" });
  const closed =
    file.closeIndex > opened.leaf_index &&
    provesInclusion(
      closeLeafOf(file),
      file.closeIndex,
      head.tree_size,
      head.inclusion_close.map(fromHex),
      fromHex(head.root),
    );
  findings.note("close_leaf", `${file.closeIndex} / ${head.tree_size}`, head.root, closed);
  if (!closed) throw new Mismatch({ code: "close_leaf_missing" });
}

function closeLeafOf(file: HandFile): Bytes {
  const reason = file.events.map(({ fact }) => (fact.type === "void" ? fact.reason : null)).find((one) => one !== null);
  const settle = file.events.at(-2)?.fact;
  const outcome = settle?.type === "settle" ? settle.outcome : "void";
  const lastHead = fromHex(file.heads.at(-1) as string);
  return closeLeaf(file.terms, outcome, reason ?? null, fromHex(file.serverSeed), lastHead);
}
