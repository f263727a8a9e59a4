import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";

import type { z } from "zod";

import { systemClock } from "../../src/kit/clock.ts";
import type { CompatibilityMode } from "../../src/domain/account/token.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { createPushHandler } from "../../src/heartbeats/handler.ts";
import { createHeartbeats } from "../../src/heartbeats/heartbeats.ts";
import { recordFlip } from "../../src/store/transactions/record-flip.ts";
import type { Result } from "../../src/domain/run/result.ts";
import type { CheckRecord } from "../../src/store/tables/checks.ts";
import { createApiFixture, type ApiFixture } from "../api-fixture.ts";
import { portOf } from "../peers/tcp.ts";
import { quietBus } from "../harnesses/quiet-bus.ts";
import { anAlert, aResult } from "../record-builders.ts";
import { unlimited } from "../harnesses/unlimited.ts";

export interface WireResponse {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Endpoints of a client: the API and the heartbeat endpoint on real sockets, with Alice's token. */
export interface ClientFixture extends AsyncDisposable {
  readonly cast: ApiFixture;
  readonly token: string;
  readonly base: string;
  /** Sends a request below /api/1 unchanged: nothing is encoded, and every method may have a body. */
  readonly send: (request: string, sent?: Sent) => Promise<WireResponse>;
  /** Sends a request to the PUSH intake; `target` is what follows its host. */
  readonly push: (target: string, sent?: Sent) => Promise<WireResponse>;
  /** Lets a check of Alice's have found this a second after what it found before. */
  readonly recordResult: (checkId: string, result?: Partial<Result>) => Promise<void>;
  /** Lets Alice have been alerted that a check of hers fails. */
  readonly deliverAlerts: (checkId: string) => Promise<void>;
}

export async function createClientFixture(mode: CompatibilityMode): Promise<ClientFixture> {
  const bus = quietBus(systemClock);
  const cast = await createApiFixture({
    compatibility: mode,
    mails: true,
    locations: () => [
      { code: "fra", region: "eur" },
      { code: "nyc", region: "nam" },
    ],
  });
  const { store, clock, alice } = cast;
  const { ids } = cast.deps;
  const quiet = { log: silentLog, meter: noMeter };
  const heartbeats = createHeartbeats({ store, clock, ids, flipped() {}, ...quiet });
  store.changes.subscribe(bus.changes.publish);
  bus.changes.subscribe(heartbeats.invalidate);
  const pushServer = createServer(createPushHandler({ heartbeats, ...unlimited, ...quiet }));
  pushServer.listen(0, "127.0.0.1");
  await once(pushServer, "listening");
  const base = await cast.app.listen({ host: "127.0.0.1", port: 0 });

  const recordOf = async (checkId: string): Promise<CheckRecord> => {
    const record = await store.checks.find(alice.account.id, checkId);
    assert.ok(record, `no check ${checkId}`);
    return record;
  };

  return {
    cast,
    token: alice.token,
    base,
    send(request, sent) {
      const [method = "", path = ""] = request.split(/ (.*)/s);
      return send(Number(new URL(base).port), { method, path: `/api/1/${path}` }, sent);
    },
    push: (target, sent) => send(portOf(pushServer), { method: "POST", path: target }, sent),
    async recordResult(checkId, changes = {}) {
      const { check, state } = await recordOf(checkId);
      await clock.advance(1000);
      const result = aResult(check.no, clock.now(), { revision: check.revision, ...changes });
      const to = result.passed ? "passing" : "failing";
      await store.write(async (tx) => {
        if (state.state === to) await tx.results.append(result);
        else
          await recordFlip(
            tx,
            {
              check,
              from: state.state,
              to,
              result,
              since: result.startedAt,
              confirmations: [],
            },
            ids,
          );
      });
    },
    async deliverAlerts(checkId) {
      const { check } = await recordOf(checkId);
      const id = ids.alert();
      await store.write(async (tx) => {
        await tx.alerts.insert(anAlert(id, check, { contactId: alice.contact.id }));
        await tx.alerts.setRendered(id, {
          kind: "down",
          to: "alice@example.com",
          from: "alerts@watchpost.example",
          subject: "DOWN",
          body: "It is down.",
          network: "email",
        });
        await tx.alerts.finishAttempt(id, { status: "delivered", at: clock.now() });
      });
    },
    async [Symbol.asyncDispose]() {
      pushServer.closeAllConnections();
      pushServer.close();
      await cast[Symbol.asyncDispose]();
    },
  };
}

function send(
  port: number,
  { method, path }: { readonly method: string; readonly path: string },
  { headers = {}, body }: Sent = {},
): Promise<WireResponse> {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const options = { host: "127.0.0.1", port, method, path, headers: { ...headers, ...length } };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(options, (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      text(incoming).then(
        (text) => resolve({ status, contentType: headers["content-type"], text }),
        reject,
      );
    });
    outgoing.on("error", reject).end(body);
  });
}

/** As clients send it whose language or framework names the charset. */
export const jsonWithCharset = { "content-type": "application/json; charset=utf-8" };
export const plainJson = { "content-type": "application/json" };
export const form = { "content-type": "application/x-www-form-urlencoded" };

export function basic(user: string, password = ""): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

/** Reads an answer as the strictest of the clients: one line of plain JSON, without null anywhere. */
// oxlint-disable-next-line typescript/no-explicit-any -- clients of languages without types look at what came
export function read({ contentType, text }: WireResponse): any {
  assert.equal(contentType, "application/json");
  assert.ok(!/[\r\n]/.test(text), `more than one line: ${text}`);
  return JSON.parse(text, (key, value: unknown) => {
    assert.notEqual(value, null, `null as ${key} in ${text}`);
    return value;
  });
}

/** Decodes what was read into types that take nothing else, as a client does whose language is typed. */
export function decode<Schema extends z.ZodType>(
  schema: Schema,
  answer: WireResponse,
): z.output<Schema> {
  const decoded = schema.safeParse(read(answer));
  assert.ok(decoded.success, `${decoded.error?.message} in ${answer.text}`);
  return decoded.data;
}

export const modes = ["standard", "legacy"] as const;
