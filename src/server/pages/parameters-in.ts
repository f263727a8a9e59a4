import { formPairs } from "../../kit/http/form-pairs.ts";

/** Of a name that is repeated the last value counts. */
export function parametersIn(text: string): URLSearchParams {
  return new URLSearchParams(Object.fromEntries(formPairs(text)));
}
