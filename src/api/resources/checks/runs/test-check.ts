import { z } from "zod";

import { jobErrors, replyWithinMs, type JobError, type Report } from "../../../../bus/bus.ts";
import { primaryIdOf } from "../../../../domain/account/account.ts";
import { rankLocations, type Location } from "../../../../domain/location.ts";
import { outcomeLimits, reasons } from "../../../../domain/run/outcome.ts";
import { InvalidInput, NotFound } from "../../../../kit/errors.ts";
import type { ResourceDeps } from "../../../deps.ts";
import type { Call } from "../../../http/auth.ts";
import { operation, type Operation } from "../../../operation.ts";
import { customerid, id } from "../../identifiers.ts";
import { detailOf, resultDetail } from "../../results/detail.ts";
import { flattenParameters, parseCheckRequest, parseCheckType } from "../parse-check.ts";
import { checkFields, typeParameters, plainExample, type CheckInput } from "../input.ts";
import { assertNotSuspended, createTestLimits } from "./run-limits.ts";

export type TestDeps = Pick<ResourceDeps, "store" | "clock" | "ids" | "locations" | "runJob">;

const testAnswer = z
  .object({
    outcome: z
      .enum(["passed", "failed", "undecided"])
      .describe("`undecided` where the target is not to blame, such as one that may not be asked"),
    reason: z.enum([...reasons, ...jobErrors, "no_location"]),
    text: z.string().describe("The result in short; for HTTP the status code"),
    message: z.string(),
    location: z.string().describe("The code of the location; empty where there was none"),
    runtime: z.int().optional().describe("In ms; missing without an outcome"),
    address: z.string().optional().describe("The address that was asked"),
    label: z.string().describe("What the check is called unless it gets a label"),
    title: z
      .string()
      .max(outcomeLimits.title)
      .optional()
      .describe("The title of the page, where the target responded with one"),
    ...resultDetail,
    evidence: z
      .string()
      .optional()
      .describe("The beginning of the response of the target, where the run failed"),
  })
  .meta({ id: "CheckTest" });
type TestAnswer = z.infer<typeof testAnswer>;

const undecidedMessages: Readonly<Record<JobError, string>> = {
  unanswered: "The location did not reply",
  offline: "The location has no connection to the internet",
  no_resolver: "The resolver of the location does not answer",
  busy: "The location is too busy to measure",
  blocked: "The target may not be asked",
  internal_error: "The probe failed",
  no_broker: "There is no connection to the location",
  too_large: "The parameters are too large to be sent to a location",
};

/** Runs the parameters of a check once, and stores nothing. */
export function testCheck(deps: TestDeps): Operation {
  const limited = createTestLimits(deps.clock);
  return operation({
    summary:
      "Runs a check once at a location and returns the outcome, without creating or changing anything; with `id` what is not sent is that of the check",
    needs: "edit",
    effect: "write",
    input: z.looseObject({
      id: id.describe("A check whose parameters stand for those that are not sent"),
      customerid,
      location: id.describe("The code of a live location to run at; one of its regions if missing"),
      ...checkFields,
    }),
    extraParameters: typeParameters,
    example: plainExample,
    response: testAnswer,
    normalize: flattenParameters,
    internal: ["ignored"],
    async handle({ id, location, ...input }, call) {
      assertNotSuspended(call.account);
      const { check, label } = await draftOf(deps, call, { id, input });
      const where = locationFor(check, call, {
        wanted: location,
        live: deps.locations(check.type),
      });
      if (where === undefined) return { ...noLocation, label };
      const primaryId = primaryIdOf(call.account);
      const job = {
        id: `${check.id}.test`,
        checkId: check.id,
        accountId: primaryId,
        type: check.type,
        parameters: check.parameters,
        timeoutMs: check.timeoutSeconds * 1000,
        wantsTitle: true,
      };
      const report = await limited(primaryId, () =>
        deps.runJob(where.code, job, { timeoutMs: replyWithinMs(job) }),
      );
      return answerOf(report, { location: where.code, label, at: deps.clock.now() });
    },
  });
}

type Draft = ReturnType<typeof parseCheckRequest>;

async function draftOf(
  { store, ids, clock, locations }: TestDeps,
  call: Call,
  { id, input }: { readonly id: string | undefined; readonly input: CheckInput },
): Promise<{ readonly check: Draft; readonly label: string }> {
  const { account } = call;
  const found = id === undefined ? undefined : await store.checks.find(account.id, id);
  if (id !== undefined && found === undefined) throw new NotFound("Unable to find that check");
  const context = {
    accountId: account.id,
    ids,
    now: clock.now(),
    locations: locations(),
    call,
  };
  const type = parseCheckType(input.type ?? found?.check.type);
  if (type.driver === "push")
    throw new InvalidInput("type: nothing runs a check of this type, your system reports");
  const check = parseCheckRequest(input, found?.check, context);
  return { check, label: check.label };
}

const noLocation: Omit<TestAnswer, "label"> = {
  outcome: "undecided",
  reason: "no_location",
  text: "",
  message: "No location is live in the regions of the check",
  location: "",
};

/** Undefined if none is live in its regions. */
function locationFor(
  check: Draft,
  { account }: Call,
  { wanted, live }: { readonly wanted: string | undefined; readonly live: readonly Location[] },
): Location | undefined {
  if (wanted === undefined)
    return rankLocations(check, check.regions ?? account.defaultRegions, live)[0];
  const found = live.find(({ code }) => code === wanted.toLowerCase());
  if (found !== undefined) return found;
  const codes = live.map(({ code }) => code).join(", ") || "none, for none lives";
  throw new InvalidInput(`location: must be one of ${codes}`);
}

function answerOf(
  report: Report,
  {
    label,
    location,
    at,
  }: { readonly label: string; readonly location: string; readonly at: number },
): TestAnswer {
  if ("error" in report) {
    const said = undecidedMessages[report.error];
    const message = report.message === "" ? said : `${said}: ${report.message}`;
    return { outcome: "undecided", reason: report.error, text: "", message, location, label };
  }
  const { outcome, startOffsetMs, endOffsetMs } = report;
  return {
    outcome: outcome.passed ? "passed" : "failed",
    reason: outcome.reason,
    text: outcome.text,
    message: outcome.message,
    location,
    runtime: Math.round(outcome.runtimeMs ?? Math.max(0, endOffsetMs - startOffsetMs)),
    ...(outcome.address !== undefined && { address: outcome.address }),
    label,
    ...(outcome.title !== undefined && outcome.title !== "" && { title: outcome.title }),
    ...detailOf(outcome, at),
  };
}
