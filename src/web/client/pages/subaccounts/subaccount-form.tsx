import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { ZoneField } from "../../parts/records/zone-field.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";

const regions = ["wlw", "eur", "nam", "lam", "eao"] as const;
const texts = ["name", "contactname", "email"] as const;

/** Creates a subaccount with its first contact. */
export function SubaccountForm({ close }: { readonly close: () => void }): ReactElement {
  const text = useText();
  const [draft, setDraft] = useState({
    name: "",
    contactname: "",
    email: "",
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    location: "wlw",
  });
  const change = useChange({
    send: () => {
      const location = regions.filter((region) => region === draft.location);
      return dataOf(api.POST("/accounts", { body: { ...draft, location } }));
    },
    refreshes: ["accounts"],
    done: text("records.saved"),
    onDone: close,
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text("subaccounts.add")}
      close={close}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={[...texts, "timezone", "location"]}
    >
      {texts.map((name) => (
        <TextInput
          key={name}
          label={text(`subaccounts.field.${name}`)}
          type={name === "email" ? "email" : "text"}
          required
          autoComplete="off"
          value={draft[name]}
          error={errorOf(refusal, name)}
          onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
        />
      ))}
      <ZoneField
        label={text("subaccounts.field.timezone")}
        value={draft.timezone}
        choose={(timezone) => setDraft({ ...draft, timezone })}
        error={errorOf(refusal, "timezone")}
      />
      <NativeSelect
        label={text("subaccounts.field.location")}
        value={draft.location}
        data={regions.map((value) => ({ value, label: text(`locations.region.${value}`) }))}
        error={errorOf(refusal, "location")}
        onChange={(event) => setDraft({ ...draft, location: event.currentTarget.value })}
      />
    </FormModal>
  );
}
