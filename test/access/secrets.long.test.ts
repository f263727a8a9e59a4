import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { FastifyInstance } from "fastify";

import { createPageLinks, pagePath } from "../../src/channels/page-links.ts";
import { includesAccess, type Access } from "../../src/domain/account/access.ts";
import { createSessionCookie } from "../../src/kit/http/session-cookie.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { createResources } from "../../src/api/registry.ts";
import type { Operation } from "../../src/api/operation.ts";
import { createSessionAdmin } from "../../src/store/transactions/session-admin.ts";
import { createCheckPage } from "../../src/web/check-page.ts";
import { createApiFixture, sessionLifetimes } from "../api-fixture.ts";
import { httpServer } from "../harnesses/http-server.ts";
import { aContact } from "../record-builders.ts";
import { plantSecrets } from "./planted-secrets.ts";

const cast = await createApiFixture({ mails: true });
after(() => cast[Symbol.asyncDispose]());
const { deps, store, clock, alice } = cast;
const pageLinks = createPageLinks({
  sealer: createSealer(new Uint8Array(32)),
  url: deps.sessions.url,
  days: 30,
});
const planted = await plantSecrets(cast);
const server: FastifyInstance = httpServer({
  deps,
  linkPages: { [pagePath]: createCheckPage({ store, pageLinks, clock }) },
});

after(() => server.close());

