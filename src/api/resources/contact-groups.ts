import { z } from "zod";

import type { ContactGroup } from "../../domain/contact/group.ts";
import type { Transaction } from "../../store/store.ts";
import { warning } from "./responses.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { objectTo } from "../http/compatibility.ts";
import { idList } from "./identifiers.ts";
import { text } from "../../schema/scalars.ts";
import type { Resource } from "../operation.ts";
import { ownedResource } from "./owned-resource.ts";

const MAX_MEMBERS = 1000;

const groupAnswer = z
  .object({
    _id: z.string(),
    type: z.literal("group"),
    customer_id: z.string(),
    name: z.string(),
    members: z.array(z.string()).describe("Ids of contacts and of addresses, as they were sent"),
    warning,
  })
  .meta({ id: "ContactGroup" });

export function contactGroups(deps: Pick<ResourceDeps, "store" | "ids">): Resource {
  return ownedResource(deps, {
    name: "contactgroups",
    summary: "Named groups of contacts",
    noun: "group",
    missing: "Unable to find group",
    afterDelete: "checks and profiles that name it stay, without its members as recipients",
    newId: (ids, accountId) => ids.group(accountId),
    reads: ({ groups }) => groups,
    records: ({ groups }) => groups,
    fields: {
      name: text(255).describe("The name for people"),
      members: idList(MAX_MEMBERS).describe(
        "Ids of contacts, and of single addresses of contacts; it replaces the previous list",
      ),
    },
    example: { name: "On call", members: [] },
    merge: ({ name, members }, { id, accountId }, known) => ({
      id,
      accountId,
      name: name ?? known?.name ?? "",
      members: members ?? known?.members ?? [],
    }),
    assertReferences: assertKnown,
    shown: { response: groupAnswer, toResponse },
    recorded: ({ name, members }) => ({ kept: { name, members }, compared: {} }),
  });
}

interface Change {
  readonly record: ContactGroup;
  readonly known: ContactGroup | undefined;
  readonly call: Call;
}

/** Objects to members that the account does not have. Known ones are accepted even if they were deleted since. */
async function assertKnown(
  { contacts }: Transaction,
  { record: { accountId, members }, known, call }: Change,
): Promise<void> {
  const added = new Set(members).difference(new Set(known?.members));
  const unknown =
    added.size === 0
      ? []
      : /* guard: members of others = [] */ await contacts.missingIds(accountId, [...added]);
  for (const id of unknown)
    objectTo(`members: no such contact or address ${JSON.stringify(id)}`, call);
}

function toResponse({ id, accountId, name, members }: ContactGroup): z.infer<typeof groupAnswer> {
  return { _id: id, type: "group", customer_id: accountId, name, members: [...members] };
}
