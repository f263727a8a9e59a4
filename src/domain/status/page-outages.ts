import type { Incident } from "./incident.ts";
import type { StatusPage } from "./status-page.ts";

/** State of a check on a page: `held` while it is unknown whether its outage continues, as during maintenance, and `off` if that will stay unknown. */
export type WatchedState = "down" | "held" | "up" | "off";

export interface WatchedCheck {
  readonly checkId: string;
  readonly state: WatchedState;
  /** Its outage, and since when it is down without a break; undefined unless it is. */
  readonly outage?: { readonly id: string; readonly since: number } | undefined;
}

/** An outage for which there is, or was, an incident. */
export interface HandledOutage {
  readonly checkId: string;
  readonly outage: string;
  readonly incidentId: string;
}

/** State of a page and its checks. */
export interface PageSituation {
  readonly page: StatusPage;
  readonly handled: readonly HandledOutage[];
  /** A check that is not among them is not on the page any more, or was deleted. */
  readonly watched: ReadonlyMap<string, WatchedCheck>;
  /** Incidents that outages opened on the page and that close automatically. */
  readonly open: readonly Pick<Incident, "id">[];
}

export interface OutageSteps {
  /** Outages for which there is to be an incident. */
  readonly begun: readonly {
    readonly checkId: string;
    readonly outage: string;
    readonly since: number;
  }[];
  readonly over: readonly HandledOutage[];
  /** IDs of incidents whose outages have all ended. */
  readonly ended: readonly string[];
}

export interface When {
  readonly now: number;
  /** Outages that began before are not acted on yet. */
  readonly from: number;
}

const MINUTE_MS = 60_000;

/** Returns the steps needed for the outages of a page's checks, based only on their current state. */
export function outageSteps(
  { page, handled, watched, open }: PageSituation,
  { now, from }: When,
): OutageSteps {
  const known = new Map(handled.map((each) => [each.checkId, each]));
  const over = handled.filter(({ checkId, outage }) => {
    const check = watched.get(checkId);
    return check?.state !== "held" && (check?.state !== "down" || check.outage?.id !== outage);
  });
  const isFollowed = page.enabled && page.outageIncidents !== "off";
  const longestBlip = page.outageDelayMinutes * MINUTE_MS;
  const begun = [...watched.values()].flatMap(({ checkId, state, outage }) => {
    if (!isFollowed || state !== "down" || outage === undefined) return [];
    if (outage.since < from) return [];
    if (known.get(checkId)?.outage === outage.id || outage.since + longestBlip > now) return [];
    return [{ checkId, outage: outage.id, since: outage.since }];
  });
  const left = new Set(handled.filter((each) => !over.includes(each)).map(incidentIdOf));
  const ended = open.map(({ id }) => id).filter((id) => !left.has(id));
  return { begun, over, ended };
}

/** Returns whether there is anything to do. */
export function isAnyStep({ begun, over, ended }: OutageSteps): boolean {
  return begun.length + over.length + ended.length > 0;
}

/** Returns whether nobody can say that the outages of an incident are over: all of their checks are switched off, deleted, or not on the page any more. */
export function isUnobserved(
  over: readonly HandledOutage[],
  watched: PageSituation["watched"],
  incidentId: string,
): boolean {
  const ofIncident = over.filter((each) => each.incidentId === incidentId);
  const isOff = ({ checkId }: HandledOutage): boolean =>
    (watched.get(checkId)?.state ?? "off") === "off";
  return ofIncident.length > 0 && ofIncident.every(isOff);
}

function incidentIdOf({ incidentId }: HandledOutage): string {
  return incidentId;
}
