import type { Alert } from "../domain/alert.ts";

/** The alerts that are worked on, counted by the messages that they need as far as that is known. */
export interface UnderWay {
  readonly begin: (alerts: readonly Alert[], work: Promise<void>) => void;
  /** Does the last work on alerts that share a message. Whatever it throws concerns no other alert. */
  readonly end: (alerts: readonly Alert[], work: () => Promise<void>) => Promise<void>;
  readonly messages: () => number;
  readonly ended: () => Promise<unknown>;
}

export function createUnderWay(
  released: (alert: Alert, error: unknown) => void,
  wake: () => void,
): UnderWay {
  const works = new Set<Promise<void>>();
  /** One alert of each message, and those that are in none yet. */
  const messages = new Set<string>();
  return {
    begin(alerts, work) {
      for (const { id } of alerts) messages.add(id);
      works.add(work);
      void work.finally(() => works.delete(work));
    },
    async end(alerts, work) {
      for (const { id } of alerts.slice(1)) messages.delete(id);
      let failure: unknown;
      try {
        await work();
      } catch (error) {
        failure = error;
      }
      for (const alert of alerts) {
        messages.delete(alert.id);
        released(alert, failure);
      }
      wake();
    },
    messages: () => messages.size,
    ended: () => Promise.all(works),
  };
}
