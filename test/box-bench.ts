import type { Channel, Receipt } from "../src/channels/channel.ts";
import { DeliveryFailed } from "../src/kit/errors.ts";
import { notifierBench, scriptedChannel } from "./notifier-bench.ts";
import type { Bench, BenchOptions } from "./notifier-bench.ts";
import { anAddress } from "./records.ts";

export const OK = { response: "250 taken" };
export const later = new DeliveryFailed("451 later", { retryable: true });
export const lost = new DeliveryFailed("no answer", { retryable: true, mayHaveArrived: true });
export const never = new DeliveryFailed("550 never", { retryable: false, address: "refused" });
export const unwanted = new DeliveryFailed("554 no such words", { retryable: false });
export const companyMs = 5000;

/** A message as its receiver saw it. */
export interface Seen {
  readonly id: string;
  readonly alerts: readonly string[];
  readonly text: string;
  readonly to: string;
}

/** One that never settles is a receiver that hangs. */
export type Answer = DeliveryFailed | Receipt | Promise<Receipt>;

export interface Box extends AsyncDisposable {
  readonly bench: Bench;
  readonly channel: Channel;
  readonly seen: readonly Seen[];
  /** Alerts that came in another message than the one in which they may have arrived. */
  readonly strays: readonly string[];
  /** What becomes of the next messages; all that follow are taken. */
  readonly answer: (...answers: readonly Answer[]) => void;
  /** Once every alert has its end: each as `kind status reason`. */
  readonly ends: (count: number) => Promise<readonly string[]>;
}

/** A receiver that takes several alerts in a message. */
export async function boxBench({
  patience = 1,
  ...options
}: BenchOptions & Pick<Channel, "patience"> = {}): Promise<Box> {
  const seen: Seen[] = [];
  const answers: Answer[] = [];
  const strays: string[] = [];
  /** The message in which an alert may have arrived. */
  const arrived = new Map<string, string>();
  const channel: Channel = scriptedChannel(() => Promise.resolve(OK), {
    kind: "email",
    patience,
    render: ({ alert }) => ({
      subject: "one",
      body: `of ${alert.id}`,
      headers: { id: alert.id, alerts: alert.id },
    }),
    renderTogether: (tellings, id) => ({
      subject: "many",
      body: `of ${tellings.length}`,
      headers: { id, alerts: tellings.map(({ alert }) => alert.id).join() },
      parts: tellings.map(({ alert }) => `part of ${alert.id}`),
    }),
    destinationOf: (address) => address.split("@")[1] ?? "",
    send({ to }, { body, headers = {} }) {
      const { id = "", alerts = "" } = headers;
      seen.push({ id, alerts: alerts.split(","), text: body, to: to.address });
      const answer = answers.shift() ?? OK;
      for (const alert of alerts.split(",")) {
        if ((arrived.get(alert) ?? id) !== id) strays.push(alert);
        if (!(answer instanceof DeliveryFailed) || answer.mayHaveArrived) arrived.set(alert, id);
      }
      return answer instanceof DeliveryFailed ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  const bench = await notifierBench({
    channel,
    companyMs,
    addresses: [anAddress("ann")],
    checks: 5,
    ...options,
  });
  return {
    bench,
    channel,
    seen,
    strays,
    answer: (...given) => void answers.push(...given),
    async ends(count) {
      await bench.until("all is over", async () => {
        const ends = await bench.ends();
        return ends.length === count && ends.every((end) => !end.includes("waiting"));
      });
      return bench.ends();
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
