import assert from "node:assert/strict";
import test, { after, before, suite } from "node:test";

import { contextOf } from "../../../test/contracts/check-type.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { trustedCertificate } from "../../../test/peers/trusted-certificate.ts";
import { websocketd, type Websocketd } from "../../../test/servers/websocketd.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import type { Clock } from "../../kit/clock.ts";
import { webSocketCheck } from "./websocket.ts";

const certificate = trustedCertificate();

type Parameters = Readonly<Record<string, unknown>>;

function brief({ reason, text, message }: Outcome): string {
  return text === message ? `${reason} ${text}` : `${reason} ${text}: ${message}`;
}

for (const [name, secured] of [
  ["websocketd", undefined],
  ["websocketd over TLS", certificate],
] as const) {
  suite(name, () => {
    const scripts = {
      echo: "exec cat",
      greeting: "echo hello; exec cat",
      silent: "while read -r _; do :; done",
      gone: "exit 0",
    };
    let server: Websocketd;
    before(async () => {
      server = await websocketd({
        scripts,
        ...(secured !== undefined && { certificate: secured }),
      });
    });
    after(() => server[Symbol.asyncDispose]());

    const ask = (path: string, parameters: Parameters, clock?: Clock): Promise<Outcome> =>
      webSocketCheck
        .prepare({ target: `${server.url}/${path}`, ...parameters })
        .run(contextOf(clock));

    for (const [path, parameters, ends] of [
      ["echo", {}, "ok Connected: Success"],
      ["echo", { data: "ping" }, "ok Sent message"],
      ["echo", { data: "ping", contentstring: "ping" }, "ok Found"],
      [
        "echo",
        { data: "ping", contentstring: "pong" },
        'mismatch Not found: Text not found: "pong"',
      ],
      [
        "echo",
        { data: "ping", contentstring: "ping", invert: true },
        'mismatch Found: Forbidden text found: "ping"',
      ],
      ["greeting", { contentstring: "hello" }, "ok Found"],
      [
        "gone",
        { contentstring: "hello" },
        "protocol Connection closed: Connection closed while waiting for the answer",
      ],
      ["nowhere", {}, "status 404: HTTP status returned: 404 without an upgrade"],
    ] as const) {
      test(`${path} ${JSON.stringify(parameters)} ends as ${ends}`, async () => {
        assert.equal(brief(await ask(path, parameters)), ends);
      });
    }

    test("what does not come in half of the time is not there", async () => {
      const clock = fakeClock();
      const asking = ask("silent", { contentstring: "error", invert: true }, clock);
      await waitFor("the wait", () => clock.pending() === 1);
      await clock.advance(2500);
      assert.equal(brief(await asking), "ok Not found");
    });
  });
}
