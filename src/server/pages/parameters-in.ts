import { formPairs } from "../../kit/http/form-pairs.ts";

/** The last value of a repeated name counts. */
export function parametersIn(text: string): URLSearchParams {
  return new URLSearchParams(Object.fromEntries(formPairs(text)));
}
