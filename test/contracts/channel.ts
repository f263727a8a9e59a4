import assert from "node:assert/strict";
import { test } from "node:test";

import type {
  AlertContext,
  Channel,
  Message,
  OutgoingMessage,
  Receipt,
} from "../../src/channels/channel.ts";
import { alertKinds } from "../../src/domain/alert/alert.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { DeliveryFailed, InvalidInput } from "../../src/kit/errors.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import { waitFor } from "../time/wait-for.ts";
import { sampleAlertContext, sampleTestContext } from "../sample-alert.ts";

/** A channel and the receiver at the other end of it. */
export interface ChannelHarness extends AsyncDisposable {
  readonly channel: Channel;
  readonly address: string;
  /** Messages that reached the receiver completely, accepted or not: the ID by which it recognizes duplicates, and the text. */
  readonly arrived: () => readonly { readonly id: string; readonly words: string }[];
  readonly behave: (manner: "take" | "refuse" | "defer" | "hang" | "break") => void;
  /** From now on nobody listens there. */
  readonly leave: () => Promise<void>;
}

export interface ChannelContract {
  readonly harness: () => Promise<ChannelHarness>;
  readonly goodAddresses: readonly string[];
  readonly badAddresses: readonly string[];
}

const egress = createEgress({ mode: "private", resolver: createResolver() });

export function sendBy(
  { channel, address }: Pick<ChannelHarness, "channel" | "address">,
  alertContext: AlertContext,
  wire: { readonly signal?: AbortSignal; readonly attempt?: number } = {},
): Promise<Receipt> {
  const { signal = new AbortController().signal, attempt = 1 } = wire;
  const context = { ...alertContext, to: { ...alertContext.to, address } };
  const outgoing = outgoingOf(context, channel.render(context));
  return channel.send(outgoing, { signal, egress, clock: systemClock, attempt });
}

/** A message as it leaves the store, where it is kept as JSON. */
export function outgoingOf({ alert, to }: AlertContext, message: Message): OutgoingMessage {
  return { id: alert.id, to, message: JSON.parse(JSON.stringify(message)) };
}

export async function failureOf(sending: Promise<unknown>): Promise<DeliveryFailed> {
  const error: unknown = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DeliveryFailed, `no DeliveryFailed but ${String(error)}`);
  return error;
}

function howItFailed({ retryable, mayHaveArrived }: DeliveryFailed): {
  retryable: boolean;
  mayHaveArrived: boolean;
} {
  return { retryable, mayHaveArrived };
}

