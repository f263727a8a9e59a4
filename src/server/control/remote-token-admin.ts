import { z } from "zod";

import { tokenAccesses } from "../../domain/account/token.ts";
import type { TokenAdmin } from "../../store/transactions/token-admin.ts";
import { callService } from "./call-service.ts";

const token = z.object({
  handle: z.string(),
  label: z.string(),
  createdAt: z.number(),
  compatibility: z.enum(["standard", "legacy"]),
  access: z.enum(tokenAccesses),
  expiresAt: z.number().optional(),
  usedAt: z.number().optional(),
  accountId: z.string(),
  accountName: z.string(),
});

/** The token administration of the service that runs on a data folder. */
export function remoteTokenAdmin(directory: string): TokenAdmin {
  const call = callService(directory);
  return {
    create: (wish) =>
      call({ method: "POST", path: "/tokens", body: wish }, token.extend({ token: z.string() })),
    list: () => call({ method: "GET", path: "/tokens" }, z.array(token)),
    revoke: ({ handle, force }) =>
      call(
        { method: "DELETE", path: `/tokens/${encodeURIComponent(handle)}?force=${force}` },
        token,
      ),
  };
}
