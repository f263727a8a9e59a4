import { alertsOf, recoveryOf } from "../domain/alert.ts";
import type { AlertKind, NewAlert, Notice } from "../domain/alert.ts";
import { subscriptionsOf } from "../domain/check.ts";
import type { Check, CheckState, Subscription } from "../domain/check.ts";
import type { Outcome } from "../domain/outcome.ts";
import { expandContacts, expandGroups, expandProfiles } from "../domain/recipients.ts";
import type { Recipient } from "../domain/recipients.ts";
import type { Confirmation, Result } from "../domain/result.ts";
import type { State } from "../domain/verdict.ts";
import { keepShown } from "./show.ts";
import type { Shown } from "./show.ts";
import type { Transaction } from "./store.ts";

export interface ConfirmedFlip {
  readonly check: Check;
  /** The target as people may see it. */
  readonly target: string;
  readonly from: State | undefined;
  readonly to: State;
  readonly result: Result;
  /** When it was confirmed, by the clock that alerts go by; a result's own times run ahead after that clock was set back. */
  readonly at?: number;
  /** Start of the first run that found the new state. */
  readonly since: number;
  readonly confirmations: readonly Confirmation[];
  readonly shown?: Shown & Pick<Outcome, "certificate">;
  /** A location that can look why the check went down; none did where nobody probed it. */
  readonly diagnoseAt?: string;
}

/**
 * The one transaction of a flip: state, down span, result and every alert that follows, or none of it.
 * False where another was first, or the check was changed or switched off meanwhile.
 */
export async function recordFlip(
  tx: Transaction,
  confirmed: ConfirmedFlip,
  ids: { alert: () => string },
): Promise<boolean> {
  const { check, from, to, result, since, at = result.endedAt } = confirmed;
  const before = await tx.states.of(check.no);
  const flipId = ids.alert();
  const won = await tx.states.flip({
    id: flipId,
    checkNo: check.no,
    from,
    to,
    at,
    since,
    revision: check.revision,
    text: result.text,
    message: result.message,
  });
  if (!won) return false;
  await tx.results.append(result);
  await keepShown(tx, result, { ...confirmed.shown, flipped: true });
  const outage = to === "failing" ? flipId : before.outage;
  const account = await tx.accounts.find(check.accountId);
  const wanted = check.diagnose || account?.autoDiagnostics === true;
  if (to === "failing" && wanted && confirmed.diagnoseAt !== undefined) {
    await tx.diagnoses.insert({
      id: ids.alert(),
      accountId: check.accountId,
      checkNo: check.no,
      checkId: check.id,
      outage: flipId,
      location: confirmed.diagnoseAt,
      createdAt: at,
    });
  }
  const notice = noticeOf(confirmed, { accountName: account?.name ?? "", ...before });
  for (const alert of await alertsFor(tx, { confirmed, outage: before.outage, at })) {
    await tx.alerts.insert({
      ...alert,
      id: ids.alert(),
      flipId,
      accountId: check.accountId,
      checkNo: check.no,
      outage,
      createdAt: at,
      notice,
    });
  }
  return true;
}

async function alertsFor(
  tx: Transaction,
  { confirmed, outage, at }: { confirmed: ConfirmedFlip; outage: string | undefined; at: number },
): Promise<readonly NewAlert[]> {
  const { check, from, to } = confirmed;
  if (from === "failing" && to === "passing") {
    const { cancel, tell } = recoveryOf(
      outage === undefined ? [] : await tx.alerts.ofOutage(outage),
      at,
    );
    await tx.alerts.drop(cancel, "recovered", at);
    return tell;
  }
  const kind: Exclude<AlertKind, "up"> = from === undefined ? "first" : "down";
  return alertsOf(kind, await recipientsOf(tx, check), at);
}

async function recipientsOf(
  { profiles, groups, contacts }: Transaction,
  { accountId, notifications }: Check,
): Promise<readonly Recipient[]> {
  const asked = subscriptionsOf(notifications);
  if (asked.length === 0) return [];
  const withoutProfiles = expandProfiles(asked, await profiles.named(accountId, idsIn(asked)));
  const withoutGroups = expandGroups(
    withoutProfiles,
    await groups.named(accountId, idsIn(withoutProfiles)),
  );
  return expandContacts(withoutGroups, await contacts.addressesOf(accountId, idsIn(withoutGroups)));
}

function idsIn(subscriptions: readonly Subscription[]): readonly string[] {
  return subscriptions.map(({ recipientId }) => recipientId);
}

function noticeOf(
  { check, target, from, to, result, since, confirmations, shown }: ConfirmedFlip,
  { accountName, downSince }: { readonly accountName: string } & Pick<CheckState, "downSince">,
): Notice {
  return {
    account: { id: check.accountId, name: accountName },
    check: {
      id: check.id,
      label: check.label,
      type: check.type,
      target,
      intervalMinutes: check.intervalMinutes,
      description: check.description,
    },
    state: to,
    previous: from,
    since,
    downForMs: from === "failing" && downSince !== undefined ? since - downSince : undefined,
    result: {
      id: `${check.id}-${result.startedAt}`,
      startedAt: result.startedAt,
      endedAt: result.endedAt,
      runtimeMs: result.runtimeMs,
      text: result.text,
      message: result.message,
      ...(shown?.evidence !== undefined && { evidence: shown.evidence }),
      ...(shown?.certificate !== undefined && { certificate: shown.certificate }),
    },
    confirmations,
  };
}
