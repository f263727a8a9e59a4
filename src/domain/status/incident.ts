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
}

export interface Incident {
  readonly id: string;
  readonly accountId: string;
  readonly kind: IncidentKind;
  readonly title: string;
  /** Ids of the pages that show it; undefined for all of the account. */
  readonly pageIds: readonly string[] | undefined;
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
  return updates.at(-1)?.stage ?? stagesOf[kind][0];
}

export function isClosed(incident: Pick<Incident, "kind" | "updates">): boolean {
  const stage = stageOf(incident);
  return stage === "resolved" || stage === "completed";
}

/** Whether the stage is one of the kind. */
export function isStageOf(kind: IncidentKind, stage: IncidentStage): boolean {
  return stagesOf[kind].some((each) => each === stage);
}

/** The incident with one more post. Its last stage ends it; one that goes on again has no end, unless it is a maintenance with a planned one. */
export function withUpdate(incident: Incident, update: IncidentUpdate): Incident {
  const updated = { ...incident, updates: [...incident.updates, update] };
  if (isClosed(updated)) return { ...updated, endsAt: update.at };
  return incident.kind === "incident" ? { ...updated, endsAt: undefined } : updated;
}
