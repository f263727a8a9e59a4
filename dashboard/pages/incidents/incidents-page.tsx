import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { FoundList } from "../../parts/records/found-list.tsx";
import { RecordPage } from "../../parts/records/record-page.tsx";
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

/** Posts of status pages: drafts, open ones, and past ones by month. */
export function IncidentsPage(): ReactElement {
  const text = useText();
  const incidents = useQuery({
    queryKey: ["incidents"],
    queryFn: loadIncidents,
    refetchInterval: REFRESH_MS,
  });
  const pages = useStatusPages();
  const hasNoPage = pages.data?.length === 0;
  return (
    <RecordPage
      texts="incidents"
      query={incidents}
      isReady={!pages.isPending}
      {...(hasNoPage && { addLabel: text("statusPages.add"), none: text("incidents.noPage") })}
      list={(all) => <Sections all={all} />}
      form={(close) => <AddForm hasNoPage={hasNoPage} close={close} />}
    />
  );
}

interface AddFormProps {
  readonly hasNoPage: boolean;
  readonly close: () => void;
}

/** What there is to add first: a page, or what is posted on it. It stays the same while it is open. */
function AddForm({ hasNoPage, close }: AddFormProps): ReactElement {
  const [isForPage] = useState(hasNoPage);
  return isForPage ? <StatusPageForm close={close} /> : <IncidentForm close={close} />;
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
