import { z } from "zod";

import { primaryIdOf } from "../../../domain/account/account.ts";
import { DIAGNOSTICS_REPLY_MS } from "../../../bus/bus.ts";
import { diagnosticTools } from "../../../domain/diagnostics.ts";
import type {
  FinishedDiagnosticsRun,
  DiagnosticTool,
  Finding,
} from "../../../domain/diagnostics.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import type { ApiDeps } from "../../deps.ts";
import { findCheck } from "../checks/find-check.ts";
import { customerid, id } from "../identifiers.ts";
import { required } from "../../../schema/field.ts";
import { choice } from "../../../schema/scalars.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";
import { limit, resolveLimit } from "../../../schema/time-span.ts";

/** The names of the tools in requests. */
const toolNames = ["mtr", "traceroute", "dig", "pageload", ...diagnosticTools] as const;
const tools: Readonly<Record<(typeof toolNames)[number], DiagnosticTool>> = {
  mtr: "route",
  traceroute: "route",
  dig: "lookup",
  pageload: "page",
  route: "route",
  lookup: "lookup",
  page: "page",
};
/** How long a client can reasonably wait for a response. */
const TIMEOUT_MS = 45_000;

const diagnosisAnswer = z
  .object({
    check_id: z.string(),
    _id: z
      .string()
      .optional()
      .describe("Missing if the diagnostics were run by this request, and are not stored"),
    location: z.string(),
    start: z
      .int()
      .describe("When the check went down, or the diagnostics were requested, in ms since 1970"),
    end: z.int().describe("When the diagnostics ended, in ms since 1970"),
    findings: z.array(
      z.object({
        tool: z.enum(diagnosticTools),
        about: z.string().describe("The host, name or URL that the tool was run on"),
        text: z.string(),
      }),
    ),
  })
  .meta({ id: "Diagnosis" });

export function diagnostics({
  store,
  clock,
  locations,
  runDiagnostics,
}: Pick<ApiDeps, "store" | "clock" | "locations" | "runDiagnostics">): Resource {
  const locationOf = (wanted: string | undefined): string => {
    const codes = locations().map(({ code }) => code);
    const [first] = codes;
    const found =
      wanted === undefined ? first : codes.find((code) => code === wanted.toLowerCase());
    if (found === undefined)
      throw new InvalidInput(
        `location: must be one of ${codes.join(", ") || "none, for none lives"}`,
      );
    return found;
  };
  return {
    name: "diagnostics",
    ids: "record",
    summary: "Diagnostics of a check, run at a location: route, lookups, the page",
    operations: {
      GET: operation({
        summary:
          "Lists the diagnostics that were run when a check with `autodiag` went down, newest first; with `tool` runs that tool now, which may take most of a minute",
        input: z.object({
          id: required(id).describe("The check's id"),
          customerid,
          tool: choice(toolNames).describe("Runs this tool now, on the target of the check"),
          location: id.describe("The code of a live location to run `tool` at"),
          limit: limit.describe("How many at most; 300 if missing"),
        }),
        response: z.array(diagnosisAnswer),
        async handle({ id, tool, location, limit }, { account }) {
          const check = await findCheck(store, account.id, id);
          if (tool === undefined)
            return (
              await store.diagnostics.listFinished(check.no, resolveLimit(limit, undefined))
            ).map(toWire);
          const from = locationOf(location);
          const start = clock.now();
          const { type, parameters } = check;
          const request = {
            accountId: primaryIdOf(account),
            type,
            parameters,
            tools: [tools[tool]],
            timeoutMs: TIMEOUT_MS,
          };
          const options = { timeoutMs: DIAGNOSTICS_REPLY_MS };
          const findings = await runDiagnostics(from, request, options);
          const end = clock.now();
          return [{ check_id: check.id, location: from, start, end, findings }];
        },
      }),
    },
  };
}

function toWire({
  id,
  checkId,
  location,
  createdAt,
  endedAt,
  findings,
}: FinishedDiagnosticsRun): z.infer<typeof diagnosisAnswer> {
  return {
    check_id: checkId,
    _id: id,
    location,
    start: createdAt,
    end: endedAt,
    findings: findings.map(({ tool, about, text }: Finding) => ({ tool, about, text })),
  };
}
