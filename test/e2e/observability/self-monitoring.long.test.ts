import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { closedPort } from "../../peers/tcp.ts";
import { receiverPeer, type Receiver } from "../../peers/webhook-receiver.ts";
import { prometheus } from "../../servers/prometheus.ts";
import { waitFor } from "../../time/wait-for.ts";
import { root, start, temporaryFolder, type Folder, type RunningInstallation } from "../process.ts";

suite("a mail server that is dead is noticed before an alert needs it", () => {
  let site: RunningInstallation;
  let outside: Receiver;
  let folder: Folder;
  before(async () => {
    outside = await receiverPeer();
    folder = await temporaryFolder();
    const url = `http://127.0.0.1:${outside.port}`;
    site = await start(folder.path, {
      WATCHPOST_SMTP_URL: `smtp://127.0.0.1:${await closedPort()}`,
      WATCHPOST_MAIL_FROM: "watch@example.net",
      WATCHPOST_OPERATOR_EMAIL: "operator@example.net",
      WATCHPOST_OPERATOR_WEBHOOK: `${url}/operator`,
      WATCHPOST_DEAD_MANS_SWITCH_URL: `${url}/alive`,
    });
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test("the operator is told by the webhook, which does not share what is broken", async () => {
    const told = await waitFor("the message", () =>
      outside.requests.find(({ path }) => path === "/operator"),
    );
    assert.match(told.body, /Watchpost mail server/);
    assert.match(told.body, /ECONNREFUSED/);
  });

  test("readiness, the overview and the metrics say so", async () => {
    await waitFor("readiness says so", async () => {
      // oxlint-disable-next-line typescript/no-explicit-any -- the test looks at what came
      const { ready, problems }: any = JSON.parse(
        await (await fetch(`${site.base}/readyz`)).text(),
      );
      const names = problems.map(({ name }: { readonly name: string }) => name);
      return ready === true && names.join() === "mail_server";
    });
    // What was sent is counted once it was answered.
    for (const wanted of [
      /^watchpost_problem\{problem="mail_server",critical="true"\} 1$/m,
      /^watchpost_notifier_mail_server_works 0$/m,
      /^watchpost_app_operator_alerted_total\{way="webhook"\} 1$/m,
      /^watchpost_app_operator_not_alerted_total\{way="email"\} [1-9]/m,
    ])
      await waitFor(`the metrics have ${wanted.source}`, async () =>
        wanted.test(await (await fetch(`${site.base}/metrics`)).text()),
      );
  });

  test("a real Prometheus with the rules that come with it fires", async () => {
    const configuration = join(folder.path, "prometheus.yml");
    await writeFile(
      configuration,
      JSON.stringify({
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: [join(root, "deploy/prometheus/watchpost-rules.yml")],
        scrape_configs: [
          {
            job_name: "watchpost-service",
            static_configs: [{ targets: [new URL(site.base).host] }],
          },
        ],
      }),
    );
    await using server = await prometheus(configuration);
    const firing = await waitFor("the alert", async () => {
      const found = await server.query('ALERTS{alertstate="firing"}');
      return found.length > 0 && found;
    });
    assert.deepEqual(
      firing.map(({ metric }) => metric["alertname"]),
      ["WatchpostMailServerRefuses"],
    );
  });
});
