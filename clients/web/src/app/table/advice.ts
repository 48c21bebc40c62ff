/** The answer to `arrange` (docs/protocol.md): what the house's solver says of the own cards. */
import type { ArrangementView } from "../../generated/protocol";

export interface Advice {
  arrangement: ArrangementView;
  /** The fewest cards to exchange, for any others, before the hand can be declared. */
  distance: number;
  useful_draws: { face: number; unseen: number; points: number; can_declare: boolean }[];
}
