/** Signals in words: what was seen, and what was to be expected. They are reasons to look at hands, no verdicts. */

import { count, percent } from "../../app/numbers";
import { settings } from "../../app/settings.svelte";
import * as m from "../../paraglide/messages";
import { nameWords, signedAmount } from "../words_of_hands";
import type { CaseStep, Finding, Signal, SignalKind } from "./integrity_http";

export function kindWords(kind: SignalKind): string {
  switch (kind) {
    case "one_sided_flow":
      return m.desk_signal_flow();
    case "soft_play":
      return m.desk_signal_soft();
    case "shared_device":
      return m.desk_signal_shared();
    case "machine_timing":
      return m.desk_signal_timing();
  }
}

/** One decimal: these are read at a glance. */
export function scoreWords(score: number): string {
  return new Intl.NumberFormat(settings.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(score);
}

export function signalWords(signal: Signal): string {
  const [first = "", second = ""] = signal.players.map(({ name }) => nameWords(name));
  const seen = new Map(signal.evidence.map(({ label, value }) => [label, Number(value)]));
  const n = (label: string): string => count(seen.get(label) ?? 0);
  const score = scoreWords(signal.score);
  switch (signal.kind) {
    case "one_sided_flow":
      return m.desk_signal_flow_words({
        first,
        second,
        points: n("flow_points"),
        hands: n("hands"),
        expected: n("expected_points"),
        spread: n("spread_points"),
        score,
      });
    case "soft_play":
      return m.desk_signal_soft_words({ first, second, taken: n("taken"), discards: n("discards"), expected: scoreWords(seen.get("expected") ?? 0), score });
    case "shared_device":
      return seen.get("device") === 1
        ? m.desk_signal_device_words({ first, second, hands: n("hands") })
        : m.desk_signal_address_words({ first, second, hands: n("hands") });
    case "machine_timing":
      return m.desk_signal_timing_words({ first, mean: n("mean_ms"), spread: n("spread_ms"), moves: n("moves"), score });
  }
}

const FIGURES: Readonly<Record<string, () => string>> = {
  hands: m.desk_figure_hands,
  flow_points: m.desk_figure_flow_points,
  flow_units: m.desk_figure_flow_units,
  expected_points: m.desk_figure_expected_points,
  spread_points: m.desk_figure_spread_points,
  discards: m.desk_figure_discards,
  taken: m.desk_figure_taken,
  expected: m.desk_figure_expected,
  moves: m.desk_figure_moves,
  mean_ms: m.desk_figure_mean_ms,
  spread_ms: m.desk_figure_spread_ms,
  device: m.desk_same_device,
  address: m.desk_same_address,
};

/** The numbers behind a signal, one below the other, with what follows from two of them. */
export function evidenceOf(signal: Signal): readonly { readonly label: string; readonly value: string }[] {
  const lines = signal.evidence.map(({ label, value }) => ({ label: FIGURES[label]?.() ?? label, value: valueWords(signal, label, value) }));
  const of = (label: string): number => Number(signal.evidence.find((one) => one.label === label)?.value ?? 0);
  if (signal.kind !== "soft_play" || of("discards") === 0) return lines;
  return [...lines, { label: m.desk_figure_taken_share(), value: percent(Math.round((10_000 * of("taken")) / of("discards"))) }];
}

function valueWords(signal: Signal, label: string, value: number | boolean): string {
  if (label === "device" || label === "address") return Number(value) === 1 ? m.desk_yes() : m.desk_no();
  if (label === "expected") return scoreWords(Number(value));
  if (label === "flow_units" && signal.asset !== null) return signedAmount(Number(value), signal.asset);
  return count(Number(value));
}

export function findingWords(finding: Finding): string {
  switch (finding) {
    case "confirmed":
      return m.desk_finding_confirmed();
    case "unfounded":
      return m.desk_finding_unfounded();
    case "inconclusive":
      return m.desk_finding_inconclusive();
  }
}

export function stepWords(step: CaseStep): string {
  switch (step.step) {
    case "opened":
      return m.desk_case_opened();
    case "note":
      return m.desk_note();
    case "assigned":
      return m.desk_case_assigned({ name: step.assignee_name ?? "" });
    case "closed":
      return m.desk_case_closed({ finding: step.finding === null ? "" : findingWords(step.finding) });
    case "reopened":
      return m.desk_case_reopened();
  }
}
