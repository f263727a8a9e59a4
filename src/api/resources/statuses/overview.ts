import { z } from "zod";

import { checkTypeOf } from "../../../checks/registry.ts";
import { channelOf } from "../../../channels/registry.ts";
import { serviceOf } from "../../../channels/service-settings.ts";
import type { Access } from "../../../domain/account/access.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { DownSpan } from "../../../domain/span.ts";
import { hostOfTarget } from "../../../domain/target.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import { isReceivers } from "../notifications/reasons.ts";
import type { Contact } from "../../../domain/contact/contact.ts";
import { serviceProblems } from "../../../domain/service-problem.ts";
import { statusOf, type CheckStatus } from "../../../domain/run/status.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import { customerid } from "../identifiers.ts";
import { type FoundTexts, foundTextsOf } from "./found-texts.ts";
import {
  overviewResponse,
  type DownAnswer,
  type EndingAnswer,
  type OverviewAnswer,
  type TroubleAnswer,
  type DownGroupAnswer,
} from "./overview-response.ts";
import { expectedOf, heartbeatTypes } from "./status-response.ts";

export type OverviewDeps = Pick<
  ResourceDeps,
  "store" | "clock" | "channels" | "locations" | "unready" | "problems"
>;

const DAY_MS = 86_400_000;
/** Within this time a certificate is to be renewed: most are a month before their end. */
const ENDS_SOON_MS = 21 * DAY_MS;
/** Maximum checks listed; the rest are only counted. */
const MAX_DOWN = 100;
const MAX_ENDING = 100;
const MAX_TROUBLES = 100;
const MAX_ALERTS = 20;
/** Maximum length that fits on a card. */
const MAX_ANSWER_LENGTH = 500;

export function getOverview(deps: OverviewDeps): Operation {
  return operation({
    summary:
      "Returns what a person should know first: what is down, what ends soon, and whether the monitoring itself is well",
    needs: "view",
    effect: "read",
    input: z.object({ customerid }),
    response: overviewResponse,
    async handle(_, { account, access }): Promise<OverviewAnswer> {
      const seen = await look(deps, account);
      const { store } = deps;
      const down = seen.down.toSorted((one, other) => sinceOf(other) - sinceOf(one));
      const longest = down.at(-1);
      const contacts = down.length === 0 ? [] : await store.contacts.list(account.id);
      const reasons = deps.unready();
      const spans =
        down.length === 0 ? new Map() : await store.states.listOpenDownSpans(account.id);
      const reader = { accountId: account.id, access };
      const nos = down.map(({ no }) => no);
      const shown = await foundTextsOf(store, reader, nos);

      return {
        counts: seen.counts,
        ...(longest && {
          longest: { id: longest.id, label: longest.label, since: sinceOf(longest) },
        }),
        down: await Promise.all(
          down
            .slice(0, MAX_DOWN)
            .map((check) => downToWire(deps, check, { account, access, contacts })),
        ),
        groups: downGroups(down, { spans, shown, sinceOf }),
        ending: seen.ending.toSorted((one, other) => one.at - other.at).slice(0, MAX_ENDING),
        troubles: await Promise.all(
          seen.troubles.slice(0, MAX_TROUBLES).map(async (trouble) => {
            const found = await store.checks.find(account.id, trouble.id);
            const shown = redactionFor(access).foundBy(found?.check ?? gone);
            return { ...trouble, message: shown(trouble.message) };
          }),
        ),
        service: {
          ready: reasons.length === 0,
          reasons: [...reasons],
          problems: deps.problems().map(({ name, subject, since }) => ({
            name,
            subject,
            critical: serviceProblems[name].critical,
            since: Math.round(since),
          })),
          commitms: Math.round(store.oldestWaitMs()),
          locations: deps.locations().map(({ code }) => code),
          alerts: await store.alerts.countDue(account.id),
        },
      };
    },
  });
}

interface Seen {
  readonly counts: OverviewAnswer["counts"];
  readonly down: CheckStatus[];
  readonly ending: EndingAnswer[];
  readonly troubles: TroubleAnswer[];
}

