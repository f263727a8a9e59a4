import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { gunzipSync } from "node:zlib";
import { suite, test } from "node:test";

import { createApiFixture, plainCheck, type Person } from "../../../test/api-fixture.ts";
import { aResult } from "../../../test/record-builders.ts";
import { checkMetrics } from "./check-metrics.ts";

const url = "/metrics/checks";
const bearer = ({ token }: Pick<Person, "token">) => ({ authorization: `Bearer ${token}` });

suite("metrics of checks", () => {
  test("a check has the metrics and labels of the blackbox exporter, and promtool objects to nothing", async () => {
    await using cast = await createApiFixture();
    const { app, alice, ask, store, clock } = cast;
    const target = "https://shop.example/?key=secret";
    const made = await ask(alice, "POST /checks", {
      type: "HTTP",
      target,
      enabled: true,
      label: 'the "shop"\n\\o/',
      tags: ["a", "b"],
    });
    const id: string = made.body._id;
    const found = await store.checks.find(alice.account.id, id);
    assert.ok(found);
    const { no } = found.check;
    const at = clock.now();
    const timings = { dns: 10, connect: 25, tls: 60, firstByte: 160, total: 200 };
    await store.append(aResult(no, at, { text: "200", runtimeMs: 200, timings }));
    await store.write((tx) =>
      tx.evidence.recordCertificate({
        checkNo: no,
        location: "fra",
        observedAt: at,
        subject: "CN=shop.example",
        issuer: "CN=a",
        validTo: 1_900_000_000_000,
      }),
    );
    const { statusCode, headers, body } = await app.inject({ url, headers: bearer(alice) });
    assert.equal(statusCode, 200);
    assert.equal(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    const labels = `instance="https://shop.example/",job="watchpost",check="${id}",name="the \\"shop\\"\\n\\\\o/"`;
    for (const line of [
      `probe_duration_seconds{${labels}} 0.2`,
      `probe_dns_lookup_time_seconds{${labels}} 0.01`,
      `probe_http_duration_seconds{${labels},phase="resolve"} 0.01`,
      `probe_http_duration_seconds{${labels},phase="connect"} 0.015`,
      `probe_http_duration_seconds{${labels},phase="tls"} 0.035`,
      `probe_http_duration_seconds{${labels},phase="processing"} 0.1`,
      `probe_http_duration_seconds{${labels},phase="transfer"} 0.04`,
      `probe_http_status_code{${labels}} 200`,
      `probe_http_version{${labels}} 1.1`,
      `probe_http_ssl{${labels}} 1`,
      `probe_ssl_earliest_cert_expiry{${labels}} 1900000000`,
      `watchpost_check_info{${labels},type="HTTP",account="${alice.account.id}",tags="a,b"} 1`,
      `watchpost_check_status{${labels},status="unknown"} 1`,
      `watchpost_check_last_run_timestamp_seconds{${labels}} ${at / 1000}`,
    ])
      assert.ok(body.split("\n").includes(line), `${line}\nis not in\n${body}`);
    // Without a verdict nobody says that it is down.
    assert.doesNotMatch(body, /^probe_success\{/m);
    assert.doesNotMatch(body, /secret/);
    assert.deepEqual(promtool(body), "");
  });

  test("a token reads its account and subaccounts wherever it is sent, one of them if asked, and no other", async () => {
    await using cast = await createApiFixture();
    const { app, alice, bob, carol, ask } = cast;
    for (const person of [alice, bob, carol])
      await ask(person, "POST /checks", { ...plainCheck, label: person.account.name });
    const namesOf = async (from: string, headers = {}): Promise<readonly string[]> => {
      const { body } = await app.inject({ url: from, headers });
      return [...body.matchAll(/^watchpost_check_info\{.*name="(\w+)"/gm)].map(
        ([, name]) => name ?? "",
      );
    };
    const basic = { authorization: `Basic ${btoa(`${alice.token}:`)}` };
    const created = await ask(alice, "POST /tokens", { label: "prometheus", access: "read" });
    const readOnly: string = created.body.token;
    assert.deepEqual(await namesOf(url, bearer(alice)), ["Alice", "Bob"]);
    assert.deepEqual(await namesOf(url, bearer({ token: readOnly })), ["Alice", "Bob"]);
    assert.deepEqual(await namesOf(url, basic), ["Alice", "Bob"]);
    assert.deepEqual(await namesOf(`${url}?token=${alice.token}`), ["Alice", "Bob"]);
    assert.deepEqual(await namesOf(url, bearer(bob)), ["Bob"]);
    const ofBob = `${url}?customerid=${bob.account.id}`;
    assert.deepEqual(await namesOf(ofBob, bearer(alice)), ["Bob"]);
    const refused = await app.inject({ url: ofBob, headers: bearer(carol) });
    assert.equal(refused.statusCode, 403);
  });

  test("who has no token, or asks for what there is not, gets an error that says so", async () => {
    await using cast = await createApiFixture();
    const { app, alice } = cast;
    const none = await app.inject({ url });
    assert.equal(none.statusCode, 403);
    assert.match(none.json().error, /^token: required/);
    const wrong = await app.inject({ url, headers: bearer({ token: "x" }) });
    assert.deepEqual(wrong.json(), { error: "Token not found" });
    const misspelt = await app.inject({ url: `${url}?customer_id=1`, headers: bearer(alice) });
    assert.equal(misspelt.statusCode, 400);
    assert.match(misspelt.json().error, /^customer_id: not known here/);
  });

  test("each metric is declared once and its samples stand together, compressed where that is accepted", async () => {
    await using cast = await createApiFixture();
    const { app, alice, ask } = cast;
    for (let made = 0; made < 12; made += 1)
      await ask(alice, "POST /checks", { ...plainCheck, label: `${made} ${"x".repeat(300)}` });
    const headers = { ...bearer(alice), "accept-encoding": "gzip" };
    const answer = await app.inject({ url, headers });
    assert.equal(answer.headers["content-encoding"], "gzip");
    const body = gunzipSync(answer.rawPayload).toString();
    const names = body.split("\n").flatMap((line) => /^\w+(?=\{)/.exec(line) ?? []);
    const runs = names.filter((name, index) => name !== names[index - 1]);
    assert.equal(names.filter((name) => name === "watchpost_check_info").length, 12);
    assert.deepEqual(runs, [...new Set(names)]);
    assert.doesNotMatch(body, /x{201}/);
  });

  test("more checks than are kept in memory at once are refused", async () => {
    await using cast = await createApiFixture();
    const { deps, alice, ask } = cast;
    for (let made = 0; made < 3; made += 1) await ask(alice, "POST /checks", plainCheck);
    await assert.rejects(
      checkMetrics(deps, [alice.account], 2),
      /more than 2 checks: send customerid/,
    );
  });
});

function promtool(input: string): string {
  const { stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
    input,
    encoding: "utf8",
  });
  return stdout + stderr;
}
