import { z } from "zod";

import type { Account } from "../../../domain/account/account.ts";
import type { Maintenance } from "../../../domain/maintenance.ts";
import {
  incidentKinds,
  incidentStages,
  keptUpdates,
  stageOf,
  type Incident,
} from "../../../domain/status/incident.ts";
import { checkIdsOf, maxShownChecks } from "../../../domain/status/status-page.ts";
import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import type { Reads } from "../../../store/store.ts";
import { saveIncident } from "../../../store/transactions/save-incident.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { customerid, id } from "../identifiers.ts";
import { deletedResponse, oneOrById, warning } from "../responses.ts";
import {
  assertReferences,
  assertShown,
  changedIncident,
  changeFields,
  newIncident,
  newIncidentFields,
  type NewInput,
} from "./parse-incident.ts";

type Deps = Pick<ResourceDeps, "clock" | "ids" | "store">;

/** Maximum of a list: open ones, and the newest of the others. */
const MAX_LISTED = 500;

export function incidents(deps: Deps): Resource {
  return {
    name: "incidents",
    ids: "record",
    summary: "What is posted on status pages: incidents and maintenances, with their updates",
    recorded: async (tx, { accountId, id }) => {
      const incident = await tx.incidents.find(accountId, id);
      if (incident === undefined) return undefined;
      const { title, checkIds, pageIds, startsAt, endsAt, isPublished, updates } = incident;
      return {
        kept: { name: title, stage: stageOf(incident), checks: checkIds, start: startsAt },
        compared: { text: updates, pages: pageIds, end: endsAt, published: isPublished },
      };
    },
    operations: {
      GET: getIncidents(deps),
      POST: createIncident(deps),
      PUT: changeIncident(deps),
      DELETE: deleteIncident(),
    },
  };
}

function getIncidents({ store }: Deps): Operation {
  return operation({
    summary: `Returns one incident, or those of an account by id: all that are not over, and the newest, ${MAX_LISTED} at most`,
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the record; a list if missing"), customerid }),
    response: oneOrById(incidentResponse),
    async handle({ id }, { account }) {
      if (id === undefined) {
        const all = await store.incidents.list(account.id, { from: 0, limit: MAX_LISTED });
        return Object.fromEntries(all.map((incident) => [incident.id, toResponse(incident)]));
      }
      const incident = await store.incidents.find(account.id, id);
      if (incident === undefined) throw missing();
      return toResponse(incident);
    },
  });
}

function createIncident(deps: Deps): Operation {
  return operation({
    summary: "Posts an incident or a maintenance, with its first update",
    needs: "edit",
    effect: "write",
    input: z.object(newIncidentFields),
    example: { name: "Payments fail", text: "We are looking into it." },
    response: incidentResponse,
    async handle(input, { account, about, writeWithinLimits }) {
      const announced = await announcedMaintenance(deps.store, account, input);
      const incident = newIncident(deps, account, { ...input, ...announced });
      about(incident.id);
      await writeWithinLimits(account, async (tx) => {
        await assertReferences(tx, incident);
        await assertShown(tx, incident);
        await saveIncident(tx, incident);
      });
      return toResponse(incident);
    },
  });
}

function changeIncident({ clock }: Deps): Operation {
  return operation({
    summary: "Changes an incident; with a stage or a text it gets one more update",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), ...changeFields }),
    example: { stage: "resolved", text: "It works again." },
    response: incidentResponse,
    async handle({ id, ...input }, { account, writeWithinLimits }) {
      const now = clock.now();
      const changed = await writeWithinLimits(account, async (tx) => {
        const known = await tx.incidents.lock(account.id, id);
        if (known === undefined) throw missing();
        const incident = changedIncident(known, input, now);
        await assertReferences(tx, incident, known);
        await assertShown(tx, incident, known);
        await saveIncident(tx, incident, known);
        return incident;
      });
      return toResponse(changed);
    },
  });
}

function deleteIncident(): Operation {
  return operation({
    summary: "Deletes an incident",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      await write(async (tx) => {
        if (!(await tx.incidents.remove(account.id, id))) throw missing();
        await tx.changes.record({ accountId: account.id, checkNo: undefined });
      });
      return { ok: true, id };
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find that incident");
}

const MINUTE_MS = 60_000;

/** Fills in an announcement's missing values from its maintenance; nothing if it announces none. */
async function announcedMaintenance(
  { maintenances, statusPages }: Pick<Reads, "maintenances" | "statusPages">,
  { id: accountId }: Pick<Account, "id">,
  input: NewInput,
): Promise<Partial<NewInput>> {
  if (input.maintenance === undefined || input.maintenance === "") return {};
  const found = await maintenances.find(accountId, input.maintenance);
  if (found === undefined)
    throw new InvalidInput(`maintenance: no such maintenance ${JSON.stringify(input.maintenance)}`);
  if (input.kind === "incident")
    throw new InvalidInput("maintenance: only with the kind maintenance");
  const { start, end } = windowOf(found);
  const pages = await statusPages.list(accountId);
  const shown = new Set(pages.flatMap(checkIdsOf));
  const checks = found.checkIds.filter((id) => shown.has(id)).slice(0, maxShownChecks);
  return {
    kind: "maintenance",
    name: input.name ?? found.name,
    start: input.start ?? start,
    end: input.end ?? end,
    checks: input.checks ?? checks,
    auto: input.auto ?? true,
  };
}

/** Returns the current or next period. */
function windowOf({ nextAt, endsAt, history, durationMinutes }: Maintenance): {
  readonly start: number;
  readonly end: number;
} {
  const start = endsAt === undefined ? nextAt : history[0]?.at;
  if (start === undefined) throw new InvalidInput("maintenance: it has no start to come");
  return { start, end: endsAt ?? start + durationMinutes * MINUTE_MS };
}

const incidentResponse = z
  .object({
    _id: z.string(),
    type: z.literal("incident"),
    customer_id: z.string(),
    name: z.string(),
    kind: z.enum(incidentKinds),
    stage: z.enum(incidentStages).describe("That of the last update"),
    pages: z
      .array(z.string())
      .describe("Ids of the status pages that show it; empty for all of the account"),
    checks: z.array(z.string()).describe("Ids of the checks that it affects"),
    published: z.boolean().describe("False for a draft, which only the account sees"),
    auto: z.boolean().describe("Whether it goes on by itself"),
    byoutage: z.boolean().describe("Whether an outage opened it"),
    start: z.int().describe("ms since 1970"),
    end: z.int().optional().describe("When it ended, or is to end, in ms since 1970"),
    updates: z
      .array(
        z.object({
          at: z.int().describe("ms since 1970"),
          stage: z.enum(incidentStages),
          text: z.string(),
        }),
      )
      .describe("The oldest first"),
    created: z.int().describe("ms since 1970"),
    modified: z.int().describe("ms since 1970"),
    warning,
  })
  .meta({ id: "Incident" });

function toResponse(incident: Incident): z.infer<typeof incidentResponse> {
  const { endsAt } = incident;
  return {
    _id: incident.id,
    type: "incident",
    customer_id: incident.accountId,
    name: incident.title,
    kind: incident.kind,
    stage: stageOf(incident),
    pages: [...(incident.pageIds ?? [])],
    checks: [...incident.checkIds],
    published: incident.isPublished,
    auto: incident.isAutomatic,
    byoutage: incident.outagePageId !== undefined,
    start: incident.startsAt,
    ...(endsAt !== undefined && { end: endsAt }),
    updates: keptUpdates(incident).map(({ at, stage, text }) => ({ at, stage, text })),
    created: incident.createdAt,
    modified: incident.modifiedAt,
  };
}
