import type { SystemMailSender } from "../channels/mail/system-mail.ts";
import type { SystemMail } from "../domain/system-mail.ts";
import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { DeliveryFailed } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Store } from "../store/store.ts";
import { toDeliveryFailure, withDeadline } from "./attempt.ts";
import { decideRetry } from "./retry-decision.ts";
import { leaseMs } from "./alert-queue.ts";

export interface MailQueue {
  /** Returns once the signal has aborted, which ends an attempt under way. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface MailQueueDeps {
  readonly store: Store;
  readonly systemMailSender: SystemMailSender;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** 0 to 1; spreads the retries. */
  readonly random?: () => number;
}

const LOOK_EVERY_MS = 1000;
const TROUBLED_SLEEP_MS = 5000;

/** Sends letters one after the other, so that alerts find the mail server free, and tries again as for alerts. */
export function createMailQueue(deps: MailQueueDeps): MailQueue {
  const { store, systemMailSender, clock, log, meter, random = Math.random } = deps;
  /** Letters that the mail server has, until the store knows. */
  const sent = new Set<string>();

  const claim = async (): Promise<SystemMail | undefined> => {
    if (!(await store.systemMails.isDue())) return undefined;
    return store.write(({ systemMails }) => systemMails.claim({ leaseMs }));
  };
  const send = async (letter: SystemMail, shutdownSignal: AbortSignal): Promise<void> => {
    if (!sent.has(letter.id)) {
      const account = await store.accounts.find(letter.accountId);
      try {
        await withDeadline((signal) => systemMailSender.send(letter, signal, account?.branding), {
          clock,
          shutdownSignal,
        });
      } catch (error) {
        return fail(letter, toDeliveryFailure(error));
      }
      sent.add(letter.id);
      log.info("notifier.mail_sent", about(letter));
      meter.count("notifier.mail_sent");
    }
    await store.write(({ systemMails }) => systemMails.remove(letter.id));
    sent.delete(letter.id);
  };
  const fail = async (letter: SystemMail, failure: DeliveryFailed): Promise<void> => {
    const { id, createdAt: dueAt, attempts } = letter;
    const end = decideRetry([{ dueAt, attempts }], failure, { now: clock.now(), jitter: random() });
    const event = end.status === "waiting" ? "notifier.mail_retry" : "notifier.mail_failed";
    log.warn(event, { ...about(letter), message: failure.message });
    meter.count(event);
    await store.write(async ({ systemMails }) => {
      if (end.status === "waiting") await systemMails.postpone(letter, end.nextAttemptAt);
      else await systemMails.remove(id);
    });
  };

  return {
    async run(signal) {
      while (!signal.aborted) {
        try {
          const letter = await claim();
          if (letter === undefined) await sleep(clock, LOOK_EVERY_MS, signal);
          else await send(letter, signal);
        } catch (error) {
          log.error("notifier.mail_queue_failed", { message: messageOf(error) });
          await sleep(clock, TROUBLED_SLEEP_MS, signal);
        }
      }
    },
  };
}

function about({ id, kind, contactId, attempts }: SystemMail): Readonly<Record<string, unknown>> {
  return { letter: id, kind, contact: contactId, attempt: attempts };
}
