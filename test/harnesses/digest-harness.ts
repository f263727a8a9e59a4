import type { Channel, Receipt } from "../../src/channels/channel.ts";
import { DeliveryFailed } from "../../src/kit/errors.ts";
import {
  notifierHarness,
  scriptedChannel,
  type NotifierHarness,
  type NotifierHarnessOptions,
} from "./notifier-harness.ts";
import { anAddress } from "../record-builders.ts";

export const OK = { response: "250 taken" };
export const later = new DeliveryFailed("451 later", { retryable: true });
export const lost = new DeliveryFailed("no answer", { retryable: true, mayHaveArrived: true });
export const never = new DeliveryFailed("550 never", { retryable: false, address: "refused" });
export const unwanted = new DeliveryFailed("554 no such words", { retryable: false });
export const groupWaitMs = 5000;

/** A message as its receiver saw it. */
export interface ReceivedMessage {
  readonly id: string;
  readonly alerts: readonly string[];
  readonly text: string;
  readonly to: string;
}

/** One that never settles is a receiver that hangs. */
export type Reply = DeliveryFailed | Receipt | Promise<Receipt>;

export interface DigestHarness extends AsyncDisposable {
  readonly harness: NotifierHarness;
  readonly channel: Channel;
  readonly received: readonly ReceivedMessage[];
  /** Alerts that came in another message than the one in which they may have arrived. */
  readonly strays: readonly string[];
  /** Sets the responses to the next messages; later ones are accepted. */
  readonly reply: (...answers: readonly Reply[]) => void;
  /** Once every alert has its end: each as `kind status reason`. */
  readonly ends: (count: number) => Promise<readonly string[]>;
}

/** A receiver that takes several alerts in a message. */
export async function digestHarness({
  groupWaitFactor = 1,
  ...options
}: NotifierHarnessOptions & Pick<Channel, "groupWaitFactor"> = {}): Promise<DigestHarness> {
  const received: ReceivedMessage[] = [];
  const answers: Reply[] = [];
  const strays: string[] = [];
  /** The message in which an alert may have arrived. */
  const arrived = new Map<string, string>();
  const channel: Channel = scriptedChannel(() => Promise.resolve(OK), {
    groupWaitFactor,
    render: ({ alert }) => ({
      subject: "one",
      body: `of ${alert.id}`,
      headers: { id: alert.id, alerts: alert.id },
    }),
    renderDigest: (alertContexts, id) => ({
      subject: "many",
      body: `of ${alertContexts.length}`,
      headers: { id, alerts: alertContexts.map(({ alert }) => alert.id).join() },
      parts: alertContexts.map(({ alert }) => `part of ${alert.id}`),
    }),
    send({ to, message: { body, headers = {} } }) {
      const { id = "", alerts = "" } = headers;
      received.push({ id, alerts: alerts.split(","), text: body, to: to.address });
      const answer = answers.shift() ?? OK;
      for (const alert of alerts.split(",")) {
        if ((arrived.get(alert) ?? id) !== id) strays.push(alert);
        if (!(answer instanceof DeliveryFailed) || answer.mayHaveArrived) arrived.set(alert, id);
      }
      return answer instanceof DeliveryFailed ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  const harness = await notifierHarness({
    channel,
    groupWaitMs,
    addresses: [anAddress("ann")],
    checks: 5,
    ...options,
  });
  return {
    harness,
    channel,
    received,
    strays,
    reply: (...given) => void answers.push(...given),
    async ends(count) {
      await harness.until("all is over", async () => {
        const ends = await harness.ends();
        return ends.length === count && ends.every((end) => !end.includes("waiting"));
      });
      return harness.ends();
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}
