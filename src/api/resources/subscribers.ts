import { z } from "zod";

import { parseMailbox } from "../../channels/mail/mailbox.ts";
import type { Channels } from "../../channels/registry.ts";
import { includesAccess, type Access } from "../../domain/account/access.ts";
import { sentenceOf } from "../../domain/contact/mail-limits.ts";
import {
  maxSubscribers,
  maxWebhooks,
  subscriberKinds,
  unansweredMs,
  type Subscriber,
} from "../../domain/status/subscriber.ts";
import { Forbidden, InvalidInput, NotFound, TooManyRequests } from "../../kit/errors.ts";
import { field, required } from "../../schema/field.ts";
import { choice, integer } from "../../schema/scalars.ts";
import type { Reads, Transaction } from "../../store/store.ts";
import { requestSubscription } from "../../store/transactions/request-subscription.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { operation, type Operation, type Resource } from "../operation.ts";
import { customerid, id } from "./identifiers.ts";
import { deletedResponse, warning } from "./responses.ts";

const subscriberResponse = z
  .object({
    _id: z.string(),
    type: z.literal("subscriber"),
    customer_id: z.string(),
    page: z.string().describe("The id of the status page"),
    kind: z.enum(subscriberKinds),
    address: z
      .string()
      .describe("The mailbox or URL, which only owners are shown; others its host alone"),
    state: z.enum(["pending", "confirmed"]).describe("pending until the owner of a mailbox agrees"),
    secret: z
      .string()
      .optional()
      .describe("What requests to a webhook are signed with; shown to owners"),
    created: z.int().describe("ms since 1970"),
    confirmed: z.int().optional().describe("ms since 1970"),
    warning,
  })
  .meta({ id: "Subscriber" });

const subscribersResponse = z
  .object({
    pending: z.int(),
    confirmed: z.int().describe("Webhooks included"),
    webhooks: z.int(),
    subscribers: z.array(subscriberResponse).describe("The oldest first"),
    warning,
  })
  .meta({ id: "Subscribers" });

type Deps = Pick<ResourceDeps, "channels" | "clock" | "ids" | "mailLimits" | "passwords" | "store">;

const MAX_LISTED = 1000;
const USUALLY_LISTED = 100;
const MAX_ADDRESS_LENGTH = 2000;

const page = id.describe("The id of the status page; the oldest of the account if missing");

export function subscribers(deps: Deps): Resource {
  return {
    name: "subscribers",
    ids: "record",
    summary: "Who is notified of what is posted on a status page, by mail or webhook",
    operations: {
      GET: getSubscribers(deps),
      POST: addSubscriber(deps),
      DELETE: deleteSubscriber(deps),
    },
  };
}

function getSubscribers({ store, channels }: Deps): Operation {
  return operation({
    summary: "Returns one subscriber, or counts and lists those of a status page",
    needs: "edit",
    effect: "read",
    input: z.object({
      id: id.describe("The id of the record; a list if missing"),
      customerid,
      page,
      after: id.describe("Only those after the one with this id"),
      limit: integer(1, MAX_LISTED).describe(`How many at most; ${USUALLY_LISTED} if missing`),
    }),
    response: z.union([subscriberResponse, subscribersResponse]),
    async handle({ id, page, after, limit = USUALLY_LISTED }, { account, access }) {
      const shown = { access, webhooks: channels.webhook };
      if (id !== undefined) {
        const found = await store.subscribers.findOf(account.id, id);
        if (found === undefined || found.state === "ended") throw missing();
        return toResponse(found, shown);
      }
      const key = { accountId: account.id, pageId: await findPage(store, account.id, page) };
      const listed = await store.subscribers.list(key, { after, limit });
      return {
        ...(await store.subscribers.counts(key)),
        subscribers: listed.map((each) => toResponse(each, shown)),
      };
    },
  });
}

function addSubscriber(deps: Deps): Operation {
  const { channels, passwords } = deps;
  const address = field({
    expected: `must be a mailbox such as ann@example.com, or a URL, of at most ${MAX_ADDRESS_LENGTH} characters`,
    jsonSchema: { type: "string", maxLength: MAX_ADDRESS_LENGTH },
    parse: (value) => (typeof value === "string" ? value.toWellFormed() : undefined),
  });
  return operation({
    summary:
      "Adds a webhook to a status page, or asks the owner of a mailbox whether they want mails of it",
    needs: "edit",
    effect: "write",
    input: z.object({
      customerid,
      page,
      kind: required(choice(subscriberKinds)).describe("How it is notified"),
      address: required(address).describe(
        "A mailbox such as `ann@example.com`, or a URL that is sent JSON, such as `https://example.com/status`",
      ),
    }),
    example: { kind: "webhook", address: "https://example.com/status" },
    response: subscriberResponse,
    async handle(input, call) {
      const { account, access, warn, about } = call;
      const address = parsedAddress(deps, input);
      const add = input.kind === "webhook" ? addWebhook : askMailbox;
      const subscriber = await call.write(async (tx) => {
        const pageId = await findPage(tx, account.id, input.page);
        return add(deps, tx, { call, pageId, address });
      });
      about(subscriber.id);
      if (input.kind === "email" && !passwords.canSendMail)
        warn("no mail server is set, so nobody is asked: WATCHPOST_SMTP_URL", "grave");
      return toResponse(subscriber, { access, webhooks: channels.webhook });
    },
  });
}

