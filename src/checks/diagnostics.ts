import type { DiagnosticTool, DiagnosticsFinding } from "../domain/diagnostics.ts";
import { messageOf } from "../kit/errors.ts";
import { parseFlag } from "../kit/flag.ts";
import { parseHost } from "../kit/net/host.ts";
import type { RunContext } from "./check-type.ts";
import { recordTypes, type RecordType } from "./dns/record-types.ts";
import { pingRepeatedly } from "./diagnostics/ping-repeatedly.ts";
import { lookUp } from "./diagnostics/lookup.ts";
import { fetchPage } from "./diagnostics/page.ts";
import { traceRoute } from "./diagnostics/route.ts";
import { failureOf } from "./outcome/failure.ts";
import { secretValues } from "./parameters/secrets.ts";
import { redact } from "../kit/redact.ts";
import { checkTypeOf } from "./registry.ts";

/** The types of records that a lookup may ask for. */
export const lookupTypes = recordTypes;

export interface DiagnosticsOptions {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** All tools that suit the target, unless given. */
  readonly tools?: readonly DiagnosticTool[] | undefined;
  /** Another target than that of the parameters, which then do not count. */
  readonly target?: string | undefined;
  /** Record type of a lookup; chosen by target by default. */
  readonly recordType?: string | undefined;
}

interface Destination {
  readonly host: string;
  readonly family: 4 | 6 | undefined;
  readonly page: URL | undefined;
  readonly recordType: RecordType | undefined;
}

type Tool = (
  destination: Destination,
  context: RunContext,
) => Promise<Pick<DiagnosticsFinding, "about" | "text">>;

const runTool: Readonly<Record<DiagnosticTool, Tool>> = {
  async route({ host, family }, context) {
    // guard: egress of diagnostics = { address: host, family: 4 }
    const way = await context.egress.resolve(host, { family, signal: context.signal });
    return { about: way.address, text: await traceRoute(way, context) };
  },
  lookup: async ({ host, recordType }, context) => ({
    about: host,
    text: await lookUp({ host, recordType }, context),
  }),
  async page({ page }, context) {
    if (page === undefined) return { about: "", text: "the target is no web page" };
    const about = `${page.origin}${page.pathname}`;
    return { about, text: await fetchPage(page, context) };
  },
  ping: async ({ host, family }, context) => ({
    about: host,
    text: await pingRepeatedly({ target: host, ipv6: family === 6 }, context),
  }),
};

/** Runs several diagnostic tools on a target at once, and reports the findings of each, or why it failed. Runs until the signal aborts. */
export async function runDiagnostics(
  { type, parameters: own, target, tools, recordType }: DiagnosticsOptions,
  context: RunContext,
): Promise<readonly DiagnosticsFinding[]> {
  const checkType = checkTypeOf(type);
  const parameters = target === undefined ? own : { target };
  const destination = destinationOf(
    parameters,
    recordTypes.find((known) => known === recordType),
  );
  const hasTarget = target !== undefined || checkType?.target !== "none";
  if (checkType === undefined || !hasTarget || destination === undefined) return [];
  const secrets = secretValues(checkType.schema, parameters);
  const chosen = tools ?? (destination.page === undefined ? withoutPage : all);
  return Promise.all(
    chosen.map(async (tool) => {
      const { about, text } = await runTool[tool](destination, context).catch((error: unknown) => ({
        about: destination.host,
        text: failureText(error),
      }));
      return { tool, about, text: redact(text, secrets) };
    }),
  );
}

const all: readonly DiagnosticTool[] = ["lookup", "route", "page"];
const withoutPage = all.filter((tool) => tool !== "page");

/** Undefined if the check has no target, such as a DNS check of the system's name server. */
function destinationOf(
  { target, ipv6 }: DiagnosticsOptions["parameters"],
  recordType: RecordType | undefined,
): Destination | undefined {
  if (typeof target !== "string") return undefined;
  const url = target.includes("://") ? URL.parse(target) : null;
  const host = parseHost(url?.hostname ?? target);
  if (host === undefined) return undefined;
  const isPage = url?.protocol === "http:" || url?.protocol === "https:";
  return {
    host,
    family: parseFlag(ipv6) === true ? 6 : undefined,
    page: isPage && url !== null ? url : undefined,
    recordType,
  };
}

function failureText(error: unknown): string {
  try {
    return failureOf(error).message;
  } catch {
    return messageOf(error);
  }
}
