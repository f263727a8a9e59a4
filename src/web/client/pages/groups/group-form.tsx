import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { SearchList } from "../../parts/records/search-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useRecipients } from "../../parts/records/use-recipients.ts";
import { useText } from "../../text.ts";

interface Props {
  /** Undefined for a new one. */
  readonly group?: components["schemas"]["ContactGroup"];
  readonly close: () => void;
}

/** Creates a group, or changes its name and members. */
export function GroupForm({ group, close }: Props): ReactElement {
  const text = useText();
  const [name, setName] = useState(group?.name ?? "");
  const [members, setMembers] = useState<readonly string[]>(group?.members ?? []);
  const { contacts } = useRecipients();
  const change = useChange({
    send: () => {
      const body = { name, members: [...members] };
      return group === undefined
        ? dataOf(api.POST("/contactgroups", { body }))
        : dataOf(api.PUT("/contactgroups/{id}", { params: { path: { id: group._id } }, body }));
    },
    refreshes: ["contactgroups"],
    done: text("records.saved"),
    onDone: close,
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(group === undefined ? "groups.add" : "groups.edit")}
      close={close}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["name", "members"]}
    >
      <TextInput
        label={text("records.name")}
        value={name}
        maxLength={255}
        data-autofocus
        error={errorOf(refusal, "name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SearchList
        label={text("groups.members")}
        choices={contacts}
        chosen={members}
        choose={setMembers}
        error={errorOf(refusal, "members")}
      />
    </FormModal>
  );
}
