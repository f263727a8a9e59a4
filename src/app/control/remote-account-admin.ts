import { z } from "zod";

import type { AccountAdmin } from "../../store/units/account-admin.ts";
import { callService } from "./call-service.ts";

const account = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  timeZone: z.string(),
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
    list: () => call({ method: "GET", path: "/accounts" }, z.array(account)),
  };
}
