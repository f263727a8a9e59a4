import { z } from "zod";

import { daysLeft, type CertificateFacts, type Outcome } from "../../../domain/run/outcome.ts";
import type { StoredResult } from "../../../store/results.ts";
import type { Reads } from "../../../store/store.ts";

const ms = z.number().describe("ms since the run began").optional();

/** The members that `detail` adds to a result. */
export const resultDetail = {
  timings: z
    .object({ dns: ms, connect: ms, tls: ms, firstbyte: ms, total: z.number() })
    .optional()
    .describe("When each phase ended, as far as the run got; missing if not measured"),
  certificate: z
    .object({
      subject: z.string(),
      issuer: z.string(),
      validto: z.int().describe("When it expires, in ms since 1970"),
      daysleft: z.int().describe("Whole days from the run until it expires"),
    })
    .optional()
    .describe("The certificate of the server, where TLS was used"),
  evidence: z
    .string()
    .optional()
    .describe(
      "The beginning of the response of the target to a run that failed: of the newest 20, and of each with which the check went down",
    ),
};

type Detail = z.infer<z.ZodObject<typeof resultDetail>>;

/** Loads the evidence and certificates for a page of results of one check. */
export async function loadDetails(
  evidence: Reads["evidence"],
  page: readonly StoredResult[],
  shown: (text: string) => string,
): Promise<(result: StoredResult) => Detail> {
  const starts = page.map(({ startedAt }) => startedAt);
  const checkNo = page[0]?.checkNo ?? 0;
  const range = { checkNo, from: Math.min(...starts), to: Math.max(...starts) };
  const kept = await evidence.list(range);
  const texts = new Map(kept.map(({ startedAt, text }) => [startedAt, text]));
  const certificates = await evidence.listCertificates(range);
  return (result) => {
    const { startedAt, location, timings } = result;
    const text = texts.get(startedAt);
    const certificate =
      timings !== undefined && timings.tls === undefined
        ? undefined
        : certificates.findLast(
            (seen) => seen.location === location && seen.observedAt <= startedAt,
          );
    return {
      ...(timings !== undefined && { timings: timingsToWire(timings) }),
      ...(certificate !== undefined && { certificate: certificateToWire(certificate, startedAt) }),
      ...(text !== undefined && { evidence: shown(text) }),
    };
  };
}

/** Returns the details of an outcome that is not stored. */
export function detailOf({ timings, certificate, evidence }: Outcome, at: number): Detail {
  return {
    ...(timings !== undefined && { timings: timingsToWire(timings) }),
    ...(certificate !== undefined && { certificate: certificateToWire(certificate, at) }),
    ...(evidence !== undefined && { evidence }),
  };
}

function timingsToWire({
  firstByte,
  ...timings
}: NonNullable<StoredResult["timings"]>): NonNullable<Detail["timings"]> {
  return { ...timings, ...(firstByte !== undefined && { firstbyte: firstByte }) };
}

function certificateToWire(
  { subject, issuer, validTo }: CertificateFacts,
  at: number,
): NonNullable<Detail["certificate"]> {
  return { subject, issuer, validto: validTo, daysleft: daysLeft({ validTo }, at) };
}
