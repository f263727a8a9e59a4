import { z } from "zod";

import { NotFound } from "../../kit/errors.ts";
import type { Ids } from "../../kit/ids.ts";
import { required } from "../../schema/field.ts";
import type { Transaction } from "../../store/store.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import type { RawValues } from "../http/parse-request.ts";
import { operation, type Operation, type RecordedValues, type Resource } from "../operation.ts";
import { customerid, id } from "./identifiers.ts";
import { deletedResponse, oneOrById } from "./responses.ts";

/** A record with a row of its own, which is created, changed, and deleted as a whole. */
interface Owned {
  readonly id: string;
  readonly accountId: string;
}

interface OwnedReads<Entity> {
  readonly find: (accountId: string, id: string) => Promise<Entity | undefined>;
  readonly list: (accountId: string) => Promise<readonly Entity[]>;
}

interface OwnedRecords<Entity> extends OwnedReads<Entity> {
  readonly insert: (record: Entity) => Promise<void>;
  readonly update: (record: Entity) => Promise<void>;
  /** Whether there was one. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

interface Change<Entity> {
  readonly record: Entity;
  readonly known: Entity | undefined;
  readonly call: Call;
}

type Sent<Fields extends z.ZodRawShape> = {
  readonly [Name in keyof Fields]: z.output<Fields[Name]>;
};

/** What a resource declares of its records. */
interface Declaration<Entity extends Owned, Fields extends z.ZodRawShape> {
  readonly name: string;
  readonly summary: string;
  /** What one is called in sentences. */
  readonly noun: string;
  readonly missing: string;
  /** What becomes of those that name one that is deleted. */
  readonly afterDelete?: string;
  readonly newId: (ids: Ids, accountId: string) => string;
  readonly reads: (store: ResourceDeps["store"]) => OwnedReads<Entity>;
  readonly records: (tx: Transaction) => OwnedRecords<Entity>;
  readonly fields: Fields;
  /** A new record for the OpenAPI document; a change of one has the first of its fields. */
  readonly example: RawValues;
  /** The record after a request. What was not sent stays, or is as in any new record. */
  readonly merge: (sent: Sent<Fields>, owned: Owned, known: Entity | undefined) => Entity;
  /** Objects to what the record names and the account does not have. */
  readonly assertReferences?: (tx: Transaction, change: Change<Entity>) => Promise<void>;
  /** The record in responses to reads; with `byId` also a single one is in an object by its id. */
  readonly shown: Shown<Entity> & { readonly byId?: true };
  /** The record in responses to writes, where that is another. */
  readonly written?: Shown<Entity>;
  /** What the audit log keeps and compares. */
  readonly recorded: (record: Entity) => RecordedValues;
}

interface Shown<Entity> {
  readonly response: z.ZodType;
  readonly toResponse: (record: Entity) => object;
}

/** A resource whose records differ from those of others in their fields alone. */
export function ownedResource<Entity extends Owned, Fields extends z.ZodRawShape>(
  deps: Pick<ResourceDeps, "store" | "ids">,
  declared: Declaration<Entity, Fields>,
): Resource {
  const { name, summary, records, recorded } = declared;
  return {
    name,
    ids: "record",
    summary,
    recorded: async (tx, { accountId, id }) => {
      const known = await records(tx).find(accountId, id);
      return known && recorded(known);
    },
    operations: {
      GET: readOwned(deps, declared),
      POST: createOwned(deps, declared),
      PUT: changeOwned(declared),
      DELETE: removeOwned(declared),
    },
  };
}

function readOwned<Entity extends Owned, Fields extends z.ZodRawShape>(
  { store }: Pick<ResourceDeps, "store">,
  { noun, reads, missing, shown }: Declaration<Entity, Fields>,
): Operation {
  const { response, toResponse, byId } = shown;
  const wireById = (records: readonly Entity[]): object =>
    Object.fromEntries(records.map((record) => [record.id, toResponse(record)]));
  return operation({
    summary: `Returns one ${noun}, or all of an account${byId ? "," : ""} by id`,
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the record; all if missing"), customerid }),
    response: byId ? z.record(z.string(), response) : oneOrById(response),
    async handle({ id }, { account }) {
      if (id === undefined) return wireById(await reads(store).list(account.id));
      const record = await reads(store).find(account.id, id);
      if (record === undefined) throw new NotFound(missing);
      return byId ? wireById([record]) : toResponse(record);
    },
  });
}

function createOwned<Entity extends Owned, Fields extends z.ZodRawShape>(
  { ids }: Pick<ResourceDeps, "ids">,
  declared: Declaration<Entity, Fields>,
): Operation {
  const { noun, newId, records, fields, example, merge, assertReferences } = declared;
  const { response, toResponse } = declared.written ?? declared.shown;
  const input: z.ZodObject = z.object({ customerid, ...fields });
  return operation({
    summary: `Creates a ${noun}`,
    needs: "edit",
    effect: "write",
    input,
    example,
    response,
    async handle(sent, call) {
      const { id: accountId } = call.account;
      const owned = { id: newId(ids, accountId), accountId };
      const record = merge(declaredOf<Fields>(sent), owned, undefined);
      call.about(record.id);
      await call.writeWithinLimits(call.account, async (tx) => {
        await assertReferences?.(tx, { record, known: undefined, call });
        await records(tx).insert(record);
      });
      return toResponse(record);
    },
  });
}

function changeOwned<Entity extends Owned, Fields extends z.ZodRawShape>(
  declared: Declaration<Entity, Fields>,
): Operation {
  const { noun, records, missing, fields, example, merge, assertReferences } = declared;
  const { response, toResponse } = declared.written ?? declared.shown;
  const input: z.ZodObject = z.object({ id: required(id), customerid, ...fields });
  return operation({
    summary: `Changes a ${noun}; what is not sent stays`,
    needs: "edit",
    effect: "write",
    input,
    example: Object.fromEntries(Object.entries(example).slice(0, 1)),
    response,
    async handle(sent, call) {
      const { account } = call;
      const changed = await call.writeWithinLimits(account, async (tx) => {
        const known = await records(tx).find(account.id, String(sent.id));
        if (known === undefined) throw new NotFound(missing);
        const record = merge(declaredOf<Fields>(sent), known, known);
        await assertReferences?.(tx, { record, known, call });
        await records(tx).update(record);
        return record;
      });
      return toResponse(changed);
    },
  });
}

function declaredOf<Fields extends z.ZodRawShape>(parsed: object): Sent<Fields> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by a schema that has these fields
  return parsed as Sent<Fields>;
}

/** Deletes a record that nothing but its row is made of. */
function removeOwned<Entity extends Owned, Fields extends z.ZodRawShape>({
  noun,
  records,
  missing,
  afterDelete,
}: Declaration<Entity, Fields>): Operation {
  return operation({
    summary: `Deletes a ${noun}${afterDelete === undefined ? "" : `; ${afterDelete}`}`,
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      if (!(await write((tx) => records(tx).remove(account.id, id)))) throw new NotFound(missing);
      return { ok: true, id };
    },
  });
}
