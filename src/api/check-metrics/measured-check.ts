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
  /** Labels of all of its metrics, in output format. */
  readonly labels: string;
  /** Additional labels of one metric, separate because they are long and constant. */
  readonly info: string;
  readonly word: StatusWord;
  /** State found by the check; undefined if it is disabled or has no result yet. */
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
