/** What is wrong with a form, in the person's language and at the field that it is about. */

import * as m from "../../paraglide/messages";
import { Refused } from "../http";
import { count } from "../numbers";
import { secondsWords } from "../words";

export type FieldName = "name" | "password" | "new_password" | "code";

export interface Problem {
  /** null: about the form as a whole. */
  readonly field: FieldName | null;
  readonly words: string;
}

/** The house's own bounds; it checks again, and more. */
export const PASSWORD_LENGTH = { least: 10, most: 128 } as const;
export const NAME_LENGTH = 24;

/** A new password that the house would refuse for its length alone; null when the house has to say. */
export function lengthProblem(password: string, field: FieldName): Problem | null {
  // As many as the house counts: characters, not halves of them.
  const length = [...password.normalize("NFKC")].length;
  if (length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most) return null;
  const { least, most } = PASSWORD_LENGTH;
  return { field, words: m.account_password_length({ least: count(least), most: count(most), n: count(length) }) };
}

/** newPassword: the field of the password that is being chosen. */
export function problemOf(error: unknown, newPassword: FieldName = "password"): Problem {
  if (!(error instanceof Refused) || error.status === 0) return { field: null, words: m.unreachable() };
  switch (error.code) {
    case "name_taken":
      return { field: "name", words: m.account_name_taken() };
    case "name_refused":
      return { field: "name", words: m.account_name_refused() };
    case "password_refused":
      return { field: newPassword, words: m.account_password_weak() };
    case "wrong_password":
      return { field: "password", words: m.account_wrong_password() };
    case "wrong_name_or_password":
      return { field: "password", words: m.account_wrong_name_or_password() };
    case "wrong_code":
      return { field: "code", words: m.account_wrong_code() };
    case "too_many_tries":
      return { field: null, words: m.account_too_many_tries({ wait: secondsWords(error.waitSeconds ?? 60) }) };
    case "too_many":
    case "busy":
      return { field: null, words: m.error_too_many() };
    default:
      return { field: null, words: m.error_other({ message: error.message }) };
  }
}