/** Looks at every check of the account. */
async function look(
  { store, clock }: OverviewDeps,
  { id: accountId, timeZone }: Account,
): Promise<Seen> {
  const counts = { up: 0, down: 0, late: 0, maintenance: 0, paused: 0, unknown: 0 };
  const seen: Seen = { counts, down: [], ending: [], troubles: [] };
  const query = { parametersOf: heartbeatTypes };
  for await (const page of store.checks.listStatuses(accountId, query)) {
    const now = clock.now();
    const running: CheckStatus[] = [];
    for (const check of page) {
      const expected = expectedOf(check, timeZone);
      const { word, since } = statusOf(check, { now, expected });
      counts[word] += 1;
      const { id, label, gap, activeSince } = check;
      if (word === "down") seen.down.push(check);
      if (word === "late") seen.ending.push({ id, label, kind: "heartbeat", at: since });
      if (activeSince === undefined) continue;
      running.push(check);
      if (gap !== undefined) {
        const { kind, reason, message } = gap;
        seen.troubles.push({
          id,
          label,
          kind,
          reason,
          message,
          since: gap.since,
          count: gap.ticks,
        });
      }
    }
    seen.ending.push(...(await endingCertificates(store, running, now + ENDS_SOON_MS)));
  }
  return seen;
}

/** The certificate of each check that ends first, where that is soon. */
async function endingCertificates(
  { evidence }: OverviewDeps["store"],
  checks: readonly CheckStatus[],
  before: number,
): Promise<readonly EndingAnswer[]> {
  if (checks.length === 0) return [];
  const found = await evidence.latestCertificates(checks.map(({ no }) => no));
  return checks.flatMap(({ no, id, label }) => {
    const ends = (found.get(no) ?? []).map(({ certificate }) => certificate.validTo);
    const at = Math.min(...ends);
    return at < before ? [{ id, label, kind: "certificate" as const, at }] : [];
  });
}

/** The check was deleted meanwhile, so secrets in its texts cannot be recognized. */
const gone = { type: "", parameters: {} };

interface Reader {
  readonly account: Pick<Account, "id">;
  readonly access: Access;
  readonly contacts: readonly Contact[];
}

async function downToWire(
  { store: { states, alerts, evidence, checks }, channels }: OverviewDeps,
  check: CheckStatus,
  { account, access, contacts }: Reader,
): Promise<DownAnswer> {
  const { no, id, label, type, mute, dependsOn, acknowledgement, outage } = check;
  const since = sinceOf(check);
  const redaction = redactionFor(access);
  const [found, spans, alertsOfOutage, seen] = await Promise.all([
    checks.find(account.id, id),
    states.listDownSpans(no, since, since + 1),
    outage === undefined ? [] : alerts.listByOutage(outage),
    evidence.list({ checkNo: no, from: since, to: Number.MAX_SAFE_INTEGER }),
  ]);
  const span = spans.at(-1);
  const shown = redaction.foundBy(found?.check ?? gone);
  const answer = seen.at(-1)?.text;
  return {
    id,
    label,
    type,
    driver: checkTypeOf(type)?.driver ?? "probe",
    target: check.target(),
    since,
    result: shown(span?.text ?? ""),
    message: shown(span?.message ?? ""),
    ...(answer !== undefined && {
      answer: shown(answer).slice(0, MAX_ANSWER_LENGTH).toWellFormed(),
    }),
    alerts: alertsOfOutage.slice(0, MAX_ALERTS).map(({ contactId, addressId, status, reason }) => {
      const contact = contacts.find((each) => each.id === contactId);
      const address = contact?.addresses.find((each) => each.id === addressId);
      return {
        name: contact?.name ?? "",
        type: address?.kind ?? "",
        service: address && serviceOf(address)?.service,
        status,
        ...(reason !== undefined && {
          reason: isReceivers(status, reason)
            ? redaction.response(reason, channelOf(channels, address?.kind ?? ""))
            : reason,
        }),
      };
    }),
    ...(acknowledgement && { acknowledged: acknowledgement }),
    ...(mute !== false && { mute }),
    ...(dependsOn !== undefined && { dep: dependsOn }),
  };
}

