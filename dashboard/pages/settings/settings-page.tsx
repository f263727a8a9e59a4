import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { recordOf } from "../../api/records.ts";
import type { components } from "../../api/schema.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import type { ControlProps, Fields } from "../../parts/records/field.ts";
import { switchField, textField } from "../../parts/records/fields.tsx";
import { RecordPageForm } from "../../parts/records/record-form.tsx";
import { isNamed } from "../../parts/records/refusal.ts";
import { SearchList, type Choice } from "../../parts/records/search-list.tsx";
import { useRecipients } from "../../parts/records/use-recipients.ts";
import { zoneField } from "../../parts/records/zone-field.tsx";
import { zoneOf } from "../../parts/records/zone.ts";
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
  readonly recipients: readonly Recipient[];
  readonly recheckwait: string;
  readonly accountsuppressall: boolean;
}

const fields: Fields<AccountSettings> = {
  name: textField({ label: "settings.accountName", maxLength: 255 }),
  timezone: zoneField({ label: "settings.timezone", help: "settings.timezoneHelp" }),
  recipients: {
    label: "settings.recipients",
    initial: [],
    Control: RecipientList,
    isAbout: (refusal) => isNamed(refusal, "defaultnotifications"),
  },
  recheckwait: textField({
    label: "settings.recheckWait",
    help: "settings.recheckWaitHelp",
    type: "number",
    min: 0,
    max: 300,
  }),
  accountsuppressall: switchField({
    label: "settings.suppressAll",
    help: "settings.suppressAllHelp",
  }),
};

/** Settings common to all checks and contacts of the account. */
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
  const before = settingsOf(known);
  const params = { path: { id: known._id } };
  return (
    <RecordPageForm
      maw={760}
      name="settings"
      record={known._id}
      fields={fields}
      known={before}
      send={(_, changes) =>
        dataOf(api.PUT("/accounts/{id}", { params, body: bodyOf(changes, before) }))
      }
      refreshes={["accounts", "session"]}
    />
  );
}

type ListProps = Pick<
  ControlProps<readonly Recipient[], AccountSettings>,
  "label" | "value" | "change" | "error" | "form"
>;

function RecipientList({ label, value, change, error, form }: ListProps): ReactElement {
  return (
    <SearchList
      label={label}
      choices={useChoices()}
      chosen={value.map(({ id }) => id)}
      choose={(ids) => change(chosenOf(ids, form.before.recipients))}
      error={error}
    />
  );
}

function settingsOf(known: Account): AccountSettings {
  return {
    name: known.customer_name,
    timezone: zoneOf(known.timezone, known.timezonename),
    accountsuppressall: known.accountsuppressall ?? false,
    recheckwait: String(known.recheckwait),
    recipients: recipientsOf(known.defaultnotifications),
  };
}

/** Returns the changes in the format of the API. */
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

/** Previously chosen recipients keep the schedule and delay from the API. */
function chosenOf(ids: readonly string[], before: readonly Recipient[]): readonly Recipient[] {
  return ids.map((id) => before.find((each) => each.id === id) ?? newRecipient(id));
}
