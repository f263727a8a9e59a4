import { NativeSelect, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { ZoneField } from "../../parts/records/zone-field.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { browserZone } from "../../parts/records/zone.ts";
import { useText } from "../../text.ts";

const regions = ["wlw", "eur", "nam", "lam", "eao"] as const;
const texts = ["name", "contactname", "email"] as const;

/** Creates a subaccount with its first contact. */
export function SubaccountForm({ close }: { readonly close: () => void }): ReactElement {
  const text = useText();
  const here = browserZone();
  const draft = useDraft({
    form: "subaccount",
    before: { name: "", contactname: "", email: "", timezone: here, location: "wlw" },
  });
  const { values } = draft;
  const change = useChange({
    send: () => {
      const location = regions.filter((region) => region === values.location);
      return dataOf(api.POST("/accounts", { body: { ...values, location } }));
    },
    refreshes: ["accounts"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text("subaccounts.add")}
      close={close}
      draft={draft}
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
          value={values[name]}
          error={errorOf(refusal, name)}
          onChange={(event) => draft.set({ [name]: event.currentTarget.value })}
        />
      ))}
      <ZoneField
        label={text("subaccounts.field.timezone")}
        value={values.timezone}
        choose={(timezone) => draft.set({ timezone })}
        error={errorOf(refusal, "timezone")}
      />
      <NativeSelect
        label={text("subaccounts.field.location")}
        value={values.location}
        data={regions.map((value) => ({ value, label: text(`locations.region.${value}`) }))}
        error={errorOf(refusal, "location")}
        onChange={(event) => draft.set({ location: event.currentTarget.value })}
      />
    </FormModal>
  );
}