function sinceOf({ downSince, createdAt }: CheckStatus): number {
  return downSince ?? createdAt;
}

const MAX_GROUPS = 50;

/** Over all groups. */
const MAX_LISTED = 500;

/** Checks of different hosts with the same failure from which they form one group. */
const MIN_CHECKS_OF_SEVERAL_HOSTS = 5;

interface Down {
  readonly check: CheckStatus;
  readonly since: number;
  readonly host: string;
  readonly result: string;
  readonly message: string;
}

interface Known {
  readonly spans: ReadonlyMap<number, DownSpan>;
  readonly shown: FoundTexts;
  readonly sinceOf: (check: CheckStatus) => number;
}

/** Groups what is down by host and result, the largest group first; checks of different hosts that fail alike follow as groups where they are several, and then the others. */
function downGroups(
  checks: readonly CheckStatus[],
  { spans, shown, sinceOf }: Known,
): DownGroupAnswer[] {
  const downs = checks.map((check): Down => {
    const { text = "", message = "" } = spans.get(check.no) ?? {};
    return {
      check,
      since: sinceOf(check),
      host: hostOfTarget(check.target()),
      result: shown(check.no, text),
      message: shown(check.no, message),
    };
  });
  const ofOneHost = groupedBy(downs, ({ host, result, check }) =>
    host === "" ? [check.id] : [host, result],
  );
  const alone = ofOneHost.filter(({ length }) => length === 1).flat();
  const alike = groupedBy(alone, ({ result }) => [result]);
  const isLarge = ({ length }: readonly Down[]): boolean => length >= MIN_CHECKS_OF_SEVERAL_HOSTS;
  const groups = [
    ...ofOneHost.filter(({ length }) => length > 1),
    ...alike.filter(isLarge),
  ].toSorted((one, other) => other.length - one.length);
  const others = alike.filter((group) => !isLarge(group)).flat();
  const singles = others.toSorted((one, other) => other.since - one.since);
  const answered = [...groups, ...singles.map((single) => [single])].slice(0, MAX_GROUPS);
  const lengths = listedOf(answered.map(({ length }) => length));
  return answered.map((group, index) => groupToWire(group, group.slice(0, lengths[index])));
}

/** How many of each group are listed: small ones in full, so that a large one leaves them their part. */
function listedOf(lengths: readonly number[]): readonly number[] {
  const listed = lengths.map(() => 0);
  let left = MAX_LISTED;
  for (const [index, length] of [...lengths.entries()].toSorted(
    ([, one], [, other]) => one - other,
  )) {
    listed[index] = Math.min(length, left);
    left -= listed[index];
  }
  return listed;
}

function groupedBy(
  downs: readonly Down[],
  keyOf: (down: Down) => readonly string[],
): readonly (readonly Down[])[] {
  return [...Map.groupBy(downs, (down) => JSON.stringify(keyOf(down))).values()];
}

function groupToWire(group: readonly Down[], listed: readonly Down[]): DownGroupAnswer {
  const host = sharedBy(group, ({ host: each }) => each);
  const message = sharedBy(group, ({ message: each }) => each);
  return {
    ...(host !== "" && { host }),
    result: sharedBy(group, ({ result }) => result),
    message,
    since: group.reduce((first, { since }) => Math.min(first, since), Infinity),
    count: group.length,
    unacknowledged: group.filter(({ check }) => check.acknowledgement === undefined).length,
    checks: listed.map(({ check: { id, label, acknowledgement }, since }) => ({
      id,
      label,
      since,
      ...(acknowledgement && { by: acknowledgement.by }),
    })),
  };
}

/** Returns the text shared by all checks; empty if they differ. */
function sharedBy(group: readonly Down[], textOf: (down: Down) => string): string {
  const [text = "", ...others] = new Set(group.map(textOf));
  return others.length === 0 ? text : "";
}
