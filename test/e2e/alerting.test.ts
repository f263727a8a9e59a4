import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../time/wait-for.ts";
import { receiverPeer } from "../peers/webhook-receiver.ts";
import { headerOf, partOf, smtpPeer, type SmtpPeer } from "../peers/smtp.ts";
import { webServer } from "../peers/web-server.ts";
import { start, temporaryFolder, type ResultRecord, type RunningInstallation } from "./process.ts";

const everywhere = {
  WATCHPOST_LOCATIONS: "ny:nam,ld:eur,tk:eao",
  WATCHPOST_OWNER_EMAIL: "owner@example.net",
  WATCHPOST_MAIL_FROM: "Watchpost <watch@example.net>",
};

async function ownerAddress(site: RunningInstallation): Promise<string> {
  const contacts: Record<string, { addresses: object }> = await site.api("GET contacts");
  const [id] = Object.values(contacts).flatMap(({ addresses }) => Object.keys(addresses));
  return String(id);
}

function mailAbout(smtp: SmtpPeer, number: number): Promise<string> {
  return waitFor(`mail number ${number}`, () => smtp.mails[number - 1]?.raw);
}

let round = 0;
/** Changes the interval of the check, which makes it run at once. */
const runNow = (site: RunningInstallation, id: string, label: string): Promise<unknown> =>
  site.api(`PUT checks/${id}`, { label, interval: 60 + (round += 1) });

test("one first result, one down and one up are mailed, each after two rechecks from other locations", async () => {
  await using folder = await temporaryFolder();
  await using web = await webServer();
  await using smtp = await smtpPeer();
  await using hook = await receiverPeer();
  await using site = await start(folder.path, { ...everywhere, WATCHPOST_SMTP_URL: smtp.url });
  const mailbox = await ownerAddress(site);
  const contact = await site.api("POST contacts", {
    name: "Hook",
    custrole: "notify",
    newaddresses: [{ address: `${hook.url}/hook`, type: "webhook" }],
  });
  const [hookId = ""] = Object.keys(contact.addresses);
  const check = await site.api("POST checks", {
    type: "HTTP",
    target: web.url,
    recheckwait: 0,
    label: "shop",
    // No tick of its own comes between what is looked at.
    interval: 60,
    enabled: true,
    notifications: [{ [mailbox]: "All" }, { [hookId]: "All" }],
  });
  const results = (): Promise<readonly ResultRecord[]> =>
    site.api(`GET results/${check._id}?clean=true`);

  const first = await mailAbout(smtp, 1);
  assert.match(String(headerOf(first, "subject")), /first/i);
  assert.equal(headerOf(first, "to"), "owner@example.net");

  web.status = 500;
  await runNow(site, check._id, "the shop");
  const down = await mailAbout(smtp, 2);
  const [failure] = await results();
  assert.equal(failure?.sc, "500");
  assert.equal(Object.keys(failure?.l ?? {}).length, 3, "the run and its two rechecks are in l");
  assert.deepEqual(new Set(Object.values(failure?.l ?? {})), new Set(["ny", "ld", "tk"]));
  const failing = await site.api(`GET checks/${check._id}`);
  assert.equal(failing.state, 0);
  assert.equal(failing.firstdown, Math.min(...Object.keys(failure?.l ?? {}).map(Number)));
  assert.match(String(headerOf(down, "subject")), /^\[DOWN\] the shop/);
  for (const words of ["500", web.url, "ny", "ld", "tk"])
    assert.ok(partOf(down, "text/plain").includes(words), `the mail says ${words}`);
  assert.match(partOf(down, "text/html"), /500/);

  web.status = 200;
  await runNow(site, check._id, "shop");
  const up = await mailAbout(smtp, 3);
  assert.match(String(headerOf(up, "subject")), /^\[UP after [^\]]*\] shop/);
  assert.equal(
    headerOf(up, "references"),
    headerOf(down, "references") ?? headerOf(up, "references"),
  );
  assert.equal((await site.api(`GET checks/${check._id}`)).firstdown, false);

  await waitFor("the webhooks", () => hook.requests.length === 3);
  assert.deepEqual(
    hook.requests.map(({ body }) => JSON.parse(body).type),
    ["check.first", "check.down", "check.up"],
  );
  assert.equal(new Set(hook.requests.map(({ headers }) => headers["webhook-id"])).size, 3);

  await waitFor("all six are stored as sent", async () => {
    const notifications = await site.api(`GET notifications/${check._id}`);
    return notifications.length === 6;
  });
  assert.equal(await site.kill("SIGTERM"), 0);
  assert.equal(smtp.mails.length, 3, "and nothing else was mailed");
});

test("an alert survives kill -9 in the middle of its delivery and keeps its id", async () => {
  await using folder = await temporaryFolder();
  await using web = await webServer();
  await using smtp = await smtpPeer();
  const settings = { ...everywhere, WATCHPOST_SMTP_URL: smtp.url };
  let site = await start(folder.path, settings);
  const { token } = site;
  const check = await site.api("POST checks", {
    type: "HTTP",
    target: web.url,
    recheckwait: 0,
    // No tick of its own comes before the label is changed.
    interval: 60,
    enabled: true,
    notifications: [{ [await ownerAddress(site)]: "All" }],
  });
  await mailAbout(smtp, 1);
  smtp.behave({ hang: "data" });
  web.status = 503;
  await runNow(site, check._id, "killed");
  const given = await waitFor("the mail is given, but not taken", () => smtp.refusedMails[0]?.raw);
  await site.kill("SIGKILL");
  smtp.hangUp();
  smtp.behave({});
  site = await start(folder.path, settings, token);
  await using _site = site;
  const taken = await mailAbout(smtp, 2);
  assert.equal(headerOf(taken, "message-id"), headerOf(given, "message-id"));
  assert.match(String(headerOf(taken, "subject")), /^\[DOWN\] killed/);
  web.status = 200;
  await runNow(site, check._id, "alive");
  assert.match(String(headerOf(await mailAbout(smtp, 3), "subject")), /^\[UP after [^\]]*\] alive/);
  assert.equal(smtp.mails.length, 3);
});

test("without a mail server an alert is kept as a failed delivery with that reason, and the log says so", async () => {
  await using folder = await temporaryFolder();
  await using web = await webServer();
  const { WATCHPOST_MAIL_FROM: _, ...settings } = everywhere;
  await using site = await start(folder.path, settings);
  const check = await site.api("POST checks", {
    type: "HTTP",
    target: web.url,
    recheckwait: 0,
    enabled: true,
    notifications: [{ [await ownerAddress(site)]: "All" }],
  });
  const [kept] = await waitFor("the failed delivery", async () => {
    const found = await site.api(`GET notifications/${check._id}`);
    return found[0]?.status === "failed" && found;
  });
  assert.match(JSON.stringify(kept), /WATCHPOST_SMTP_URL/);
  assert.match(site.log(), /channels\.no_mail_server/);
});
