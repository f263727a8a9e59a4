import { failed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { excerpt } from "./excerpt.ts";

/** The server speaks its protocol, and says at once that it will not serve. */
export function refusal(text: string, line: string): Outcome {
  return failed("status", text, `Refused: ${excerpt(line)}`);
}
