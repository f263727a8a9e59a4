import { Button, Group, List, Stack, Text, Title } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { Dependents } from "../../parts/records/dependents.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { nameOfChoice } from "../../parts/records/search-list.tsx";
import { FoundList } from "../../parts/records/found-list.tsx";
import { RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { loadProfiles, stepsOf } from "./profile.ts";
import type { Profile, Step } from "./profile.ts";
import { ProfileForm } from "./profile-form.tsx";

/** Recipients with their schedules and delays, under one name. */
export function ProfilesPage(): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [isAdding, setAdding] = useState(false);
  const profiles = useQuery({ queryKey: ["notificationprofiles"], queryFn: loadProfiles });
  const add = { label: text("profiles.add"), act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={text("profiles.title")}>
        {mayChange && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      <Loaded query={profiles}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange ? add : undefined}>{text("profiles.none")}</EmptyList>
          ) : (
            <FoundList
              label={text("profiles.title")}
              items={all}
              wordsOf={({ name }) => name}
              cols={{ base: 1, lg: 2 }}
            >
              {(profile) => <ProfileCard key={profile._id} profile={profile} />}
            </FoundList>
          )
        }
      </Loaded>
      {isAdding && <ProfileForm close={() => setAdding(false)} />}
    </>
  );
}

function ProfileCard({ profile }: { readonly profile: Profile }): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = (): void => setDialog(undefined);
  const name = visibleText(profile.name) || text("records.unnamed");
  const path = { params: { path: { id: profile._id } } };
  const removal = useChange({
    send: () => dataOf(api.DELETE("/notificationprofiles/{id}", path)),
    refreshes: ["notificationprofiles"],
    done: text("records.deleted", { name }),
    onDone: close,
  });
  return (
    <RecordCard name={name}>
      <Stack gap="sm" h="100%">
        <Title order={2} size="h4">
          {name}
        </Title>
        <Steps steps={stepsOf(profile)} />
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
      {dialog === "edit" && <ProfileForm profile={profile} close={close} />}
      {dialog === "delete" && (
        <DeleteModal
          title={text("records.deleteTitle", { name })}
          close={close}
          act={() => removal.mutate(undefined)}
          isSending={removal.isPending}
          error={removal.error}
        >
          <Dependents of={{ id: profile._id }} />
        </DeleteModal>
      )}
    </RecordCard>
  );
}

function Steps({ steps }: { readonly steps: readonly Step[] }): ReactElement {
  const text = useText();
  const { contacts, groups } = useRecipients();
  const names = new Map([...contacts, ...groups].map((each) => [each.id, nameOfChoice(each)]));
  if (steps.length === 0) return <Text size="sm">{text("profiles.noSteps")}</Text>;
  return (
    <List type="ordered" size="sm">
      {steps.map(({ recipient, schedule, delay, repeat }) => (
        <List.Item key={recipient}>
          {text(delay === "0" ? "profiles.atOnce" : "profiles.after", {
            name: names.get(recipient) ?? text("groups.gone"),
            minutes: Number(delay),
          })}
          {schedule !== "All" &&
            `, ${text("profiles.within", { schedule: visibleText(schedule) })}`}
          {repeat !== "" && `, ${text("profiles.repeats", { minutes: Number(repeat) })}`}
        </List.Item>
      ))}
    </List>
  );
}
