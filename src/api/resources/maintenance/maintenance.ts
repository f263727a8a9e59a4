import { z } from "zod";

import {
  withSettings,
  isCron,
  longestMaintenanceMinutes,
  cronError,
  nextStartOf,
  idsExcept,
} from "../../../domain/maintenance.ts";
import type { Maintenance } from "../../../domain/maintenance.ts";
import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import { createMaintenance, updateMaintenance } from "../../../store/units/advance-maintenance.ts";
import type { Transaction } from "../../../store/store.ts";
import { deletedResponse } from "../responses.ts";
import type { ApiDeps } from "../../deps.ts";
import {
  customerid,
  field,
  flag,
  id,
  idList,
  integer,
  required,
  text,
} from "../../../schema/fields.ts";
import { maintenanceResponse, savedToWire, savedResponse, toWire } from "./response.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";

const MOST_CHECKS = 1000;
/** Stands for the id of one that is made without a cron. */
const AT_ONCE = "ad-hoc";

const fields = {
  customerid,
  name: text(255).describe("What people call it"),
  duration: integer(1, longestMaintenanceMinutes).describe("Minutes from its beginning to its end"),
  checklist: idList(MOST_CHECKS).describe("Ids of the checks to disable; the whole list"),
  enabled: flag.describe("Whether it comes at all; true unless given"),
  cron: field({
    expected: "must be five fields of cron, such as 30 2 * * 0",
    jsonSchema: { type: "string" },
    parse: (value) =>
      typeof value === "string" && isCron(value.trim()) ? value.trim() : undefined,
  }).describe(
    "When it begins, in the account's own time: minute, hour, day, month and weekday, such as `30 2 * * 0`",
  ),
};

type Deps = Pick<ApiDeps, "store" | "clock" | "ids">;

export function maintenance(deps: Deps): Resource {
  const { store, clock, ids } = deps;

  return {
    name: "maintenance",
    ids: "record",
    summary: "Times in which checks are disabled, and enabled again by themselves",
    operations: {
      GET: operation({
        summary: "Gives one maintenance, or all of an account, by id",
        input: z.object({ id: id.describe("None for all"), customerid }),
        response: z.record(z.string(), maintenanceResponse),
        async handle({ id }, { account }) {
          if (id === undefined) {
            const all = await store.maintenances.list(account.id);
            return Object.fromEntries(all.map((each) => [each.id, toWire(each)]));
          }
          const found = await store.maintenances.find(account.id, id);
          if (found === undefined) throw missing();
          return { [id]: toWire(found) };
        },
      }),
      POST: operation({
        summary: "Creates a maintenance",
        input: z.object({
          id: id.describe(`\`${AT_ONCE}\` for one that begins at once, without a cron`),
          ...fields,
          duration: required(fields.duration),
          checklist: required(fields.checklist),
        }),
        response: savedResponse,
        async handle(input, { caller, account }) {
          const { name = "", duration, checklist, enabled = true, cron } = input;
          if (input.id === AT_ONCE && cron !== undefined)
            throw new InvalidInput(`cron: not for ${AT_ONCE}`);
          if (input.id !== AT_ONCE && cron === undefined)
            throw new InvalidInput(`cron: required, except for ${AT_ONCE}`);
          const now = clock.now();
          const { offsetHours } = account;
          const wish = { name, durationMinutes: duration, checkIds: checklist, enabled, cron };
          assertCron(wish, now);
          const draft: Maintenance = {
            ...wish,
            id: ids.maintenance(),
            accountId: account.id,
            nextAt: nextStartOf({ enabled, cron, endsAt: undefined }, { now, offsetHours }),
            endsAt: undefined,
            history: [],
            changedAt: now,
            changedBy: caller.id,
          };
          const made = await store.write(async (tx) => {
            await assertKnown(tx, account.id, checklist);
            return createMaintenance(tx, draft, now);
          });
          return savedToWire(made);
        },
      }),
      PUT: operation({
        summary: "Changes a maintenance, where only what is sent changes",
        input: z.object({ id: required(id), ...fields }),
        response: savedResponse,
        async handle({ id, ...input }, { caller, account }) {
          const now = clock.now();
          const { offsetHours } = account;
          const became = await store.write(async (tx) => {
            const known = await tx.maintenances.find(account.id, id);
            if (known === undefined) throw missing();
            const wish = {
              name: input.name ?? known.name,
              durationMinutes: input.duration ?? known.durationMinutes,
              checkIds: input.checklist ?? known.checkIds,
              enabled: input.enabled ?? known.enabled,
              cron: input.cron ?? known.cron,
            };
            assertCron(wish, now);
            await assertKnown(tx, account.id, idsExcept(wish.checkIds, known.checkIds));
            const next = withSettings(known, wish, { now, offsetHours });
            const signed = { ...next, changedAt: now, changedBy: caller.id };
            return updateMaintenance(tx, { known, next: signed }, now);
          });
          return savedToWire(became);
        },
      }),
      DELETE: operation({
        summary: "Deletes a maintenance; what it holds disabled is enabled again",
        input: z.object({ id: required(id), customerid }),
        response: deletedResponse,
        async handle({ id }, { account }) {
          await store.write(async (tx) => {
            if (!(await tx.maintenances.remove(account.id, id, clock.now()))) throw missing();
            await tx.changes.record({ accountId: account.id, checkNo: undefined });
          });
          return { ok: true, id };
        },
      }),
    },
  };
}

function missing(): NotFound {
  return new NotFound("Unable to find that maintenance");
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
  const [stranger] = added.length === 0 ? [] : await checks.missingIds(accountId, added);
  if (stranger !== undefined)
    throw new InvalidInput(`checklist: no such check ${JSON.stringify(stranger)}`);
}
