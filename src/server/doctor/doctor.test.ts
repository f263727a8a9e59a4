import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { httpPeer } from "../../../test/peers/http.ts";
import { lineServer } from "../../../test/peers/line-server.ts";
import { selfSigned } from "../../../test/peers/certificates.ts";
import { tlsPeer } from "../../../test/peers/tls.ts";
import { tcpPeer } from "../../../test/peers/tcp.ts";
import { systemClock } from "../../kit/clock.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { InvalidInput } from "../../kit/errors.ts";
import type { Finding } from "./finding.ts";
import { publicUrl, readConfig } from "../../settings/config.ts";
import { examine } from "./doctor.ts";
import {
  descriptorsFinding,
  dnsFinding,
  folderFinding,
  roomFinding,
  syncFinding,
} from "./machine.ts";
import { publicUrlFinding } from "./public-url.ts";
import { remedyFor } from "./remedies.ts";
import { clockFinding, mailFinding, natsFinding, outsideFindings } from "./peers.ts";

const asUser = {
  clock: systemClock,
  version: "1.2.3",
  baseOf: publicUrl,
  reach: undefined,
  ntp: undefined,
};

function emptyFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "watchpost-doctor-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

async function findingsOf(
  settings: Readonly<Record<string, string>>,
): Promise<Map<string, Finding>> {
  const found = new Map<string, Finding>();
  const configured = () => readConfig(settings);
  for await (const finding of examine({ ...asUser, configured })) found.set(finding.name, finding);
  return found;
}

test("what is well is green, and what works less well amber with what to do", async () => {
  using folder = emptyFolder();
  const found = await findingsOf({ WATCHPOST_DATA: folder.path, WATCHPOST_LISTEN: "127.0.0.1:1" });
  assert.equal(found.get("settings")?.state, "green");
  assert.equal(found.get("data folder")?.state, "green");
  assert.match(found.get("disk room")?.found ?? "", /GB free/);
  assert.match(found.get("disk speed")?.found ?? "", /^a sync takes \d/);
  assert.deepEqual(
    [found.get("service")?.state, found.get("mail server")?.state],
    ["amber", "amber"],
  );
  for (const { state, advice } of found.values())
    assert.equal(advice === undefined, state === "green");
});

test("settings that are invalid are red, and nothing that needs them is looked at", async () => {
  const configured = (): never => {
    throw new InvalidInput("WATCHPOST_LISTEN: must be an address");
  };
  const names: string[] = [];
  for await (const { name, state } of examine({ ...asUser, configured }))
    names.push(`${name} ${state}`);
  assert.deepEqual(names.slice(-1), ["settings red"]);
});

