import assert from "node:assert/strict";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

import { createApiFixture } from "../api-fixture.ts";
import { aCheck, aFlip, aResult, minute } from "../record-builders.ts";
import { httpServer } from "./http-server.ts";

/** The host name of the service. */
export const own = "watchpost.example";

/** Creates Alice's page with two checks, one of them down, and further checks of hers and Carol's that are not on it. */
export async function withPage(settings: object = {}, attemptsPerMinute = 0) {
  const fixture = await createApiFixture();
  const { store, clock, alice, carol, ask } = fixture;
  const insert = (name: string, accountId: string) =>
    store.write((tx) =>
      tx.checks.insert(
        aCheck(name, {
          accountId,
          id: `${accountId}-${name}`,
          label: `private ${name}`,
          description: "private words",
          tags: ["private-tag"],
          parameters: { target: "https://user:private-key@private.example/?key=private" },
          createdAt: clock.now(),
        }),
      ),
    );
  const up = await insert("UPUPUP", alice.account.id);
  const down = await insert("DOWNDOWN", alice.account.id);
  await insert("OTHER", alice.account.id);
  const carols = await insert("CAROLS", carol.account.id);
  await clock.advance(10 * minute);
  await store.write(async ({ states, results }) => {
    const since = clock.now();
    const said = { text: "private text", message: "private message" };
    await results.append(aResult(down.no, since, { passed: false, ...said }));
    for (const { no } of [down, carols])
      await states.flip(aFlip(no, { id: `flip-${no}`, at: since, since, ...said }));
    await states.flip(aFlip(up.no, { id: "flip-up", to: "passing", at: since, since }));
  });
  await clock.advance(5 * minute);
  const { body: page, status } = await ask(alice, "POST /statuspages", {
    name: "Shop <b>",
    slug: "shop",
    intro: "**All** about <i>us</i>",
    sections: [
      { name: "Web", checks: [{ id: up.id, name: "Home page" }] },
      { name: "Money", checks: [{ id: down.id, name: "Payments" }] },
    ],
    ...settings,
  });
  assert.equal(status, 200, JSON.stringify(page));
  const server = httpServer({ deps: fixture.deps, attemptsPerMinute });
  let listening: Promise<string> | undefined;
  return {
    fixture,
    page,
    checks: { up, down, carols },
    open: (url: string, headers: Record<string, string> = {}) =>
      server.inject({ url, headers: { host: own, ...headers } }),
    /** Over a connection, for what looks at the host comes before all routes. */
    at: async (host: string, path: string) => {
      listening ??= server.listen({ port: 0, host: "127.0.0.1" });
      const sent = request(await listening, { path, headers: { host }, agent: false });
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      sent.on("response", resolve).on("error", reject).end();
      const response = await promise;
      return { statusCode: response.statusCode, body: await text(response) };
    },
    close: async (): Promise<void> => {
      await server.close();
    },
    post: (url: string, password: string, headers: Record<string, string> = {}) =>
      server.inject({
        method: "POST",
        url,
        headers: { host: own, "content-type": "application/x-www-form-urlencoded", ...headers },
        payload: new URLSearchParams({ password }).toString(),
      }),
  };
}
