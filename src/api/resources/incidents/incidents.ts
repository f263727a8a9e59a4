import { z } from "zod";

import { NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { saveIncident } from "../../../store/transactions/save-incident.ts";
import type { ApiDeps } from "../../deps.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { customerid, id } from "../identifiers.ts";
import { deletedResponse, oneOrById } from "../responses.ts";
import { announcedMaintenance } from "./announced-maintenance.ts";
import {
  assertReferences,
  assertShown,
  changedIncident,
  changeFields,
  newIncident,
  newIncidentFields,
} from "./from-wire.ts";
import { incidentResponse, toWire } from "./response.ts";

type Deps = Pick<ApiDeps, "clock" | "ids" | "quota" | "store">;

/** As many as a list has: those that are not over, and the newest of the rest. */
const MOST_LISTED = 500;

export function incidents(deps: Deps): Resource {
  return {
    name: "incidents",
    ids: "record",
    summary: "What is posted on status pages: incidents and maintenances, with their updates",
    operations: {
      GET: getIncidents(deps),
      POST: createIncident(deps),
      PUT: changeIncident(deps),
      DELETE: deleteIncident(deps),
    },
  };
}

function getIncidents({ store }: Deps): Operation {
  return operation({
    summary: `Returns one incident, or those of an account by id: all that are not over, and the newest, ${MOST_LISTED} at most`,
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the record; a list if missing"), customerid }),
    response: oneOrById(incidentResponse),
    async handle({ id }, { account }) {
      if (id === undefined) {
        const all = await store.incidents.list(account.id, { from: 0, limit: MOST_LISTED });
        return Object.fromEntries(all.map((incident) => [incident.id, toWire(incident)]));
      }
      const incident = await store.incidents.find(account.id, id);
      if (incident === undefined) throw missing();
      return toWire(incident);
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
    async handle(input, { account, about }) {
      const announced = await announcedMaintenance(deps.store, account, input);
      const incident = newIncident(deps, account, { ...input, ...announced });
      about(incident.id);
      await deps.quota.write(account, async (tx) => {
        await assertReferences(tx, incident);
        await assertShown(tx, incident);
        await saveIncident(tx, incident);
      });
      return toWire(incident);
    },
  });
}

function changeIncident({ quota, clock }: Deps): Operation {
  return operation({
    summary: "Changes an incident; with a stage or a text it gets one more update",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), ...changeFields }),
    example: { stage: "resolved", text: "It works again." },
    response: incidentResponse,
    async handle({ id, ...input }, { account }) {
      const now = clock.now();
      const changed = await quota.write(account, async (tx) => {
        const known = await tx.incidents.lock(account.id, id);
        if (known === undefined) throw missing();
        const incident = changedIncident(known, input, now);
        await assertReferences(tx, incident, known);
        await assertShown(tx, incident, known);
        await saveIncident(tx, incident, known);
        return incident;
      });
      return toWire(changed);
    },
  });
}

function deleteIncident({ store }: Deps): Operation {
  return operation({
    summary: "Deletes an incident",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account }) {
      await store.write(async (tx) => {
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
