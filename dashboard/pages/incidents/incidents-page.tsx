import { Button, Title } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { FoundList } from "../../parts/records/found-list.tsx";
import { useMay } from "../../shell/session.ts";
import { useLocale, useText } from "../../text.ts";
import { StatusPageForm } from "../status-pages/status-page-form.tsx";
import { isOver, useStatusPages, type Incident } from "./incident.ts";
import { IncidentCard } from "./incident-card.tsx";
import { IncidentForm } from "./incident-form.tsx";

/** Outages open and end some meanwhile. */
const REFRESH_MS = 15_000;

async function loadIncidents(): Promise<readonly Incident[]> {
  const all: readonly Incident[] = Object.values(await dataOf(api.GET("/incidents")));
  return all.toSorted((one, other) => other.start - one.start);
}

/** What is posted on status pages: drafts, what is not over, and what is, by month. */
export function IncidentsPage(): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [added, setAdding] = useState<"page" | "incident">();
  const incidents = useQuery({
    queryKey: ["incidents"],
    queryFn: loadIncidents,
    refetchInterval: REFRESH_MS,
  });
  const pages = useStatusPages();
  const hasNoPage = pages.data?.length === 0;
  const add = {
    label: text(hasNoPage ? "statusPages.add" : "incidents.add"),
    act: () => setAdding(hasNoPage ? "page" : "incident"),
  };
  const close = (): void => setAdding(undefined);
  return (
    <>
      <PageTitle title={text("incidents.title")}>
        {mayChange && !pages.isPending && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      <Loaded query={incidents}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange && !pages.isPending ? add : undefined}>
              {text(hasNoPage ? "incidents.noPage" : "incidents.none")}
            </EmptyList>
          ) : (
            <Sections all={all} />
          )
        }
      </Loaded>
      {added === "page" && <StatusPageForm close={close} />}
      {added === "incident" && <IncidentForm close={close} />}
    </>
  );
}

function Sections({ all }: { readonly all: readonly Incident[] }): ReactElement {
  const text = useText();
  const month = new Intl.DateTimeFormat(useLocale(), { year: "numeric", month: "long" });
  const drafts = all.filter(({ published }) => !published);
  const posted = all.filter(({ published }) => published);
  const open = posted.filter((incident) => !isOver(incident));
  const months = Map.groupBy(posted.filter(isOver), ({ start }) => month.format(start));
  return (
    <>
      <Section title={text("incidents.drafts")} items={drafts} />
      <Section title={text("incidents.open")} items={open} />
      {[...months].map(([name, ofMonth]) => (
        <Section key={name} title={name} items={ofMonth} />
      ))}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly items: readonly Incident[];
}

function Section({ title, items }: SectionProps): ReactElement | null {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={2} size="h3" mt="lg" mb="sm">
        {title}
      </Title>
      <FoundList
        label={title}
        items={items}
        wordsOf={({ name, updates }) => [name, ...updates.map((update) => update.text)].join(" ")}
        cols={{ base: 1, md: 2 }}
      >
        {(incident) => <IncidentCard key={incident._id} incident={incident} />}
      </FoundList>
    </section>
  );
}
