import type { RunContext } from "../check-type.ts";
import { daysLeft } from "../../domain/run/outcome.ts";
import { exchange, type HttpProgress } from "../../kit/http/exchange.ts";
import { httpEvidence } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { userAgent } from "../http/fetch-target.ts";

const MAX_BODY_BYTES = 2048;

/** Requests a page once, and reports how far the request got. */
export async function fetchPage(url: URL, context: RunContext): Promise<string> {
  let progress: HttpProgress | undefined;
  const response = await exchange(
    {
      url,
      method: "GET",
      headers: { "User-Agent": userAgent, Accept: "*/*" },
      verifyTls: false,
      readBody: true,
      maxBodyBytes: MAX_BODY_BYTES,
    },
    { ...context, onProgress: (made) => (progress = made) },
  ).then(
    (answer) => httpEvidence(answer, answer.body),
    (error: unknown) => failureOf(error).message,
  );
  return [...progressLines(progress, context.now()), "", response].join("\n");
}

function progressLines(progress: HttpProgress | undefined, now: number): readonly string[] {
  if (progress === undefined) return ["no address was reached"];
  const { address, phases, certificate } = progress;
  const times = Object.entries(phases).map(([phase, ms]) => `${phase} ${Math.round(ms)} ms`);
  return [
    `connected to ${address}`,
    times.join(", "),
    ...(certificate === undefined
      ? []
      : [
          `certificate of ${certificate.subject} by ${certificate.issuer}, ${daysLeft(certificate, now)} days left`,
        ]),
  ];
}
