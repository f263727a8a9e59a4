import { DIAGNOSTICS_REPLY_MS } from "../bus/bus.ts";
import type { Bus } from "../bus/bus.ts";
import { primaryIdOf } from "../domain/account/account.ts";
import { gmt } from "../domain/account/time-zone.ts";
import { countsAsNotified } from "../domain/alert.ts";
import type { DiagnosticsRun, Finding } from "../domain/diagnostics.ts";
import type { DiagnosticsMail } from "../domain/system-mail.ts";
import { targetWithoutQuery } from "../domain/target.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { createPlaceCounts } from "../kit/fair/place-counts.ts";
import type { SharedKeys } from "../kit/fair/place-counts.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { poll } from "../kit/poll.ts";
import type { CheckRecord } from "../store/checks.ts";
import type { Store, Transaction } from "../store/store.ts";

export interface DiagnosticsDeps {
  readonly store: Store;
  readonly bus: Pick<Bus, "diagnostics">;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Mails of alerts a day to one mailbox, of which these are; 0 is no limit. */
  readonly alertMailLimit: number;
}

/** A route of thirty silent routers takes traceroute most of that. */
export const diagnosticsTimeoutMs = 60_000;
/** By then its request has a reply or was given up. */
const LEASE_MS = DIAGNOSTICS_REPLY_MS;
const MOST_ATTEMPTS = 3;
const MOST_AT_ONCE = 16;
const POLL_EVERY_MS = 1000;
const ERROR_DELAY_MS = 5000;

/** Runs diagnostics from the location that detected an outage, stores their findings, and mails them to whoever got the alert by mail. */
export function createDiagnostics(deps: DiagnosticsDeps): {
  readonly run: (signal: AbortSignal) => Promise<void>;
} {
  const { store, bus, ids, clock, log, meter, alertMailLimit: limit } = deps;

  const places = createPlaceCounts();

  /** Of primary accounts that have no share of the places left, none. */
  const claim = async (primaryIds: Iterable<string>): Promise<Claimed | undefined> => {
    const exceptOf = [...new Set(primaryIds)].filter((primaryId) =>
      places.isShareTaken(keysOf(primaryId), MOST_AT_ONCE),
    );
    if (!(await store.diagnostics.isDue(exceptOf))) return undefined;
    const diagnosis = await store.write(({ diagnostics }) =>
      diagnostics.claim({ leaseMs: LEASE_MS, exceptOf }),
    );
    if (diagnosis === undefined) return undefined;
    const account = await store.accounts.find(diagnosis.accountId);
    return { diagnosis, primaryId: account ? primaryIdOf(account) : diagnosis.accountId };
  };

  const carryOut = async ({ diagnosis, primaryId }: Claimed): Promise<void> => {
    const { id, accountId, checkId, location, attempts } = diagnosis;
    const about = { check: checkId, location, attempt: attempts };
    const record = await store.checks.find(accountId, checkId);
    if (record === undefined || attempts > MOST_ATTEMPTS) {
      await store.write(({ diagnostics }) => diagnostics.remove(id));
      log.warn("diagnostics.abandoned", about);
      meter.count("diagnostics.abandoned");
      return;
    }
    const { type, parameters } = record.check;
    const request = { accountId: primaryId, type, parameters, timeoutMs: diagnosticsTimeoutMs };
    const findings = await bus.diagnostics.request(location, request, { timeoutMs: LEASE_MS });
    const at = clock.now();
    await store.write(async (tx) => {
      if (!(await tx.diagnostics.finish(diagnosis, { at, findings }))) return;
      for (const mail of await mailsOf(tx, { diagnosis, record, findings, at })) {
        const mailbox = mail.to;
        if ((await tx.mailBudget.alertsResumeAt({ mailbox, at, limit })) !== undefined) continue;
        await tx.mailBudget.countAlertMail({ mailbox, at });
        await tx.systemMails.insert({ ...mail, id: ids.alert() });
      }
    });
    log.info("diagnostics.finished", about);
    meter.count("diagnostics.finished");
  };

  return {
    async run(signal) {
      const underWay = new Map<Promise<void>, string>();
      const round = async (): Promise<number> => {
        const claimed = underWay.size < MOST_AT_ONCE ? await claim(underWay.values()) : undefined;
        if (claimed === undefined) return POLL_EVERY_MS;
        const { diagnosis, primaryId } = claimed;
        places.change(keysOf(primaryId), 1);
        const work: Promise<void> = carryOut(claimed)
          .catch((error: unknown) =>
            // The lease expires, and the run is claimed again.
            log.warn("diagnostics.failed", {
              check: diagnosis.checkId,
              location: diagnosis.location,
              error: messageOf(error),
            }),
          )
          .finally(() => {
            places.change(keysOf(primaryId), -1);
            underWay.delete(work);
          });
        underWay.set(work, primaryId);
        return 0;
      };
      const onError = (error: unknown): void =>
        log.error("diagnostics.store_failed", { error: messageOf(error) });
      await poll({ clock, signal, round, onError, errorDelayMs: ERROR_DELAY_MS });
    },
  };
}

interface Claimed {
  readonly diagnosis: DiagnosticsRun;
  /** The primary account, whose share of the places it takes. */
  readonly primaryId: string;
}

function keysOf(primaryId: string): SharedKeys {
  return ["all", `of ${primaryId}`];
}

interface Found {
  readonly diagnosis: DiagnosticsRun;
  readonly record: CheckRecord;
  readonly findings: readonly Finding[];
  readonly at: number;
}

/** One for each mailbox that was notified of the outage and wants diagnostics. */
async function mailsOf(
  tx: Transaction,
  { diagnosis, record: { check }, findings, at }: Found,
): Promise<readonly Omit<DiagnosticsMail, "id" | "attempts">[]> {
  const { accountId, outage, location } = diagnosis;
  const account = await tx.accounts.find(accountId);
  const notified = (await tx.alerts.listByOutage(outage)).filter(countsAsNotified);
  const mails = new Map<string, Omit<DiagnosticsMail, "id" | "attempts">>();
  for (const { contactId, addressId } of notified) {
    const contact = await tx.contacts.find(accountId, contactId);
    const address = contact?.addresses.find(({ id }) => id === addressId);
    if (address?.kind !== "email" || address.status === "disabled" || !address.confirmed) continue;
    if (address.suppress.all || address.suppress.diagnostics) continue;
    mails.set(address.address.toLowerCase(), {
      kind: "diagnosis",
      accountId,
      contactId,
      addressId,
      to: address.address,
      createdAt: at,
      outage,
      label: check.label,
      target: targetWithoutQuery(check.parameters),
      location,
      at,
      timeZone: account?.timeZone ?? gmt,
      findings,
    });
  }
  return [...mails.values()];
}
