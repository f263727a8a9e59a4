import type { Socket } from "node:net";

import { WebSocket } from "ws";
import { z } from "zod";

import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { unlessAborted } from "../../kit/abort.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import type { Timer } from "../../kit/clock.ts";
import { dial, Interrupted, type DialProgress } from "../../kit/net/dial.ts";
import { codeOf } from "../../kit/errors.ts";
import { asProtocolError } from "../../kit/http/exchange.ts";
import { isSecure, portOf } from "../../kit/http/request-head.ts";
import { defineCheckType, type RunContext } from "../check-type.ts";
import { connectionClosed } from "../net/connection-closed.ts";
import { evidenceText, httpEvidence } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { textFault } from "../outcome/text-rule.ts";
import { textOrPairs } from "./name-value-pairs.ts";
import { contentString, invert, ipv6, webSocketUrl } from "../parameters/parameters.ts";
import { timingsOf } from "../outcome/timings.ts";
import { userAgent } from "./fetch-target.ts";
import { term } from "../../schema/words.ts";

interface Parameters {
  readonly target: URL;
  readonly data: string | undefined;
  readonly contentstring: string | undefined;
  readonly invert: boolean;
  readonly ipv6: boolean;
}

export const webSocketCheck = defineCheckType({
  type: "WEBSOCKET",
  title: term("WebSocket"),
  group: "web",
  summary: {
    en: "Opens a WebSocket, sends the message if there is one, and passes if the text is in the first message received; inverted, if it is not, or if nothing is sent and nothing is received for half of the timeout",
    de: "Öffnet einen WebSocket, sendet die Nachricht, wenn es eine gibt, und besteht, wenn der Text in der ersten empfangenen Nachricht steht; umgekehrt, wenn er dort nicht steht, oder wenn nichts gesendet und das halbe Zeitlimit lang nichts empfangen wird",
  },
  target: "url",
  recognition: { schemes: ["wss", "ws"] },
  example: {
    target: "wss://example.com/chat",
    data: '{"op":"ping"}',
    contentstring: "pong",
    invert: false,
    ipv6: false,
  },
  schema: z.object({
    target: webSocketUrl,
    data: textOrPairs,
    contentstring: contentString,
    invert,
    ipv6,
  }),
  run: checkWebSocket,
});

async function checkWebSocket(parameters: Parameters, context: RunContext): Promise<Outcome> {
  const { signal, monotonic } = context;
  const start = monotonic();
  let progress: DialProgress | undefined;
  let answered: { readonly firstByte?: number; readonly evidence?: string } = {};

  const onEvidence = (evidence: string): void => {
    answered = { firstByte: monotonic() - start, ...answered, evidence };
  };
  const connectAndExchange = async (): Promise<Outcome> => {
    const url = webAddressOf(parameters.target);
    const { socket, address } = await dial({
      ...context,
      host: url.hostname,
      port: portOf(url),
      path: url.pathname,
      family: parameters.ipv6 ? 6 : undefined,
      tls: isSecure(url)
        ? { servername: url.hostname, verify: false, protocols: ["http/1.1"] }
        : undefined,
      onProgress: (made) => (progress = made),
    });
    try {
      const exchange = exchangeMessages({ ...parameters, url, socket, onEvidence }, context);
      const outcome = await unlessAborted(exchange, signal);
      if (outcome === undefined) throw new Interrupted("answer", address);
      return outcome;
    } finally {
      socket.destroy();
    }
  };

  const outcome = await connectAndExchange().catch(failureOf);
  const { firstByte, ...shown } = answered;
  return {
    ...outcome,
    ...shown,
    ...(progress !== undefined && { address: progress.address }),
    ...(progress?.certificate !== undefined && { certificate: progress.certificate }),
    timings: timingsOf(
      {
        ...progress?.phases,
        ...(firstByte !== undefined && { firstByte }),
        total: monotonic() - start,
      },
      0,
    ),
  };
}

/** RFC 6455, 3: the HTTP URL of a WebSocket, without its fragment. */
function webAddressOf(target: URL): URL {
  const url = new URL(target);
  url.protocol = target.protocol.replace("ws", "http");
  url.hash = "";
  return url;
}

