import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { httpPeer } from "../peers/http.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { waitFor } from "../time/wait-for.ts";
import { start, temporaryFolder, type CheckRecord } from "./process.ts";

const secrets = {
  query: "aQueryKey4711",
  user: "aUserName4711",
  password: "aPassword4711",
  header: "aHeaderValue4711",
  hookQuery: "aHookQuery4711",
  hookHeader: "aHookHeader4711",
};

test("what an account keeps secret is neither on the disk in the clear, nor in the log, nor in an alert", async () => {
  await using folder = await temporaryFolder();
  await using target = await httpPeer(({ url, headers }, response) => {
    response.writeHead(503, { "x-request": String(url) });
    response.end(JSON.stringify({ url, headers }));
  });
  await using hook = await receiverPeer();
  hook.reply({ status: 200, body: "thanks" });
  const data = join(folder.path, "data");
  mkdirSync(data);
  chmodSync(data, 0o777);
  const site = await start(folder.path);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  assert.match(site.log(), /"event":"app\.permissions_corrected"/);

  const contact = await site.api("POST contacts", {
    newaddresses: [
      {
        type: "webhook",
        address: `${hook.url}/?key=${secrets.hookQuery}`,
        headers: { "X-Api-Key": secrets.hookHeader },
      },
    ],
  });
  const login = `${secrets.user}:${secrets.password}@`;
  const check: CheckRecord & { readonly label: string } = await site.api("POST checks", {
    type: "HTTPADV",
    target: `${target.url.replace("//", `//${login}`)}/health?key=${secrets.query}&page=2`,
    sendheaders: { "X-Api-Key": secrets.header },
    interval: 1,
    sens: 0,
    enabled: true,
    autodiag: true,
    notifications: [{ [contact._id]: "All" }],
  });
  assert.equal(check.label, `${target.url}/health`);
  assert.match(String(check.parameters.target), new RegExp(secrets.query));
  const [request] = await waitFor("the alert", () => hook.requests.length > 0 && hook.requests);
  assert.equal(JSON.parse(request?.body ?? "").check.target, `${target.url}/health`);
  const [result] = await waitFor("the result", async () => {
    const found = await site.api(`GET results/${check._id}?detail=true&limit=1`);
    return found[0]?.evidence === undefined ? undefined : found;
  });
  assert.equal(result.tg, `${target.url}/health?key=${secrets.query}&page=2`);
  assert.match(result.evidence, /x-request: \/health\?key=\(hidden\)&page=2/);
  await waitFor("the diagnostics", async () => {
    const [run] = await site.api(`GET diagnostics/${check._id}`);
    return run !== undefined;
  });
  for (const path of [`checks/${site.token}`, site.token, `v1/${check._id}/${site.token}`])
    await fetch(`${site.base}/api/1/${path}`, { headers: { authorization: "Basic eDo=" } });
  assert.equal(await site.kill("SIGTERM"), 0);

  assert.match(site.log(), /"path":"\/api\/1\/checks\/\[redacted\]"/);
  const searched = Object.entries({ ...secrets, token: site.token });
  const texts = [
    ["the log", site.log()] as const,
    ["the alert", request?.body ?? ""] as const,
    ...readdirSync(data).map((name) => [name, readFileSync(join(data, name), "latin1")] as const),
  ];
  assert.ok(texts.some(([name]) => name === "watchpost.db"));
  const found = texts.flatMap(([name, text]) =>
    searched.flatMap(([what, secret]) => (text.includes(secret) ? `${what} in ${name}` : [])),
  );
  assert.deepEqual(found, []);
  for (const name of readdirSync(data))
    assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
});
