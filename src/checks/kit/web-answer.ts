import { judgeMetrics, metricsIn } from "../../domain/metric.ts";
import type { MetricField } from "../../domain/metric.ts";
import { failed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { charsetOf } from "../../kit/body-text.ts";
import type { HttpAnswer } from "../../kit/http-exchange.ts";
import { isAsWanted } from "./match.ts";
import type { ContentRule } from "./match.ts";
import { succeeded } from "./web.ts";

/** What is wrong with the content of an answer; undefined where nothing is. */
export async function contentFault(
  { contentstring, regex = false, invert = false }: ContentRule,
  answer: HttpAnswer,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  if (contentstring === undefined) return undefined;
  const found = await isAsWanted({ contentstring, regex }, textOf(answer), signal);
  // Text in a part is in the whole, too. An expression may find in a part what is not in the whole, such as its end.
  if (answer.cut && (regex || !found)) return tooLarge;
  return found === invert
    ? failed("mismatch", String(answer.status), found ? "Found" : "Not found")
    : undefined;
}

/** Passes when the answer has every field, each in its range. */
export function judgeFields(fields: readonly MetricField[], answer: HttpAnswer): Outcome {
  const status = String(answer.status);
  if (fields.length === 0) return succeeded(answer);
  if (answer.cut) return tooLarge;
  const metrics = metricsIn(textOf(answer));
  return metrics === undefined
    ? failed("metric", status, "No fields found in response")
    : { ...judgeMetrics(metrics, fields), text: status };
}

const tooLarge = failed("mismatch", "413", "3MB file size exceeded");

/** The text of the body, with what is none of its charset mended; in UTF-8 where the answer names no charset that exists. */
function textOf({ headers, body }: HttpAnswer): string {
  const charset = charsetOf(String(headers["content-type"] ?? ""));
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
