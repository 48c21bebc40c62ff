/** What stands in a table of the desk. */

export type Tone = "good" | "bad" | "notice";

export interface Cell {
  readonly text: string;
  /** Where it leads. */
  readonly href?: string;
  /** A second, smaller line. */
  readonly note?: string;
  /** Shown as a chip of this tone; null for a plain chip. */
  readonly chip?: Tone | null;
  /** Colours a number by what it means. */
  readonly tone?: Tone;
}

export interface Column<Row> {
  readonly label: string;
  readonly number?: boolean;
  /** Long words may break into lines here; everywhere else a cell is one line. */
  readonly wide?: boolean;
  readonly cell: (row: Row) => Cell;
}

/** Tokens that came in are good, those that went out are not. */
export function toneOf(units: number): { readonly tone?: Tone } {
  return units === 0 ? {} : { tone: units > 0 ? "good" : "bad" };
}
