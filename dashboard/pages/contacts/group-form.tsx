import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { FieldsOf } from "../../parts/records/field.ts";
import { recordsField, textField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { useRecipients } from "../../parts/records/use-recipients.ts";

interface Props {
  /** Undefined for a new one. */
  readonly group?: components["schemas"]["ContactGroup"];
  readonly close: () => void;
}

const fields = {
  name: textField({ label: "records.name", maxLength: 255, isFirst: true }),
  members: recordsField({
    label: "groups.members",
    useChoices: () => useRecipients().contacts,
  }),
} satisfies FieldsOf<components["schemas"]["PostContactgroups"]>;

/** Creates a group, or changes its name and members. */
export function GroupForm({ group, close }: Props): ReactElement {
  return (
    <RecordForm
      title={group === undefined ? "groups.add" : "groups.edit"}
      name="group"
      record={group?._id}
      fields={fields}
      known={group}
      send={(body) =>
        group === undefined
          ? dataOf(api.POST("/contactgroups", { body }))
          : dataOf(api.PUT("/contactgroups/{id}", { params: { path: { id: group._id } }, body }))
      }
      refreshes={["contactgroups"]}
      close={close}
    />
  );
}
