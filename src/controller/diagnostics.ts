import { DIAGNOSTICS_REPLY_MS, type Bus } from "../bus/bus.ts";
import { primaryIdOf } from "../domain/account/account.ts";
import { gmt } from "../domain/account/time-zone.ts";
import { isWorded } from "../domain/alert/alert.ts";
import { isMailbox } from "../domain/contact/contact.ts";
import type { DiagnosticsRun, DiagnosticsFinding } from "../domain/diagnostics.ts";
import type { DiagnosticsMail } from "../domain/system-mail.ts";
import { targetWithoutQuery } from "../domain/target.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { createSlotCounts, type SharedKeys } from "../kit/concurrency/slot-counts.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { poll } from "../kit/poll.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { CheckRecord } from "../store/tables/checks.ts";

export interface DiagnosticsDeps {
  readonly store: Store;
  readonly bus: Pick<Bus, "diagnostics">;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Maximum alert mails a day to one mailbox, including these; 0 means no limit. */
  readonly alertMailLimit: number;
}

/** A route with thirty silent routers takes traceroute most of this time. */
export const diagnosticsTimeoutMs = 60_000;
/** The request has been answered or abandoned by then. */
const LEASE_MS = DIAGNOSTICS_REPLY_MS;
const MAX_ATTEMPTS = 3;
const MAX_AT_ONCE = 16;
/** The longest that the diagnostics of one outage take, and as long again for those that had to wait for a slot. */
const MAX_WAIT_FOR_OTHERS_MS = 2 * diagnosticsTimeoutMs;
const POLL_INTERVAL_MS = 1000;
const ERROR_DELAY_MS = 5000;

/** Runs diagnostics from the location that detected an outage, stores the findings, and mails them to recipients of the alert mail. */
export function createDiagnostics(deps: DiagnosticsDeps): {
  readonly run: (signal: AbortSignal) => Promise<void>;
} {
  const { store, bus, clock, log, meter } = deps;

  const slots = createSlotCounts();

  /** Of primary accounts that have no share of the slots left, none. */
  const claim = async (primaryIds: Iterable<string>): Promise<Claimed | undefined> => {
    const exceptOf = [...new Set(primaryIds)].filter((primaryId) =>
      slots.exceedsFairShare(keysOf(primaryId), MAX_AT_ONCE),
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
    if (record === undefined || attempts > MAX_ATTEMPTS) {
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
      await addToMails(tx, { diagnosis, record, findings, at }, deps);
    });
    log.info("diagnostics.finished", about);
    meter.count("diagnostics.finished");
  };

  return {
    async run(signal) {
      const inFlight = new Map<Promise<void>, string>();
      const round = async (): Promise<number> => {
        const claimed = inFlight.size < MAX_AT_ONCE ? await claim(inFlight.values()) : undefined;
        if (claimed === undefined) return POLL_INTERVAL_MS;
        const { diagnosis, primaryId } = claimed;
        slots.change(keysOf(primaryId), 1);
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
            slots.change(keysOf(primaryId), -1);
            inFlight.delete(work);
          });
        inFlight.set(work, primaryId);
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
  /** The primary account, whose share of the slots it takes. */
  readonly primaryId: string;
}

function keysOf(primaryId: string): SharedKeys {
  return ["all", `of ${primaryId}`];
}

interface Found {
  readonly diagnosis: DiagnosticsRun;
  readonly record: CheckRecord;
  readonly findings: readonly DiagnosticsFinding[];
  readonly at: number;
}

/** Includes those of the other checks in the alert, once all are finished or have had time to finish. */
async function addToMails(
  tx: Transaction,
  found: Found,
  { ids, alertMailLimit: limit }: Pick<DiagnosticsDeps, "ids" | "alertMailLimit">,
): Promise<void> {
  const { at } = found;
  for (const mail of await mailsOf(tx, found)) {
    const mailbox = mail.to;
    if ((await tx.mailBudget.alertsResumeAt({ mailbox, at, limit })) !== undefined) continue;
    const isLast = !(await tx.diagnostics.isAnyOpen(mail.follows));
    const dueAt = isLast ? at : at + MAX_WAIT_FOR_OTHERS_MS;
    const isOneMore = await tx.systemMails.addDiagnostics({ ...mail, id: ids.alert() }, dueAt);
    if (isOneMore) await tx.mailBudget.countAlertMail({ mailbox, at });
  }
}

/** One for each mailbox whose alert of the outage is fixed already, and that wants diagnostics; all others find them in their alert. */
async function mailsOf(
  tx: Transaction,
  { diagnosis, record: { check }, findings, at }: Found,
): Promise<readonly Omit<DiagnosticsMail, "id" | "attempts">[]> {
  const { accountId, checkId, outage, location } = diagnosis;
  const account = await tx.accounts.find(accountId);
  const worded = (await tx.alerts.listInMessages(outage)).filter(isWorded);
  const notice = worded.length === 0 ? undefined : await tx.alerts.findNotice(outage);
  const target = targetWithoutQuery(check.parameters);
  const downSince = notice?.since ?? diagnosis.createdAt;
  const reports = [
    { outage, checkId, label: check.label, target, downSince, location, at, findings },
  ];
  const mails = new Map<string, Omit<DiagnosticsMail, "id" | "attempts">>();
  for (const { contactId, addressId, message: follows } of worded) {
    const contact = await tx.contacts.find(accountId, contactId);
    const address = contact?.addresses.find(({ id }) => id === addressId);
    if (address === undefined || !isMailbox(address)) continue;
    if (address.status === "disabled" || !address.confirmed) continue;
    if (address.suppress.all || address.suppress.diagnostics) continue;
    mails.set(address.address.toLowerCase(), {
      kind: "diagnosis",
      accountId,
      contactId,
      addressId,
      follows,
      to: address.address,
      createdAt: at,
      timeZone: account?.timeZone ?? gmt,
      reports,
    });
  }
  return [...mails.values()];
}
