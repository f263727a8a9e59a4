import { z } from "zod";

import type { Account } from "../../domain/account/account.ts";
import { currentAccount } from "./accounts/current-account.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { customerid } from "./identifiers.ts";
import { operation, type Resource } from "../operation.ts";
import { deletedResponse, warning } from "./responses.ts";

const calendarResponse = z
  .object({
    type: z.literal("calendar"),
    customer_id: z.string(),
    url: z
      .string()
      .optional()
      .describe("Whoever has it sees the maintenances of the account; missing while there is none"),
    warning,
  })
  .meta({ id: "Calendar" });

type Deps = Pick<ResourceDeps, "store" | "clock" | "ids" | "calendarLinks">;

export function calendar({ store, clock, ids, calendarLinks }: Deps): Resource {
  const toResponse = (account: Pick<Account, "id" | "calendarKey">): object => {
    const url = calendarLinks.linkOf(account);
    return { type: "calendar", customer_id: account.id, ...(url !== undefined && { url }) };
  };
  const change = (
    { account: { id }, write }: Call,
    calendarKey: string | undefined,
  ): Promise<Account> =>
    write(async (tx) => {
      const account = { ...(await currentAccount(tx.accounts, id)), calendarKey };
      await tx.accounts.update(account, clock.now());
      await tx.changes.record({ accountId: id, checkNo: undefined });
      return account;
    });
  return {
    name: "calendar",
    ids: "record",
    summary: "The link with which calendar programs subscribe to the maintenances of an account",
    operations: {
      GET: operation({
        summary: "Returns the link, if there is one",
        needs: "edit",
        effect: "read",
        input: z.object({ customerid }),
        response: calendarResponse,
        async handle(_, { account: { id } }) {
          return toResponse(await currentAccount(store.accounts, id));
        },
      }),
      POST: operation({
        summary: "Creates a new link; an earlier one stops working",
        needs: "edit",
        effect: "write",
        input: z.object({ customerid }),
        example: {},
        response: calendarResponse,
        handle: async (_, call) => toResponse(await change(call, ids.uuid())),
      }),
      DELETE: operation({
        summary: "Removes the link",
        needs: "edit",
        effect: "write",
        input: z.object({ customerid }),
        response: deletedResponse,
        async handle(_, call) {
          await change(call, undefined);
          return { ok: true, id: call.account.id };
        },
      }),
    },
  };
}
