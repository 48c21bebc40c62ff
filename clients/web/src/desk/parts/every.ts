/** Doing something again and again while somebody looks: a page in the background asks for nothing. */

/** Returns what ends it. A page that comes back to the front acts at once. */
export function every(ms: number, act: () => void): () => void {
  const look = (): void => {
    if (document.visibilityState === "visible") act();
  };
  const timer = setInterval(look, ms);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
