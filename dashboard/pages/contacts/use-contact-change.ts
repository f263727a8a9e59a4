import type { UseMutationResult } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";
import type { Contact } from "./contact.ts";

type Written = components["schemas"]["WrittenContact"];
type Changes = NonNullable<components["schemas"]["PutContacts"]>;

/** Changes a contact. */
export function useContactChange(
  { _id: id }: Pick<Contact, "_id">,
  onDone: (written: Written) => void,
): UseMutationResult<Written, Error, Changes> {
  const text = useText();
  return useChange({
    send: (body: Changes) => dataOf(api.PUT("/contacts/{id}", { params: { path: { id } }, body })),
    refreshes: ["contacts"],
    done: text("records.saved"),
    onDone,
  });
}
