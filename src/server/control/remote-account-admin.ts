import { z } from "zod";

import type { AccountAdmin } from "../../store/transactions/account-admin.ts";
import { callService } from "./call-service.ts";

const account = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  timeZone: z.string(),
});

const signInLink = z.object({
  secret: z.string(),
  accountId: z.string(),
  contactId: z.string(),
  name: z.string(),
  endsAt: z.number(),
});

/** The account administration of the service that runs on a data folder. */
export function remoteAccountAdmin(directory: string): AccountAdmin {
  const call = callService(directory);
  return {
    create: (wish) =>
      call(
        { method: "POST", path: "/accounts", body: wish },
        account.extend({ token: z.string() }),
      ),
    createSignInLink: (wish) =>
      call({ method: "POST", path: "/sign-in-links", body: wish }, signInLink),
    list: () => call({ method: "GET", path: "/accounts" }, z.array(account)),
  };
}
