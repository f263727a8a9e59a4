import { Button, Title } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { FoundList } from "../../parts/records/found-list.tsx";
import { useAdding } from "../../parts/records/use-adding.ts";
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
  const text = useText();
  const mayChange = useMay("edit");
  const [isAdding, setAdding] = useAdding();
  const maintenances = useQuery({
    queryKey: ["maintenance"],
    queryFn: loadMaintenances,
    refetchInterval: REFRESH_MS,
  });
  const add = { label: text("maintenance.add"), act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={text("maintenance.title")}>
        {mayChange && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      <Loaded query={maintenances}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange ? add : undefined}>{text("maintenance.none")}</EmptyList>
          ) : (
            <Sections all={all} />
          )
        }
      </Loaded>
      {mayChange && <CalendarLink />}
      {mayChange && isAdding && <MaintenanceForm close={() => setAdding(false)} />}
    </>
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
