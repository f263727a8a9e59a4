import { z } from "zod";

import { subscriptionsOf, type Subscription } from "../../domain/check.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import type { Reads } from "../../store/store.ts";
import type { ResourceDeps } from "../deps.ts";
import { customerid, id } from "./identifiers.ts";
import { operation, type Resource } from "../operation.ts";
import { warning } from "./responses.ts";

/** Maximum that a person reads; all are counted. */
const MAX_SHOWN = 20;

const named = z.object({ _id: z.string(), name: z.string() });
const part = z.object({
  count: z.int(),
  records: z.array(named).describe(`The first ${MAX_SHOWN}`),
});

const dependentsResponse = z
  .object({
    checks: part.describe(
      "Those that name it among their recipients or schedules, or depend on it",
    ),
    contactgroups: part,
    notificationprofiles: part,
    maintenance: part,
    account: z.boolean().describe("Whether `defaultnotifications` of the account name it"),
    warning,
  })
  .meta({ id: "Dependents" });

type Part = z.infer<typeof part>;

export function dependents({ store }: Pick<ResourceDeps, "store">): Resource {
  return {
    name: "dependents",
    ids: "record",
    summary: "What would be changed if a record was deleted",
    operations: {
      GET: operation({
        summary:
          "Returns what names a contact, address, group, profile or check, or a schedule by its name",
        needs: "view",
        effect: "read",
        input: z.object({
          id: id.describe("The id of the record; required unless schedule is given"),
          customerid,
          schedule: id.describe("The name of a schedule, in place of an id"),
        }),
        response: dependentsResponse,
        async handle({ id, schedule }, { account }) {
          if (id === undefined && schedule === undefined)
            throw new InvalidInput("id: required, or schedule");
          const meant =
            id === undefined
              ? await bySchedule(store, account.id, schedule ?? "")
              : await byId(store, account.id, id);
          return {
            ...(await dependentsOf(store, account.id, meant)),
            account: subscriptionsOf(account.defaultNotifications).some(meant.isSubscribed),
          };
        },
      }),
    },
  };
}

interface Meant {
  /** IDs that refer to the record: a contact is also referred to by the IDs of its addresses. */
  readonly ids: ReadonlySet<string>;
  readonly isSubscribed: (subscription: Subscription) => boolean;
}

async function bySchedule(store: Reads, accountId: string, name: string): Promise<Meant> {
  if ((await store.schedules.find(accountId, name)) === undefined) throw missing();
  return { ids: new Set(), isSubscribed: ({ schedule }) => schedule === name };
}

async function byId(store: Reads, accountId: string, id: string): Promise<Meant> {
  const contact = await store.contacts.find(accountId, id);
  const isKnown =
    contact !== undefined ||
    (await store.groups.find(accountId, id)) !== undefined ||
    (await store.profiles.find(accountId, id)) !== undefined ||
    (await store.checks.find(accountId, id)) !== undefined ||
    (await store.contacts.missingIds(accountId, [id])).length === 0;
  if (!isKnown) throw missing();
  const ids = new Set([id, ...(contact?.addresses ?? []).map((address) => address.id)]);
  return { ids, isSubscribed: ({ recipientId }) => ids.has(recipientId) };
}

async function dependentsOf(
  { checks, groups, profiles, maintenances }: Reads,
  accountId: string,
  { ids, isSubscribed }: Meant,
): Promise<
  Readonly<Record<"checks" | "contactgroups" | "notificationprofiles" | "maintenance", Part>>
> {
  const ofChecks: z.infer<typeof named>[] = [];
  for await (const page of checks.list(accountId))
    for (const { check } of page)
      if (ids.has(check.dependsOn ?? "") || subscriptionsOf(check.notifications).some(isSubscribed))
        ofChecks.push({ _id: check.id, name: check.label });
  const [allGroups, allProfiles, allMaintenances] = await Promise.all([
    groups.list(accountId),
    profiles.list(accountId),
    maintenances.list(accountId),
  ]);
  return {
    checks: partOf(ofChecks),
    contactgroups: partOf(
      allGroups
        .filter(({ members }) => members.some((member) => ids.has(member)))
        .map(({ id, name }) => ({ _id: id, name })),
    ),
    notificationprofiles: partOf(
      allProfiles
        .filter(({ subscriptions }) => subscriptions.some(isSubscribed))
        .map(({ id, name }) => ({ _id: id, name })),
    ),
    maintenance: partOf(
      allMaintenances
        .filter(({ checkIds }) => checkIds.some((checkId) => ids.has(checkId)))
        .map(({ id, name }) => ({ _id: id, name })),
    ),
  };
}

function partOf(records: readonly z.infer<typeof named>[]): Part {
  return { count: records.length, records: records.slice(0, MAX_SHOWN) };
}

function missing(): NotFound {
  return new NotFound("Unable to find that record");
}
