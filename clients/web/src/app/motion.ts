/** How long a movement may take: short, and none at all for people who asked for stillness. */

const QUICK_MS = 140;

export function quickMs(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : QUICK_MS;
}
