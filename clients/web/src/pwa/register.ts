/** Lets the browser install this client and open it without a network (service_worker.ts). */
export function keepClientAtHand(): void {
  // Not in development, where files change under their names; not on plain-http addresses, which may not.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    // A browser that refuses it shows the same client, only never offline.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  });
}