test("servers that do not answer, or are another kind of server, are red", async () => {
  await using plain = await tcpPeer(lineServer({ greeting: "HELLO\r\n", answers: {} }));
  const { port } = plain;
  using folder = emptyFolder();
  const found = await findingsOf({
    WATCHPOST_DATA: folder.path,
    WATCHPOST_SMTP_URL: `smtp://127.0.0.1:${port}`,
    WATCHPOST_MAIL_FROM: "alerts@example.com",
    WATCHPOST_LISTEN: "127.0.0.1:1",
  });
  assert.equal(found.get("mail server")?.state, "red");
  assert.match((await natsFinding(`nats://127.0.0.1:${port}`)).found, /is no NATS server$/);
  assert.equal((await natsFinding("nats://127.0.0.1:1")).state, "red");
  const database = await findingsOf({
    WATCHPOST_DATABASE_URL: "postgres://x:y@127.0.0.1:1/z",
    WATCHPOST_INSTANCE_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  assert.equal(database.get("PostgreSQL")?.state, "red");
});

test("a data folder without its key, one that others may read, and one that is missing are distinguished", async () => {
  using folder = emptyFolder();
  chmodSync(folder.path, 0o755);
  assert.equal((await folderFinding(folder.path)).state, "amber");
  chmodSync(folder.path, 0o700);
  writeFileSync(join(folder.path, "watchpost.db"), "");
  assert.match((await folderFinding(folder.path)).found, /no instance\.key$/);
  writeFileSync(join(folder.path, "instance.key"), "");
  assert.equal((await folderFinding(folder.path)).state, "green");
  assert.match((await folderFinding("/nowhere")).found, /there is no such file or folder$/);
  assert.match((await folderFinding(join(folder.path, "instance.key", "x"))).found, /no folder$/);
});

test("the way out and the clock are looked at by a server that is named", async () => {
  await using server = await httpPeer((_, response) => void response.end());
  const { url } = server;
  const states = (await outsideFindings(url, () => systemClock.now())).map(({ name }) => name);
  assert.deepEqual(states, ["way out", "clock"]);
  const [late] = (await outsideFindings(url, () => systemClock.now() + 3_600_000)).slice(1);
  assert.deepEqual([late?.state, late?.found.endsWith("ahead")], ["red", true]);
  assert.equal((await outsideFindings("http://127.0.0.1:1/", () => 0))[0]?.state, "red");
});

test("a public URL that leads elsewhere, is redirected or answers nothing is seen", async () => {
  const answer = { status: 200, body: '{"ready":false,"reasons":["starting"]}', location: "" };
  await using server = await httpPeer((_, response) => {
    const { status, body, location } = answer;
    response.writeHead(status, location === "" ? {} : { location }).end(body);
  });
  const url = server.url.replace(/\/$/, "");
  assert.equal((await publicUrlFinding(url)).state, "green", "another finding says that it starts");
  for (const body of ["<html>", "{}", "null"]) {
    answer.body = body;
    const { state, found, advice } = await publicUrlFinding(url);
    assert.deepEqual(
      [state, found],
      ["red", `${url} leads to something else: /readyz answers 200`],
    );
    assert.match(advice ?? "", /WATCHPOST_URL/);
  }
  Object.assign(answer, { status: 308, location: "https://status.example.com/readyz" });
  assert.equal((await publicUrlFinding(url)).state, "amber");
  using folder = emptyFolder();
  const found = await findingsOf({
    WATCHPOST_DATA: folder.path,
    WATCHPOST_LISTEN: "127.0.0.1:1",
    WATCHPOST_URL: "http://127.0.0.1:1",
  });
  assert.equal(found.get("public URL")?.state, "red");
});

test("a full disk and a certificate that is not trusted have remedies of their own", async () => {
  const advice = (error: unknown): string => remedyFor(error, "something else");
  for (const error of [
    Object.assign(new Error("write"), { code: "ENOSPC" }),
    // Node has no name for EDQUOT.
    Object.assign(new Error("UNKNOWN: unknown error, write"), { code: "UNKNOWN", errno: -122 }),
    new Error("database or disk is full"),
  ])
    assert.match(advice(error), /^make room/);
  assert.equal(advice(new Error("refused")), "something else");
  await using server = await tlsPeer(selfSigned());
  const [wayOut] = await outsideFindings(`https://127.0.0.1:${server.port}/`, () => 0);
  assert.match(wayOut?.advice ?? "", /NODE_EXTRA_CA_CERTS/);
  const page = await publicUrlFinding(`https://127.0.0.1:${server.port}`);
  assert.match(page.advice ?? "", /NODE_EXTRA_CA_CERTS/);
  const mail = await mailFinding(new Secret(`smtps://127.0.0.1:${server.port}`));
  assert.match(mail.advice ?? "", /NODE_EXTRA_CA_CERTS/, mail.found);
});

test("figures become green, amber or red at their bounds", async () => {
  const states = [500, 1500, -10_000, 100_000, Number.NaN].map((ms) => clockFinding(ms).state);
  assert.deepEqual(states, ["green", "green", "amber", "red", "amber"]);
  assert.deepEqual(
    [512, 1024, 65_536].map((limit) => descriptorsFinding(limit).state),
    ["red", "amber", "green"],
  );
  assert.equal((await dnsFinding([])).state, "red");
  assert.equal((await dnsFinding(["127.0.0.1:1"])).state, "red");
  using folder = emptyFolder();
  assert.ok((await roomFinding(folder.path)).found.length > 0);
  assert.ok((await syncFinding(folder.path, systemClock)).found.length > 0);
});
