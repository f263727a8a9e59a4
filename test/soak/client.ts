import { Agent, request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

import { sleep, systemClock } from "../../src/kit/clock.ts";

export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** Cookies it set, as a browser returns them. */
  readonly cookie: string;
}

export interface Request {
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as the form of a page of the program. */
  readonly form?: Readonly<Record<string, string>>;
  readonly cookie?: string;
}

/** Requests from one address of this machine, by which the limits of a client address distinguish honest from hostile. */
export interface Client extends Disposable {
  readonly send: (request: Request) => Promise<Answer>;
  /** Calls the API, again where it is too busy, and throws where it refuses. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the soak looks at what came
  readonly api: (call: string, parameters?: object) => Promise<any>;
}

interface Origin {
  readonly base: string;
  readonly token: string;
  readonly localAddress: string;
  /** Whether connections are kept; a new one each time meets every limit on connections. */
  readonly isKept: boolean;
}

/** An answer that takes longer counts as none. */
const MAX_DURATION_MS = 60_000;
const AGAIN_MS = 500;
const INSIST_MS = 120_000;

export function createClient({ base, token, localAddress, isKept }: Origin): Client {
  const agent = new Agent({ keepAlive: isKept });
  const attempt = (wanted: Request): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method = "GET", path, cookie } = wanted;
      const { type, sent } = contentOf(wanted);
      const outgoing = request(`${base}${path}`, {
        method,
        agent,
        localAddress,
        headers: {
          ...(token === "" ? {} : { authorization: `Basic ${btoa(`${token}:`)}` }),
          ...(cookie === undefined ? {} : { cookie }),
          ...(sent === undefined
            ? {}
            : {
                "content-type": type,
                "content-length": Buffer.byteLength(sent),
                origin: new URL(base).origin,
              }),
        },
        signal: AbortSignal.timeout(MAX_DURATION_MS),
      });
      outgoing.on("response", resolve).on("error", reject).end(sent);
    });
  const send: Client["send"] = async (wanted) => {
    const began = systemClock.monotonic();
    try {
      const response = await attempt(wanted);
      const body = await text(response);
      const set = response.headers["set-cookie"] ?? [];
      const cookie = set.map((each) => each.split(";")[0]).join("; ");
      const ms = systemClock.monotonic() - began;
      return { status: response.statusCode ?? 0, body, ms, cookie };
    } catch (error) {
      const ms = systemClock.monotonic() - began;
      return { status: 0, body: String(error), ms, cookie: "" };
    }
  };
  return {
    send,
    async api(call, parameters) {
      const [method = "GET", path = ""] = call.split(" ");
      const wanted = {
        method,
        path: `/api/1/${path}`,
        ...(parameters === undefined ? {} : { body: parameters }),
      };
      const end = systemClock.monotonic() + INSIST_MS;
      for (;;) {
        const { status, body } = await send(wanted);
        if (status === 200) return JSON.parse(body);
        const isBusy = status === 0 || status === 429 || status >= 500;
        if (!isBusy || systemClock.monotonic() > end)
          throw new Error(`${call}: ${status} ${body.slice(0, 500)}`);
        await sleep(systemClock, AGAIN_MS);
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function contentOf({ body, form }: Request): {
  readonly type: string;
  readonly sent: string | undefined;
} {
  if (form !== undefined)
    return {
      type: "application/x-www-form-urlencoded",
      sent: new URLSearchParams(form).toString(),
    };
  return {
    type: "application/json",
    sent: body === undefined ? undefined : JSON.stringify(body),
  };
}