/** Somebody who reads; undefined access is that of strangers. */
interface Reader {
  readonly title: string;
  readonly access: Access | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

async function sessionOf(role: Access): Promise<Reader> {
  const { id: accountId } = alice.account;
  const contact = aContact(deps.ids.contact(accountId), { accountId, role, addresses: [] });
  const admin = createSessionAdmin({ store, clock, lifetimes: sessionLifetimes });
  const session = admin.prepare(
    { accountId, contactId: contact.id },
    { client: "192.0.2.1", agent: "" },
  );
  await store.write(async (tx) => {
    await tx.contacts.insert(contact);
    await session.insert(tx);
  });
  const [cookie = ""] = createSessionCookie({ isSecure: false })
    .write(session.secret, 1)
    .split(";");
  return {
    title: `the role ${role}`,
    access: role,
    headers: { cookie, origin: deps.sessions.url },
  };
}

async function readTokenOf(): Promise<Reader> {
  const { body } = await cast.ask(alice, "POST /tokens", { label: "reads", access: "read" });
  return {
    title: "a token that reads",
    access: "view",
    headers: { authorization: `Bearer ${body.token}` },
  };
}

const readers: readonly Reader[] = [
  { title: "a stranger", access: undefined, headers: {} },
  await readTokenOf(),
  await sessionOf("view"),
  await sessionOf("edit"),
];

const methods = ["GET", "POST", "PUT", "DELETE"] as const;

interface Request {
  readonly method: (typeof methods)[number];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: object;
}

/** Every switch of an operation is on, so that it shows all that it can. */
function switchesOf({ input }: Operation): object {
  return Object.fromEntries(
    Object.entries(input.shape)
      .filter(([, field]) => field.safeParse(true).success && !field.safeParse("other").success)
      .map(([name]) => [name, true]),
  );
}

/** Requests of every operation, of those that read with each id and with none. */
function requestsOf(reader: Reader): readonly Request[] {
  return createResources(deps).flatMap(({ name, operations }) =>
    Object.entries(operations).flatMap(([action, operation]) => {
      const { effect, needs, example } = operation;
      // Values the reader may change are left alone, so that the next reader finds them.
      const mayChange = reader.access !== undefined && includesAccess(reader.access, needs);
      if (effect === "write" && mayChange) return [];
      // A stream has no end; below, it is read until it has said what it knows.
      if (name === "updates") return [];
      const method = methods.find((each) => each === action);
      const path = `/api/1/${name}${method === undefined ? `/${action.toLowerCase()}` : ""}`;
      const ids = "id" in operation.input.shape ? [undefined, ...planted.ids] : [undefined];
      return ids.flatMap((id) =>
        [{}, switchesOf(operation)].map((switches): Request => ({
          method: method ?? (effect === "write" ? "POST" : "GET"),
          url: path,
          headers: { "content-type": "application/json", ...reader.headers },
          payload: { ...example, ...switches, ...(id !== undefined && { id }) },
        })),
      );
    }),
  );
}

const partsOfPage = ["", "/status.json", "/feed.rss", "/feed.atom", "/feed.json", "/badge.json"];
const partsOfReport = (uuid: string): readonly string[] => [
  `/reports/checks/${uuid}`,
  `/reports/results/${uuid}/500?format=json`,
  `/reports/results/${uuid}/500/r.csv?format=csv`,
  `/reports/uptime/${uuid}?format=json&interval=days`,
  `/reports/badges/${uuid}/state.svg`,
];

function pagesFor({ headers }: Reader): readonly Request[] {
  return [
    planted.checkPage,
    "/metrics/checks",
    "/api/1/openapi.json",
    "/maintenance.ics",
    ...partsOfPage.map((part) => `/status/shop${part}`),
    ...planted.uuids.flatMap(partsOfReport),
  ].map((url) => ({ method: "GET", url, headers }));
}

/** Where the answer shows what its reader may not see. */
function leaksIn(text: string, { access }: Reader): readonly string[] {
  return planted.secrets
    .filter(
      ({ needs }) => needs === undefined || access === undefined || !includesAccess(access, needs),
    )
    .filter((secret) => text.includes(secret.text))
    .map(({ where }) => where);
}

async function readStream({ headers }: Reader): Promise<string> {
  const base = await server.listen({ port: 0, host: "127.0.0.1" }).catch(() => {
    const address = server.server.address();
    return typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
  });
  const query = planted.ids.slice(0, 3).join(",");
  const stop = new AbortController();
  const { body } = await fetch(`${base}/api/1/updates?id=${query}`, {
    headers: { accept: "text/event-stream", ...headers },
    signal: stop.signal,
  });
  const { value } = (await body?.getReader().read()) ?? {};
  stop.abort();
  return new TextDecoder().decode(value);
}

for (const reader of readers) {
  // guard: proofs of links
  // guard: responses of receivers below edit
  // guard: messages below edit
  // guard: texts of targets below edit
  // guard: targets of results below edit
  // guard: parameters below edit
  test(`no operation and no page shows ${reader.title} a secret or the proof of a link`, async () => {
    const leaks: string[] = [];
    const note = (request: string, text: string): void => {
      for (const where of leaksIn(text, reader)) leaks.push(`${request} shows ${where}`);
    };
    let shown = 0;
    for (const request of [...requestsOf(reader), ...pagesFor(reader)]) {
      const { statusCode, body, headers } = await server.inject(request);
      assert.ok(statusCode < 500, `${statusCode} ${request.method} ${request.url}`);
      if (statusCode === 200) shown += 1;
      // The path of a link is what its reader has sent.
      note(
        `${request.method} ${request.url} ${JSON.stringify(request.payload ?? {})}`,
        body + JSON.stringify(headers),
      );
    }
    note("GET updates", await readStream(reader));
    assert.deepEqual([...new Set(leaks)].slice(0, 20), []);
    assert.ok(shown > (reader.access === undefined ? 20 : 200), `${shown} answers`);
  });
}

test("an owner's token is shown all of it, which those who read are not", async () => {
  const { secrets } = planted;
  const texts = await Promise.all(
    [
      "checks?lastresult=1",
      "contacts",
      "notifications?dropped=1&detail=1",
      "calendar",
      "subscribers",
    ].map(async (path) => (await cast.ask(alice, `GET /${path}`)).text),
  );
  const all = texts.join("");
  const missing = secrets.filter(
    ({ text, needs, where }) =>
      needs !== undefined &&
      !all.includes(text) &&
      !all.includes(JSON.stringify(text).slice(1, -1)) &&
      !/redirect|mails|invitations/.test(where),
  );
  assert.deepEqual(missing, []);
});

test("no line of the log has a secret", () => {
  assert.ok(cast.logged.length > 0);
  const text = cast.logged.join("\n");
  assert.deepEqual(
    planted.secrets.filter((secret) => text.includes(secret.text)),
    [],
  );
});

test("the walk looks for proofs of links, and for secrets of every kind", () => {
  assert.ok(planted.secrets.length > 50, `${planted.secrets.length}`);
  const proofs = planted.secrets.filter(({ where }) => where.startsWith("a link in the alert"));
  assert.ok(proofs.length >= 3, `${proofs.length}`);
  for (const { text } of proofs)
    assert.equal(leaksIn(`x proof=${text}`, { title: "", access: "view", headers: {} }).length, 1);
});
