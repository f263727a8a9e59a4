import { failed, type Outcome } from "../../domain/run/outcome.ts";
import { excerpt } from "./excerpt.ts";

/** The outcome for a server that refuses service at the beginning of a connection. */
export function refusal(text: string, line: string): Outcome {
  return failed("status", text, `Refused: ${excerpt(line)}`);
}
