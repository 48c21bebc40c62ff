/** How far apart the cards of a fan lie, so that all groups fit into at most two rows. */

export interface FanMeasures {
  /** Inner width in pixels. */
  readonly width: number;
  readonly cardWidth: number;
  readonly gap: number;
}

const LEAST_STRIP = 14;
/** A strip that shows rank and suit and that a thumb can hit. */
const COMFORTABLE_PART = 0.62;
const WIDEST_PART = 0.8;

/** Pixels of each covered card that stay visible. groupSizes: cards per group, left to right. */
export function stripWidth(groupSizes: readonly number[], measures: FanMeasures): number {
  const widest = Math.floor(measures.cardWidth * WIDEST_PART);
  const comfortable = Math.floor(measures.cardWidth * COMFORTABLE_PART);
  for (let strip = widest; strip >= comfortable; strip -= 1) {
    if (rowsNeeded(groupSizes, strip, measures) <= 1) return strip;
  }
  for (let strip = widest; strip > LEAST_STRIP; strip -= 1) {
    if (rowsNeeded(groupSizes, strip, measures) <= 2) return strip;
  }
  return LEAST_STRIP;
}

function rowsNeeded(groupSizes: readonly number[], strip: number, { width, cardWidth, gap }: FanMeasures): number {
  let rows = 1;
  let used = 0;
  for (const size of groupSizes) {
    const wide = cardWidth + (size - 1) * strip;
    if (wide > width) return Infinity;
    const next = used === 0 ? wide : used + gap + wide;
    if (next <= width) {
      used = next;
    } else {
      rows += 1;
      used = wide;
    }
  }
  return rows;
}
