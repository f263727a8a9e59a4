import type { z } from "zod";

import type { Account } from "../../../domain/account/account.ts";
import { idsExcept } from "../../../domain/maintenance.ts";
import {
  incidentKinds,
  incidentStages,
  isStageOf,
  keptUpdates,
  laterThan,
  maxUpdates,
  published,
  stageOf,
  stagesOf,
  withoutUpdate,
  withUpdate,
  type Incident,
} from "../../../domain/status/incident.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { parseInstant } from "../../../schema/dates.ts";
import { field } from "../../../schema/field.ts";
import { maxShownChecks } from "../../../domain/status/status-page.ts";
import { choice, flag, integer, text } from "../../../schema/scalars.ts";
import type { Transaction } from "../../../store/store.ts";
import type { ResourceDeps } from "../../deps.ts";
import { customerid, id, idList } from "../identifiers.ts";

const MAX_TITLE_LENGTH = 200;
const MAX_TEXT_LENGTH = 10_000;
const MAX_PAGES = 100;

const instant = field({
  expected: "must be ms since 1970, YYYY-MM-DD HH:MM:SS or an RFC 2822 date",
  jsonSchema: { type: ["integer", "string"], minimum: 0 },
  parse: parseInstant,
});

const shared = {
  customerid,
  name: text(MAX_TITLE_LENGTH).describe("What happens, in a few words"),
  stage: choice(incidentStages).describe(
    "How far it is: investigating, identified, monitoring, resolved; of a maintenance scheduled, inprogress, completed. The last of each ends it",
  ),
  text: text(MAX_TEXT_LENGTH).describe("What there is to say, in Markdown without HTML"),
  pages: idList(MAX_PAGES).describe(
    "Ids of the status pages that show it; an empty list, or none, for all of the account, which needs at least one",
  ),
  checks: idList(maxShownChecks).describe(
    "Ids of the checks that it affects. A status page names those that it shows, under its own names",
  ),
  start: instant.describe("When it began, or is to begin; now if missing"),
  end: instant.describe("When it is to end, of a maintenance"),
  published: flag.describe(
    "Whether status pages show it; true if missing. A draft, which has false, is seen by the account alone; once it is published its updates are of that time",
  ),
  auto: flag.describe(
    "Whether it goes on by itself: a maintenance is in progress at its start and completed at its end, and an incident that an outage opened is resolved when that is over. False if missing; of an incident by an outage true until people post an update without it",
  ),
};

export const newIncidentFields = {
  ...shared,
  kind: choice(incidentKinds).describe("incident if missing"),
  maintenance: id.describe(
    "The id of a maintenance of checks that is announced with this: name, start, end and checks are its own where they are missing, `kind` is maintenance and `auto` true. Later changes of either do not change the other",
  ),
};
export const changeFields = {
  ...shared,
  update: integer(0, maxUpdates).describe(
    "Which update gets the `text`, counted from 0 for the oldest; without it there is a new update",
  ),
  delete: flag.describe(
    "true deletes the update that `update` names: nobody sees it any more, and the stage is that of the last one left",
  ),
};

export type NewInput = z.output<z.ZodObject<typeof newIncidentFields>>;
type ChangeInput = z.output<z.ZodObject<typeof changeFields>>;

export function newIncident(
  { ids, clock }: Pick<ResourceDeps, "ids" | "clock">,
  account: Account,
  input: NewInput,
): Incident {
  const { name, kind = "incident", text = "", start, end } = input;
  if (name === undefined || name === "") throw new InvalidInput("name: required");
  assertEnd(kind, end);
  const now = clock.now();
  const bare: Incident = {
    id: ids.incident(),
    accountId: account.id,
    kind,
    title: name,
    isPublished: input.published ?? true,
    isAutomatic: input.auto ?? false,
    outagePageId: undefined,
    pageIds: pagesOf(input),
    checkIds: input.checks ?? [],
    startsAt: start ?? now,
    endsAt: end,
    updates: [],
    createdAt: now,
    modifiedAt: now,
  };
  return checked(withUpdate(bare, { at: now, stage: input.stage ?? stagesOf[kind][0], text }));
}

/** Returns the changed incident. A stage or a text adds an update, unless the text replaces a former one. */
export function changedIncident(known: Incident, input: ChangeInput, now: number): Incident {
  const { name, start, end } = input;
  assertEnd(known.kind, end);
  if (known.isPublished && input.published === false)
    throw new InvalidInput("published: what was published cannot be a draft again");
  const changed: Incident = {
    ...known,
    title: name === undefined || name === "" ? known.title : name,
    isAutomatic: input.auto ?? known.isAutomatic,
    pageIds: input.pages === undefined ? known.pageIds : pagesOf(input),
    checkIds: input.checks ?? known.checkIds,
    startsAt: start ?? known.startsAt,
    endsAt: end ?? known.endsAt,
    modifiedAt: laterThan(known, now),
  };
  const isPublished = input.published ?? known.isPublished;
  const updated = withPost(changed, input, now);
  const isPost = updated.updates.length > known.updates.length;
  // An outage's incident that a person has updated is no longer closed automatically.
  const isTakenOver = isPost && known.outagePageId !== undefined && input.auto === undefined;
  return checked(isTakenOver ? { ...updated, isAutomatic: false } : updated, isPublished, now);
}

