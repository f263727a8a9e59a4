import { z } from "zod";

import type { StoredAuditEntry } from "../../../domain/account/audit.ts";
import { integer } from "../../../schema/scalars.ts";
import type { ApiDeps } from "../../deps.ts";
import { operation } from "../../operation.ts";
import type { Resource } from "../../operation.ts";
import { customerid } from "../identifiers.ts";

const MOST_LISTED = 1000;
const USUALLY_LISTED = 100;

const auditResponse = z
  .object({
    number: z.int().describe("Later entries have higher numbers"),
    at: z.int().describe("ms since 1970"),
    by: z
      .enum(["token", "session", "link", "operator"])
      .describe("`link` is that of a mail, `operator` the command line of the installation"),
    actor: z.string().describe("The handle of the token or session, or the address of the mail"),
    name: z.string().describe("The label of the token, or the name of the contact"),
    contact: z.string().optional().describe("The contact that is signed in, or got the mail"),
    from: z.string().describe("The address of the client"),
    operation: z.string().describe("Such as `PUT checks`"),
    record: z.string().optional().describe("The id of the record"),
    fields: z.array(z.string()).describe("The names of the parameters that were sent"),
  })
  .meta({ id: "AuditEntry" });

export function audit({ store }: Pick<ApiDeps, "store">): Resource {
  return {
    name: "audit",
    ids: "record",
    summary: "Who changed what of an account",
    operations: {
      GET: operation({
        summary: "Lists the changes of an account, the newest first",
        needs: "owner",
        effect: "read",
        input: z.object({
          customerid,
          limit: integer(1, MOST_LISTED).describe(`How many at most; ${USUALLY_LISTED} if missing`),
          before: integer(1, Number.MAX_SAFE_INTEGER).describe(
            "Only those before the one with this number",
          ),
        }),
        response: z.array(auditResponse),
        async handle({ limit = USUALLY_LISTED, before }, { account }) {
          const found = await store.audit.list({ accountId: account.id, before, limit });
          return found.map(toWire);
        },
      }),
    },
  };
}

function toWire(entry: StoredAuditEntry): z.infer<typeof auditResponse> {
  const { seq, at, actor, client, operation, recordId, fields } = entry;
  return {
    number: seq,
    at,
    by: actor?.kind ?? "operator",
    actor: actor?.id ?? "",
    name: actor?.name ?? "",
    ...(actor?.contactId !== undefined && { contact: actor.contactId }),
    from: client,
    operation,
    ...(recordId !== undefined && { record: recordId }),
    fields: [...fields],
  };
}
