import { z } from "zod";

import { isCron, maxCronLength } from "../../domain/heartbeat/cron.ts";
import {
  withSettings,
  maxMaintenanceMinutes,
  cronError,
  nextStartOf,
  idsExcept,
  type Maintenance,
} from "../../domain/maintenance.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import { finishSwitch } from "../../store/transactions/finish-switch.ts";
import {
  createMaintenance,
  updateMaintenance,
} from "../../store/transactions/advance-maintenance.ts";
import type { Transaction } from "../../store/store.ts";
import { deletedResponse, warning } from "./responses.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { compatibilityOf } from "../http/compatibility.ts";
import { customerid, id, idList } from "./identifiers.ts";
import { instant } from "./instants.ts";
import { field, required } from "../../schema/field.ts";
import { flag, integer, text } from "../../schema/scalars.ts";
import { operation, type Operation, type Resource } from "../operation.ts";

const maintenanceResponse = z
  .object({
    name: z.string(),
    enabled: z.boolean(),
    processing: z.boolean().describe("Whether it is under way, and its checks disabled"),
    cron: z.string().optional().describe("Missing if it starts once"),
    start: z
      .int()
      .optional()
      .describe("When one without a cron is planned to start, in ms since 1970"),
    duration: z.int().describe("Minutes"),
    history: z
      .record(
        z.string(),
        z.object({
          disabledchecklist: z.array(z.string()),
          skippedchecklist: z
            .array(z.string())
            .describe("Checks that were disabled already, or deleted"),
        }),
      )
      .describe("The last 10 times, by the planned start in ms since 1970"),
    nextrun: z.int().optional().describe("The next start, in ms since 1970"),
    ends: z.int().optional().describe("When it ends, in ms since 1970, while it is under way"),
    checklist: z.array(z.string()),
    update: z.object({
      timestamp: z.int().describe("When it was last changed, in ms since 1970"),
      user: z.string().describe("The account whose token changed it"),
    }),
  })
  .meta({ id: "Maintenance" });

const savedResponse = z
  .object({ ok: z.literal(true), message: z.string(), warning })
  .catchall(maintenanceResponse);

const MAX_CHECKS = 1000;
/** Replaces an ID to create a maintenance that starts immediately. */
const AD_HOC = "ad-hoc";

export const maintenanceFields = {
  customerid,
  name: text(255).describe("The name for people"),
  duration: integer(1, maxMaintenanceMinutes).describe("Minutes from its start to its end"),
  checklist: idList(MAX_CHECKS).describe(
    "Ids of the checks to disable; it replaces the previous list",
  ),
  enabled: flag.describe("Whether it starts at all; true if missing"),
  cron: field({
    expected: `must be five fields of cron, such as 30 2 * * 0, in at most ${maxCronLength} characters`,
    jsonSchema: { type: "string", maxLength: maxCronLength },
    parse: (value) =>
      typeof value === "string" && isCron(value.trim()) ? value.trim() : undefined,
  }).describe(
    "When it starts, in the time zone of the account: minute, hour, day, month and weekday, such as `30 2 * * 0`",
  ),
  start: instant.describe("When it starts once, in place of a cron"),
};

type Deps = Pick<ResourceDeps, "store" | "clock" | "ids">;

export function maintenance(deps: Deps): Resource {
  return {
    name: "maintenance",
    ids: "record",
    summary: "Windows of time in which checks are disabled",
    recorded: async ({ maintenances }, { accountId, id }) => {
      const known = await maintenances.find(accountId, id);
      if (known === undefined) return undefined;
      const { name, durationMinutes, checkIds, enabled, cron, startsAt } = known;
      return {
        kept: {
          name,
          duration: durationMinutes,
          checklist: checkIds,
          enabled,
          cron,
          start: startsAt,
        },
        compared: {},
      };
    },
    operations: {
      GET: getMaintenances(deps),
      POST: postMaintenance(deps),
      PUT: changeMaintenance(deps),
      DELETE: deleteMaintenance(deps),
    },
  };
}

