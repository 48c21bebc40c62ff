/** What happened at the table, line by line: public facts of one hand, newest last. */

export type LogLine =
  | { readonly kind: "draw_stock"; readonly seat: number; readonly auto: boolean }
  | { readonly kind: "draw_pile" | "discard"; readonly seat: number; readonly auto: boolean; readonly card: number }
  | { readonly kind: "out"; readonly seat: number; readonly how: string; readonly points: number }
  | { readonly kind: "declare"; readonly seat: number; readonly valid: boolean }
  | { readonly kind: "reshuffle"; readonly stockCount: number }
  | { readonly kind: "void"; readonly reason: string };

export interface NumberedLine {
  readonly k: number;
  readonly line: LogLine;
}

type Fields = Readonly<Record<string, unknown>>;

export const LINES_KEPT = 60;

/** The line that an event of the transcript makes; null for those that say nothing new to a player. */
export function lineOf(event: Fields): LogLine | null {
  const seat = numberOf(event["seat"]);
  const auto = Boolean(event["auto"]);
  switch (event["type"]) {
    case "draw_stock":
      return { kind: "draw_stock", seat, auto };
    case "draw_pile":
      return { kind: "draw_pile", seat, auto, card: numberOf(event["card"]) };
    case "discard":
      return { kind: "discard", seat, auto, card: numberOf(event["card"]) };
    case "out":
      return { kind: "out", seat, how: String(event["how"]), points: numberOf(event["points"]) };
    case "declare":
      return { kind: "declare", seat, valid: Boolean(event["valid"]) };
    case "reshuffle":
      return { kind: "reshuffle", stockCount: numberOf(event["stock_count"]) };
    case "void":
      return { kind: "void", reason: String(event["reason"]) };
    default:
      return null;
  }
}

/** The log with these events added; an event that is in it already is not added again. */
export function extendLog(log: readonly NumberedLine[], events: readonly Fields[]): readonly NumberedLine[] {
  const lastK = log.at(-1)?.k ?? -1;
  const fresh = events.flatMap((event) => {
    const k = numberOf(event["k"]);
    const line = lineOf(event);
    return line === null || k <= lastK ? [] : [{ k, line }];
  });
  return fresh.length === 0 ? log : [...log, ...fresh].slice(-LINES_KEPT);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : -1;
}
