import { checkTypeOf } from "../../checks/registry.ts";
import type { Account } from "../../domain/account/account.ts";
import {
  statusOf,
  type CheckStatus,
  type LastRun,
  type StatusWord,
} from "../../domain/run/status.ts";
import type { LocatedCertificate } from "../../store/tables/evidence.ts";
import { expectedOf } from "../resources/statuses/status-response.ts";
import { labelsText } from "./labels.ts";

/** A check as its metrics need it, and no more: there may be many thousands at once. */
export interface MeasuredCheck {
  /** Of each of its metrics, as they are sent. */
  readonly labels: string;
  /** Of one metric alone, for they are long and the same each time. */
  readonly info: string;
  readonly word: StatusWord;
  /** What it was found to be; undefined where it does not run, or nothing was found yet. */
  readonly isPassing: boolean | undefined;
  readonly failingLocations: readonly string[];
  readonly intervalMinutes: number;
  readonly last: LastRun | undefined;
  /** Whether its target is a URL, so that its phases are those of HTTP. */
  readonly isWeb: boolean;
  readonly isHeartbeat: boolean;
  readonly expected: number | undefined;
  readonly certificateEnds: number | undefined;
}

interface Context {
  readonly account: Pick<Account, "id" | "timeZone">;
  readonly now: number;
  readonly certificates: readonly LocatedCertificate[];
}

export function measure(
  check: CheckStatus,
  { account, now, certificates }: Context,
): MeasuredCheck {
  const { id, label, type, tags, state, activeSince, last, intervalMinutes } = check;
  const described = checkTypeOf(type);
  const expected = expectedOf(check, account.timeZone);
  const { word } = statusOf(check, { now, expected });
  const isRunning = activeSince !== undefined;
  const ends = certificates.map(({ certificate }) => certificate.validTo);
  return {
    labels: labelsText({
      // The labels by which dashboards of the blackbox exporter choose a target.
      instance: check.target() || label,
      job: "watchpost",
      check: id,
      name: label,
    }),
    info: labelsText({ type, account: account.id, tags: tags.join(",") }),
    word,
    isPassing: isRunning && state !== undefined ? state === "passing" : undefined,
    failingLocations: isRunning ? check.failingLocations.map(({ location }) => location) : [],
    intervalMinutes,
    last: isRunning ? last : undefined,
    isWeb: described?.target === "url",
    isHeartbeat: described?.driver === "push",
    expected,
    certificateEnds: isRunning && ends.length > 0 ? Math.min(...ends) : undefined,
  };
}