function getMaintenances({ store }: Deps): Operation {
  return operation({
    summary: "Returns one maintenance, or all of an account, by id",
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the record; all if missing"), customerid }),
    response: z.union([
      z.record(z.string(), maintenanceResponse),
      z
        .object({ schedules: z.record(z.string(), maintenanceResponse) })
        .describe("All of an account, in legacy mode"),
    ]),
    async handle({ id }, { account, compatibility }) {
      if (id === undefined) {
        const all = await store.maintenances.list(account.id);
        return compatibilityOf(compatibility).listOfMaintenances(
          Object.fromEntries(all.map((each) => [each.id, toResponse(each)])),
        );
      }
      const found = await store.maintenances.find(account.id, id);
      if (found === undefined) throw missing();
      return { [id]: toResponse(found) };
    },
  });
}

function postMaintenance(deps: Deps): Operation {
  return operation({
    summary: "Creates a maintenance; with the id of one it changes that, as PUT does",
    needs: "edit",
    effect: "write",
    input: z.object({
      id: id.describe(
        `\`${AD_HOC}\` for one that starts at once, without a cron; or that of one to change`,
      ),
      ...maintenanceFields,
    }),
    example: { name: "Backup", duration: 5, cron: "0 2 * * *", checklist: [] },
    response: savedResponse,
    handle: ({ id, ...input }, call) =>
      id === undefined || id === AD_HOC
        ? addMaintenance(deps, call, { ...input, startsNow: id === AD_HOC })
        : updateMaintenanceOf(deps, call, { ...input, id }),
  });
}

type Input = z.output<z.ZodObject<typeof maintenanceFields>>;

async function addMaintenance(
  { store, clock, ids }: Deps,
  { caller, account, about, write, writeWithinLimits }: Call,
  input: Input & { readonly startsNow: boolean },
): Promise<object> {
  const { name = "", duration, checklist, enabled = true, cron, start, startsNow } = input;
  if (duration === undefined) throw new InvalidInput("duration: required");
  if (checklist === undefined) throw new InvalidInput("checklist: required");
  if (startsNow && cron !== undefined) throw new InvalidInput(`cron: not for ${AD_HOC}`);
  if (startsNow && start !== undefined) throw new InvalidInput(`start: not for ${AD_HOC}`);
  if (!startsNow && cron === undefined && start === undefined)
    throw new InvalidInput(`cron: required, except for ${AD_HOC} or with a start`);
  const now = clock.now();
  const { timeZone } = account;
  const settings = {
    name,
    durationMinutes: duration,
    checkIds: checklist,
    enabled,
    ...planOf(input, undefined, now),
  };
  assertCron(settings, now);
  const draft: Maintenance = {
    ...settings,
    id: ids.maintenance(),
    accountId: account.id,
    nextAt: nextStartOf({ ...settings, endsAt: undefined }, { now, timeZone }),
    endsAt: undefined,
    history: [],
    changedAt: now,
    changedBy: caller.id,
  };
  about(draft.id);
  const made = await writeWithinLimits(account, async (tx) => {
    await assertKnown(tx, account.id, checklist);
    return createMaintenance(tx, draft, now);
  });
  await finishSwitch({ checks: store.checks, write }, account.id);
  return savedToWire(made);
}

function changeMaintenance(deps: Deps): Operation {
  return operation({
    summary: "Changes a maintenance; what is not sent stays",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), ...maintenanceFields }),
    example: { name: "Backup" },
    response: savedResponse,
    handle: (input, call) => updateMaintenanceOf(deps, call, input),
  });
}

