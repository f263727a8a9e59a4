import assert from "node:assert/strict";

import type { InjectOptions } from "fastify";

import type { CompatibilityMode } from "../../src/domain/account/token.ts";
import type { Passwords } from "../../src/api/passwords.ts";
import { createQuota } from "../../src/api/quota.ts";
import { defaultLimits } from "../../src/domain/account/limits.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { NotFound } from "../../src/kit/errors.ts";
import { hashToken } from "../../src/kit/crypto/seal.ts";
import { createHeartbeats } from "../../src/heartbeats/heartbeats.ts";
import type { Store } from "../../src/store/store.ts";
import { unsubscribePath } from "../../src/channels/mail/unsubscribe.ts";
import { createUnsubscribePage } from "../../src/web/unsubscribe.ts";
import {
  testResponse,
  createApiFixture,
  type TestResponse,
  type ApiFixture,
  type Person,
} from "../api-fixture.ts";
import {
  createAccountFixture,
  haveRecords,
  type AccountFixture,
} from "../stores/account-fixture.ts";
import { portOf } from "../peers/tcp.ts";
import { quietBus } from "../harnesses/quiet-bus.ts";
import { names, type Name, type Records } from "./callers.ts";
import type { OpenApiDocument } from "./endpoints.ts";
import { createResponseChecker, type ResponseChecker } from "./response-checker.ts";
import { httpServer } from "../harnesses/http-server.ts";

/** The server of the one address on a port of its own, and all that everybody has there. */
export interface FuzzServer extends AsyncDisposable {
  readonly cast: ApiFixture;
  readonly port: number;
  /** Sends a request past the port. */
  readonly inject: (request: InjectOptions) => Promise<TestResponse>;
  /** Description of itself. */
  readonly document: OpenApiDocument;
  readonly check: ResponseChecker;
  /** Recreates missing records for everyone. */
  readonly recreateRecords: () => Promise<void>;
  readonly records: () => Readonly<Record<Name, Records>>;
  /** Connections that are open. */
  readonly connections: () => Promise<number>;
}

/** Hashes none, for each takes 0.3 s. */
const passwords: Passwords = {
  canSendMail: true,
  hash: async (plain) => plain,
  verify: async (plain, stored) => plain === stored,
  issue:
    async ({ id: contactId, accountId, name }, kind) =>
    async ({ contacts, systemMails }) => {
      if (!(await contacts.setPassword({ accountId, contactId, hash: "", at: 0 })))
        throw new NotFound("Unable to find that contact");
      const mail = { accountId, contactId, kind, name, to: "", password: "", createdAt: 0 };
      await systemMails.insert({ ...mail, id: contactId });
    },
};

export async function createFuzzServer({
  mode = "standard",
  plant = ({ store }) => store,
}: {
  readonly mode?: CompatibilityMode;
  /** Store used by the server. */
  readonly plant?: (cast: ApiFixture) => Store;
} = {}): Promise<FuzzServer> {
  const bus = quietBus(systemClock);
  const cast = await createApiFixture({
    compatibility: mode,
    passwords,
  });
  const store = plant(cast);
  const quota = createQuota({ ...cast.deps, store, limits: defaultLimits });
  const deps = { ...cast.deps, store, quota };
  const heartbeats = createHeartbeats({ ...deps, flipped() {} });
  cast.store.changes.subscribe(bus.changes.publish);
  bus.changes.subscribe(heartbeats.invalidate);
  const server = httpServer({
    deps,
    heartbeats,
    linkPages: {
      [unsubscribePath]: createUnsubscribePage({
        ...deps,
        unsubscribing: { verify: async () => undefined },
      }),
    },
  });
  await server.listen({ host: "127.0.0.1", port: 0 });

  const accounts = new Map<Name, AccountFixture>();
  const recreateRecords = async (): Promise<void> => {
    await cast.store.write((tx) =>
      tx.locations.saw({ code: "ny", region: "nam", version: undefined }, cast.clock.now()),
    );
    await Promise.all(
      names.map(async (name) => {
        await revive(cast, cast[name]);
        const owned = accounts.get(name);
        if (owned === undefined || !(await isWhole(cast, cast[name], owned)))
          accounts.set(name, await createAccountFixture(cast, cast[name]));
      }),
    );
  };
  await recreateRecords();
  const recordsOf = (name: Name): Records => {
    const owned = accounts.get(name);
    assert.ok(owned);
    return { ...owned, token: cast[name].token };
  };

  const { body } = await server.inject({ url: "/api/1/openapi.json" });
  return {
    cast,
    port: portOf(server.server),
    inject: async (request) => testResponse(await server.inject(request)),
    document: JSON.parse(body),
    check: createResponseChecker(JSON.parse(body), { isLegacy: mode === "legacy" }),
    recreateRecords,
    records: () => ({
      alice: recordsOf("alice"),
      bob: recordsOf("bob"),
      carol: recordsOf("carol"),
    }),
    connections: () =>
      new Promise((resolve) => server.server.getConnections((_, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      await server.close();
      await cast[Symbol.asyncDispose]();
    },
  };
}

/** Makes an account active again that was suspended or deleted. */
async function revive(
  { store, clock, deps }: ApiFixture,
  { account, token }: Person,
): Promise<void> {
  const found = await store.accounts.find(account.id);
  if (found?.status === "active") return;
  await store.write(async (tx) => {
    await tx.accounts.update(account, clock.now());
    if (found?.status !== "deleted") return;
    const known = {
      digest: hashToken(token),
      accountId: account.id,
      label: "",
      createdAt: 0,
      compatibility: deps.compatibility,
    };
    await tx.tokens.insert(known);
  });
}

/** Returns whether somebody has all that a request may name. */
async function isWhole(cast: ApiFixture, who: Person, owned: AccountFixture): Promise<boolean> {
  const { store } = cast;
  const { account } = who;
  const contact = await store.contacts.find(account.id, owned.contact);
  const others = await Promise.all([
    store.checks.find(account.id, owned.check),
    store.checks.find(account.id, owned.push),
    store.groups.find(account.id, owned.group),
    store.maintenances.find(account.id, owned.maintenance),
    store.profiles.find(account.id, owned.profile),
    store.schedules.find(account.id, owned.schedule),
  ]);
  const keepsAddress = contact?.addresses.some(({ id }) => id === owned.address) === true;
  return keepsAddress && !others.includes(undefined) && haveRecords(cast, who, owned.others);
}
