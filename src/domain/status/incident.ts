/** Kinds of posts on status pages: an incident or planned maintenance. */
export const incidentKinds = ["incident", "maintenance"] as const;
export type IncidentKind = (typeof incidentKinds)[number];

/** How far each kind is, in order; the last ends it. */
export const stagesOf = {
  incident: ["investigating", "identified", "monitoring", "resolved"],
  maintenance: ["scheduled", "inprogress", "completed"],
} as const satisfies Readonly<Record<IncidentKind, readonly string[]>>;

export const incidentStages = [...stagesOf.incident, ...stagesOf.maintenance] as const;
export type IncidentStage = (typeof incidentStages)[number];

/** One post about an incident. */
export interface IncidentUpdate {
  readonly at: number;
  readonly stage: IncidentStage;
  /** Markdown. */
  readonly text: string;
  /** Deleted updates are hidden but keep their index, because feeds and messages refer to it. */
  readonly isDeleted?: boolean;
}

export interface Incident {
  readonly id: string;
  readonly accountId: string;
  readonly kind: IncidentKind;
  readonly title: string;
  /** Until it is published it is a draft, which only the account sees. */
  readonly isPublished: boolean;
  /** Whether it is updated automatically: an outage's incident ends with the outage, and a maintenance starts and ends at its times. */
  readonly isAutomatic: boolean;
  /** The page on which an outage opened it; undefined for one that people made. */
  readonly outagePageId: string | undefined;
  /** Ids of the pages that show it; undefined for all of the account. */
  readonly pageIds: readonly string[] | undefined;
  /** Ids of the checks that it affects. */
  readonly checkIds: readonly string[];
  readonly startsAt: number;
  /** Actual or planned end. */
  readonly endsAt: number | undefined;
  /** The oldest first; at least one. */
  readonly updates: readonly IncidentUpdate[];
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export const maxUpdates = 100;

export function stageOf({ kind, updates }: Pick<Incident, "kind" | "updates">): IncidentStage {
  return updates.findLast(isKept)?.stage ?? stagesOf[kind][0];
}

/** Returns whether an update was not deleted. */
export function isKept({ isDeleted = false }: Pick<IncidentUpdate, "isDeleted">): boolean {
  return !isDeleted;
}

/** The updates that were not deleted, each with its place among all. */
export function keptUpdates({
  updates,
}: Pick<Incident, "updates">): readonly (IncidentUpdate & { readonly place: number })[] {
  return updates.map((update, place) => ({ ...update, place })).filter(isKept);
}

/** The incident without the update in a place. Without its last stage it is not over any more. */
export function withoutUpdate(incident: Incident, place: number): Incident {
  const updates = incident.updates.map((update, index) =>
    index === place ? { ...update, text: "", isDeleted: true } : update,
  );
  const left = { ...incident, updates };
  if (!isClosed(incident)) return left;
  return { ...left, endsAt: isClosed(left) ? updates.findLast(isKept)?.at : undefined };
}

export function isClosed(incident: Pick<Incident, "kind" | "updates">): boolean {
  const stage = stageOf(incident);
  return stage === "resolved" || stage === "completed";
}

/** Returns whether the stage is one of the kind. */
export function isStageOf(kind: IncidentKind, stage: IncidentStage): boolean {
  return stagesOf[kind].some((each) => each === stage);
}

/** Returns the checks that pages show as affected: an incident in monitoring and future maintenance affect none. */
export function affectedCheckIds(
  incident: Pick<Incident, "kind" | "updates" | "checkIds">,
): readonly string[] {
  const stage = stageOf(incident);
  const isFelt = stage === "investigating" || stage === "identified" || stage === "inprogress";
  return isFelt ? incident.checkIds : [];
}

/** Returns the updates that become visible when an incident is stored; `known` is its previous version. */
export function newlyPosted(incident: Incident, known?: Incident): readonly IncidentUpdate[] {
  if (!incident.isPublished) return [];
  return known?.isPublished === true
    ? incident.updates.slice(known.updates.length)
    : incident.updates;
}

/** Returns the time of the next automatic stage of an announced maintenance. */
export function nextStageAt(incident: Incident): number | undefined {
  const { kind, isAutomatic, isPublished, startsAt, endsAt } = incident;
  if (kind !== "maintenance" || !isAutomatic || !isPublished || isClosed(incident))
    return undefined;
  return stageOf(incident) === "scheduled" ? startsAt : endsAt;
}

/** Returns the maintenance after its due stage; unchanged if none is due. */
export function withDueStage(incident: Incident, now: number): Incident {
  const dueAt = nextStageAt(incident);
  if (dueAt === undefined || dueAt > now) return incident;
  const isOver = incident.endsAt !== undefined && incident.endsAt <= now;
  const stage = isOver ? "completed" : "inprogress";
  return {
    ...withUpdate(incident, { at: now, stage, text: "" }),
    modifiedAt: laterThan(incident, now),
  };
}

/** A draft that everybody sees from now on: its updates are of now. */
export function published(draft: Incident, now: number): Incident {
  const updates = draft.updates.map((update) => ({ ...update, at: now }));
  return { ...draft, isPublished: true, updates };
}

/** Returns a modification time, always later than the previous one. */
export function laterThan({ modifiedAt }: Pick<Incident, "modifiedAt">, now: number): number {
  return Math.max(now, modifiedAt + 1);
}

/** Returns the incident with an additional update. The last stage closes it; a reopened incident has no end unless it is a maintenance with a planned end. */
export function withUpdate(incident: Incident, update: IncidentUpdate): Incident {
  const updated = { ...incident, updates: [...incident.updates, update] };
  if (isClosed(updated)) return { ...updated, endsAt: update.at };
  return incident.kind === "incident" ? { ...updated, endsAt: undefined } : updated;
}
