import { z } from "zod";

import type { AuditedValue, StoredAuditEntry } from "../../domain/account/audit.ts";
import { field } from "../../schema/field.ts";
import { choice, integer } from "../../schema/scalars.ts";
import type { ResourceDeps } from "../deps.ts";
import { operation, type Resource } from "../operation.ts";
import { customerid, id } from "./identifiers.ts";

const MAX_LISTED = 1000;
const USUALLY_LISTED = 100;

const MAX_RESOURCE_LENGTH = 40;
const isResource = new RegExp(`^[a-z -]{1,${MAX_RESOURCE_LENGTH}}$`);
const actors = ["token", "session", "link", "stranger", "operator"] as const;

const auditedValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const auditResponse = z
  .object({
    number: z.int().describe("Later entries have higher numbers"),
    at: z.int().describe("ms since 1970"),
    by: z
      .enum(actors)
      .describe(
        "`link` is that of a mail, `stranger` someone who did not show who they are, `operator` the command line of the installation",
      ),
    actor: z.string().describe("The handle of the token or session, or the address of the mail"),
    name: z.string().describe("The label of the token, or the name of the contact"),
    contact: z.string().optional().describe("The contact that is signed in, or got the mail"),
    from: z.string().describe("The address of the client"),
    operation: z.string().describe("Such as `PUT checks`"),
    record: z.string().optional().describe("The id of the record"),
    fields: z
      .array(z.string())
      .describe(
        "The names of the parameters that were sent; by what a contact signed in; how often it happened",
      ),
    changes: z
      .array(
        z.object({
          field: z.string().describe("The name of the parameter"),
          before: auditedValue.optional().describe("Missing where it had none"),
          after: auditedValue.optional().describe("Missing where it has none any more"),
        }),
      )
      .optional()
      .describe(
        "What differs since, with values of at most 200 characters; neither value where it may be secret. Missing of older entries, and of what is not the change of a record",
      ),
  })
  .meta({ id: "AuditEntry" });

export function audit({ store }: Pick<ResourceDeps, "store">): Resource {
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
          limit: integer(1, MAX_LISTED).describe(`How many at most; ${USUALLY_LISTED} if missing`),
          before: integer(1, Number.MAX_SAFE_INTEGER).describe(
            "Only those before the one with this number",
          ),
          by: choice(actors).describe("Only what these did"),
          resource: field({
            expected: "must be the name of a resource, such as checks",
            jsonSchema: { type: "string", maxLength: MAX_RESOURCE_LENGTH },
            parse: (value) =>
              typeof value === "string" && isResource.test(value) ? value : undefined,
          }).describe("Only what was done to records of this resource, such as `checks`"),
          record: id.describe("Only what was done to the record with this id"),
        }),
        response: z.array(auditResponse),
        async handle({ limit = USUALLY_LISTED, before, by, resource, record }, { account }) {
          const wanted = { before, limit, by, resource, recordId: record };
          const found = await store.audit.list({ accountId: account.id, ...wanted });
          return found.map(toResponse);
        },
      }),
    },
  };
}

function toResponse(entry: StoredAuditEntry): z.infer<typeof auditResponse> {
  const { seq, at, actor, client, operation, recordId, fields, changes } = entry;
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
    ...(changes && {
      changes: changes.map(({ field, before, after }) => ({
        field,
        ...(before !== undefined && { before: valueToWire(before) }),
        ...(after !== undefined && { after: valueToWire(after) }),
      })),
    }),
  };
}

function valueToWire(value: AuditedValue): z.infer<typeof auditedValue> {
  return typeof value === "object" ? [...value] : value;
}
