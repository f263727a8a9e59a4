import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Dependents } from "../../parts/records/dependents.tsx";
import { EditableCard } from "../../parts/records/record-card.tsx";
import { RecordPage } from "../../parts/records/record-page.tsx";
import { useRecipientNames } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { loadProfiles, stepsOf, type Profile, type Step } from "./profile.ts";
import { ProfileForm } from "./profile-form.tsx";

/** Recipients with their schedules and delays, under one name. */
export function ProfilesPage(): ReactElement {
  const profiles = useQuery({ queryKey: ["notificationprofiles"], queryFn: loadProfiles });
  return (
    <RecordPage
      texts="profiles"
      query={profiles}
      wordsOf={({ name }) => name}
      cols={{ base: 1, lg: 2 }}
      form={(close) => <ProfileForm close={close} />}
      card={(profile) => <ProfileCard key={profile._id} profile={profile} />}
    />
  );
}

function ProfileCard({ profile }: { readonly profile: Profile }): ReactElement {
  const text = useText();
  const path = { params: { path: { id: profile._id } } };
  return (
    <EditableCard
      name={visibleText(profile.name) || text("records.unnamed")}
      remove={() => dataOf(api.DELETE("/notificationprofiles/{id}", path))}
      refreshes={["notificationprofiles"]}
      consequences={<Dependents of={{ id: profile._id }} />}
      form={(close) => <ProfileForm profile={profile} close={close} />}
    >
      <Steps steps={stepsOf(profile)} />
    </EditableCard>
  );
}

function Steps({ steps }: { readonly steps: readonly Step[] }): ReactElement {
  const text = useText();
  const nameOf = useRecipientNames();
  if (steps.length === 0) return <Text size="sm">{text("profiles.noSteps")}</Text>;
  return (
    <List type="ordered" size="sm">
      {steps.map(({ recipient, schedule, delay, repeat }) => (
        <List.Item key={recipient}>
          {text(delay === "0" ? "profiles.atOnce" : "profiles.after", {
            name: nameOf(recipient),
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
