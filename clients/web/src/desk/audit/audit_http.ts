/** Who at the desk did what, to what and why. */

import { call } from "../../app/http";
import type { Part } from "../loading.svelte";
import { asked } from "../parts/filters";
import type { Query } from "../route.svelte";

/** subject: the id of what was acted on. */
export interface Act {
  readonly act_id: number;
  readonly at_ms: number;
  readonly player_id: string;
  readonly name: string;
  readonly act: string;
  readonly subject: string;
  readonly reason: string;
}

export async function acts(query: Query, before: string | null): Promise<Part<Act>> {
  const { act, subject } = query;
  const found = await call<{ acts: readonly Act[]; next: string | null }>(
    `/api/operator/acts${asked({ act, subject, before, limit: 100 })}`,
  );
  return { rows: found.acts, next: found.next };
}
