import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { systemClock } from "../../src/kit/clock.ts";
import { listen } from "../peers/tcp.ts";
import type { Receipt } from "./judges/judge-alerts.ts";
import type { Random } from "./random.ts";

/** A server for webhooks, which keeps what came to each of its paths. */
export interface HookServer extends AsyncDisposable {
  readonly url: string;
  /** In order. */
  readonly receipts: (path: string) => readonly Receipt[];
  /** Switches to another random misbehavior, or to none. */
  readonly misbehave: () => void;
  readonly behave: () => void;
  /** Nobody listens there until this is disposed of. */
  readonly leave: () => Promise<AsyncDisposable>;
}

/** Hangs without an answer, answers a letter a second, hangs up after it took the message, is closed or busy, refuses for good. */
const manners = ["take", "hang", "crawl", "hangUp", "busy", "refuse"] as const;
type Manner = (typeof manners)[number];

const CRAWL_MS = 1000;

export async function hookServer(random: Random, host = "127.0.0.1"): Promise<HookServer> {
  const receipts = new Map<string, Receipt[]>();
  const hanging = new Set<ServerResponse>();
  let manner: Manner = "take";
  const server = createServer((request, response) => {
    void keep(request, response).catch(() => response.destroy());
  });
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: Body | Digest = JSON.parse(await text(request));
    const alerts = "alerts" in body ? body.alerts : [body];
    const path = request.url ?? "";
    const answer = answers[manner];
    if (answer !== undefined)
      receipts.set(path, [
        ...(receipts.get(path) ?? []),
        ...alerts.map((alert) => receiptOf(alert, answer)),
      ]);
    if (manner === "take") response.end("ok");
    else if (manner === "busy") response.writeHead(503).end();
    else if (manner === "refuse") response.writeHead(400).end();
    else if (manner === "hangUp") response.destroy();
    else {
      hanging.add(response);
      response.on("close", () => hanging.delete(response));
      if (manner === "crawl") crawl(response);
    }
  };
  const peer = await listen(server, host);
  return {
    url: `http://${peer.host}:${peer.port}`,
    receipts: (path) => receipts.get(path) ?? [],
    misbehave() {
      manner = random.pick(manners);
    },
    behave() {
      manner = "take";
      for (const response of hanging) response.destroy();
    },
    async leave() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      return {
        async [Symbol.asyncDispose]() {
          server.listen(peer.port, peer.host);
          await once(server, "listening");
        },
      };
    },
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

/** What the sender knows; undefined for a rejected request, whose response says so. */
const answers: Readonly<Record<Manner, Receipt["answer"] | undefined>> = {
  take: "taken",
  hang: "unsure",
  crawl: "unsure",
  hangUp: "unsure",
  busy: undefined,
  refuse: "refused",
};

interface Body {
  readonly id: string;
  readonly type: string;
  readonly check: { readonly id: string };
  readonly state: { readonly now: string };
  readonly dedup_key: string | null;
  readonly result: { readonly id: string };
  readonly reminder: number | null;
  readonly acknowledgement: object | null;
}

/** Digest of first results that are up. */
interface Digest {
  readonly alerts: readonly Body[];
}

function receiptOf(body: Body, answer: Receipt["answer"]): Receipt {
  return {
    at: systemClock.monotonic(),
    id: body.id,
    check: body.check.id,
    isUp: body.state.now === "up",
    isMissed: body.type === "check.missed",
    outage: body.dedup_key,
    result: body.result.id,
    ...(body.reminder !== null && { reminder: body.reminder }),
    isAcknowledgement: body.acknowledgement !== null,
    answer,
  };
}

function crawl(response: ServerResponse): void {
  if (response.destroyed) return;
  response.socket?.write("H");
  systemClock.setTimer(() => crawl(response), CRAWL_MS);
}
