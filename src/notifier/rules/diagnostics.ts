import { startsOutage } from "../../domain/alert/alert.ts";
import { isMailbox } from "../../domain/contact/contact.ts";
import { runStage, type StageResult } from "./run-stage.ts";
import type { DeliverableAlert } from "./suppressions.ts";
import type { Reads } from "../../store/store.ts";

/** Adds diagnostics that are finished when the start of the outage is mailed; later ones follow in a separate mail. Drops none. */
export function findDiagnostics(
  items: readonly DeliverableAlert[],
  { diagnostics }: { readonly diagnostics: Pick<Reads["diagnostics"], "findFinished"> },
): Promise<StageResult<DeliverableAlert>> {
  const outages = items.flatMap((item) => {
    const { checkNo, outage } = item.alert;
    return outage !== undefined && wantsDiagnostics(item) ? [{ checkNo, outage }] : [];
  });
  const finished = outages.length === 0 ? undefined : diagnostics.findFinished(outages);
  return runStage(items, async (item) => {
    const run = wantsDiagnostics(item) ? (await finished)?.get(item.alert.outage ?? "") : undefined;
    if (run === undefined) return item;
    const { location, endedAt: at, findings } = run;
    return { ...item, diagnostics: { location, at, findings } };
  });
}

function wantsDiagnostics({ alert, address }: DeliverableAlert): boolean {
  return startsOutage(alert) && isMailbox(address) && !address.suppress.diagnostics;
}
