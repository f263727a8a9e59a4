import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import type { StatusPage } from "./status-page.ts";
import { StatusPageForm } from "./status-page-form.tsx";

async function loadPages(): Promise<readonly StatusPage[]> {
  const all: readonly StatusPage[] = Object.values(await dataOf(api.GET("/statuspages")));
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** What others see of chosen checks. */
export function StatusPagesPage(): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [isAdding, setAdding] = useState(false);
  const pages = useQuery({ queryKey: ["statuspages"], queryFn: loadPages });
  const add = { label: text("statusPages.add"), act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={text("statusPages.title")}>
        {mayChange && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      <Loaded query={pages}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange ? add : undefined}>{text("statusPages.none")}</EmptyList>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {all.map((page) => (
                <StatusPageCard key={page._id} page={page} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
      {isAdding && <StatusPageForm close={() => setAdding(false)} />}
    </>
  );
}

function StatusPageCard({ page }: { readonly page: StatusPage }): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = (): void => setDialog(undefined);
  const name = visibleText(page.name) || text("records.unnamed");
  const removal = useChange({
    send: () => dataOf(api.DELETE("/statuspages/{id}", { params: { path: { id: page._id } } })),
    refreshes: ["statuspages"],
    done: text("records.deleted", { name }),
    onDone: close,
  });
  const checks = page.sections.reduce((sum, section) => sum + section.checks.length, 0);
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="xs" h="100%">
        <Title order={2} size="h4">
          {name}
        </Title>
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
        <Text size="sm">
          {text("statusPages.sections", { count: page.sections.length, checks })}
        </Text>
        {mayChange && (
          <Group gap="xs" mt="auto">
            <Button size="xs" variant="default" onClick={() => setDialog("edit")}>
              {text("common.edit")}
            </Button>
            <Button size="xs" variant="default" onClick={() => setDialog("delete")}>
              {text("common.delete")}
            </Button>
          </Group>
        )}
      </Stack>
      {dialog === "edit" && <StatusPageForm page={page} close={close} />}
      {dialog === "delete" && (
        <DeleteModal
          title={text("records.deleteTitle", { name })}
          close={close}
          act={() => removal.mutate(undefined)}
          isSending={removal.isPending}
          error={removal.error}
        >
          <Text>{text("statusPages.deleteHint")}</Text>
        </DeleteModal>
      )}
    </Paper>
  );
}
