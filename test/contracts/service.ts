import assert from "node:assert/strict";
import { test } from "node:test";

import type { Receipt, AlertContext } from "../../src/channels/channel.ts";
import { serviceAt } from "../../src/channels/services/registry.ts";
import type { Service } from "../../src/channels/services/service.ts";
import { createWebhookChannel } from "../../src/channels/webhook.ts";
import { alertKinds } from "../../src/domain/alert/alert.ts";
import type { Address } from "../../src/domain/contact/contact.ts";
import { systemClock } from "../../src/kit/clock.ts";
import type { AddressRefusal } from "../../src/kit/errors.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import {
  receiverPeer,
  type ReceiverResponse,
  type ReceivedRequest,
  type Receiver,
} from "../peers/webhook-receiver.ts";
import { sampleNotice, sampleAlertContext, sampleTestContext } from "../sample-alert.ts";
import { failureOf, outgoingOf } from "./channel.ts";

export interface ServiceContract {
  /** An address of the service, as people get it there. */
  readonly address: string;
  readonly others: readonly string[];
  /** Similar addresses that do not belong to the service. */
  readonly foreign: readonly string[];
  /** Parts of the address that must not be stored with an alert. */
  readonly secrets: readonly string[];
  /** How it is called; by POST unless given. */
  readonly method?: "PUT";
  /** Key by which the service recognizes duplicates, if it does. */
  readonly messageKey?: (request: ReceivedRequest) => unknown;
  /** How the service answers a request: it takes and refuses what its documentation says. */
  readonly answer: (request: ReceivedRequest) => ReceiverResponse;
  /** The texts that the service would show, each with what in it would be more than text there: mentions, links, emphasis. */
  readonly shown: (request: ReceivedRequest) => readonly { text: string; alive: RegExp }[];
  /** Links that a person can click, if it has buttons or anchors. */
  readonly links?: (request: ReceivedRequest) => readonly string[];
  /** Identity of an outage, if the service tracks it. */
  readonly incident?: (request: ReceivedRequest) => {
    readonly key: string;
    readonly isOver: boolean;
  };
  /** How it answers a message that it was sent before, where that is no success. */
  readonly repeated?: ReceiverResponse;
  /** Answers that its documentation describes. */
  readonly refusals: readonly {
    readonly answer: ReceiverResponse;
    readonly retryable: boolean;
    readonly retryAfterMs?: number;
    /** Set for a gateway that lost the response. */
    readonly mayHaveArrived?: true;
    /** Its statement about the address; a final failure rejects it by default. */
    readonly address?: AddressRefusal | undefined;
  }[];
}

/** A name that resolves to the peer: the URL keeps the host of the service. */
const egress = {
  resolve: () => Promise.resolve({ address: "127.0.0.1", family: 4 } as const),
  isPublic: () => false,
};

const OWN_URL = "https://watch.example.org/";
const channel = createWebhookChannel({
  url: OWN_URL,
  sealer: createSealer(new Uint8Array(32)),
});

const hostile = [
  "<!channel> <!here|x> <@U012AB3CD> <users/all> @everyone @here @all @channel </at>",
  "*b* _i_ ~s~ `c` ``` [pay](https://evil.example) ![x](https://evil.example/x.png) # h > q | t |",
  "<b>x</b> <a href='https://evil.example'>x</a> <script>alert(1)</script> &lt; \u202Egnp.exe \u200B \uD800",
].join(" ");

/** All texts of a body, in JSON or a form. */
function textsIn({ headers, body }: ReceivedRequest): readonly string[] {
  if (headers["content-type"] === "application/x-www-form-urlencoded")
    return [...new URLSearchParams(body).values()];
  const texts: string[] = [];
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts;
}

