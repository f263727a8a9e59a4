import { z } from "zod";

import { includesAccess } from "../../../domain/account/access.ts";
import { Forbidden, InvalidInput, NotFound } from "../../../kit/errors.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import { required } from "../../../schema/field.ts";
import { record } from "../../../schema/json-values.ts";
import type { Transaction } from "../../../store/store.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { flag } from "../../../schema/scalars.ts";
import type { ImportedFields, ImportedRecord } from "../../../store/tables/imported-records.ts";
import { customerid, id } from "../identifiers.ts";
import { warning } from "../responses.ts";
import { name, origin } from "./origin.ts";

const MAX_FIELDS = 150;
const MAX_NAME_LENGTH = 100;
const MAX_DIGEST_LENGTH = 64;

/** The digests of an imported record. */
const fields = record(MAX_FIELDS, {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: MAX_DIGEST_LENGTH },
  minItems: 2,
  maxItems: 2,
});

const MAX_PER_ACCOUNT = 20_000;

const byOriginId = z.record(z.string(), z.string());
const fieldsByOriginId = z.record(
  z.string(),
  z.record(z.string(), z.array(z.string()).describe("The digest of what it was there, and here")),
);
const importsResponse = z
  .object({
    type: z.literal("imports"),
    customer_id: z.string(),
    origin: z.string(),
    checks: byOriginId.describe("The ids of checks here, by their ids there"),
    contacts: byOriginId,
    maintenance: byOriginId,
    statuspages: byOriginId,
    fields: z
      .object({
        checks: fieldsByOriginId,
        contacts: fieldsByOriginId,
        maintenance: fieldsByOriginId,
        statuspages: fieldsByOriginId,
      })
      .optional()
      .describe(
        "Digests of what each record said when it was imported, by its id there and by field; only where they are asked for",
      ),
    digestkey: z
      .string()
      .optional()
      .describe(
        "The key for digests, derived from the instance key; missing for callers who may not change the account",
      ),
    warning,
  })
  .meta({ id: "Imports" });

type Deps = Pick<ResourceDeps, "store" | "sealer">;

export function imports(deps: Deps): Resource {
  return {
    name: "imports",
    ids: "record",
    summary: "Which records of other systems were imported as which of an account",
    operations: { GET: getImports(deps), POST: markImport(deps) },
  };
}

function getImports({ store, sealer }: Deps): Operation {
  return operation({
    summary: "Returns the records that were imported from one system",
    needs: "view",
    effect: "read",
    input: z.object({
      customerid,
      origin,
      fields: flag.describe("Whether the digests of fields are returned; false if missing"),
    }),
    example: { origin: "uptime-kuma" },
    response: importsResponse,
    async handle({ origin, fields: hasFields = false }, { account, access }) {
      const records = await store.importedRecords.list(account.id, origin);
      return {
        ...toResponse({ accountId: account.id, origin }, records),
        ...(hasFields && { fields: fieldsToWire(records) }),
        // With the key, a read-only user could test passwords on the digests.
        ...(includesAccess(access, "edit") && { digestkey: keyOf(sealer, account.id) }),
      };
    },
  });
}

function markImport({ sealer }: Deps): Operation {
  return operation({
    summary:
      "Notes which record of another system a record was, in place of what was noted of that one",
    needs: "edit",
    effect: "write",
    input: z.object({
      id: required(id).describe("The id here of a check, contact, maintenance or status page"),
      customerid,
      origin,
      from: required(name).describe("Its id there"),
      fields: fields.describe(
        "By field a digest of what it is there and one of what it is here, so that a later import knows what has changed where; unknown if missing",
      ),
    }),
    example: { origin: "uptime-kuma", from: "12" },
    response: importsResponse,
    async handle({ id, origin, from, fields: digests }, { account, write }) {
      const imported = await write(async (tx) => {
        const kind = await kindOf(tx, account.id, id);
        const mark = {
          accountId: account.id,
          origin,
          kind,
          originId: from,
          recordId: id,
          fields: digestsOf(digests),
        };
        await tx.importedRecords.put(mark);
        if ((await tx.importedRecords.count(account.id)) > MAX_PER_ACCOUNT)
          throw new Forbidden(
            `limit reached: an account keeps at most ${MAX_PER_ACCOUNT} marks of imports`,
          );
        return mark;
      });
      return {
        ...toResponse({ accountId: account.id, origin }, [imported]),
        digestkey: keyOf(sealer, account.id),
      };
    },
  });
}

async function kindOf(
  { checks, contacts, maintenances, statusPages }: Transaction,
  accountId: string,
  id: string,
): Promise<ImportedRecord["kind"]> {
  if ((await checks.find(accountId, id)) !== undefined) return "check";
  if ((await contacts.find(accountId, id)) !== undefined) return "contact";
  if ((await maintenances.find(accountId, id)) !== undefined) return "maintenance";
  if ((await statusPages.find(accountId, id)) !== undefined) return "statuspage";
  throw new NotFound("Unable to find that record");
}

function toResponse(
  { accountId, origin }: Pick<ImportedRecord, "accountId" | "origin">,
  records: readonly ImportedRecord[],
): z.infer<typeof importsResponse> {
  const ofKind = (kind: ImportedRecord["kind"]): Record<string, string> =>
    Object.fromEntries(
      records
        .filter((each) => each.kind === kind)
        .map(({ originId, recordId }) => [originId, recordId]),
    );
  return {
    type: "imports",
    customer_id: accountId,
    origin,
    checks: ofKind("check"),
    contacts: ofKind("contact"),
    maintenance: ofKind("maintenance"),
    statuspages: ofKind("statuspage"),
  };
}

function fieldsToWire(
  records: readonly ImportedRecord[],
): z.infer<typeof importsResponse>["fields"] {
  const ofKind = (kind: ImportedRecord["kind"]) =>
    Object.fromEntries(
      records.flatMap((each) =>
        each.kind === kind && each.fields !== undefined
          ? [
              [
                each.originId,
                Object.fromEntries(
                  Object.entries(each.fields).map(([name, pair]) => [name, [...pair]]),
                ),
              ],
            ]
          : [],
      ),
    );
  return {
    checks: ofKind("check"),
    contacts: ofKind("contact"),
    maintenance: ofKind("maintenance"),
    statuspages: ofKind("statuspage"),
  };
}

function keyOf(sealer: Pick<Sealer, "deriveKey">, accountId: string): string {
  return Buffer.from(sealer.deriveKey(`imports of ${accountId}`)).toString("base64url");
}

/** Throws InvalidInput where a field does not have two digests. */
function digestsOf(
  sent: Readonly<Record<string, unknown>> | undefined,
): ImportedFields | undefined {
  if (sent === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(sent).map(([name, pair]) => {
      const [there, here, ...more]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      const isPair = isDigest(there) && isDigest(here) && more.length === 0;
      if (name.length <= MAX_NAME_LENGTH && isPair) return [name, [there, here]];
      throw new InvalidInput(
        `fields: must have a list of two digests by field, each of letters, digits, hyphens and underscores ${JSON.stringify(name.slice(0, MAX_NAME_LENGTH))}`,
      );
    }),
  );
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_DIGEST_LENGTH && /^[\w-]+$/.test(value);
}
