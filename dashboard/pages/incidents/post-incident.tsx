import { Button } from "@mantine/core";
import { Suspense, useState, type ReactElement } from "react";

import { loadedLater } from "../../parts/loaded-later.tsx";
import { PageBoundary } from "../../parts/page-boundary.tsx";
import { useText } from "../../text.ts";
import { pagesWith, useStatusPages } from "./incident.ts";

/** The first screen is small: the form is loaded when it is asked for. */
const IncidentForm = loadedLater(async () => (await import("./incident-form.tsx")).IncidentForm);

/** Posts an incident about a check; nothing if no status page shows it. */
export function PostIncident({ checkId }: { readonly checkId: string }): ReactElement | null {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const { data = [] } = useStatusPages();
  const pages = [...pagesWith(data, checkId)];
  if (pages.length === 0) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {text("incidents.add")}
      </Button>
      {isOpen && (
        <PageBoundary>
          <Suspense>
            <IncidentForm about={{ pages, checks: [checkId] }} close={() => setOpen(false)} />
          </Suspense>
        </PageBoundary>
      )}
    </>
  );
}
