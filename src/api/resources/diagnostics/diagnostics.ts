import { z } from "zod";

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

/** What clients call the tools. */
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
/** As long as a request may well be kept waiting. */
const LOOK_FOR_MS = 45_000;

const diagnosisAnswer = z
  .object({
    check_id: z.string(),
    _id: z.string().optional().describe("Missing where it was only asked for now, and is not kept"),
    location: z.string(),
    start: z.int().describe("When the check went down, or was looked at, in ms since 1970"),
    end: z.int().describe("When the findings were there, in ms since 1970"),
    findings: z.array(
      z.object({
        tool: z.enum(diagnosticTools),
        about: z.string().describe("What was looked at"),
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
    summary: "Why a check went down, as a location sees it",
    operations: {
      GET: operation({
        summary:
          "Lists what was found when a check with `autodiag` went down, newest first; with `tool` it looks now, which may take most of a minute",
        input: z.object({
          id: required(id).describe("The check's id"),
          customerid,
          tool: choice(toolNames).describe("Looks now with this tool, at the check's target"),
          location: id.describe("Where to look from with `tool`: the code of a live location"),
          limit: limit.describe("At most so many; 300 unless given"),
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
          const request = { type, parameters, tools: [tools[tool]], timeoutMs: LOOK_FOR_MS };
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
