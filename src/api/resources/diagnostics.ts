import { z } from "zod";

import { lookupTypes } from "../../checks/diagnostics.ts";
import { parseHost } from "../../kit/net/host.ts";
import { primaryIdOf } from "../../domain/account/account.ts";
import { DIAGNOSTICS_REPLY_MS } from "../../bus/bus.ts";
import {
  diagnosticTools,
  type FinishedDiagnosticsRun,
  type DiagnosticTool,
  type DiagnosticsFinding,
} from "../../domain/diagnostics.ts";
import { InvalidInput } from "../../kit/errors.ts";
import type { ResourceDeps } from "../deps.ts";
import { assertAccess } from "../http/auth.ts";
import { findCheck } from "./checks/find-check.ts";
import { customerid, id } from "./identifiers.ts";
import { required } from "../../schema/field.ts";
import { redactionFor } from "../../redaction/redaction.ts";
import { choice, text } from "../../schema/scalars.ts";
import { operation, type Resource } from "../operation.ts";
import { limit, resolveLimit } from "../../schema/time-span.ts";

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
  ping: "ping",
};
/** How long a client can reasonably wait for a response. */
const TIMEOUT_MS = 45_000;
/** Like the target of a check (RFC 9110, section 4.1). */
const MAX_TARGET_LENGTH = 8000;

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
}: Pick<ResourceDeps, "store" | "clock" | "locations" | "runDiagnostics">): Resource {
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
        needs: "view",
        effect: "read",
        input: z.object({
          id: required(id).describe("The check's id"),
          customerid,
          tool: choice(toolNames).describe("Runs this tool now, on the target of the check"),
          target: text(MAX_TARGET_LENGTH).describe(
            "A host or web address in place of that of the check; `tool` is required with it",
          ),
          dnstype: choice(lookupTypes).describe(
            "The type of records that `tool` dig looks up, which is that of this parameter",
          ),
          location: id.describe("The code of a live location to run `tool` at"),
          limit: limit.describe("How many at most; 300 if missing"),
        }),
        response: z.array(diagnosisAnswer),
        async handle({ id, dnstype, target, location, limit, ...input }, { account, access }) {
          const tool = input.tool ?? (dnstype === undefined ? undefined : "dig");
          assertTogether({ tool, dnstype, target });
          const check = await findCheck(store, account.id, id);
          if (tool === undefined)
            return (
              await store.diagnostics.listFinished(check.no, resolveLimit(limit, undefined))
            ).map((run) => toResponse(run, redactionFor(access).foundBy(check)));
          assertAccess({ access }, "edit");
          const from = locationOf(location);
          const start = clock.now();
          const request = {
            accountId: primaryIdOf(account),
            type: check.type,
            parameters: target === undefined ? check.parameters : {},
            target,
            tools: [tools[tool]],
            recordType: dnstype,
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

function assertTogether({
  tool,
  dnstype,
  target,
}: Readonly<Record<"tool" | "dnstype" | "target", string | undefined>>): void {
  if (dnstype !== undefined && tool !== "dig" && tool !== "lookup")
    throw new InvalidInput("dnstype: only with the tool dig");
  if (target === undefined) return;
  if (tool === undefined) throw new InvalidInput("tool: required with target");
  const host = target.includes("://") ? URL.parse(target)?.hostname : target;
  if (host === undefined || parseHost(host) === undefined)
    throw new InvalidInput("target: must be a host name, an IP address, or a web address");
}

function toResponse(
  { id, checkId, location, createdAt, endedAt, findings }: FinishedDiagnosticsRun,
  shown: (text: string) => string,
): z.infer<typeof diagnosisAnswer> {
  return {
    check_id: checkId,
    _id: id,
    location,
    start: createdAt,
    end: endedAt,
    findings: findings.map(({ tool, about, text }: DiagnosticsFinding) => ({
      tool,
      about: shown(about),
      text: shown(text),
    })),
  };
}
