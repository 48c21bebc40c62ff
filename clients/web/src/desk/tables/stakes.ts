/** Commission as people type it and as the house counts it. */

/** The house's own bound, in basis points: beyond a quarter of a win it is a mistake of the keyboard. */
export const MOST_COMMISSION_BP = 2_500;

/** Basis points of a typed percentage; null for what is none, finer than a basis point, or too much. */
export function basisPoints(typed: string): number | null {
  if (typed.trim() === "") return null;
  const exact = Number(typed) * 100;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) < 1e-6 && whole >= 0 && whole <= MOST_COMMISSION_BP ? whole : null;
}
