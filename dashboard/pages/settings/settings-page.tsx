import { Alert, Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { recordOf } from "../../api/records.ts";
import type { components } from "../../api/schema.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { PageTitle } from "../../parts/page-title.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { SearchList, type Choice } from "../../parts/records/search-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useFocusOnProblem } from "../../parts/records/use-focus-on-problem.ts";
import { useRecipients } from "../../parts/records/use-recipients.ts";
import { ZoneField } from "../../parts/records/zone-field.tsx";
import { zoneOf } from "../../parts/records/zone.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay, useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import {
  newRecipient,
  notificationsOf,
  recipientsOf,
  type Recipient,
} from "../check-edit/recipients.ts";

type Account = components["schemas"]["Account"];
type Profile = components["schemas"]["NotificationProfile"];

interface AccountSettings {
  readonly name: string;
  readonly timezone: string;
  readonly accountsuppressall: boolean;
  readonly recheckwait: number | string;
  readonly recipients: readonly Recipient[];
}

const names = [
  "name",
  "timezone",
  "recheckwait",
  "accountsuppressall",
  "defaultnotifications",
] as const;

/** What all checks and contacts of the account have in common. */
export function SettingsPage(): ReactElement {
  const text = useText();
  return (
    <>
      <PageTitle title={text("settings.title")} />
      {useMay("owner") ? (
        <Settings />
      ) : (
        <Alert variant="outline" color="gray">
          {text("settings.ownerOnly")}
        </Alert>
      )}
    </>
  );
}

function Settings(): ReactElement {
  const { customer_id: id } = useSession();
  const account = useQuery({
    queryKey: ["accounts", id, "settings"],
    queryFn: async () =>
      recordOf<Account>(await dataOf(api.GET("/accounts/{id}", { params: { path: { id } } }))),
  });
  return <Loaded query={account}>{(known) => <SettingsForm known={known} />}</Loaded>;
}

function SettingsForm({ known }: { readonly known: Account }): ReactElement {
  const text = useText();
  const before = settingsOf(known);
  const draft = useDraft({ form: "settings", record: known._id, before });
  const { values, set } = draft;
  const change = useChange({
    send: () => {
      const params = { path: { id: known._id } };
      return dataOf(api.PUT("/accounts/{id}", { params, body: bodyOf(draft.changes, before) }));
    },
    refreshes: ["accounts", "session"],
    done: text("records.saved"),
    onDone: draft.clear,
  });
  const choices = useChoices();
  const refusal = refusalOf(change.error);
  const form = useFocusOnProblem(change.isPending, refusal !== undefined);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(undefined);
      }}
    >
      <Stack maw={760}>
        <DraftNotice draft={draft} />
        <TextInput
          label={text("settings.accountName")}
          value={values.name}
          maxLength={255}
          error={errorOf(refusal, "name")}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <ZoneField
          label={text("settings.timezone")}
          description={text("settings.timezoneHelp")}
          value={values.timezone}
          choose={(timezone) => set({ timezone })}
          error={errorOf(refusal, "timezone")}
        />
        <SearchList
          label={text("settings.recipients")}
          choices={choices}
          chosen={values.recipients.map((recipient) => recipient.id)}
          choose={(ids) => set({ recipients: chosenOf(ids, before.recipients) })}
          error={errorOf(refusal, "defaultnotifications")}
        />
        <Alerting values={values} set={set} refusal={refusal} />
        {refusal !== undefined && errorOf(refusal, ...names) === undefined && (
          <Alert color="red" variant="outline" role="alert">
            {visibleText(refusal.sentence)}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!draft.isChanged}>
            {text("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AlertingProps {
  readonly values: AccountSettings;
  readonly set: (changes: Partial<AccountSettings>) => void;
  readonly refusal: ReturnType<typeof refusalOf>;
}

/** When the account's checks alert, and whether they do. */
function Alerting({ values, set, refusal }: AlertingProps): ReactElement {
  const text = useText();
  return (
    <>
      <TextInput
        type="number"
        label={text("settings.recheckWait")}
        description={text("settings.recheckWaitHelp")}
        value={values.recheckwait}
        min={0}
        max={300}
        error={errorOf(refusal, "recheckwait")}
        onChange={(event) => set({ recheckwait: event.currentTarget.value })}
      />
      <Switch
        label={text("settings.suppressAll")}
        aria-label={text("settings.suppressAll")}
        description={text("settings.suppressAllHelp")}
        checked={values.accountsuppressall}
        error={errorOf(refusal, "accountsuppressall")}
        onChange={(event) => set({ accountsuppressall: event.currentTarget.checked })}
      />
    </>
  );
}

function settingsOf(known: Account): AccountSettings {
  return {
    name: known.customer_name,
    timezone: zoneOf(known.timezone, known.timezonename),
    accountsuppressall: known.accountsuppressall ?? false,
    recheckwait: known.recheckwait,
    recipients: recipientsOf(known.defaultnotifications),
  };
}

/** What was changed, as the API takes it. */
function bodyOf(
  { recipients, ...rest }: Partial<AccountSettings>,
  before: AccountSettings,
): Readonly<Record<string, unknown>> {
  return {
    ...rest,
    ...(recipients !== undefined && {
      defaultnotifications: notificationsOf(recipients, before.recipients),
    }),
  };
}

/** Everybody who can be alerted. */
function useChoices(): readonly Choice[] {
  const { contacts, groups } = useRecipients();
  const { data: profiles = [] } = useQuery({
    queryKey: ["notificationprofiles", "choices"],
    queryFn: async () => {
      const all: readonly Profile[] = Object.values(await dataOf(api.GET("/notificationprofiles")));
      return all.map(({ _id, name }) => ({ id: _id, name: name || _id }));
    },
  });
  return [...contacts, ...groups, ...profiles];
}

/** Who was chosen before keeps the schedule and the delay that the API gave. */
function chosenOf(ids: readonly string[], before: readonly Recipient[]): readonly Recipient[] {
  return ids.map((id) => before.find((each) => each.id === id) ?? newRecipient(id));
}
