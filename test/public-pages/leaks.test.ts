import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../api-fixture.ts";
import type { ApiFixture } from "../api-fixture.ts";
import { httpServer } from "../harnesses/http-server.ts";
import { createAccountFixture, markerOf } from "../stores/account-fixture.ts";

const password = "correct horse";
const host = "watchpost.example";
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
    domain: "chosen.status.example",
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

function pathsOf({ _id: id }: { readonly _id: string }, uuids: readonly string[]) {
  const figures = ["state", "uptime", "time"].flatMap((kind) => [`${kind}.svg`, `${kind}.json`]);
  const files = ["logo", "status.json", "widget.js", "feed.rss", "feed.atom", "feed.json"];
  const parts = ["", ...["nothing", "badge.svg", "badge.json", ...files].map((file) => `/${file}`)];
  return [
    ...parts.flatMap((part) => [`/status/chosen${part}`, `/reports/status/${id}${part}`]),
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

async function answers({ deps }: Pick<ApiFixture, "deps">, asked: readonly string[]) {
  const server = httpServer({ deps });
  const found = [];
  for (const url of asked)
    for (const method of ["GET", "POST"] as const) {
      const payload =
        method === "POST" ? new URLSearchParams({ password: "wrong" }).toString() : "";
      const headers = { host, "content-type": "application/x-www-form-urlencoded" };
      const sent = { method, url, headers };
      const response = await server.inject(method === "POST" ? { ...sent, payload } : sent);
      const { statusCode, body, headers: answered } = response;
      found.push({ url, statusCode, text: `${JSON.stringify(answered)} ${body}` });
    }
  await server.close();
  return found;
}

for (const mode of modes)
  test(`nothing that strangers are answered has a private word of the account, with a page that is ${mode}`, async () => {
    const { cast, page, uuid, hiddenUuid, privateWords } = await fullAccount(mode);
    await using _ = cast;
    const all = await answers(cast, pathsOf(page, [uuid, hiddenUuid]));
    for (const { url, statusCode, text } of all) {
      assert.ok(statusCode < 500, `${statusCode} ${url}`);
      for (const word of privateWords)
        assert.ok(!text.includes(word) || url.includes(word), `${url} has ${JSON.stringify(word)}`);
    }
    const shown = all.filter(({ url, statusCode }) => statusCode === 200 && !url.includes(uuid));
    const isShown = (word: string): boolean => shown.some(({ text }) => text.includes(word));
    assert.deepEqual(
      chosen.map(isShown),
      chosen.map(() => mode === "public"),
    );
  });
