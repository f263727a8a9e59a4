import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { Dependents } from "../../parts/records/dependents.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import type { Choice } from "../../parts/records/search-list.tsx";
import { FoundList } from "../../parts/records/found-list.tsx";
import { RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { GroupForm } from "./group-form.tsx";

export type ContactGroup = components["schemas"]["ContactGroup"];

async function loadGroups(): Promise<readonly ContactGroup[]> {
  const all: readonly ContactGroup[] = Object.values(await dataOf(api.GET("/contactgroups")));
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Recipients under one name. */
export function GroupsPage(): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [isAdding, setAdding] = useState(false);
  const groups = useQuery({ queryKey: ["contactgroups"], queryFn: loadGroups });
  const { contacts } = useRecipients();
  const add = { label: text("groups.add"), act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={text("groups.title")}>
        {mayChange && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      <Loaded query={groups}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange ? add : undefined}>{text("groups.none")}</EmptyList>
          ) : (
            <FoundList
              label={text("groups.title")}
              items={all}
              wordsOf={({ name }) => name}
              cols={{ base: 1, sm: 2, lg: 3 }}
            >
              {(group) => <GroupCard key={group._id} group={group} recipients={contacts} />}
            </FoundList>
          )
        }
      </Loaded>
      {isAdding && <GroupForm close={() => setAdding(false)} />}
    </>
  );
}

interface CardProps {
  readonly group: ContactGroup;
  readonly recipients: readonly Choice[];
}

function GroupCard({ group, recipients }: CardProps): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = (): void => setDialog(undefined);
  const name = visibleText(group.name) || text("records.unnamed");
  const names = new Map(recipients.map((each) => [each.id, each.name]));
  const path = { params: { path: { id: group._id } } };
  const removal = useChange({
    send: () => dataOf(api.DELETE("/contactgroups/{id}", path)),
    refreshes: ["contactgroups"],
    done: text("records.deleted", { name }),
    onDone: close,
  });
  return (
    <RecordCard name={name}>
      <Stack gap="sm" h="100%">
        <Title order={2} size="h4">
          {name}
        </Title>
        <Text size="sm">
          {group.members.length === 0
            ? text("groups.noMembers")
            : group.members
                .map((id) => visibleText(names.get(id) ?? text("groups.gone")))
                .join(", ")}
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
      {dialog === "edit" && <GroupForm group={group} close={close} />}
      {dialog === "delete" && (
        <DeleteModal
          title={text("records.deleteTitle", { name })}
          close={close}
          act={() => removal.mutate(undefined)}
          isSending={removal.isPending}
          error={removal.error}
        >
          <Dependents of={{ id: group._id }} />
        </DeleteModal>
      )}
    </RecordCard>
  );
}