interface Exchange extends Pick<Parameters, "data" | "contentstring" | "invert"> {
  readonly url: URL;
  /** Connected to the host of the URL. */
  readonly socket: Socket;
  /** Receives the evidence of the handshake and of each message. */
  readonly onEvidence: (evidence: string) => void;
}

const MAX_MESSAGE_BYTES = 2 ** 20;
/** A message of that size in fragments of 256 bytes has as many. */
const MAX_FRAGMENTS = 4096;
/** Pieces of one frame, as they came over the network. */
const MAX_BUFFERED_CHUNKS = 16_384;
const MAX_PINGS = 100;
const MAX_INTERIM_ANSWERS = 20;
/** RFC 6455, 7.4.1. */
const NORMAL_CLOSURE = 1000;
const NO_CLOSE_FRAME = 1006;

function exchangeMessages(
  { url, socket, onEvidence, data, contentstring, invert }: Exchange,
  { setTimer, timeoutMs }: RunContext,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const webSocket = new WebSocket(url, {
    // An `agent` option, even `false`, would make Node ignore createConnection and dial by itself.
    createConnection: () => socket,
    headers: { "User-Agent": userAgent },
    perMessageDeflate: false,
    // guard: size of WebSocket messages = 0
    maxPayload: MAX_MESSAGE_BYTES,
    // guard: fragments of WebSocket messages = 0
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_BUFFERED_CHUNKS,
    // One event in a turn of the event loop: 32,000 pings in one read took 280 ms.
    allowSynchronousEvents: false,
    // A server that sends pings and reads nothing would fill our memory with pongs.
    autoPong: false,
    finishRequest(request) {
      let interim = 0;
      request.on("information", () => {
        interim += 1;
        if (interim > MAX_INTERIM_ANSWERS) reject(new ProtocolError("too many interim answers"));
      });
      request.end();
    },
  });
  let silenceTimer: Timer | undefined;
  const end = (outcome: Outcome): void => {
    webSocket.close(NORMAL_CLOSURE);
    resolve(outcome);
  };
  const judge = (message: string, wanted: string): void => {
    const isFound = message.includes(wanted);
    const text = isFound ? "Found" : "Not found";
    const fault = textFault({ contentstring: wanted, invert });
    end(isFound === invert ? failed("mismatch", text, fault) : passed(text, text));
  };

  webSocket.on("error", (error) => reject(faultOf(error)));
  let pings = 0;
  webSocket.on("ping", (data: Buffer) => {
    pings += 1;
    // guard: pings of WebSockets
    if (pings > MAX_PINGS) reject(new ProtocolError(`more than ${MAX_PINGS} pings`));
    else webSocket.pong(data);
  });
  webSocket.on("upgrade", ({ headers }) => onEvidence(httpEvidence({ status: 101, headers })));
  webSocket.on("unexpected-response", (_, { statusCode: status = 0, headers }) => {
    onEvidence(httpEvidence({ status, headers }));
    resolve(failed("status", String(status), `HTTP status returned: ${status} without an upgrade`));
  });
  webSocket.on("open", () => {
    if (data !== undefined)
      webSocket.send(data, (error) => {
        if (!error && contentstring === undefined) end(passed("Sent message", "Sent message"));
      });
    else if (contentstring === undefined) end(passed("Connected", "Success"));
    // Without a message to answer, no response is fine; after one it is a failure.
    else if (invert) silenceTimer = setTimer(() => judge("", contentstring), timeoutMs / 2);
  });
  webSocket.on("message", (received: Buffer) => {
    if (contentstring === undefined) return;
    onEvidence(evidenceText(received));
    judge(received.toString(), contentstring);
  });
  webSocket.on("close", (code, why) => {
    silenceTimer?.cancel();
    if (why.length > 0) onEvidence(evidenceText(why));
    if (code === NO_CLOSE_FRAME) reject(connectionClosed());
    else resolve(failed("status", `Closed ${code}`, `Closed with code ${code} before it answered`));
  });
  return promise;
}

/** Errors of ws have a code of their own, or none during the handshake; all others may come from any HTTP server. */
function faultOf(error: Error): unknown {
  const code = codeOf(error);
  return code === undefined || code.startsWith("WS_ERR_")
    ? new ProtocolError(error.message, { cause: error })
    : asProtocolError(error);
}
