import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { Dependents } from "../../parts/records/dependents.tsx";
import type { FieldsOf } from "../../parts/records/field.ts";
import { recordsField, textField } from "../../parts/records/fields.tsx";
import { EditableCard } from "../../parts/records/record-card.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { RecordPage } from "../../parts/records/record-page.tsx";
import { useRecipientNames, useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

type ContactGroup = components["schemas"]["ContactGroup"];

async function loadGroups(): Promise<readonly ContactGroup[]> {
  const all: readonly ContactGroup[] = Object.values(await dataOf(api.GET("/contactgroups")));
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Recipients under one name. */
export function GroupsPage(): ReactElement {
  const groups = useQuery({ queryKey: ["contactgroups"], queryFn: loadGroups });
  return (
    <RecordPage
      texts="groups"
      query={groups}
      wordsOf={({ name }) => name}
      cols={{ base: 1, sm: 2, lg: 3 }}
      form={(close) => <GroupForm close={close} />}
      card={(group) => <GroupCard key={group._id} group={group} />}
    />
  );
}

function GroupCard({ group }: { readonly group: ContactGroup }): ReactElement {
  const text = useText();
  const nameOf = useRecipientNames();
  const path = { params: { path: { id: group._id } } };
  return (
    <EditableCard
      name={visibleText(group.name) || text("records.unnamed")}
      remove={() => dataOf(api.DELETE("/contactgroups/{id}", path))}
      refreshes={["contactgroups"]}
      consequences={<Dependents of={{ id: group._id }} />}
      form={(close) => <GroupForm group={group} close={close} />}
    >
      <Text size="sm">
        {group.members.length === 0
          ? text("groups.noMembers")
          : group.members.map(nameOf).join(", ")}
      </Text>
    </EditableCard>
  );
}

const fields = {
  name: textField({ label: "records.name", maxLength: 255, isFirst: true }),
  members: recordsField({
    label: "groups.members",
    useChoices: () => useRecipients().contacts,
  }),
} satisfies FieldsOf<components["schemas"]["PostContactgroups"]>;

interface FormProps {
  /** Undefined for a new one. */
  readonly group?: ContactGroup;
  readonly close: () => void;
}

/** Creates a group, or changes its name and members. */
function GroupForm({ group, close }: FormProps): ReactElement {
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
