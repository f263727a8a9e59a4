import { TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
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

interface Values {
  readonly name: string;
  readonly members: readonly string[];
}

/** Creates a group, or changes its name and members. */
export function GroupForm({ group, close }: Props): ReactElement {
  const text = useText();
  const draft = useDraft<Values>({
    form: "group",
    record: group?._id,
    before: { name: group?.name ?? "", members: group?.members ?? [] },
  });
  const { name, members } = draft.values;
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
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(group === undefined ? "groups.add" : "groups.edit")}
      close={close}
      draft={draft}
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
        onChange={(event) => draft.set({ name: event.currentTarget.value })}
      />
      <SearchList
        label={text("groups.members")}
        choices={contacts}
        chosen={members}
        choose={(ids) => draft.set({ members: ids })}
        error={errorOf(refusal, "members")}
      />
    </FormModal>
  );
}
