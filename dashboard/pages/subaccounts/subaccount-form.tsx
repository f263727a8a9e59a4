import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { textField, wordField, zoneField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { browserZone } from "../../parts/records/zone.ts";

const required = { required: true, autoComplete: "off" } as const;

const fields = {
  name: textField({ label: "subaccounts.field.name", ...required }),
  contactname: textField({ label: "subaccounts.field.contactname", ...required }),
  email: textField({ label: "subaccounts.field.email", type: "email", ...required }),
  timezone: zoneField({ label: "subaccounts.field.timezone" }),
  location: wordField({
    label: "subaccounts.field.location",
    initial: "wlw",
    words: ["wlw", "eur", "nam", "lam", "eao"],
    labelOf: (word, text) => text(`locations.region.${word}`),
  }),
};

/** Creates a subaccount with its first contact. */
export function SubaccountForm({ close }: { readonly close: () => void }): ReactElement {
  return (
    <RecordForm
      title="subaccounts.add"
      name="subaccount"
      fields={fields}
      known={{ timezone: browserZone() }}
      send={({ location, ...rest }) =>
        dataOf(api.POST("/accounts", { body: { ...rest, location: [location] } }))
      }
      refreshes={["accounts"]}
      close={close}
    />
  );
}
