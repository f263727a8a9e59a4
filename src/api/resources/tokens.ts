import { z } from "zod";

import {
  handleOf,
  isTokenLabel,
  maxTokenLabelLength,
  tokenAccesses,
  type NewToken,
  type Token,
} from "../../domain/account/token.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { Forbidden, InvalidInput, NotFound } from "../../kit/errors.ts";
import { field, required } from "../../schema/field.ts";
import { choice, flag, integer } from "../../schema/scalars.ts";
import type { ResourceDeps } from "../deps.ts";
import { operation, type Operation, type Resource } from "../operation.ts";
import { customerid, id } from "./identifiers.ts";
import { deletedResponse, oneOrById, warning } from "./responses.ts";
import type { Reads } from "../../store/store.ts";

/** A person or program each has one; a request that revokes or lists them reads all of the account. */
const MAX_TOKENS = 200;

const tokenResponse = z
  .object({
    _id: z.string().describe("Its handle, which gives no access"),
    type: z.literal("token"),
    customer_id: z.string(),
    label: z.string(),
    access: z.enum(tokenAccesses),
    compatibility: z.enum(["standard", "legacy"]),
    created: z.int().describe("ms since 1970"),
    expires: z.union([z.literal(false), z.int()]).describe("When it ends, in ms since 1970"),
    used: z
      .union([z.literal(false), z.int()])
      .describe("When it was last used, to the hour, in ms since 1970"),
    warning,
  })
  .meta({ id: "Token" });

const createdTokenResponse = tokenResponse
  .extend({ token: z.string().describe("The token, which is shown this once") })
  .meta({ id: "CreatedToken" });

const label = field({
  expected: `must be 1 to ${maxTokenLabelLength} printable characters`,
  jsonSchema: { type: "string", minLength: 1, maxLength: maxTokenLabelLength },
  parse: (value) => (typeof value === "string" && isTokenLabel(value) ? value : undefined),
}).describe("What it is for");

type Deps = Pick<ResourceDeps, "store" | "clock" | "ids" | "compatibility">;

export function tokens(deps: Deps): Resource {
  return {
    name: "tokens",
    ids: "record",
    summary: "The API tokens of an account, without their values",
    operations: { GET: getTokens(deps), POST: createToken(deps), DELETE: revokeToken() },
  };
}

function getTokens({ store }: Deps): Operation {
  return operation({
    summary: "Returns one token, or all of an account by id; never the token itself",
    needs: "owner",
    effect: "read",
    input: z.object({ id: id.describe("The handle; all if missing"), customerid }),
    response: oneOrById(tokenResponse),
    async handle({ id }, { account }) {
      if (id !== undefined) return toResponse(await found(store.tokens, account.id, id));
      const all = await store.tokens.listOf(account.id);
      return Object.fromEntries(all.map((token) => [handleOf(token), toResponse(token)]));
    },
  });
}

function createToken({ clock, ids, ...defaults }: Deps): Operation {
  return operation({
    summary: "Creates a token and returns it, once",
    needs: "owner",
    effect: "write",
    input: z.object({
      customerid,
      label: required(label),
      access: choice(tokenAccesses).describe(
        "`read`: it may do what a contact with the role `view` may; `write` if missing",
      ),
      compatibility: choice(["standard", "legacy"]).describe(
        "How its requests are answered; what `WATCHPOST_COMPATIBILITY` says if missing",
      ),
      expires: integer(1, Number.MAX_SAFE_INTEGER).describe(
        "When it ends, in ms since 1970; it has no end if missing",
      ),
    }),
    example: { label: "backup", access: "read" },
    response: createdTokenResponse,
    async handle({ label, access, compatibility, expires }, { account, about, write }) {
      const now = clock.now();
      if (expires !== undefined && expires <= now)
        throw new InvalidInput(`expires: must lie ahead, not ${expires}`);
      const token = ids.token();
      const kept: NewToken = {
        digest: hashToken(token),
        accountId: account.id,
        label,
        createdAt: now,
        compatibility: compatibility ?? defaults.compatibility,
        access: access ?? "write",
        expiresAt: expires,
      };
      about(handleOf(kept));
      const stored = await write(async (tx) => {
        const known = await tx.tokens.listOf(account.id);
        if (known.length >= MAX_TOKENS)
          throw new Forbidden(`an account has at most ${MAX_TOKENS} tokens: revoke one first`);
        await tx.tokens.insert(kept);
        return found(tx.tokens, account.id, handleOf(kept));
      });
      return { ...toResponse(stored), token };
    },
  });
}

function revokeToken(): Operation {
  return operation({
    summary: "Revokes a token, with effect at once",
    needs: "owner",
    effect: "write",
    input: z.object({
      id: required(id).describe("The handle"),
      customerid,
      force: flag.describe("Also if it is the last token of a primary account"),
    }),
    response: deletedResponse,
    async handle({ id, force = false }, { account, write }) {
      await write(async (tx) => {
        const token = await found(tx.tokens, account.id, id);
        const isLast = (await tx.tokens.listOf(account.id)).length === 1;
        if (isLast && account.parentId === undefined && !force)
          throw new InvalidInput("force: needed for the last token of an account");
        await tx.tokens.remove(token.digest);
        await tx.changes.record({ accountId: account.id, checkNo: undefined });
      });
      return { ok: true, id };
    },
  });
}

async function found(tokens: Reads["tokens"], accountId: string, handle: string): Promise<Token> {
  const all = await tokens.listOf(accountId);
  const token = all.find((each) => handleOf(each) === handle);
  if (token === undefined) throw new NotFound("Unable to find that token");
  return token;
}

function toResponse(token: Token): z.infer<typeof tokenResponse> {
  const { accountId, label, access, compatibility, createdAt, expiresAt, usedAt } = token;
  return {
    _id: handleOf(token),
    type: "token",
    customer_id: accountId,
    label,
    access,
    compatibility,
    created: createdAt,
    expires: expiresAt ?? false,
    used: usedAt ?? false,
  };
}