/** Contract of every channel, whatever the receiver does. */
export function channelContract(
  name: string,
  { harness, goodAddresses, badAddresses }: ChannelContract,
): void {
  for (const kind of alertKinds) {
    test(`${name}: a message of kind ${kind} is taken, and says whose it is`, async () => {
      await using peer = await harness();
      const { response } = await sendBy(peer, sampleAlertContext(kind));
      assert.notEqual(response, "");
      assert.equal(peer.arrived().length, 1);
      assert.match(peer.arrived()[0]?.words ?? "", /Shop/);
    });
  }

  test(`${name}: a test is taken, says that it is one, and who asked for it`, async () => {
    await using peer = await harness();
    const alertContext = sampleTestContext();
    await sendBy(peer, alertContext);
    const words = peer.arrived()[0]?.words ?? "";
    assert.match(words, /\btest\b/i);
    assert.match(words, /asked.for.by.Alice/);
    assert.doesNotMatch(words.replaceAll("nothing is down", ""), /\bis (up|down)\b/);
    const { subject } = peer.channel.render({
      ...alertContext,
      to: { ...alertContext.to, address: peer.address },
    });
    assert.match(subject, /^(?:TEST: |\[TEST\] )nothing is down$/);
  });

  test(`${name}: the same alert in the same words is sent on every attempt`, async () => {
    await using peer = await harness();
    await sendBy(peer, sampleAlertContext("down"), { attempt: 1 });
    await sendBy(peer, sampleAlertContext("down"), { attempt: 2 });
    await sendBy(peer, sampleAlertContext("up"));
    const [first, second, other] = peer.arrived();
    assert.deepEqual(first, second);
    assert.notEqual(first?.id, other?.id);
  });

  test(`${name}: a subject is one line of plain text, whatever the label`, async () => {
    await using peer = await harness();
    const label = `a\r\nBcc: eve@example.com\r\n\r\n\u202Egnp.exe\u200B\u0000\u2028 <script>${"x".repeat(5000)}`;
    const alertContext = sampleAlertContext("down", {
      check: { ...sampleAlertContext("down").alert.notice.check, label },
    });
    const { subject } = peer.channel.render({
      ...alertContext,
      to: { ...alertContext.to, address: peer.address },
    });
    assert.doesNotMatch(subject, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    assert.ok(subject.length < 200, `a subject of ${subject.length} characters`);
    await sendBy(peer, alertContext);
    assert.equal(peer.arrived().length, 1);
  });

  test(`${name}: where it sends several alerts at once, it names each and says the same on every attempt`, async () => {
    await using peer = await harness();
    const { renderDigest } = peer.channel;
    if (renderDigest === undefined) return;
    const labelled = (label: string, kind: "down" | "up"): AlertContext => {
      const alertContext = sampleAlertContext(kind, {}, { address: peer.address });
      const { alert } = alertContext;
      const target = `https://${encodeURIComponent(label)}.example.com/`;
      const check = { ...alert.notice.check, label, target };
      return {
        ...alertContext,
        alert: { ...alert, id: label, notice: { ...alert.notice, check } },
      };
    };
    const head = labelled("Shop", "down");
    const rest = [labelled("Till", "up"), labelled("Mail\r\nBcc: x\u202E<b>\u2028", "down")];
    const message = renderDigest([head, ...rest], "bundle");
    assert.ok(message);
    assert.equal(message.parts.length, 3);
    assert.doesNotMatch(message.subject, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const { signal } = new AbortController();
    for (const attempt of [1, 2])
      await peer.channel.send(outgoingOf(head, message), {
        signal,
        egress,
        clock: systemClock,
        attempt,
      });
    const [first, second] = peer.arrived();
    assert.deepEqual(first, second);
    for (const label of ["Shop", "Till", "Mail"])
      assert.match(first?.words ?? "", new RegExp(label));
  });

  for (const { manner, expected } of [
    { manner: "refuse", expected: { retryable: false, mayHaveArrived: false } },
    { manner: "defer", expected: { retryable: true, mayHaveArrived: false } },
    { manner: "break", expected: { retryable: true, mayHaveArrived: true } },
  ] as const) {
    test(`${name}: a receiver asked to ${manner} makes a failure that says ${JSON.stringify(expected)}`, async () => {
      await using peer = await harness();
      peer.behave(manner);
      assert.deepEqual(
        howItFailed(await failureOf(sendBy(peer, sampleAlertContext("down")))),
        expected,
      );
    });
  }

  test(`${name}: nobody there is a failure to be tried again that surely did not arrive`, async () => {
    await using peer = await harness();
    await peer.leave();
    const failure = await failureOf(sendBy(peer, sampleAlertContext("down")));
    assert.deepEqual(howItFailed(failure), { retryable: true, mayHaveArrived: false });
  });

  test(`${name}: a receiver that never answers is left when the signal says so, and may have taken it`, async () => {
    await using peer = await harness();
    peer.behave("hang");
    const deadline = new AbortController();
    const failure = failureOf(
      sendBy(peer, sampleAlertContext("down"), { signal: deadline.signal }),
    );
    await waitFor("the message arrives", () => peer.arrived().length === 1);
    deadline.abort();
    assert.deepEqual(howItFailed(await failure), { retryable: true, mayHaveArrived: true });
  });

  test(`${name}: an attempt that is over before it begins sends nothing`, async () => {
    await using peer = await harness();
    const failure = await failureOf(
      sendBy(peer, sampleAlertContext("down"), { signal: AbortSignal.abort() }),
    );
    assert.deepEqual(howItFailed(failure), { retryable: true, mayHaveArrived: false });
    assert.deepEqual(peer.arrived(), []);
  });

  for (const address of goodAddresses) {
    test(`${name}: the address ${JSON.stringify(address)} is kept as it is`, async () => {
      await using peer = await harness();
      assert.equal(peer.channel.parseAddress(` ${address} `), address);
    });
  }

  for (const address of badAddresses) {
    test(`${name}: the address ${JSON.stringify(address.slice(0, 60))} is refused with a word on what would be right`, async () => {
      await using peer = await harness();
      assert.throws(
        () => peer.channel.parseAddress(address),
        (error) => error instanceof InvalidInput && error.message.startsWith("must "),
      );
    });
  }
}
