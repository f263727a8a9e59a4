import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { EditableCard } from "../../parts/records/record-card.tsx";
import { RecordPage } from "../../parts/records/record-page.tsx";
import { useMay } from "../../shell/session.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import type { StatusPage } from "./status-page.ts";
import { StatusPageForm } from "./status-page-form.tsx";
import { SubscribersButton } from "./subscribers.tsx";

async function loadPages(): Promise<readonly StatusPage[]> {
  const all: readonly StatusPage[] = Object.values(await dataOf(api.GET("/statuspages")));
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Status pages of the account. */
export function StatusPagesPage(): ReactElement {
  const pages = useQuery({ queryKey: ["statuspages"], queryFn: loadPages });
  return (
    <RecordPage
      texts="statusPages"
      query={pages}
      wordsOf={({ name }) => name}
      cols={{ base: 1, sm: 2, lg: 3 }}
      form={(close) => <StatusPageForm close={close} />}
      card={(page) => <StatusPageCard key={page._id} page={page} />}
    />
  );
}

function StatusPageCard({ page }: { readonly page: StatusPage }): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const path = { params: { path: { id: page._id } } };
  const checks = page.sections.reduce((sum, section) => sum + section.checks.length, 0);
  return (
    <EditableCard
      name={visibleText(page.name) || text("records.unnamed")}
      remove={() => dataOf(api.DELETE("/statuspages/{id}", path))}
      refreshes={["statuspages"]}
      consequences={<Text>{text("statusPages.deleteHint")}</Text>}
      form={(close) => <StatusPageForm page={page} close={close} />}
    >
      {page.enabled ? (
        <Anchor href={`/status/${page.slug}`} target="_blank" rel="noreferrer" underline="always">
          {text("statusPages.open")}
        </Anchor>
      ) : (
        <Text size="sm">{text("statusPages.off")}</Text>
      )}
      <Text size="sm">
        {text("statusPages.access")}: {text(`statusPages.${page.access}`)}
      </Text>
      <DialogButton label={text("statusPages.embed")} size="compact-sm" w="fit-content">
        {(close) => <EmbedModal page={page} close={close} />}
      </DialogButton>
      <Text size="sm">{text("statusPages.sections", { count: page.sections.length, checks })}</Text>
      {mayChange && <SubscribersButton page={page} />}
    </EditableCard>
  );
}

interface Props {
  readonly page: StatusPage;
  readonly close: () => void;
}

/** Lines to copy that show the page elsewhere. */
function EmbedModal({ page, close }: Props): ReactElement {
  const text = useText();
  const { url } = page;
  const lines = [
    { title: text("statusPages.address"), line: url },
    { title: text("statusPages.widget"), line: `<script async src="${url}/widget.js"></script>` },
    {
      title: text("statusPages.badgeHtml"),
      line: `<a href="${url}"><img src="${url}/badge.svg" alt="${text("statusPages.badgeAlt")}"></a>`,
    },
    { title: text("statusPages.badgeMarkdown"), line: `[![](${url}/badge.svg)](${url})` },
    { title: text("statusPages.json"), line: `${url}/status.json` },
  ];
  return (
    <Dialog opened onClose={close} size="lg" title={text("statusPages.embedTitle")}>
      <Stack>
        <Text size="sm">
          {text(page.access === "public" ? "statusPages.embedHint" : "statusPages.embedRefused")}
        </Text>
        {lines.map(({ title, line }) => (
          <CopyLine key={title} title={title} line={line} />
        ))}
      </Stack>
    </Dialog>
  );
}
