import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createApiFixture,
  plainCheck,
  sessionLifetimes,
  type ApiFixture,
  type Person,
} from "../../../../test/api-fixture.ts";
import { aFlip, aResult } from "../../../../test/record-builders.ts";
import { stepUntil } from "../../../../test/time/wait-for.ts";
import { createSessionCookie } from "../../../kit/http/session-cookie.ts";
import { hashToken } from "../../../kit/crypto/seal.ts";
import { createSessionAdmin } from "../../../store/transactions/session-admin.ts";

interface UpdateStream extends Disposable {
  readonly status: number;
  readonly headers: Headers;
  readonly text: () => string;
  readonly hasEnded: () => boolean;
}

/** Listens for updates as a browser does. */
async function listen(
  { app }: ApiFixture,
  query: string,
  headers: Readonly<Record<string, string>>,
): Promise<UpdateStream> {
  if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
  const place = app.server.address();
  const port = typeof place === "object" && place !== null ? place.port : 0;
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/1/updates${query}`, {
    headers: { accept: "text/event-stream", ...headers },
    signal: stop.signal,
  });
  let text = "";
  let hasEnded = false;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  };
  // A reader that stops gets an error.
  void read()
    .catch(() => {})
    .finally(() => (hasEnded = true));
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    hasEnded: () => hasEnded,
    [Symbol.dispose]: () => stop.abort(),
  };
}

const by = ({ token }: Person) => ({ authorization: `Bearer ${token}` });

function positionIn(text: string): string {
  return [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";
}

async function madeCheck({ ask, alice, store }: ApiFixture, parameters: object = {}) {
  const sent = { ...plainCheck, enabled: true, ...parameters };
  const { body } = await ask(alice, "POST /checks", sent);
  const found = await store.checks.find(alice.account.id, body._id);
  assert.ok(found);
  return found.check;
}

/** Lets time pass until something was received. */
async function comes({ clock }: ApiFixture, what: string, look: () => boolean): Promise<void> {
  await stepUntil(what, async () => {
    await clock.advance(100);
    return look();
  });
}

function receives(cast: ApiFixture, stream: UpdateStream, words: string): Promise<void> {
  return comes(cast, `${words} to be received`, () => stream.text().includes(words));
}

test("a client is notified of what is created, flips, is acknowledged and removed, and a stranger of nothing", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, carol, store } = cast;
  using stream = await listen(cast, "", by(alice));
  using hers = await listen(cast, "", by(carol));
  assert.deepEqual(
    [stream.status, stream.headers.get("content-type"), stream.headers.get("x-accel-buffering")],
    [200, "text/event-stream", "no"],
  );
  await receives(cast, stream, "event: reset");
  const check = await madeCheck(cast, { label: "Shop" });
  await receives(cast, stream, '"label":"Shop"');
  await store.write(({ states }) => states.flip(aFlip(check.no)));
  await receives(cast, stream, '"status":"down"');
  await ask(alice, `POST /checks/acknowledge/${check.id}`, { by: "Ann" });
  await receives(cast, stream, '"by":"Ann"');
  await ask(alice, `DELETE /checks/${check.id}`);
  await receives(cast, stream, `event: removed\ndata: ["${check.id}"]`);
  await ask(alice, "PUT /checks", { disableall: true });
  await receives(cast, stream, `event: reset\nid: ${store.changes.position()}`);
  await receives(cast, hers, "event: reset");
  assert.equal(hers.text().split("event:").length, 2, hers.text());
});

test("a client that comes back gets what it missed, or is asked to read anew where that is too much", async () => {
  await using cast = await createApiFixture();
  const { alice, store } = cast;
  const check = await madeCheck(cast);
  using first = await listen(cast, "", by(alice));
  await receives(cast, first, "event: reset");
  const since = positionIn(first.text());
  await store.write(({ states }) => states.flip(aFlip(check.no)));
  using again = await listen(cast, "", { ...by(alice), "last-event-id": since });
  await receives(cast, again, `"id":"${check.id}"`);
  assert.ok(!again.text().includes("event: reset"), again.text());
  using late = await listen(cast, "?since=unknown", by(alice));
  await receives(cast, late, "event: reset");
});

test("of the checks that are watched each run is sent, of others only what changes", async () => {
  await using cast = await createApiFixture();
  const { alice, store, clock } = cast;
  const watched = await madeCheck(cast);
  const other = await madeCheck(cast);
  for (const { no } of [watched, other])
    await store.write(({ states }) => states.flip(aFlip(no, { id: `${no}`, to: "passing" })));
  using stream = await listen(cast, `?watch=${watched.id}`, by(alice));
  await receives(cast, stream, `"id":"${watched.id}"`);
  const at = clock.now();
  for (const { no } of [watched, other]) await store.append(aResult(no, at, { runtimeMs: 7 }));
  await receives(cast, stream, `event: runs\ndata: [["${watched.id}",${at},7]]`);
  assert.ok(!stream.text().includes(other.id));
});

// guard: streams after their session
test("a stream says that it lives, and ends with the session, the token and the server", async () => {
  await using cast = await createApiFixture();
  const { alice, carol, store, clock } = cast;
  const admin = createSessionAdmin({ store, clock, lifetimes: sessionLifetimes });
  const of = { accountId: alice.account.id, contactId: alice.contact.id };
  const session = admin.prepare(of, { client: "192.0.2.1", agent: "" });
  await store.write((tx) => session.insert(tx));
  const [cookie = ""] = createSessionCookie({ isSecure: false })
    .write(session.secret, 1)
    .split(";");
  using signedIn = await listen(cast, "", { cookie });
  using withToken = await listen(cast, "", by(carol));
  await receives(cast, signedIn, "event: reset");
  await clock.advance(25_000);
  await receives(cast, signedIn, "event: position");
  await store.write(({ sessions }) => sessions.remove(session.digest));
  await store.write(({ tokens }) => tokens.remove(hashToken(carol.token)));
  for (const stream of [signedIn, withToken]) await comes(cast, "it to end", stream.hasEnded);
  using last = await listen(cast, "", by(alice));
  await cast.app.close();
  await comes(cast, "the last to end", last.hasEnded);
});

// guard: streams of one caller
test("one token has a dozen streams, and another one goes on when one of them is closed", async () => {
  await using cast = await createApiFixture();
  const open = [];
  for (let count = 0; count < 12; count += 1) open.push(await listen(cast, "", by(cast.alice)));
  using refused = await listen(cast, "", by(cast.alice));
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "30"]);
  using bobs = await listen(cast, "", by(cast.bob));
  assert.equal(bobs.status, 200);
  for (const each of open.splice(0, 6)) each[Symbol.dispose]();
  await stepUntil("a place", async () => {
    using another = await listen(cast, "", by(cast.alice));
    return another.status === 200;
  });
  for (const each of open) each[Symbol.dispose]();
});

test("without the wish for events it is answered once, with what changed since a position", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const first = await ask(alice, "GET /updates");
  assert.deepEqual(first.body, {
    position: cast.store.changes.position(),
    reset: true,
    statuses: [],
    removed: [],
    alerted: [],
  });
  const check = await madeCheck(cast);
  const { body } = await ask(alice, "GET /updates", { since: first.body.position });
  assert.deepEqual(
    [body.reset, body.statuses.map(({ id }: { id: string }) => id)],
    [false, [check.id]],
  );
});
