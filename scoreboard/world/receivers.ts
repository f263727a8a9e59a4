import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { SMTPServer } from "smtp-server";

import { systemClock } from "../../src/kit/clock.ts";
import { listen } from "../../test/peers/tcp.ts";
import type { Received } from "../monitors/monitor.ts";
import { places } from "./network.ts";

export const WEBHOOK_PORT = 8080;
export const MAIL_PORT = 25;

/** One alert as it came, with the monitor that sent it. */
export interface Delivery extends Received {
  readonly monitor: string;
  /** Time on the monotonic clock, and since the epoch, in ms. */
  readonly at: number;
  readonly wallAt: number;
}

export function webhookOf(monitor: string): string {
  return `http://${places.receiver}:${WEBHOOK_PORT}/${monitor}`;
}

export function mailboxOf(monitor: string): string {
  return `${monitor}@alerts.test`;
}

/** A receiver of webhooks and one of mail, which note the instant at which they have the whole alert. */
export async function receivers(take: (delivery: Delivery) => void): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const note = (monitor: string, received: Received): void =>
    take({ ...received, monitor, at: systemClock.monotonic(), wallAt: systemClock.now() });
  const web = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const headers = Object.entries(request.headers).map(
          ([name, value]) => [name, String(value)] as const,
        );
        const [, monitor = ""] = (request.url ?? "").split("/");
        note(monitor, { way: "webhook", body, headers: Object.fromEntries(headers) });
        response.end("ok");
      },
      () => {},
    );
  });
  stack.use(await listen(web, places.receiver, WEBHOOK_PORT));
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    logger: false,
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const [head = "", ...rest] = Buffer.concat(chunks).toString().split("\r\n\r\n");
        const received: Received = {
          way: "mail",
          body: rest.join("\r\n\r\n"),
          headers: headersOf(head),
        };
        for (const { address } of envelope.rcptTo) note(address.split("@")[0] ?? "", received);
        callback();
      });
    },
  });
  mail.on("error", () => {});
  await new Promise<void>((resolve) => {
    mail.listen(MAIL_PORT, places.receiver, resolve);
  });
  stack.defer(
    () =>
      new Promise<void>((resolve) => {
        mail.close(resolve);
      }),
  );
  const kept = stack.move();
  return { [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Names in lower case, values unfolded. */
export function headersOf(head: string): Readonly<Record<string, string>> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...rest] = line.split(":");
      return [name.toLowerCase(), rest.join(":").trim()];
    }),
  );
}
