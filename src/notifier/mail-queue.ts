import type { SystemMailSender } from "../channels/mail/system-mail.ts";
import { maxRetryMs } from "../domain/alert/retry.ts";
import type { SystemMail } from "../domain/system-mail.ts";
import { clockOffset, forwardStepSince, type Clock } from "../kit/clock.ts";
import { messageOf, type DeliveryFailed } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { poll } from "../kit/poll.ts";
import type { Store } from "../store/store.ts";
import { systemMails, type SendSlot, type SendSlots } from "./send-slots.ts";
import { toDeliveryFailure, withDeadline } from "./sending/attempt.ts";
import { decideRetry } from "./sending/retry-decision.ts";
import { leaseMs } from "./alert-queue.ts";

export interface MailQueue {
  /** Returns once the signal has aborted, which ends an attempt in progress. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface MailQueueDeps {
  readonly store: Store;
  readonly systemMailSender: SystemMailSender;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Shared with the alerts. */
  readonly slots: Pick<SendSlots, "take">;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

const POLL_INTERVAL_MS = 1000;
const ERROR_DELAY_MS = 5000;

interface Outcome {
  readonly offset: number;
  readonly isAway: boolean;
}

/** Sends mails one after the other, each in its turn among the mails of alerts, and tries again as for alerts. */
export function createMailQueue(deps: MailQueueDeps): MailQueue {
  const { store, systemMailSender, clock, log, meter, slots, random = Math.random } = deps;
  /** Mails that the mail server has, until the store knows. */
  const sent = new Set<string>();

  const send = async (
    mail: SystemMail,
    slot: SendSlot,
    shutdownSignal: AbortSignal,
  ): Promise<void> => {
    const offset = clockOffset(clock);
    if (!sent.has(mail.id)) {
      const account = await store.accounts.find(mail.accountId);
      const startedAt = clock.monotonic();
      let failure: DeliveryFailed | undefined;
      try {
        await withDeadline((signal) => systemMailSender.send(mail, signal, account?.branding), {
          clock,
          shutdownSignal,
        });
      } catch (error) {
        failure = toDeliveryFailure(error);
      }
      slot.free({ tookMs: clock.monotonic() - startedAt, failure });
      if (failure !== undefined) return fail(mail, failure, { offset, isAway: slot.isAway() });
      sent.add(mail.id);
      log.info("notifier.mail_sent", about(mail));
      meter.count("notifier.mail_sent");
    }
    await store.write(({ systemMails }) => systemMails.remove(mail.id));
    sent.delete(mail.id);
  };
  const fail = async (
    mail: SystemMail,
    failure: DeliveryFailed,
    outcome: Outcome,
  ): Promise<void> => {
    const { offset, isAway } = outcome;
    const { id, createdAt, attempts } = mail;
    const retryUntil = createdAt + maxRetryMs + forwardStepSince(clock, offset);
    const end = decideRetry([{ retryUntil, attempts }], failure, {
      now: clock.now(),
      jitter: random(),
      isAway,
    });
    const event = end.status === "waiting" ? "notifier.mail_retry" : "notifier.mail_failed";
    log.warn(event, { ...about(mail), message: failure.message }, failure.message);
    meter.count(event);
    await store.write(async ({ systemMails }) => {
      if (end.status === "waiting") await systemMails.postpone(mail, end.nextAttemptAt);
      else await systemMails.remove(id);
    });
  };

  return {
    run(signal) {
      /** A mail is claimed once it is its turn, as its lease covers no wait for that. */
      const round = async (): Promise<number> => {
        if (!(await store.systemMails.isDue())) return POLL_INTERVAL_MS;
        const slot = slots.take(systemMails);
        const giveUp = (): void => slot.free();
        signal.addEventListener("abort", giveUp, { once: true });
        try {
          if (!(await slot.begin())) return POLL_INTERVAL_MS;
          const mail = await store.write(({ systemMails }) => systemMails.claim({ leaseMs }));
          if (mail === undefined) return POLL_INTERVAL_MS;
          await send(mail, slot, signal);
          return 0;
        } finally {
          signal.removeEventListener("abort", giveUp);
          slot.free();
        }
      };
      const onError = (error: unknown): void =>
        log.error("notifier.mail_queue_failed", { message: messageOf(error) });
      return poll({ clock, signal, round, onError, errorDelayMs: ERROR_DELAY_MS });
    },
  };
}

function about({ id, kind, contactId, attempts }: SystemMail): Readonly<Record<string, unknown>> {
  return { mail: id, kind, contact: contactId, attempt: attempts };
}
