/** What is posted on status pages: trouble, or work that is planned. */
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
  /** Nobody sees it any more. It keeps its place, for feeds and messages know an update by its place. */
  readonly isDeleted?: boolean;
}

export interface Incident {
  readonly id: string;
  readonly accountId: string;
  readonly kind: IncidentKind;
  readonly title: string;
  /** Until it is published it is a draft, which only the account sees. */
  readonly isPublished: boolean;
  /** Whether it goes on by itself: one of an outage ends with that, and a maintenance begins and ends at its times. */
  readonly isAutomatic: boolean;
  /** The page on which an outage opened it; undefined for one that people made. */
  readonly outagePageId: string | undefined;
  /** Ids of the pages that show it; undefined for all of the account. */
  readonly pageIds: readonly string[] | undefined;
  /** Ids of the checks that it affects. */
  readonly checkIds: readonly string[];
  readonly startsAt: number;
  /** When it ended, or is to end. */
  readonly endsAt: number | undefined;
  /** The oldest first; at least one. */
  readonly updates: readonly IncidentUpdate[];
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export const mostUpdates = 100;

export function stageOf({ kind, updates }: Pick<Incident, "kind" | "updates">): IncidentStage {
  return updates.findLast(isKept)?.stage ?? stagesOf[kind][0];
}

/** Whether an update was not deleted. */
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

/** Whether the stage is one of the kind. */
export function isStageOf(kind: IncidentKind, stage: IncidentStage): boolean {
  return stagesOf[kind].some((each) => each === stage);
}

/** The checks that pages show as affected: an incident that is only watched any more, and work that has not begun, affect none. */
export function affectedCheckIds(
  incident: Pick<Incident, "kind" | "updates" | "checkIds">,
): readonly string[] {
  const stage = stageOf(incident);
  const isFelt = stage === "investigating" || stage === "identified" || stage === "inprogress";
  return isFelt ? incident.checkIds : [];
}

/** What readers see for the first time once an incident is stored as it is now; `known` is how it was before. */
export function newlyPosted(incident: Incident, known?: Incident): readonly IncidentUpdate[] {
  if (!incident.isPublished) return [];
  return known?.isPublished === true
    ? incident.updates.slice(known.updates.length)
    : incident.updates;
}

/** When its next stage is due by itself: that of a maintenance that was announced. */
export function nextStageAt(incident: Incident): number | undefined {
  const { kind, isAutomatic, isPublished, startsAt, endsAt } = incident;
  if (kind !== "maintenance" || !isAutomatic || !isPublished || isClosed(incident))
    return undefined;
  return stageOf(incident) === "scheduled" ? startsAt : endsAt;
}

/** The maintenance after the stage that is due by now; the same one where none is. */
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

/** When an incident was changed: always later than before. */
export function laterThan({ modifiedAt }: Pick<Incident, "modifiedAt">, now: number): number {
  return Math.max(now, modifiedAt + 1);
}

/** The incident with one more post. Its last stage ends it; one that goes on again has no end, unless it is a maintenance with a planned one. */
export function withUpdate(incident: Incident, update: IncidentUpdate): Incident {
  const updated = { ...incident, updates: [...incident.updates, update] };
  if (isClosed(updated)) return { ...updated, endsAt: update.at };
  return incident.kind === "incident" ? { ...updated, endsAt: undefined } : updated;
}
