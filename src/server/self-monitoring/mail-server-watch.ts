import { sleep, type Clock } from "../../kit/clock.ts";

interface Deps {
  /** Connects to the mail server and signs in; resolves with what went wrong, or undefined. */
  readonly verify: () => Promise<string | undefined>;
  readonly clock: Clock;
}

export interface MailServerWatch {
  /** Returns the reason why the mail server is unusable; undefined while it works. */
  readonly failure: () => string | undefined;
  /** Undefined until it let us in, or two attempts failed. */
  readonly works: () => boolean | undefined;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const VERIFY_INTERVAL_MS = 60_000;
/** After a failure, which counts only if it is repeated. */
const VERIFY_AGAIN_MS = 15_000;

/** Tries the mail server regularly, because its failure should be known before an alert needs it. */
export function createMailServerWatch({ verify, clock }: Deps): MailServerWatch {
  let failures: readonly string[] = [];
  let works: boolean | undefined;
  return {
    failure: () => (failures.length > 1 ? failures.at(-1) : undefined),
    works: () => works,
    async run(signal) {
      while (!signal.aborted) {
        const failure = await verify();
        failures = failure === undefined ? [] : [...failures, failure].slice(-2);
        if (failures.length !== 1) works = failures.length === 0;
        await sleep(clock, failures.length === 1 ? VERIFY_AGAIN_MS : VERIFY_INTERVAL_MS, signal);
      }
    },
  };
}
