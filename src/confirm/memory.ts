import type { CheckState } from "../domain/check.ts";
import type { CertificateFacts, Outcome } from "../domain/outcome.ts";
import type { Result } from "../domain/result.ts";
import type { Clock } from "../kit/clock.ts";
import type { ActiveCheck } from "../store/checks.ts";
import type { Observation } from "../store/units/record-observation.ts";
import type { Store } from "../store/store.ts";
import type { DecidedRun } from "./run.ts";

/** What is remembered of a check between its ticks; only a commit moves it on. */
export interface Memory {
  readonly active: ActiveCheck;
  state: CheckState;
  /** The open outage has its down span, so far as we know. */
  spanIsOpen: boolean;
  inTrouble: boolean;
  lastStart: number;
  /** By location. */
  readonly certificates: Map<string, CertificateFacts>;
}

/** Reads what is to be remembered of a check once, as long as it stays as it is. */
export function createRecall({
  store,
  clock,
}: {
  readonly store: Pick<Store, "results" | "evidence">;
  readonly clock: Clock;
}): (active: ActiveCheck) => Promise<Memory> {
  const memories = new WeakMap<ActiveCheck, Memory>();
  return async (active) => {
    const known = memories.get(active);
    if (known !== undefined) return known;
    const { no: checkNo } = active.check;
    const last = await store.results.last(checkNo);
    const now = clock.now();
    const seen = await store.evidence.listCertificates({ checkNo, from: now, to: now });
    const fresh = {
      active,
      state: active.state,
      spanIsOpen: false,
      inTrouble: active.openGap !== undefined,
      lastStart: last?.startedAt ?? 0,
      certificates: new Map(seen.map((certificate) => [certificate.location, certificate])),
    };
    memories.set(active, fresh);
    return fresh;
  };
}

/** What the target showed in the run that is kept. */
export function shownIn(
  { certificates }: Memory,
  decided: readonly DecidedRun[],
): Observation & Pick<Outcome, "certificate"> {
  const last = decided.at(-1);
  const { evidence, certificate } = last?.outcome ?? {};
  const known = certificates.get(last?.location ?? "");
  const isNew =
    certificate !== undefined &&
    (certificate.subject !== known?.subject ||
      certificate.issuer !== known.issuer ||
      certificate.validTo !== known.validTo);
  return {
    ...(evidence !== undefined && { evidence }),
    ...(certificate !== undefined && { certificate }),
    ...(isNew && { newCertificate: certificate }),
  };
}

/** Once it is stored. */
export function rememberShown(
  { certificates }: Memory,
  { location }: Result,
  { newCertificate }: Observation,
): void {
  if (newCertificate !== undefined) certificates.set(location, newCertificate);
}
