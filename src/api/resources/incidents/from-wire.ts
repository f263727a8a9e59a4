import type { z } from "zod";

import type { Account } from "../../../domain/account/account.ts";
import {
  incidentKinds,
  incidentStages,
  isStageOf,
  mostUpdates,
  stageOf,
  stagesOf,
  withUpdate,
} from "../../../domain/status/incident.ts";
import type { Incident } from "../../../domain/status/incident.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { parseInstant } from "../../../schema/dates.ts";
import { field } from "../../../schema/field.ts";
import { choice, text } from "../../../schema/scalars.ts";
import type { Transaction } from "../../../store/store.ts";
import type { ApiDeps } from "../../deps.ts";
import { customerid, idList } from "../identifiers.ts";

const LONGEST_TITLE = 200;
const LONGEST_TEXT = 10_000;
const MOST_PAGES = 100;

const instant = field({
  expected: "must be ms since 1970, YYYY-MM-DD HH:MM:SS or an RFC 2822 date",
  jsonSchema: { type: ["integer", "string"], minimum: 0 },
  parse: parseInstant,
});

const shared = {
  customerid,
  name: text(LONGEST_TITLE).describe("What happens, in a few words"),
  stage: choice(incidentStages).describe(
    "How far it is: investigating, identified, monitoring, resolved; of a maintenance scheduled, inprogress, completed. The last of each ends it",
  ),
  text: text(LONGEST_TEXT).describe("What there is to say, in Markdown without HTML"),
  pages: idList(MOST_PAGES).describe(
    "Ids of the status pages that show it; an empty list, or none, for all of the account",
  ),
  start: instant.describe("When it began, or is to begin; now if missing"),
  end: instant.describe("When it is to end, of a maintenance"),
};

export const newIncidentFields = {
  ...shared,
  kind: choice(incidentKinds).describe("incident if missing"),
};
export const changeFields = shared;

type NewInput = z.output<z.ZodObject<typeof newIncidentFields>>;
type ChangeInput = z.output<z.ZodObject<typeof changeFields>>;

export function newIncident(
  { ids, clock }: Pick<ApiDeps, "ids" | "clock">,
  account: Account,
  input: NewInput,
): Incident {
  const { name, kind = "incident", text = "", start, end } = input;
  if (name === undefined || name === "") throw new InvalidInput("name: required");
  assertEnd(kind, end);
  const now = clock.now();
  const draft: Incident = {
    id: ids.incident(),
    accountId: account.id,
    kind,
    title: name,
    pageIds: pagesOf(input),
    startsAt: start ?? now,
    endsAt: end,
    updates: [],
    createdAt: now,
    modifiedAt: now,
  };
  return checked(withUpdate(draft, { at: now, stage: input.stage ?? stagesOf[kind][0], text }));
}

/** With a stage or a text there is an update more. */
export function changedIncident(known: Incident, input: ChangeInput, now: number): Incident {
  const { name, stage, text, start, end } = input;
  assertEnd(known.kind, end);
  const changed: Incident = {
    ...known,
    title: name === undefined || name === "" ? known.title : name,
    pageIds: input.pages === undefined ? known.pageIds : pagesOf(input),
    startsAt: start ?? known.startsAt,
    endsAt: end ?? known.endsAt,
    modifiedAt: Math.max(now, known.modifiedAt + 1),
  };
  if (stage === undefined && text === undefined) return checked(changed);
  if (known.updates.length >= mostUpdates)
    throw new InvalidInput(`text: an incident has at most ${mostUpdates} updates`);
  const update = { at: now, stage: stage ?? stageOf(known), text: text ?? "" };
  return checked(withUpdate(changed, update));
}

/** Refuses pages that the account does not have. One that was deleted may stay where the incident had it. */
export async function assertPages(
  { statusPages }: Transaction,
  { accountId, pageIds = [] }: Incident,
  known: readonly string[] = [],
): Promise<void> {
  for (const id of pageIds)
    if (!known.includes(id) && (await statusPages.find(accountId, id)) === undefined)
      throw new InvalidInput(`pages: no such status page ${JSON.stringify(id)}`);
}

function pagesOf({ pages = [] }: Pick<ChangeInput, "pages">): Incident["pageIds"] {
  return pages.length === 0 ? undefined : pages;
}

function assertEnd(kind: Incident["kind"], end: number | undefined): void {
  if (kind === "incident" && end !== undefined)
    throw new InvalidInput("end: only of a maintenance; an incident ends with its last update");
}

function checked(incident: Incident): Incident {
  const { kind, startsAt, endsAt } = incident;
  const stage = stageOf(incident);
  if (!isStageOf(kind, stage))
    throw new InvalidInput(
      `stage: must be one of ${stagesOf[kind].join(", ")} for the kind ${kind}, not ${JSON.stringify(stage)}`,
    );
  if (endsAt !== undefined && endsAt < startsAt)
    throw new InvalidInput("end: must not be before start");
  return incident;
}