/** Contract of every service: its requests, and the interpretation of its responses. */
export function serviceContract(service: Service, terms: ServiceContract): void {
  const { name } = service;
  const { hostname, pathname, search } = new URL(terms.address);

  async function send(receiver: Receiver, context: AlertContext): Promise<Receipt> {
    const address = `http://${hostname}:${receiver.port}${pathname}${search}`;
    const addressed = { ...context, to: { ...context.to, kind: "webhook", address } } as const;
    const signal = new AbortController().signal;
    return channel.send(outgoingOf(addressed, channel.render(addressed)), {
      signal,
      egress,
      clock: systemClock,
      attempt: 1,
    });
  }

  async function requestsFor(context: AlertContext): Promise<readonly ReceivedRequest[]> {
    await using receiver = await receiverPeer();
    receiver.reply(terms.answer);
    await send(receiver, context);
    return receiver.requests;
  }

  async function requestFor(context: AlertContext): Promise<ReceivedRequest> {
    const [request] = await requestsFor(context);
    assert.ok(request);
    return request;
  }

  for (const address of [terms.address, ...terms.others]) {
    test(`${name}: ${address} is its own`, () => assert.equal(serviceAt(address), service));
  }

  for (const address of terms.foreign) {
    test(`${name}: ${address} is not its own`, () => assert.notEqual(serviceAt(address), service));
  }

  for (const kind of alertKinds) {
    test(`${name}: an alert of kind ${kind} is taken`, async () => {
      const request = await requestFor(sampleAlertContext(kind));
      assert.equal(request.method, terms.method ?? "POST");
      // An incident shows what it was opened with.
      const isKnown = kind === "acknowledged" && terms.incident !== undefined;
      if (!isKnown && terms.incident?.(request).isOver !== true)
        assert.match(terms.shown(request)[0]?.text ?? "", /Shop/);
    });
  }

  test(`${name}: a test is taken, is shown as one, and opens nothing`, async () => {
    const request = await requestFor(sampleTestContext());
    const isOver = terms.incident?.(request).isOver;
    assert.notEqual(isOver, false);
    if (isOver !== true) {
      assert.match(terms.shown(request)[0]?.text ?? "", /TEST: nothing is down/);
      assert.match(request.body, /asked.for.by.Alice/);
    }
  });

  test(`${name}: a first result that is up is taken`, async () => {
    await requestFor(sampleAlertContext("first", { state: "passing" }));
  });

  test(`${name}: where an outage is acknowledged is there, once`, async () => {
    const acknowledgeUrl = "https://watch.example.org/acknowledge?check=SHOP&proof=a_b-c_d";
    const request = await requestFor({ ...sampleAlertContext("down"), acknowledgeUrl });
    const links = terms.links?.(request);
    if (links !== undefined)
      assert.deepEqual(links.toSorted(), [
        `${OWN_URL}#${sampleNotice("down").check.id}`,
        acknowledgeUrl,
      ]);
    const texts = textsIn(request).map((text) => text.replaceAll("&amp;", "&"));
    for (const text of texts) assert.ok(text.split(acknowledgeUrl).length <= 2, text);
    assert.ok(texts.some((text) => text.includes(acknowledgeUrl)));
  });

  test(`${name}: nothing that strangers say is more than text, and none of it is too long`, async () => {
    const { check, result } = sampleNotice("down");
    // Texts of many lengths, because truncated text must fit wherever it is cut.
    const long = Array.from({ length: 16 }, (_, index) => [
      "*".repeat(140 + 11 * index),
      '"'.repeat(140 + 38 * index),
    ]).flat();
    for (const text of [hostile, '😀\\"<&`'.repeat(2000), ...long]) {
      const request = await requestFor(
        sampleAlertContext("first", {
          check: { ...check, label: text, target: `https://example.com/${text}` },
          result: { ...result, text, message: text, evidence: `${text}\n`.repeat(40) },
          confirmations: Array.from({ length: 30 }, (_, index) => ({
            at: index,
            location: "fra",
            passed: false,
            message: text,
          })),
        }),
      );
      for (const { text, alive } of terms.shown(request)) assert.doesNotMatch(text, alive);
    }
  });

  test(`${name}: what is kept of an alert holds no credentials, and there is no signature`, async () => {
    const context = sampleAlertContext("down", {}, { kind: "webhook", address: terms.address });
    const { body } = channel.render(context);
    for (const secret of terms.secrets) assert.ok(!body.includes(secret), `${secret} in ${body}`);
    assert.equal((await requestFor(context)).headers["webhook-signature"], undefined);
  });

  test(`${name}: headers and parameters of the address are added, and data of its own is sent as it says`, async () => {
    await using receiver = await receiverPeer();
    const own: NonNullable<Address["request"]> = {
      action: "post",
      headers: { "x-room": "{label}" },
      querystrings: { lang: "en" },
      data: undefined,
    };
    const context = sampleAlertContext("down", {}, { request: own });
    receiver.reply(terms.answer);
    await send(receiver, context);
    receiver.reply({ status: 200 });
    await send(
      receiver,
      sampleAlertContext("down", {}, { request: { ...own, data: "say {label}" } }),
    );
    const [inItsShape, asItSays] = receiver.requests;
    assert.equal(inItsShape?.headers["x-room"], "Shop");
    assert.equal(asItSays?.body, "say Shop");
    assert.match(String(asItSays?.headers["webhook-signature"]), /^v1,/);
  });

  const { incident } = terms;
  if (incident !== undefined) {
    test(`${name}: the beginning and the end of an outage are one incident`, async () => {
      const down = incident(await requestFor(sampleAlertContext("down")));
      const first = incident(await requestFor(sampleAlertContext("first")));
      const up = incident(await requestFor(sampleAlertContext("up")));
      assert.deepEqual([down.isOver, first.isOver, up.isOver], [false, false, true]);
      assert.deepEqual([up.key, first.key], [down.key, down.key]);
    });
  }

  if (incident !== undefined && service.dropsPastOutages !== true)
    test(`${name}: an outage that is told of after its end is opened and resolved, and both again where the end is refused`, async () => {
      const context = sampleAlertContext("missed");
      const steps = (await requestsFor(context)).map(incident);
      const [opened, resolved, ...more] = steps;
      assert.deepEqual([opened?.isOver, resolved?.isOver, more], [false, true, []]);
      assert.equal(opened?.key, resolved?.key);
      await using receiver = await receiverPeer();
      receiver.reply((request) =>
        incident(request).isOver ? { status: 503 } : terms.answer(request),
      );
      assert.equal((await failureOf(send(receiver, context))).retryable, true);
      receiver.reply(terms.answer);
      await send(receiver, context);
      assert.deepEqual(receiver.requests.map(incident), [...steps, ...steps]);
    });

  const { messageKey } = terms;
  if (messageKey !== undefined) {
    test(`${name}: a retry has the key of the first attempt, and another alert has another`, async () => {
      const [first, again, other] = [
        await requestFor(sampleAlertContext("down")),
        await requestFor(sampleAlertContext("down")),
        await requestFor(sampleAlertContext("up")),
      ].map(messageKey);
      assert.ok(first);
      assert.deepEqual(again, first);
      assert.notDeepEqual(other, first);
    });
  }

  const { repeated } = terms;
  if (repeated !== undefined) {
    test(`${name}: a message that an earlier attempt brought is delivered`, async () => {
      await using receiver = await receiverPeer();
      receiver.reply(repeated);
      const { response } = await send(receiver, sampleAlertContext("down"));
      assert.match(response, new RegExp(`^${repeated.status} `));
    });
  }

  for (const row of terms.refusals) {
    const { answer, retryable, retryAfterMs, mayHaveArrived = false } = row;
    const address = "address" in row ? row.address : retryable ? undefined : "refused";
    test(`${name}: ${answer.status} ${answer.body ?? ""} is ${retryable ? "worth another try" : "final"}, and says of the address: ${address ?? "nothing"}`, async () => {
      await using receiver = await receiverPeer();
      receiver.reply(answer);
      const failure = await failureOf(send(receiver, sampleAlertContext("down")));
      assert.deepEqual(
        [failure.retryable, failure.retryAfterMs, failure.mayHaveArrived, failure.address],
        [retryable, retryAfterMs, mayHaveArrived, address],
      );
    });
  }
}
