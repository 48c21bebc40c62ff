/** The server's time as a rune, for clocks on the screen: looked up, never counted, so a sleeping tab wakes up right. */

import { house } from "./house.svelte";

const EVERY_MS = 200;

class Ticker {
  nowMs = $state(house.clock.nowMs());

  constructor() {
    const look = (): void => {
      this.nowMs = house.clock.nowMs();
    };
    setInterval(look, EVERY_MS);
    document.addEventListener("visibilitychange", look);
  }
}

export const ticker = new Ticker();