async function updateMaintenanceOf(
  { store, clock }: Deps,
  { caller, account, write, writeWithinLimits }: Call,
  { id, ...input }: Input & { readonly id: string },
): Promise<object> {
  const now = clock.now();
  const { timeZone } = account;
  const updated = await writeWithinLimits(account, async (tx) => {
    const known = await tx.maintenances.find(account.id, id);
    if (known === undefined) throw missing();
    const settings = {
      name: input.name ?? known.name,
      durationMinutes: input.duration ?? known.durationMinutes,
      checkIds: input.checklist ?? known.checkIds,
      enabled: input.enabled ?? known.enabled,
      ...planOf(input, known, now),
    };
    assertCron(settings, now);
    await assertKnown(tx, account.id, idsExcept(settings.checkIds, known.checkIds));
    const next = withSettings(known, settings, { now, timeZone });
    const audited = { ...next, changedAt: now, changedBy: caller.id };
    return updateMaintenance(tx, { known, next: audited }, now);
  });
  await finishSwitch({ checks: store.checks, write }, account.id);
  return savedToWire(updated);
}

function deleteMaintenance({ store, clock }: Deps): Operation {
  return operation({
    summary: "Deletes a maintenance; the checks that it disables are enabled again",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      await write(async (tx) => {
        if (!(await tx.maintenances.remove(account.id, id, clock.now()))) throw missing();
        await tx.changes.record({ accountId: account.id, checkNo: undefined });
      });
      await finishSwitch({ checks: store.checks, write }, account.id);
      return { ok: true, id };
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find that maintenance");
}

type Plan = Pick<Maintenance, "cron" | "startsAt">;

/** Returns the start: by its cron expression, or once. Clients send whole records back, with a start that may be in the past. */
function planOf(
  { cron, start }: Pick<Input, "cron" | "start">,
  known: Plan | undefined,
  now: number,
): Plan {
  if (start !== undefined && start !== known?.startsAt) {
    if (cron !== undefined) throw new InvalidInput("start: not with a cron");
    if (start <= now) throw new InvalidInput(`start: must lie ahead, not ${start}`);
  }
  if (cron !== undefined) return { cron, startsAt: undefined };
  if (start !== undefined) return { cron: undefined, startsAt: start };
  return { cron: known?.cron, startsAt: known?.startsAt };
}

function assertCron(
  { cron, durationMinutes }: Pick<Maintenance, "cron" | "durationMinutes">,
  now: number,
): void {
  const objection = cron && cronError(cron, { durationMinutes, now });
  if (objection) throw new InvalidInput(`cron: ${objection} ${JSON.stringify(cron)}`);
}

/** Refuses checks that the account does not have. */
async function assertKnown(
  { checks }: Transaction,
  accountId: string,
  added: readonly string[],
): Promise<void> {
  const [unknownId] = added.length === 0 ? [] : await checks.missingIds(accountId, added);
  if (unknownId !== undefined)
    throw new InvalidInput(`checklist: no such check ${JSON.stringify(unknownId)}`);
}

function savedToWire(maintenance: Maintenance): object {
  return {
    [maintenance.id]: toResponse(maintenance),
    ok: true,
    message: "The maintenance is saved.",
  };
}

function toResponse(maintenance: Maintenance): z.infer<typeof maintenanceResponse> {
  const { name, enabled, cron, startsAt, nextAt, endsAt, history } = maintenance;
  return {
    name,
    enabled,
    processing: endsAt !== undefined,
    ...(cron === undefined ? {} : { cron }),
    ...(startsAt === undefined ? {} : { start: startsAt }),
    duration: maintenance.durationMinutes,
    history: Object.fromEntries(
      history.map(({ at, held, skipped }) => [
        at,
        { disabledchecklist: [...held], skippedchecklist: [...skipped] },
      ]),
    ),
    ...(nextAt === undefined ? {} : { nextrun: nextAt }),
    ...(endsAt === undefined ? {} : { ends: endsAt }),
    checklist: [...maintenance.checkIds],
    update: { timestamp: maintenance.changedAt, user: maintenance.changedBy },
  };
}
