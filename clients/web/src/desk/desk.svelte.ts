/** Who sits at the desk, what they may do, and the one question for a fresh code that everything waits for. */

import { Refused, whoAmI, type Me } from "../app/http";

class DeskState {
  /** undefined until the house has said whether anybody is signed in here. */
  me = $state.raw<Me | null | undefined>(undefined);
  unreachable = $state(false);
  /** Somebody is being asked for a code of their second factor. */
  asksForCode = $state(false);
  #answered: ((proved: boolean) => void)[] = [];

  /** An auditor reads. */
  get mayChange(): boolean {
    return this.me?.role === "operator";
  }

  async enter(): Promise<void> {
    try {
      this.me = await whoAmI();
      this.unreachable = false;
    } catch {
      this.unreachable = true;
    }
  }

  /** A change at the desk: where it takes a fresh code, that is asked for and the change tried once more. */
  async change<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "prove_second_factor" || !(await this.#proves())) throw error;
      return act();
    }
  }

  /** What the person did with the question for a code. */
  answerCode(proved: boolean): void {
    this.asksForCode = false;
    for (const answer of this.#answered.splice(0)) answer(proved);
  }

  #proves(): Promise<boolean> {
    this.asksForCode = true;
    return new Promise((resolve) => this.#answered.push(resolve));
  }
}

export const desk = new DeskState();

/** Reads something of the desk. A session that has ended leads back to the door. */
export async function read<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Refused && endsTheSession(error)) await desk.enter();
    throw error;
  }
}

/** To whoever may not see the desk, none of it exists. */
function endsTheSession(refused: Refused): boolean {
  return refused.status === 401 || refused.code === "not_found" || refused.code === "prove_second_factor";
}
