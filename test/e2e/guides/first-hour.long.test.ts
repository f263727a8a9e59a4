import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";

import { httpPeer } from "../../peers/http.ts";
import { smtpPeer, type SmtpPeer } from "../../peers/smtp.ts";
import { receiverPeer, type Receiver } from "../../peers/webhook-receiver.ts";
import { waitFor } from "../../time/wait-for.ts";
import { start, temporaryFolder, type RunningInstallation } from "../process.ts";
import { followGuide, type Guide } from "./guide.ts";

suite("docs/first-hour.md", () => {
  const ending = new AsyncDisposableStack();
  let folder: string;
  let mailServer: SmtpPeer;
  let chat: Receiver;
  let site: RunningInstallation;
  let guide: Guide;
  const values: Record<string, string> = {};

  before(async () => {
    folder = ending.use(await temporaryFolder()).path;
    mailServer = ending.use(await smtpPeer());
    chat = ending.use(await receiverPeer());
    const page = ending.use(
      await httpPeer((request, response) => {
        response.writeHead(request.url === "/" ? 200 : 404).end("hello");
      }),
    );
    Object.assign(values, {
      "smtp://user:password@mail.example.com:587": mailServer.url,
      "https://www.example.com": page.url,
      "https://ntfy.sh": chat.url,
      // The service of the test has a port of its own.
      "npm start": ":",
    });
    guide = ending.use(await followGuide({ document: "docs/first-hour.md", folder, values }));
  });
  after(() => ending.disposeAsync());

  const stateOf = async (label: string): Promise<string> => {
    const shown = await guide.also(`./watchpost check show "${label}"`);
    return /^state +(\S+)/m.exec(shown)?.[1] ?? "";
  };
  const subjects = () => mailServer.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1] ?? "");

  test("the service starts with the settings, the command line logs in, and doctor finds nothing red", async () => {
    await guide.follow("Start");
    site = ending.use(await start(folder));
    Object.assign(values, { "http://127.0.0.1:4848": site.base });
    // Where the service listens is a setting of the test alone.
    await guide.also(`export WATCHPOST_LISTEN=${new URL(site.base).host}`);
    await waitFor("readiness", async () => (await fetch(`${site.base}/readyz`)).ok);
    const said = await guide.follow("Sign in");
    assert.match(said, /^Logged in to .* \(owner\)/m);
    assert.match(said, /^green +mail server /m);
  });

  test("a check runs, and an outage and its end arrive by mail", async () => {
    assert.match(await guide.follow("The first check"), /Home page/);
    await waitFor("the page is up", async () => (await stateOf("Home page")) === "up");
    assert.match(await guide.follow("An alert that arrives"), /you@example\.com +yes/);
    await waitFor("the outage is alerted", () => subjects().includes("[DOWN] Home page"));
    assert.match(mailServer.mails.at(-1)?.raw ?? "", /404/);
    await guide.follow("The end of an outage");
    await waitFor("its end is alerted", () =>
      subjects().some((line) => /^\[UP after .*\] Home page$/.test(line)),
    );
  });

  test("a heartbeat is stored, and the line for cron has its address", async () => {
    const said = await guide.follow("A job that has to run");
    const [, line = ""] = /^0 3 \* \* \* root (.*)$/m.exec(said) ?? [];
    assert.match(line, new RegExp(` ${site.base}/v1/[\\w-]+/[\\w-]+$`));
    assert.match(said, /^OK/m);
    assert.equal(await stateOf("Backup"), "up");
    const job = line.replace("/usr/local/bin/backup", "true");
    await guide.also(job);
    const results = await guide.also("./watchpost check results Backup --json");
    assert.equal(results.match(/"_id"/g)?.length, 2);
  });

  test("a second person is alerted, by schedules", async () => {
    await guide.follow("A second person, and quiet nights");
    assert.equal(chat.requests.length, 1);
    const shown = await guide.also('./watchpost check show "Home page"');
    assert.match(shown, /"delay":0,"schedule":"Office"/);
    assert.match(shown, /"delay":10,"schedule":"All"/);
  });

  test("Slack takes three steps, as docs/channels.md says", async () => {
    await using slack = await followGuide({
      document: "docs/channels.md",
      folder,
      settings: { WATCHPOST_LISTEN: new URL(site.base).host },
      values: { "https://hooks.slack.com": chat.url },
    });
    const before = chat.requests.length;
    assert.match(await slack.follow("Slack in three steps"), /^webhook .* yes /m);
    assert.equal(chat.requests.at(before)?.path, "/services/T0000/B0000/XXXXXXXX");
    await slack.follow("Services");
    slack.assertFollowed();
  });

  test("a maintenance and a status page are there", async () => {
    assert.match(await guide.follow("A maintenance"), /Update/);
    assert.match(await guide.follow("A status page"), /"Our shop"/);
  });

  test("all of it is a file, which changes nothing, and a backup is whole", async () => {
    assert.match(await guide.follow("Keep it as code"), /^No changes\. /m);
    assert.match(await guide.follow("Before you go"), /is whole: /);
    guide.assertFollowed();
  });
});