/** The incident with what people posted of it, or corrected. */
function withPost(incident: Incident, input: ChangeInput, now: number): Incident {
  const { stage, text, update } = input;
  if (input.delete === true) return withDeletion(incident, { stage, text, update });
  if (update !== undefined) return withCorrection(incident, { stage, text, update });
  if (stage === undefined && text === undefined) return incident;
  if (incident.updates.length >= maxUpdates)
    throw new InvalidInput(`text: an incident has at most ${maxUpdates} updates`);
  return withUpdate(incident, { at: now, stage: stage ?? stageOf(incident), text: text ?? "" });
}

function withCorrection(
  incident: Incident,
  { stage, text, update }: Pick<ChangeInput, "stage" | "text" | "update">,
): Incident {
  if (stage !== undefined || text === undefined)
    throw new InvalidInput("update: takes a text, and no stage");
  const place = findUpdateIndex(incident, update ?? -1);
  const updates = incident.updates.map((each, index) =>
    index === place ? { ...each, text } : each,
  );
  return { ...incident, updates };
}

function withDeletion(
  incident: Incident,
  { stage, text, update }: Pick<ChangeInput, "stage" | "text" | "update">,
): Incident {
  if (update === undefined || stage !== undefined || text !== undefined)
    throw new InvalidInput("delete: takes an update, and neither a stage nor a text");
  const place = findUpdateIndex(incident, update);
  if (keptUpdates(incident).length === 1)
    throw new InvalidInput("delete: this is the only update; the incident can be deleted");
  return withoutUpdate(incident, place);
}

/** Returns the index of an update that the account counts from 0. */
function findUpdateIndex(incident: Incident, update: number): number {
  const kept = keptUpdates(incident);
  const place = kept[update]?.place;
  if (place === undefined)
    throw new InvalidInput(`update: must be less than ${kept.length}, the number of updates`);
  return place;
}

/** Refuses pages and checks that the account does not have. One that was deleted may stay where the incident had it. */
export async function assertReferences(
  { statusPages, checks }: Transaction,
  { accountId, pageIds = [], checkIds }: Incident,
  known?: Incident,
): Promise<void> {
  for (const id of idsExcept(pageIds, known?.pageIds ?? []))
    if ((await statusPages.find(accountId, id)) === undefined)
      throw new InvalidInput(`pages: no such status page ${JSON.stringify(id)}`);
  const added = idsExcept(checkIds, known?.checkIds ?? []);
  const [unknown] = added.length === 0 ? [] : await checks.missingIds(accountId, added);
  if (unknown !== undefined)
    throw new InvalidInput(`checks: no such check ${JSON.stringify(unknown)}`);
}

/** Refuses to post what no status page could show. What was posted already may outlive its pages. */
export async function assertShown(
  { statusPages }: Transaction,
  { accountId, isPublished }: Incident,
  known?: Incident,
): Promise<void> {
  if (!isPublished || known?.isPublished === true) return;
  if ((await statusPages.list(accountId)).length === 0)
    throw new InvalidInput(
      "pages: the account has no status page to show this; add one first, or keep a draft with published=false",
    );
}

function pagesOf({ pages = [] }: Pick<ChangeInput, "pages">): Incident["pageIds"] {
  return pages.length === 0 ? undefined : pages;
}

function assertEnd(kind: Incident["kind"], end: number | undefined): void {
  if (kind === "incident" && end !== undefined)
    throw new InvalidInput("end: only of a maintenance; an incident ends with its last update");
}

/** Throws InvalidInput where its parts do not go together. */
function checked(
  incident: Incident,
  isPublished = incident.isPublished,
  now = incident.modifiedAt,
): Incident {
  const { kind, startsAt, endsAt, isAutomatic, outagePageId } = incident;
  const stage = stageOf(incident);
  if (!isStageOf(kind, stage))
    throw new InvalidInput(
      `stage: must be one of ${stagesOf[kind].join(", ")} for the kind ${kind}, not ${JSON.stringify(stage)}`,
    );
  if (endsAt !== undefined && endsAt < startsAt)
    throw new InvalidInput("end: must not be before start");
  if (isAutomatic && kind === "incident" && outagePageId === undefined)
    throw new InvalidInput("auto: only of a maintenance, or an incident that an outage opened");
  return isPublished && !incident.isPublished ? published(incident, now) : incident;
}