async function findPage(
  { statusPages }: Pick<Reads, "statusPages">,
  accountId: string,
  wanted: string | undefined,
): Promise<string> {
  const found =
    wanted === undefined || wanted === ""
      ? (await statusPages.list(accountId))[0]
      : await statusPages.find(accountId, wanted);
  if (found === undefined)
    throw new InvalidInput(
      `page: ${wanted === undefined ? "there is none" : `no such status page ${JSON.stringify(wanted)}`}`,
    );
  return found.id;
}

function parsedAddress(
  { channels }: Deps,
  { kind, address }: { readonly kind: Subscriber["kind"]; readonly address: string },
): string {
  try {
    return kind === "email" ? parseMailbox(address) : channels.webhook.parseAddress(address);
  } catch (error) {
    if (error instanceof InvalidInput) throw new InvalidInput(`address: ${error.message}`);
    throw error;
  }
}

interface Added {
  readonly call: Call;
  readonly pageId: string;
  readonly address: string;
}

async function addWebhook(
  { ids, clock }: Deps,
  { subscribers }: Transaction,
  { call: { account, warn }, pageId, address }: Added,
): Promise<Subscriber> {
  const { webhooks } = await subscribers.counts({ accountId: account.id, pageId });
  const newId = ids.subscriber();
  const stored = await subscribers.insert({
    id: newId,
    accountId: account.id,
    pageId,
    kind: "webhook",
    address,
    state: "confirmed",
    createdAt: clock.now(),
    confirmedAt: clock.now(),
    endsAt: undefined,
  });
  if (stored.id !== newId) warn("address: it was added before");
  else if (webhooks >= maxWebhooks)
    throw new Forbidden(`limit reached: a status page has at most ${maxWebhooks} webhooks`);
  return stored;
}

async function askMailbox(
  { ids, clock, mailLimits }: Deps,
  tx: Transaction,
  { call: { account, caller, warn }, pageId, address }: Added,
): Promise<Subscriber> {
  const end = await requestSubscription(tx, {
    id: ids.subscriber(),
    accountId: account.id,
    pageId,
    mailbox: address,
    at: clock.now(),
    budgetOf: caller.id,
    limits: mailLimits,
  });
  if (end.kind === "full")
    throw new Forbidden(`limit reached: a status page has at most ${maxSubscribers} subscribers`);
  if (end.kind === "spent") {
    const seconds = Math.ceil(end.budget.forMs / 1000);
    throw new TooManyRequests(`address: ${sentenceOf(end.budget, mailLimits)}`, seconds);
  }
  if (end.subscriber.state === "ended")
    throw new InvalidInput(
      "address: its owner was asked before and did not agree, or wants no more mails",
    );
  if (end.kind === "known") warn("address: it was added before");
  return end.subscriber;
}

function deleteSubscriber({ clock }: Deps): Operation {
  return operation({
    summary:
      "Deletes a subscriber, who may subscribe again; who was asked and did not agree yet is not asked again for a month",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      await write(async ({ subscribers }) => {
        const found = await subscribers.findOf(account.id, id);
        if (found === undefined || found.state === "ended") throw missing();
        if (found.state === "pending") await subscribers.end(id, clock.now() + unansweredMs);
        else await subscribers.remove(account.id, id);
      });
      return { ok: true, id };
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find that subscriber");
}

/** Returns a subscriber as shown to the caller: addresses are personal, and URLs may contain credentials. */
export function toResponse(
  subscriber: Subscriber,
  { access, webhooks }: { readonly access: Access; readonly webhooks: Channels["webhook"] },
): z.infer<typeof subscriberResponse> {
  const { id, accountId, pageId, kind, address = "", state, createdAt, confirmedAt } = subscriber;
  const isOwner = includesAccess(access, "owner");
  const secret = kind === "webhook" && isOwner ? webhooks.signingSecretOf?.({ id }) : undefined;
  return {
    _id: id,
    type: "subscriber",
    customer_id: accountId,
    page: pageId,
    kind,
    // guard: addresses of subscribers = then
    address: isOwner ? address : hostIn(address),
    state: state === "confirmed" ? "confirmed" : "pending",
    ...(secret !== undefined && { secret }),
    created: createdAt,
    ...(confirmedAt !== undefined && { confirmed: confirmedAt }),
  };
}

function hostIn(address: string): string {
  const host = URL.parse(address)?.host;
  return host === undefined || host === "" ? `…@${address.split("@").at(-1) ?? ""}` : host;
}
