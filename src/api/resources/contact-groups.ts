import { z } from "zod";

import type { ContactGroup } from "../../domain/contact/group.ts";
import { NotFound } from "../../kit/errors.ts";
import type { Transaction } from "../../store/store.ts";
import { oneOrById, deletedResponse, warning } from "./responses.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { objectTo } from "../http/compatibility.ts";
import { customerid, id, idList } from "./identifiers.ts";
import { required } from "../../schema/field.ts";
import { text } from "../../schema/scalars.ts";
import { operation, type Operation, type Resource } from "../operation.ts";

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

const fields = {
  customerid,
  name: text(255).describe("The name for people"),
  members: idList(MAX_MEMBERS).describe(
    "Ids of contacts, and of single addresses of contacts; it replaces the previous list",
  ),
};

export function contactGroups({ store, ids }: Pick<ResourceDeps, "store" | "ids">): Resource {
  return {
    name: "contactgroups",
    ids: "record",
    summary: "Named groups of contacts",
    operations: {
      GET: getGroups(store),
      POST: operation({
        summary: "Creates a group",
        needs: "edit",
        effect: "write",
        input: z.object(fields),
        example: { name: "On call", members: [] },
        response: groupAnswer,
        async handle({ name = "", members = [] }, call) {
          const { account } = call;
          const group = { id: ids.group(account.id), accountId: account.id, name, members };
          call.about(group.id);
          await call.writeWithinLimits(account, async (tx) => {
            await assertKnown(tx, { group, before: [], call });
            await tx.groups.insert(group);
          });
          return toWire(group);
        },
      }),
      PUT: operation({
        summary: "Changes a group; what is not sent stays",
        needs: "edit",
        effect: "write",
        input: z.object({ id: required(id), ...fields }),
        example: { name: "On call" },
        response: groupAnswer,
        async handle({ id, name, members }, call) {
          const { account } = call;
          const group = await call.writeWithinLimits(account, async (tx) => {
            const known = await tx.groups.find(account.id, id);
            if (known === undefined) throw missing();
            const changed = {
              ...known,
              name: name ?? known.name,
              members: members ?? known.members,
            };
            await assertKnown(tx, { group: changed, before: known.members, call });
            await tx.groups.update(changed);
            return changed;
          });
          return toWire(group);
        },
      }),
      DELETE: operation({
        summary:
          "Deletes a group; checks and profiles that name it stay, without its members as recipients",
        needs: "edit",
        effect: "write",
        input: z.object({ id: required(id), customerid }),
        response: deletedResponse,
        async handle({ id }, { account, write }) {
          if (!(await write((tx) => tx.groups.remove(account.id, id)))) throw missing();
          return { ok: true, id };
        },
      }),
    },
  };
}

function getGroups(store: ResourceDeps["store"]): Operation {
  return operation({
    summary: "Returns one group, or all of an account by id",
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the record; all if missing"), customerid }),
    response: oneOrById(groupAnswer),
    async handle({ id }, { account }) {
      if (id === undefined) {
        const all = await store.groups.list(account.id);
        return Object.fromEntries(all.map((group) => [group.id, toWire(group)]));
      }
      const group = await store.groups.find(account.id, id);
      if (group === undefined) throw missing();
      return toWire(group);
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find group");
}

interface Known {
  readonly group: ContactGroup;
  readonly before: readonly string[];
  readonly call: Call;
}

/** Objects to members that the account does not have. Known ones are accepted even if they were deleted since. */
async function assertKnown(
  { contacts }: Transaction,
  { group: { accountId, members }, before, call }: Known,
): Promise<void> {
  const added = new Set(members).difference(new Set(before));
  const unknown =
    added.size === 0
      ? []
      : /* guard: members of others = [] */ await contacts.missingIds(accountId, [...added]);
  for (const id of unknown)
    objectTo(`members: no such contact or address ${JSON.stringify(id)}`, call);
}

function toWire({ id, accountId, name, members }: ContactGroup): z.infer<typeof groupAnswer> {
  return { _id: id, type: "group", customer_id: accountId, name, members: [...members] };
}
