import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { FoundList } from "../../parts/records/found-list.tsx";
import { RecordPage } from "../../parts/records/record-page.tsx";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { CalendarLink } from "./calendar-link.tsx";
import { MaintenanceCard } from "./maintenance-card.tsx";
import { MaintenanceForm } from "./maintenance-form.tsx";
import type { Named } from "./plan.ts";

const REFRESH_MS = 15_000;

async function loadMaintenances(): Promise<readonly Named[]> {
  const all: readonly Named[] = Object.entries(await dataOf(api.GET("/maintenance")));
  return all;
}

/** Windows of time in which checks rest. */
export function MaintenancePage(): ReactElement {
  const mayChange = useMay("edit");
  const maintenances = useQuery({
    queryKey: ["maintenance"],
    queryFn: loadMaintenances,
    refetchInterval: REFRESH_MS,
  });
  return (
    <RecordPage
      texts="maintenance"
      query={maintenances}
      list={(all) => <Sections all={all} />}
      below={mayChange && <CalendarLink />}
      form={(close) => <MaintenanceForm close={close} />}
    />
  );
}

const sections = ["now", "next", "past"] as const;

function Sections({ all }: { readonly all: readonly Named[] }): ReactElement {
  const text = useText();
  const bySection = Map.groupBy(
    all.toSorted(([, one], [, other]) => (one.nextrun ?? 0) - (other.nextrun ?? 0)),
    ([, { processing, nextrun }]) => {
      if (processing) return "now";
      return nextrun === undefined ? "past" : "next";
    },
  );
  return (
    <>
      {sections.map((section) => {
        const found = bySection.get(section);
        if (found === undefined) return null;
        return (
          <section key={section}>
            <Title order={2} size="h3" mt="lg" mb="sm">
              {text(`maintenance.section.${section}`)}
            </Title>
            <FoundList
              label={text("maintenance.title")}
              items={found}
              wordsOf={([, { name }]) => name}
              cols={{ base: 1, sm: 2, lg: 3 }}
            >
              {([id, maintenance]) => (
                <MaintenanceCard key={id} id={id} maintenance={maintenance} />
              )}
            </FoundList>
          </section>
        );
      })}
    </>
  );
}
