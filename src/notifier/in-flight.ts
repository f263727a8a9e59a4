import type { Alert } from "../domain/alert/alert.ts";

/** The alerts that are worked on. */
export interface InFlight {
  readonly begin: (work: Promise<void>) => void;
  /** Does the last work on alerts that share a message. Whatever it throws concerns no other alert. */
  readonly end: (alerts: readonly Alert[], work: () => Promise<void>) => Promise<void>;
  readonly ended: () => Promise<unknown>;
}

export function createInFlight(
  released: (alert: Alert, error: unknown) => void,
  wake: () => void,
): InFlight {
  const works = new Set<Promise<void>>();
  return {
    begin(work) {
      works.add(work);
      void work.finally(() => works.delete(work));
    },
    async end(alerts, work) {
      let failure: unknown;
      try {
        await work();
      } catch (error) {
        failure = error;
      }
      for (const alert of alerts) released(alert, failure);
      wake();
    },
    ended: () => Promise.all(works),
  };
}
