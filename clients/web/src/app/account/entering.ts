/** After somebody has signed in here: whoever was here before is gone, with their tables. */

import { house } from "../house.svelte";

export async function enterAnew(): Promise<void> {
  if (house.me) house.leave();
  await house.enter();
}
