import assert from "node:assert/strict";
import { test } from "node:test";

import { checkTypes } from "../../src/checks/registry.ts";
import { sleep, systemClock } from "../../src/kit/clock.ts";
import { waitFor } from "../time/wait-for.ts";
import { headerOf, partOf, smtpPeer } from "../peers/smtp.ts";
import { alertsInMail } from "../alerts-in-mail.ts";
import { start, temporaryFolder, type CheckRecord, type RunningInstallation } from "./process.ts";
import { isInSandbox, runInSandbox } from "./sandbox.ts";
import { prepareSandbox, checkedServers } from "./checked-servers.ts";

if (isInSandbox) test("a check of each type is up, down and up again with its server", everyType);
else
  test("in a world of their own, checks of all types flip with their servers", () =>
    runInSandbox(import.meta.filename));

async function everyType(): Promise<void> {
  await using folder = await temporaryFolder();
  const authority = prepareSandbox(folder.path);
  await using smtp = await smtpPeer();
  await using stage = new AsyncDisposableStack();
  const watched = checkedServers(folder.path);
  for (const { end } of watched) stage.defer(end);
  await Promise.all(watched.map(({ start }) => start()));
  await using site = await start(folder.path, {
    WATCHPOST_LOCATIONS: "ny:nam,ld:eur,tk:eao",
    WATCHPOST_OWNER_EMAIL: "owner@example.net",
    WATCHPOST_MAIL_FROM: "watch@example.net",
    WATCHPOST_SMTP_URL: smtp.url,
    // Most servers are on one host, and stop for one reason.
    WATCHPOST_GROUP_WAIT_SECONDS: "0",
    NODE_EXTRA_CA_CERTS: authority,
  });
  const contacts: Record<string, { addresses: object }> = await site.api("GET contacts");
  const [mailbox = ""] = Object.values(contacts).flatMap(({ addresses }) => Object.keys(addresses));

  const ids = new Map<string, string>();
  for (const [type, parameters] of watched.flatMap(({ checks }) => Object.entries(checks))) {
    const check: CheckRecord = await site.api("POST checks", {
      type,
      label: type,
      enabled: true,
      interval: 1,
      threshold: 10,
      autodiag: type === "HTTP",
      notifications: [{ [mailbox]: "All" }],
      ...parameters,
    });
    ids.set(type, check._id);
  }
  const probed = checkTypes.filter(({ driver }) => driver === "probe").map(({ type }) => type);
  assert.deepEqual([...ids.keys()].toSorted(), probed.toSorted(), "every type is here");

  await everyStateIs(site, 1);
  await Promise.all(watched.map(({ stop }) => stop()));
  await runAll(site, ids, 11);
  await everyStateIs(site, 0);
  // In the Down itself, where they were finished before it was sent.
  const diagnosis = await waitFor("the diagnostics of the web server", () =>
    smtp.mails
      .filter(({ raw }) => /^\[(?:DOWN|Diagnostics)\] HTTP\b/.test(headerOf(raw, "subject") ?? ""))
      .map(({ raw }) => partOf(raw, "text/plain"))
      .find((text) => text.includes("Looked from")),
  );
  assert.match(diagnosis, /Route to 127\.0\.0\.1[^]*Connection refused/);
  await Promise.all(watched.map(({ start }) => start()));
  await runAll(site, ids, 12);
  await everyStateIs(site, 1);

  const [shown]: readonly { certificate?: { issuer: string } }[] = await site.api(
    `GET results/${ids.get("SSL")}?clean=1&limit=1&detail=1`,
  );
  assert.equal(shown?.certificate?.issuer, "the world's authority");
  for (const type of ids.keys()) {
    const subjects = [
      `\\[First result:? (?:UP|up)\\] ${type}`,
      `\\[DOWN\\] ${type}`,
      `\\[UP(?: after [^\\]]*)?\\] ${type}`,
    ];
    for (const subject of subjects.map((pattern) => new RegExp(`^${pattern}$`))) {
      const alerts = (): number =>
        smtp.mails.flatMap(({ raw }) => alertsInMail(raw)).filter((line) => subject.test(line))
          .length;
      await waitFor(`a mail ${subject.source}`, () => alerts() > 0);
      assert.equal(alerts(), 1, subject.source);
    }
  }
}

/** A new timeout makes a check run at once. */
async function runAll(
  site: RunningInstallation,
  ids: ReadonlyMap<string, string>,
  threshold: number,
): Promise<void> {
  for (const id of ids.values()) await site.api(`PUT checks/${id}`, { threshold });
}

async function everyStateIs(site: RunningInstallation, state: number): Promise<void> {
  let others: readonly CheckRecord[] = [];
  const areAll = async (): Promise<boolean> => {
    const checks: Record<string, CheckRecord> = await site.api("GET checks?lastresult=true");
    others = Object.values(checks).filter((check) => check.state !== state);
    if (others.length === 0) return true;
    // Constant requests would leave no time for checks.
    await sleep(systemClock, 200);
    return false;
  };
  await waitFor(`every state is ${state}`, areAll).catch(() => {
    const log = site
      .log()
      .split("\n")
      .filter((line) => !line.includes("api.request"));
    assert.fail(`not ${state}: ${JSON.stringify(others, null, 1)}\n${log.slice(-30).join("\n")}`);
  });
}
