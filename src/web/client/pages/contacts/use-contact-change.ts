import type { UseMutationResult } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";
import type { Contact } from "./contact.ts";

type Written = components["schemas"]["WrittenContact"];
type Body = NonNullable<components["schemas"]["PutContacts"]>;

/** Changes a contact. */
export function useContactChange(
  { _id: id }: Pick<Contact, "_id">,
  onDone: () => void,
): UseMutationResult<Written, Error, Readonly<Record<string, unknown>>> {
  const text = useText();
  return useChange({
    send: (body: Readonly<Record<string, unknown>>) =>
      dataOf(api.PUT("/contacts/{id}", { params: { path: { id } }, body: body as Body })),
    refreshes: ["contacts"],
    done: text("records.saved"),
    onDone,
  });
}
