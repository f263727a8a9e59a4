import {
  isClosed,
  laterThan,
  maxUpdates,
  newlyPosted,
  withUpdate,
  type Incident,
  type IncidentStage,
} from "../../domain/status/incident.ts";
import { outageTitle, outageWords } from "../../domain/status/outage-words.ts";
import {
  isUnobserved,
  outageSteps,
  type OutageSteps,
  type PageSituation,
} from "../../domain/status/page-outages.ts";
import { checkIdsOf, type StatusPage } from "../../domain/status/status-page.ts";
import type { Reads, Transaction } from "../store.ts";
import type { PageKey } from "../tables/page-outages.ts";
import { saveIncident } from "./save-incident.ts";

/** Action taken on an incident. */
export type FollowedStep = "opened" | "joined" | "reopened" | "ended" | "dropped";

/** Time after an outage within which another one belongs to the same incident. */
const FLAPPING_MS = 60 * 60_000;
/** Maximum closed automatic incidents of a page. */
const MAX_KEPT = 200;

/** Reads the page data relevant to outages; undefined if the page is gone. */
export async function readSituation(
  { statusPages, pageOutages, incidents }: Pick<Reads, "incidents" | "pageOutages" | "statusPages">,
  { accountId, id }: PageKey,
): Promise<PageSituation | undefined> {
  const page = await statusPages.find(accountId, id);
  if (page === undefined) return undefined;
  return {
    page,
    handled: await pageOutages.handled(id),
    watched: await pageOutages.watch(accountId, checkIdsOf(page)),
    open: await incidents.listOpenOfOutages(id),
  };
}

export interface FollowOptions {
  /** A new id of an incident. */
  readonly incident: () => string;
  /** Outages that began before are not acted on yet; all are without it. */
  readonly from?: number;
}

/** Opens, joins and ends the incidents of a page as the outages of its checks are now, where no other unit does so. */
export async function followOutages(
  tx: Transaction,
  key: PageKey,
  { incident: newId, from = 0 }: FollowOptions,
): Promise<readonly FollowedStep[]> {
  const now = await tx.pageOutages.claim(key);
  if (now === undefined) return [];
  const situation = await readSituation(tx, key);
  if (situation === undefined) return [];
  const { page, open } = situation;
  const { begun, over, ended } = outageSteps(situation, { now, from });
  await tx.pageOutages.remove(page.id, over.map(checkIdOf));
  const steps: FollowedStep[] = [];
  let joinedId: string | undefined;
  if (begun.length > 0) {
    const known = await findJoinable(tx, { page, open, now });
    const incident = incidentWith(known, { page, begun, now, id: known?.id ?? newId() });
    await saveIncident(tx, incident, known);
    if (known === undefined) await tx.incidents.dropOldOfOutages(page.id, MAX_KEPT);
    joinedId = incident.id;
    const incidentId = incident.id;
    await tx.pageOutages.remove(page.id, begun.map(checkIdOf));
    await tx.pageOutages.add(
      page.id,
      begun.map(({ checkId, outage }) => ({ checkId, outage, incidentId })),
    );
    steps.push(stepFor(incident, known));
  }
  for (const id of ended) {
    if (id === joinedId) continue;
    const isUnknown = isUnobserved(over, situation.watched, id);
    const step = await endIncident(tx, { page, id, isUnknown, now });
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

function checkIdOf({ checkId }: { readonly checkId: string }): string {
  return checkId;
}

/** The incident that one more outage belongs to: one that is open, or was until a short time ago. What people took over, or ended, is theirs. */
async function findJoinable(
  tx: Transaction,
  { page, open, now }: Pick<PageSituation, "open" | "page"> & { readonly now: number },
): Promise<Incident | undefined> {
  for (const { id } of open) {
    const incident = await tx.incidents.lock(page.accountId, id);
    if (incident?.isAutomatic === true && !isClosed(incident)) return incident;
  }
  if (page.outageIncidents !== "post") return undefined;
  const latest = await tx.incidents.lockLatestOfOutages(page.id);
  if (latest?.isAutomatic !== true || !latest.isPublished) return undefined;
  const isRecent = latest.endsAt !== undefined && now - latest.endsAt <= FLAPPING_MS;
  // The last place is for the update that ends it.
  return isRecent && latest.updates.length < maxUpdates - 1 ? latest : undefined;
}

interface Begun extends Pick<OutageSteps, "begun"> {
  readonly page: StatusPage;
  readonly now: number;
  readonly id: string;
}

function incidentWith(known: Incident | undefined, begun: Begun): Incident {
  const { page, now, id } = begun;
  const { language, outageIncidents } = page;
  const words = outageWords(language);
  const checkIds = begun.begun.map(checkIdOf);
  if (known === undefined) {
    const bare: Incident = {
      id,
      accountId: page.accountId,
      kind: "incident",
      title: outageTitle(page, checkIds),
      isPublished: outageIncidents === "post",
      isAutomatic: true,
      outagePageId: page.id,
      pageIds: [page.id],
      checkIds,
      startsAt: Math.min(now, ...begun.begun.map(({ since }) => since)),
      endsAt: undefined,
      updates: [],
      createdAt: now,
      modifiedAt: now,
    };
    return withUpdate(bare, { at: now, stage: "investigating", text: words.begun });
  }
  const joined: Incident = {
    ...known,
    checkIds: [...new Set([...known.checkIds, ...checkIds])],
    modifiedAt: laterThan(known, now),
  };
  return isClosed(known)
    ? withUpdate(joined, { at: now, stage: "investigating", text: words.again })
    : joined;
}

function stepFor(incident: Incident, known: Incident | undefined): FollowedStep {
  if (known === undefined) return "opened";
  return newlyPosted(incident, known).length > 0 ? "reopened" : "joined";
}

/** An unpublished draft is dropped, because there is nothing left to publish. */
async function endIncident(
  tx: Transaction,
  {
    page: { accountId, language },
    id,
    isUnknown,
    now,
  }: {
    readonly page: StatusPage;
    readonly id: string;
    readonly isUnknown: boolean;
    readonly now: number;
  },
): Promise<FollowedStep | undefined> {
  const known = await tx.incidents.lock(accountId, id);
  if (known === undefined || !known.isAutomatic || isClosed(known)) return undefined;
  if (!known.isPublished) {
    await tx.incidents.remove(accountId, id);
    await tx.changes.record({ accountId, checkNo: undefined });
    return "dropped";
  }
  const { over, unobserved } = outageWords(language);
  const stage: IncidentStage = "resolved";
  const ended = withUpdate(known, { at: now, stage, text: isUnknown ? unobserved : over });
  await saveIncident(tx, { ...ended, modifiedAt: laterThan(known, now) }, known);
  return "ended";
}
