import assert from "node:assert/strict";

import type { InjectOptions } from "fastify";

import type { CompatibilityMode } from "../../src/api/compatibility.ts";
import type { Passwords } from "../../src/api/passwords.ts";
import { createMetrics } from "../../src/app/metrics.ts";
import { createHttpServer } from "../../src/app/server.ts";
import { createMemoryBus } from "../../src/bus/memory/memory-bus.ts";
import { NotFound } from "../../src/kit/errors.ts";
import { hashToken } from "../../src/kit/seal.ts";
import { createPushHandler } from "../../src/push/handler.ts";
import { createHeartbeats } from "../../src/push/intake.ts";
import type { Store } from "../../src/store/store.ts";
import { createUnsubscribePage } from "../../src/web/unsubscribe.ts";
import { answerOf, apiCast } from "../api-cast.ts";
import type { Answer, Cast, Person } from "../api-cast.ts";
import { createAccountFixture } from "../belongings.ts";
import type { AccountFixture } from "../belongings.ts";
import { portOf } from "../peers/tcp.ts";
import { names } from "./askers.ts";
import type { Name, Things } from "./askers.ts";
import type { Described } from "./endpoints.ts";
import { createJudge } from "./judge.ts";
import type { Judge } from "./judge.ts";

/** The server of the one address on a port of its own, and all that everybody has there. */
export interface Site extends AsyncDisposable {
  readonly cast: Cast;
  readonly port: number;
  /** Sends a request past the port. */
  readonly inject: (request: InjectOptions) => Promise<Answer>;
  /** What it says of itself. */
  readonly document: Described;
  readonly judge: Judge;
  /** Gives everybody anew what has gone. */
  readonly restock: () => Promise<void>;
  readonly things: () => Readonly<Record<Name, Things>>;
  /** Connections that are open. */
  readonly connections: () => Promise<number>;
}

/** Hashes none, for each takes 0.3 s. */
const passwords: Passwords = {
  canTell: true,
  issue:
    async ({ id: contactId, accountId, name }, kind) =>
    async ({ contacts, systemMails }) => {
      if (!(await contacts.setPassword({ accountId, contactId, hash: "", at: 0 })))
        throw new NotFound("Unable to find that contact");
      const letter = { accountId, contactId, kind, name, to: "", password: "", createdAt: 0 };
      await systemMails.insert({ ...letter, id: contactId });
    },
};

export async function createSite({
  mode = "standard",
  plant = ({ store }) => store,
}: {
  readonly mode?: CompatibilityMode;
  /** What the server takes for the store. */
  readonly plant?: (cast: Cast) => Store;
} = {}): Promise<Site> {
  const bus = createMemoryBus();
  const cast = await apiCast({ compatibility: mode, passwords, changed: bus.changes.publish });
  const deps = { ...cast.deps, store: plant(cast) };
  const intake = createHeartbeats({ ...deps, flipped() {} });
  bus.changes.subscribe(intake.invalidate);
  const server = createHttpServer({
    api: deps,
    push: createPushHandler({ ...deps, intake }),
    metrics: createMetrics({ planned: () => 0, canCommit: () => true }),
    unsubscribePage: createUnsubscribePage({
      ...deps,
      unsubscribing: { verify: async () => undefined },
    }),
    unready: () => [],
  });
  await server.listen({ host: "127.0.0.1", port: 0 });

  const belongings = new Map<Name, AccountFixture>();
  const restock = async (): Promise<void> => {
    await Promise.all(
      names.map(async (name) => {
        await revive(cast, cast[name]);
        const owned = belongings.get(name);
        if (owned === undefined || !(await isWhole(cast, cast[name], owned)))
          belongings.set(name, await createAccountFixture(cast, cast[name]));
      }),
    );
  };
  await restock();
  const thingsOf = (name: Name): Things => {
    const owned = belongings.get(name);
    assert.ok(owned);
    return { ...owned, token: cast[name].token };
  };

  const { body } = await server.inject({ url: "/api/1/openapi.json" });
  return {
    cast,
    port: portOf(server.server),
    inject: async (request) => answerOf(await server.inject(request)),
    document: JSON.parse(body),
    judge: createJudge(JSON.parse(body), { isLegacy: mode === "legacy" }),
    restock,
    things: () => ({ alice: thingsOf("alice"), bob: thingsOf("bob"), carol: thingsOf("carol") }),
    connections: () =>
      new Promise((resolve) => server.server.getConnections((_, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      await server.close();
      await cast[Symbol.asyncDispose]();
    },
  };
}

/** Makes an account active again that was suspended or deleted. */
async function revive({ store, clock }: Cast, { account, token }: Person): Promise<void> {
  const found = await store.accounts.find(account.id);
  if (found?.status === "active") return;
  await store.write(async (tx) => {
    await tx.accounts.update(account, clock.now());
    if (found?.status !== "deleted") return;
    const known = { digest: hashToken(token), accountId: account.id, label: "", createdAt: 0 };
    await tx.tokens.insert(known);
  });
}

/** Whether somebody has all that a request may name. */
async function isWhole(
  { store }: Cast,
  { account }: Person,
  owned: AccountFixture,
): Promise<boolean> {
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
  return keepsAddress && !others.includes(undefined);
}
