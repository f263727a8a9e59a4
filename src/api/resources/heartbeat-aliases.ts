import { z } from "zod";

import { checkTypeOf } from "../../checks/registry.ts";
import {
  aliasHint,
  aliasOf,
  aliasSystems,
  aliasText,
  withToken,
  type HeartbeatAlias,
} from "../../domain/heartbeat/heartbeat-alias.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { Forbidden, InvalidInput } from "../../kit/errors.ts";
import { field, required } from "../../schema/field.ts";
import type { Reads } from "../../store/store.ts";
import type { AccountAlias } from "../../store/tables/heartbeat-aliases.ts";
import type { ResourceDeps } from "../deps.ts";
import { operation, type Operation, type Resource } from "../operation.ts";
import { findCheck } from "./checks/find-check.ts";
import { customerid, id } from "./identifiers.ts";
import { deletedResponse, warning } from "./responses.ts";

const MAX_PER_CHECK = 20;
const MAX_ADDRESS_LENGTH = 1000;

const aliasResponse = z
  .object({
    _id: z.string().describe("A part of a hash of the address, which gives no access"),
    type: z.literal("heartbeatalias"),
    customer_id: z.string(),
    check: z.string().describe("The id of the check that its heartbeats are of"),
    system: z.enum(aliasSystems),
    hint: z.string().describe("By which people recognise it; not the whole address"),
    created: z.int().describe("ms since 1970"),
    warning,
  })
  .meta({ id: "HeartbeatAlias" });

const address = field({
  expected: `must be an address of at most ${MAX_ADDRESS_LENGTH} characters, or its path`,
  jsonSchema: { type: "string", maxLength: MAX_ADDRESS_LENGTH },
  parse: (value) =>
    typeof value === "string" && value.length <= MAX_ADDRESS_LENGTH ? value : undefined,
}).describe(
  "The address that heartbeats had, such as `https://kuma.example.com/api/push/tIgDC7WDq2`, of which the host does not count; for gatus with its token as the parameter `token`",
);

type Deps = Pick<ResourceDeps, "store" | "clock">;

export function heartbeatAliases(deps: Deps): Resource {
  return {
    name: "heartbeataliases",
    ids: "record",
    summary: "Addresses that the heartbeats of PUSH checks had in another system, and keep",
    operations: { GET: getAliases(deps), POST: createAlias(deps), DELETE: removeAliases() },
  };
}

function getAliases({ store }: Deps): Operation {
  return operation({
    summary: "Returns those of one check, or all of an account by id",
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the check; all if missing"), customerid }),
    response: z.record(z.string(), aliasResponse),
    async handle({ id }, { account }) {
      if (id !== undefined) return toWireById(account.id, await aliasesOf(store, account.id, id));
      return toWireById(account.id, await store.heartbeatAliases.list(account.id));
    },
  });
}

function createAlias({ store, clock }: Deps): Operation {
  return operation({
    summary: "Has an address of another system work for a PUSH check",
    needs: "edit",
    effect: "write",
    input: z.object({
      id: required(id).describe("The id of the check"),
      customerid,
      address: required(address),
    }),
    example: { address: "https://kuma.example.com/api/push/tIgDC7WDq2" },
    response: aliasResponse,
    async handle({ id, address }, { account, write }) {
      const alias = aliasFromWire(address);
      const check = await findCheck(store, account.id, id);
      if (checkTypeOf(check.type)?.driver !== "push")
        throw new InvalidInput("id: must be a PUSH check, which is what has heartbeats");
      const wanted: AccountAlias = {
        digest: hashToken(aliasText(alias)),
        accountId: account.id,
        checkNo: check.no,
        checkId: id,
        system: alias.system,
        hint: aliasHint(alias),
        createdAt: clock.now(),
      };
      const stored = await write(async (tx) => {
        const known = await aliasesOf(tx, account.id, id);
        const same = known.find(({ digest }) => digest === wanted.digest);
        if (same !== undefined) return same;
        if (known.length >= MAX_PER_CHECK)
          throw new Forbidden(`a check has at most ${MAX_PER_CHECK} of them: delete one first`);
        if (!(await tx.heartbeatAliases.insert(wanted)))
          throw new InvalidInput("address: another check of the account has this address already");
        return wanted;
      });
      return toResponse(account.id, stored);
    },
  });
}

function removeAliases(): Operation {
  return operation({
    summary: "Ends that addresses of another system work for a check",
    needs: "edit",
    effect: "write",
    input: z.object({
      id: required(id).describe("The id of the check"),
      customerid,
      alias: id.describe("The `_id` of one of them; all if missing"),
    }),
    response: deletedResponse,
    async handle({ id, alias }, { account, write }) {
      await write(async (tx) => {
        const all = await aliasesOf(tx, account.id, id);
        const removed = all.filter((each) => alias === undefined || idOf(each) === alias);
        if (alias !== undefined && removed.length === 0)
          throw new InvalidInput(`alias: the check has no such address ${JSON.stringify(alias)}`);
        for (const each of removed) await tx.heartbeatAliases.remove(each);
      });
      return { ok: true, id };
    },
  });
}

/** Returns the aliases of the account's check. */
async function aliasesOf(
  tx: Pick<Reads, "checks" | "heartbeatAliases">,
  accountId: string,
  id: string,
): Promise<readonly AccountAlias[]> {
  const { no } = await findCheck(tx, accountId, id);
  return (await tx.heartbeatAliases.listOf(no)).map((alias) => ({ ...alias, checkId: id }));
}

function aliasFromWire(address: string): HeartbeatAlias {
  const parsed = URL.parse(address, "http://localhost");
  const path = parsed === null ? undefined : aliasOf(parsed.pathname);
  if (parsed === null || path === undefined)
    throw new InvalidInput(
      `address: must be an address of heartbeats of ${aliasSystems.join(", ")}, such as https://kuma.example.com/api/push/tIgDC7WDq2`,
    );
  const token = parsed.searchParams.get("token") ?? "";
  if (path.system === "gatus" && token === "")
    throw new InvalidInput("address: must have the token of the endpoint as the parameter token");
  return withToken(path, token);
}

function idOf({ digest }: Pick<AccountAlias, "digest">): string {
  return digest.slice(0, 16);
}

function toResponse(accountId: string, alias: AccountAlias): z.infer<typeof aliasResponse> {
  const { checkId, system, hint, createdAt } = alias;
  return {
    _id: idOf(alias),
    type: "heartbeatalias",
    customer_id: accountId,
    check: checkId,
    system,
    hint,
    created: createdAt,
  };
}

function toWireById(accountId: string, aliases: readonly AccountAlias[]): object {
  return Object.fromEntries(aliases.map((each) => [idOf(each), toResponse(accountId, each)]));
}
