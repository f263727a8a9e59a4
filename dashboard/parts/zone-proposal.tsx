import { Suspense, type ReactElement } from "react";

import { useMay, useSession } from "../shell/session.ts";
import { loadedLater } from "./loaded-later.tsx";
import { PageBoundary } from "./page-boundary.tsx";
import { browserZone, isGmt, zoneOf } from "./records/zone.ts";

/** The first screen is small: the question is loaded for the few who are asked. */
const ZoneQuestion = loadedLater(async () => (await import("./zone-question.tsx")).ZoneQuestion);

/** Asks an owner whose account never had a time zone chosen whether it should be that of the browser. The answer is the account's time zone, so that it is asked once. */
export function ZoneProposal(): ReactElement | null {
  const { timezone, timezonename, caller, customer_id: account } = useSession();
  const mayChoose = useMay("owner");
  const here = browserZone();
  const isUntouched = zoneOf(timezone, timezonename) === "+00:00";
  if (!mayChoose || caller !== account || !isUntouched || isGmt(here)) return null;
  return (
    <PageBoundary>
      <Suspense>
        <ZoneQuestion account={account} here={here} />
      </Suspense>
    </PageBoundary>
  );
}
