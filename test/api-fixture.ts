import type { FastifyInstance } from "fastify";

import type { ApiDeps } from "../src/api/deps.ts";
import { createConfirmations } from "../src/api/confirmations.ts";
import { createPasswords } from "../src/api/passwords.ts";
import { createQuota } from "../src/api/quota.ts";
import { createApiServer } from "../src/api/http/server.ts";
import type { Change } from "../src/domain/change.ts";
import { createCalendarLinks } from "../src/channels/calendar-links.ts";
import { createChannels } from "../src/channels/registry.ts";
import { createSenders } from "../src/channels/mail/senders.ts";
import { accountDefaults, type Account } from "../src/domain/account/account.ts";
import { defaultLimits, type AccountLimits } from "../src/domain/account/limits.ts";
import { defaultMailLimits } from "../src/domain/contact/mail-limits.ts";
import { addressDefaults, type Contact } from "../src/domain/contact/contact.ts";
import { createAdmission } from "../src/kit/http/admission.ts";
import { createDeviceCookie } from "../src/kit/http/device-cookie.ts";
import { createMinuteBudget } from "../src/kit/http/minute-budget.ts";
import { createSessionCookie } from "../src/kit/http/session-cookie.ts";
import { createEgress } from "../src/kit/net/egress.ts";
import { createIds } from "../src/kit/ids.ts";
import type { Log } from "../src/kit/log.ts";
import { noMeter } from "../src/kit/meter.ts";
import { createSealer, hashToken } from "../src/kit/crypto/seal.ts";
import { assertMatchesOpenApi } from "./openapi/openapi-validator.ts";
import { createSessionAdmin } from "../src/store/transactions/session-admin.ts";
import { createAccount } from "../src/store/transactions/create-account.ts";
import { fakeClock, type FakeClock } from "./time/fake-clock.ts";
import { tempStore, type TempStore } from "./stores/temp-store.ts";

export const sessionLifetimes = { maxMs: 30 * 86_400_000, idleMs: 72 * 3_600_000 };

export interface Person {
  readonly account: Account;
  readonly token: string;
  readonly contact: Contact;
}

export interface TestResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- what an answer holds is what the tests find out
  readonly body: any;
}

/** Alice has a primary account, Bob's is hers, Carol is a stranger; each with a token, an owner contact and the default schedules. */
export interface ApiFixture extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly deps: ApiDeps;
  readonly store: TempStore;
  readonly clock: FakeClock;
  readonly alice: Person;
  readonly bob: Person;
  readonly carol: Person;
  readonly changes: readonly Change[];
  readonly logged: readonly string[];
  /** Sends `parameters` as a JSON body, as `who` or with a token: `ask(alice, "GET /checks")`. */
  readonly ask: (
    who: Person | string,
    request: string,
    parameters?: object,
  ) => Promise<TestResponse>;
}

/** A list of accounts as clients of other services know it. */
export function withoutLimits(text: string): string {
  return text.replace(/,"limits":\{.*?\}\}/, "");
}

const verbs = ["GET", "POST", "PUT", "DELETE"] as const;

