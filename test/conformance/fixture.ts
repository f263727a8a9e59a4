import assert from "node:assert/strict";

import type { InjectOptions } from "fastify";

import type { CompatibilityMode } from "../../src/domain/account/token.ts";
import { createPasswords, type Passwords } from "../../src/api/passwords.ts";
import type { Mail, Mailer } from "../../src/channels/mail/mailer.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { createSenders } from "../../src/channels/mail/senders.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import {
  testResponse,
  createApiFixture,
  type TestResponse,
  type ApiFixture as ApiCast,
} from "../api-fixture.ts";
import type { Row, Section } from "./rows.ts";
import { quietBus } from "../harnesses/quiet-bus.ts";
import { createService, type Service } from "./service.ts";

/** The API with all of the service behind it, which runs once it is started. */
export interface ConformanceFixture extends ApiCast, Pick<Service, "start" | "advance" | "until"> {
  readonly mode: CompatibilityMode;
  /** Mails received by the mail server. */
  readonly mails: readonly Mail[];
  /** From then on the mail server takes system mails too: not before, for each has a password, which takes a third of a second to hash. */
  readonly enableSystemMail: () => void;
  /** Sends a request unchanged. */
  readonly send: (request: InjectOptions) => Promise<TestResponse>;
  /** Sends a heartbeat; `query` is all that identifies it. */
  readonly push: (query: string, request?: RequestInit) => Promise<TestResponse>;
  /** Asserts that an answer is this error, in the status of the mode. */
  readonly refused: (answer: TestResponse, status: number, sentence: string) => void;
  /** Asserts that an unusable value is rejected, or kept with a warning for clients of the original service. */
  readonly refusedOrKept: (answer: TestResponse, sentence: string | RegExp) => void;
  /** Asserts that an answer to a read says that there is no such record; in legacy mode it is `nothing`. */
  readonly absent: (answer: TestResponse, sentence: string, nothing: object | string) => void;
  /** `firstdown` of a check that passes. */
  readonly noFirstDown: false | 0;
}

export type RowTest = (cast: ConformanceFixture) => Promise<void>;

/** A test for each row of a section. */
export type RowTests<Of extends Section> = { readonly [Each in Row<Of>]: RowTest };

const URL_OF_IT = "http://watchpost.example";

/** Statuses that stay what they are for clients of the original. */
function isKept(status: number): boolean {
  return status === 403 || status === 429 || status >= 500;
}

export async function createConformanceFixture(
  mode: CompatibilityMode,
): Promise<ConformanceFixture> {
  const egress = createEgress({
    mode: "private",
    resolver: { resolve: async () => ["93.184.216.34"] },
  });
  const mails: Mail[] = [];
  const mailer: Mailer = {
    senders: createSenders({ own: "Watchpost <alerts@watchpost.example>", domains: [] }),
    async send(mail) {
      mails.push(mail);
      return "250 taken";
    },
    close() {},
  };
  const channels = createChannels({
    mailer,
    url: URL_OF_IT,
    sealer: createSealer(new Uint8Array(32)),
  });
  let takesSystemMails = false;
  const made = (): Passwords =>
    createPasswords({
      ...api.deps,
      canSendMail: takesSystemMails,
      mailLimits: { perMailbox: 0, perAccount: 0 },
    });
  const passwords: Passwords = {
    get canSendMail() {
      return takesSystemMails;
    },
    issue: (contact, why, primaryId) => made().issue(contact, why, primaryId),
    hash: (plain, asker) => made().hash(plain, asker),
    verify: (plain, stored, asker) => made().verify(plain, stored, asker),
  };
  const api = await createApiFixture({
    compatibility: mode,
    channels,
    passwords,
    egress,
    locations: () => bus.presence.live(),
    goneLocations: () => [],
  });
  const bus = quietBus(api.clock);
  const service = createService({ ...api.deps, bus, clock: api.clock, mailer, url: URL_OF_IT });

  const refused = (answer: TestResponse, status: number, sentence: string): void => {
    const shown = mode === "standard" || isKept(status) ? status : 200;
    assert.deepEqual([answer.status, answer.body], [shown, { error: sentence }]);
  };
  return {
    ...api,
    ...service,
    mode,
    mails,
    enableSystemMail() {
      takesSystemMails = true;
    },
    send: async (request) => testResponse(await api.app.inject(request)),
    async push(query, request) {
      const response = await fetch(`${await service.pushUrl()}?${query}`, {
        method: "POST",
        ...request,
      });
      return testResponse({
        statusCode: response.status,
        body: await response.text(),
        headers: response.headers,
      });
    },
    refused,
    refusedOrKept(answer, sentence) {
      if (mode === "standard" && typeof sentence === "string")
        return refused(answer, 400, sentence);
      assert.equal(answer.status, mode === "standard" ? 400 : 200);
      const words = mode === "standard" ? answer.body.error : answer.body.warning;
      if (typeof sentence === "string")
        assert.ok(words.includes(`${sentence}, kept as sent`), words);
      else assert.match(words, sentence);
    },
    absent(answer, sentence, nothing) {
      if (mode === "standard") refused(answer, 404, sentence);
      else assert.deepEqual([answer.status, answer.body], [200, nothing]);
    },
    noFirstDown: mode === "legacy" ? 0 : false,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}
