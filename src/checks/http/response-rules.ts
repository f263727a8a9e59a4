import {
  evaluateMetrics,
  metricsIn,
  tooManyLookups,
  type MetricField,
} from "../../domain/run/metric.ts";
import { failed, type Outcome } from "../../domain/run/outcome.ts";
import { decodeText, pageCharset } from "../../kit/http/body-text.ts";
import type { HttpResponse } from "../../kit/http/exchange.ts";
import { contains } from "../../kit/text-search.ts";
import type { RunContext } from "../check-type.ts";
import { assertSearchable, findPattern } from "../../kit/patterns/pattern-search.ts";
import { textFault } from "../outcome/text-rule.ts";
import { succeeded } from "./fetch-target.ts";

interface ContentRule {
  readonly contentstring: string | undefined;
  /** Whether contentstring is a regular expression. */
  readonly regex: boolean;
  readonly invert: boolean;
}

/** Throws Unavailable where the content is not searched now: nothing then has to be asked for. */
export function assertJudgeable(
  { contentstring, regex }: Pick<ContentRule, "contentstring" | "regex">,
  context: Pick<RunContext, "monotonic" | "accountId">,
): void {
  if (regex && contentstring !== undefined) assertSearchable(contentstring, context);
}

/** The failure of a response by its content; undefined if the content is as expected. */
export async function contentFailure(
  { contentstring, regex, invert }: ContentRule,
  answer: HttpResponse,
  context: Pick<RunContext, "signal" | "monotonic" | "accountId">,
): Promise<Outcome | undefined> {
  if (contentstring === undefined) return undefined;
  const text = textOf(answer);
  const found = regex
    ? await findPattern({ pattern: contentstring, text }, context)
    : contains(text, contentstring);
  // Text found in a truncated body is in the whole body, too. A pattern may match only because of the truncation, for example at its end.
  if (answer.truncated && (regex || !found)) return tooLarge;
  return found === invert
    ? failed("mismatch", String(answer.status), textFault({ contentstring, regex, invert }))
    : undefined;
}

/** Passes if the response has every field within its range. */
export function judgeFields(fields: readonly MetricField[], answer: HttpResponse): Outcome {
  const status = String(answer.status);
  if (fields.length === 0) return succeeded(answer);
  if (answer.truncated) return tooLarge;
  const metrics = metricsIn(textOf(answer));
  if (typeof metrics === "string") return failed("metric", status, metrics);
  const outcome =
    evaluateMetrics(metrics, fields) ??
    failed("metric", status, `No fields found in response: ${tooManyLookups}`);
  return { ...outcome, text: status };
}

const tooLarge = failed("mismatch", "413", "3MB file size exceeded");

function textOf({ headers, body }: HttpResponse): string {
  return decodeText(body, pageCharset(body, String(headers["content-type"] ?? "")));
}