/** With `mails` a mail server is configured; its mails stay in the store; with `confirming` new mailboxes are asked first. `limits` are in place of the default ones. */
export async function createApiFixture({
  mails = false,
  confirming = false,
  unknownPerMinute = 0,
  limits = {},
  ...overrides
}: Partial<ApiDeps> & {
  readonly mails?: boolean;
  readonly confirming?: boolean;
  readonly unknownPerMinute?: number;
  readonly limits?: Partial<AccountLimits>;
} = {}): Promise<ApiFixture> {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  const ids = createIds();
  const senders = createSenders({ own: "Watchpost <alerts@watchpost.example>", domains: [] });
  const sealer = createSealer(new Uint8Array(32));
  const mailer = { senders, send: () => Promise.resolve(""), close() {} };
  const channels = createChannels({
    mailer: mails ? mailer : undefined,
    url: "http://watchpost.example",
    sealer,
  });
  const changes: Change[] = [];
  store.changes.subscribe((change) => {
    if (change !== "everything") changes.push(change);
  });
  const logged: string[] = [];
  const keep = (event: string, fields: object = {}): void => {
    logged.push(JSON.stringify({ event, ...fields }));
  };
  const log: Log = { info: keep, warn: keep, error: keep };
  const served = overrides.store ?? store;
  const deps: ApiDeps = {
    store,
    clock,
    ids,
    log,
    meter: noMeter,
    egress: createEgress({ mode: "public", resolver: { resolve: async () => ["93.184.216.34"] } }),
    compatibility: "standard",
    rateLimits: { perToken: 0, perAddress: 0 },
    trustedProxies: [],
    admission: createAdmission({
      clock,
      trustedProxies: overrides.trustedProxies ?? [],
      unknownPerMinute,
    }),
    domain: "watchpost.example",
    locations: () => [{ code: "fra", region: "eur" }],
    goneLocations: () => [],
    forgotLocation() {},
    unready: () => [],
    problems: () => [],
    runJob: async () => ({ error: "offline", message: "" }),
    runDiagnostics: async (_, { tools = [] }) =>
      tools.map((tool) => ({ tool, about: "", text: "" })),
    channels,
    sealer,
    calendarLinks: createCalendarLinks({
      sealer,
      url: "http://watchpost.example",
    }),
    senders,
    passwords: createPasswords({
      store: served,
      clock,
      ids,
      canSendMail: mails,
      mailLimits: defaultMailLimits,
    }),
    confirmations: createConfirmations({
      required: confirming,
      clock,
      ids,
      mailLimits: defaultMailLimits,
    }),
    quota: createQuota({
      store: served,
      limits: { ...defaultLimits, ...limits },
      log,
      meter: overrides.meter ?? noMeter,
    }),
    alertsInserted() {},
    sessions: {
      admin: createSessionAdmin({ store: served, clock, lifetimes: sessionLifetimes }),
      cookie: createSessionCookie({ isSecure: false }),
      devices: createDeviceCookie({ sealer, clock, isSecure: false }),
      url: "http://watchpost.example",
    },
    signInAttempts: createMinuteBudget(0, clock),
    oidc: undefined,
    sessionIdleMs: sessionLifetimes.idleMs,
    statusDomains: ["status.example", "pages.example"],
    mailLimits: defaultMailLimits,
    testContact: async ({ contact }) =>
      contact.addresses.map((address) => ({
        address,
        accepted: true,
        response: "taken",
        durationMs: 1,
      })),
    ...overrides,
  };
  const app = createApiServer(deps);
  const assertDocumented = assertMatchesOpenApi(app, deps);

  let joined = 0;
  /** Each is older than the next. */
  const join = async (name: string, parentId?: string): Promise<Person> => {
    const now = clock.now() + joined;
    joined += 1;
    const account: Account = {
      ...accountDefaults,
      id: ids.account(now),
      parentId,
      name,
      createdAt: now,
      timeZone: "-07:00",
      defaultRegions: ["wlw"],
    };
    const address = {
      ...addressDefaults,
      id: ids.address(),
      kind: "email",
      address: `${name.toLowerCase()}@example.com`,
    } as const;
    const contact: Contact = {
      id: ids.contact(account.id),
      accountId: account.id,
      name,
      role: "owner",
      addresses: [address],
    };
    const token = ids.token();
    await store.write(async (tx) => {
      await createAccount(tx, account, contact);
      await tx.tokens.insert({
        digest: hashToken(token),
        accountId: account.id,
        label: "test",
        createdAt: now,
        compatibility: deps.compatibility,
      });
    });
    return { account, token, contact };
  };
  const alice = await join("Alice");
  const bob = await join("Bob", alice.account.id);
  const carol = await join("Carol");

  return {
    app,
    deps,
    store,
    clock,
    alice,
    bob,
    carol,
    changes,
    logged,
    async ask(who, request, parameters = {}) {
      const [verb, path = ""] = request.split(" ");
      const method = verbs.find((each) => each === verb);
      const token = typeof who === "string" ? who : who.token;
      const answer = testResponse(
        await app.inject({
          method: method ?? "GET",
          url: `/api/1${path}`,
          headers: {
            authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}`,
            "content-type": "application/json",
          },
          body: JSON.stringify(parameters),
        }),
      );
      assertDocumented();
      return answer;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await store[Symbol.asyncDispose]();
      assertDocumented();
    },
  };
}

export function testResponse({
  statusCode,
  body,
  headers,
}: {
  statusCode: number;
  body: string;
  headers: object;
}): TestResponse {
  return {
    status: statusCode,
    text: body,
    headers: { ...headers },
    body: body === "" ? undefined : JSON.parse(body),
  };
}

/** A check of type HTTP that asks as little as possible. */
export const plainCheck = { type: "HTTP", target: "http://example.com/" };
