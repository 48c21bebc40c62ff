import * as m from "../../paraglide/messages";
import type { Problem } from "./sealed_terms";

/** Why a shuffle can't be believed, in words. */
export function problemWords(problem: Problem): string {
  switch (problem) {
    case "commit":
      return m.fair_problem_commit();
    case "terms":
      return m.fair_problem_terms();
    case "signature":
      return m.fair_problem_signature();
    case "log":
      return m.fair_problem_log();
    case "fork":
      return m.fair_problem_fork();
    case "list":
      return m.fair_problem_list();
    case "two_lists":
      return m.fair_problem_two_lists();
    case "chain":
      return m.fair_problem_chain();
  }
}
