import assert from "node:assert/strict";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../api-fixture.ts";
import { httpServer } from "../harnesses/http-server.ts";
import { createAccountFixture, markerOf } from "../stores/account-fixture.ts";

const password = "correct horse";
const host = "watchpost.example";
const domain = "chosen.status.example";
/** Everything that the page and its checks are called is one of these. */
const chosen = ["Chosen page", "Chosen section", "Chosen name", "Chosen incident"];
const modes = ["public", "password", "signedin", "switched off", "suspended"] as const;

/**
 * An account full of words that are nobody's business: one word stands in every label, target, tag, description, name, mailbox, answer and
 * message that it has. A page shows two of its checks under other names, and one of these is public.
 */
async function fullAccount(mode: (typeof modes)[number]) {
  const cast = await createApiFixture();
  const { alice, bob, ask, store } = cast;
  const records = await createAccountFixture(cast, alice);
  const bobs = await createAccountFixture(cast, bob);
  const change = async (request: string, parameters: object) => {
    const { status, body, text } = await ask(alice, request, parameters);
    assert.equal(status, 200, text);
    return body;
  };
  const { statuspages: otherPage = "", incidents = "" } = records.others;
  await change(`PUT /incidents/${incidents}`, { pages: [otherPage] });
  const { uuid } = await change(`PUT /checks/${records.check}`, {
    type: "FTP",
    label: "Chosen name",
    public: true,
  });
  const { body: hidden } = await ask(alice, `GET /checks/${records.push}`);
  const page = await change("POST /statuspages", {
    name: "Chosen page",
    slug: "chosen",
    domain,
    charts: "24h",
    access: mode === "password" || mode === "signedin" ? mode : "public",
    password,
    enabled: mode !== "switched off",
    sections: [
      {
        name: "Chosen section",
        checks: [
          { id: records.check, name: "Chosen name" },
          { id: records.push, name: "Chosen name" },
        ],
      },
    ],
  });
  await change("POST /incidents", { name: "Chosen incident", pages: [page._id] });
  if (mode === "suspended")
    await store.write((tx) =>
      tx.accounts.update({ ...alice.account, status: "suspended" }, cast.clock.now()),
    );
  const { others, ...ids } = records;
  const { others: bobsOthers, ...bobsIds } = bobs;
  return {
    cast,
    page,
    uuid,
    hiddenUuid: hidden.uuid,
    privateWords: [
      markerOf(alice),
      markerOf(bob),
      alice.token,
      alice.account.id,
      alice.contact.id,
      hidden.uuid,
      password,
      "Hours",
      ...Object.values({ ...ids, ...others }),
      ...Object.values({ ...bobsIds, ...bobsOthers }),
    ].map((word) => String(word)),
  };
}

interface Asked {
  readonly host: string;
  readonly url: string;
}

/** Returns requests by the installation's host name, and the same plus the page itself by the page's. */
function requestsFor(page: { readonly _id: string }, uuids: readonly string[]): readonly Asked[] {
  const paths = pathsOf(page, uuids);
  const own = partsOfPage.map((part) => part || "/");
  return [
    ...paths.map((url) => ({ host, url })),
    ...[...own, ...paths, "/api/1/checks", "/signin"].map((url) => ({ host: domain, url })),
    ...own.map((url) => ({ host: `other.${domain}`, url })),
  ];
}

const partsOfPage = [
  "",
  "/nothing",
  "/badge.svg",
  "/badge.json",
  "/logo",
  "/status.json",
  "/widget.js",
  "/feed.rss",
  "/feed.atom",
  "/feed.json",
  "/subscribe",
  "/subscriptions",
];

function pathsOf({ _id: id }: { readonly _id: string }, uuids: readonly string[]) {
  const figures = ["state", "uptime", "time"].flatMap((kind) => [`${kind}.svg`, `${kind}.json`]);
  return [
    ...partsOfPage.flatMap((part) => [`/status/chosen${part}`, `/reports/status/${id}${part}`]),
    `/reports/statusevents/${id}/listchecks`,
    "/status/Chosen",
    "/status/%63hosen",
    ...uuids.flatMap((uuid) => [
      `/reports/checks/${uuid}`,
      `/reports/results/${uuid}`,
      `/reports/results/${uuid}/500?format=json`,
      `/reports/results/${uuid}/500/r.csv?format=csv`,
      `/reports/uptime/${uuid}?format=json&interval=days`,
      `/reports/uptime/${uuid}/u.csv?format=csv&interval=months`,
      `/reports/uptime/${uuid}?format=json&start=yesterday`,
      ...figures.map((file) => `/reports/badges/${uuid}/${file}`),
    ]),
  ];
}

interface Answer extends Asked {
  readonly statusCode: number;
  readonly text: string;
}

/** Over connections, for what looks at the host comes before all routes. */
async function answers({ deps }: Pick<ApiFixture, "deps">, asked: readonly Asked[]) {
  const server = httpServer({ deps });
  const address = await server.listen({ port: 0, host: "127.0.0.1" });
  const found: Answer[] = [];
  for (const { host, url } of asked)
    for (const method of /\.\w+$/.test(url) ? ["GET"] : ["GET", "POST"]) {
      const headers = { host, "content-type": "application/x-www-form-urlencoded" };
      const sent = request(address, { method, path: url, headers });
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      sent.on("response", resolve).on("error", reject);
      sent.end(method === "POST" ? "password=wrong" : undefined);
      const response = await promise;
      const { statusCode = 0, headers: answered } = response;
      const body = await text(response);
      found.push({ host, url, statusCode, text: `${JSON.stringify(answered)} ${body}` });
    }
  await server.close();
  return found;
}

for (const mode of modes)
  // guard: ids of the page alone
  test(`nothing that strangers are answered has a private word of the account, with a page that is ${mode}`, async () => {
    const { cast, page, uuid, hiddenUuid, privateWords } = await fullAccount(mode);
    await using _ = cast;
    const all = await answers(cast, requestsFor(page, [uuid, hiddenUuid]));
    for (const { host, url, statusCode, text } of all) {
      assert.ok(statusCode < 500, `${statusCode} ${host}${url}`);
      for (const word of privateWords)
        assert.ok(
          !text.includes(word) || url.includes(word),
          `${host}${url} has ${JSON.stringify(word)}`,
        );
    }
    for (const name of [host, domain]) {
      const shown = all.filter(
        (each) => each.host === name && each.statusCode === 200 && !each.url.includes(uuid),
      );
      assert.deepEqual(
        chosen.map((word) => shown.some(({ text }) => text.includes(word))),
        chosen.map(() => mode === "public"),
        name,
      );
    }
    assert.deepEqual(
      all.filter((each) => each.host.startsWith("other.") && each.statusCode < 400),
      [],
    );
  });
