import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";

import type { ProbedCheckType } from "../../src/checks/check-type.ts";
import type { Outcome } from "../../src/domain/run/outcome.ts";
import { waitFor } from "../time/wait-for.ts";
import { drainEventLoop } from "../time/fake-clock.ts";
import type { Server } from "../servers/server.ts";
import { contextOf } from "./check-type.ts";

interface MailServer extends Server {
  readonly plain: number;
  readonly secure: number;
}

interface RealServer {
  readonly name: string;
  /** With a certificate for 127.0.0.1 that is trusted. */
  readonly start: () => Promise<MailServer>;
  readonly credentials: { readonly username: string; readonly password: string };
  /** Expected entries in the server's log. */
  readonly leaves: RegExp;
}

/** Contract of every mail type with a real server; returns that server for tests specific to the type. */
export function mailServerContract(
  type: ProbedCheckType,
  { name, start, credentials, leaves }: RealServer,
): () => MailServer {
  let server: MailServer;
  before(async () => {
    server = await start();
  });
  after(() => server[Symbol.asyncDispose]());

  const run = (parameters: object, signal = new AbortController().signal): Promise<Outcome> =>
    type.prepare({ target: "127.0.0.1", verify: true, ...parameters }).run(contextOf({ signal }));

  const ways = [
    { way: "in the clear", secure: false, port: () => server.plain },
    { way: "in TLS", secure: "ssl", port: () => server.secure },
    { way: "by STARTTLS", secure: "starttls", port: () => server.plain },
  ];
  for (const { way, secure, port } of ways) {
    suite(`${type.type} ${way} at ${name}`, () => {
      test("finds it", async () => {
        const { passed, message, timings } = await run({ port: port(), secure });
        assert.ok(passed, message);
        assert.match(message, /connected$/i);
        assert.equal(timings?.tls !== undefined, secure !== false);
      });

      test("logs in", async () => {
        const { passed, message } = await run({ port: port(), secure, ...credentials });
        assert.ok(passed, message);
        assert.match(message, /success$/);
      });

      test("is refused a wrong password", async () => {
        const wrong = { ...credentials, password: "wrong" };
        const { reason, message } = await run({ port: port(), secure, ...wrong });
        assert.deepEqual([reason, message], ["auth", "Login failed"]);
      });
    });
  }

  test(`${type.type} ends its session at ${name}`, async () => {
    await run({ port: server.plain, ...credentials });
    await waitFor("it is in the log", () => leaves.test(server.log()));
  });

  test(`${type.type} in TLS finds none on the plain port of ${name}`, async () => {
    const { reason, message } = await run({ port: server.plain, secure: "ssl" });
    assert.deepEqual([reason, message], ["tls", "TLS error: wrong version number"]);
  });

  test(`${type.type} in plain text gets no response on the TLS port of ${name}`, async () => {
    const controller = new AbortController();
    const running = run({ port: server.secure }, controller.signal);
    await drainEventLoop(200);
    controller.abort("over");
    assert.equal((await running).message, "Timeout waiting for the answer");
  });

  return () => server;
}
