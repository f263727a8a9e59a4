import { randomBytes } from "node:crypto";

import { z } from "zod";

import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import type { Timings } from "../../domain/run/timings.ts";
import { resolveAddress } from "../../kit/net/dial.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { defineCheckType, type RunContext } from "../check-type.ts";
import { withLineConnection, type LineConnection } from "../net/line-connection.ts";
import { exchangeDatagrams } from "../net/datagram.ts";
import { evidenceText } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { host, ipv6, optionalPort, transport } from "../parameters/parameters.ts";
import { excerpt } from "../outcome/excerpt.ts";
import {
  finalStatus,
  hostPort,
  isStartLine,
  optionsRequest,
  parseHead,
  type SipHead,
  type SipRequest,
} from "./message.ts";
import { timingsOf } from "../outcome/timings.ts";

const SIP_PORT = 5060;
const SIPS_PORT = 5061;
/** RFC 3261, 17.1.2.2: T1 and T2. */
const PATIENCE_MS = 500;
const MAX_PATIENCE_MS = 4000;

export const sipCheck = defineCheckType({
  type: "SIP",
  title: { en: "SIP server", de: "SIP-Server" },
  group: "media",
  summary: {
    en: "Sends OPTIONS to a SIP server, and passes if it responds with a status up to 499",
    de: "Sendet OPTIONS an einen SIP-Server, und besteht, wenn er mit einem Status bis 499 antwortet",
  },
  target: "host",
  recognition: { ports: { 5060: {}, 5061: { transport: "tls" } } },
  example: { target: "sip.example.com", port: 5061, transport: "tls", ipv6: false },
  schema: z.object({
    target: host,
    port: optionalPort,
    transport: transport(["udp", "tcp", "tls"]),
    ipv6,
  }),
  run({ target, port, transport, ipv6 }, context) {
    const question = { id: randomBytes(16).toString("hex"), host: target, port, transport };
    const usualPort = transport === "tls" ? SIPS_PORT : SIP_PORT;
    const call = { host: target, port: port ?? usualPort, family: ipv6 ? 6 : undefined } as const;
    if (transport === "udp") return askOverUdp(question, call, context);
    return withLineConnection(call, context, async (connection) => {
      if (transport === "tls") await connection.startTls();
      return judge(await askOverConnection(question, connection));
    });
  },
});

type Question = Omit<SipRequest, "sentBy">;

interface Call {
  readonly host: string;
  readonly port: number;
  readonly family: 6 | undefined;
}

async function askOverUdp(question: Question, call: Call, context: RunContext): Promise<Outcome> {
  const { monotonic } = context;
  const start = monotonic();
  let reached: Omit<Timings, "total"> = {};
  let observed: Pick<Outcome, "address" | "evidence"> = {};

  const ask = async (): Promise<Outcome> => {
    const { address, family } = await resolveAddress({ ...context, ...call });
    reached = { dns: monotonic() - start };
    observed = { address };
    const status = await exchangeDatagrams(
      {
        to: { address, family, port: call.port },
        requestFrom(own) {
          const { address, port } = own.address();
          const lines = optionsRequest({ ...question, sentBy: hostPort(address, port) });
          return Buffer.from(lines.map((line) => `${line}\r\n`).join(""));
        },
        answerIn(packet) {
          reached = { firstByte: monotonic() - start, ...reached };
          observed = { evidence: evidenceText(packet), ...observed };
          return finalStatus(headIn(packet), question);
        },
        patienceMs: PATIENCE_MS,
        maxPatienceMs: MAX_PATIENCE_MS,
      },
      context,
    );
    return judge(status);
  };

  const outcome = await ask().catch(failureOf);
  const total = monotonic() - start;
  return { ...outcome, ...observed, timings: timingsOf({ ...reached, total }, 0) };
}

function headIn(packet: Buffer): SipHead {
  const [head = ""] = packet.toString().split(/\r?\n\r?\n/, 1);
  return parseHead(head.split(/\r?\n/));
}

/** The response comes back on the same connection, so the Via header does not need our address. */
async function askOverConnection(question: Question, connection: LineConnection): Promise<number> {
  for (const line of optionsRequest({ ...question, sentBy: "watchpost.invalid" }))
    connection.writeLine(line);
  for (;;) {
    const head = await readHead(connection);
    const status = finalStatus(head, question);
    if (status !== undefined) return status;
    await skipBody(connection, head);
  }
}

async function readHead(connection: LineConnection): Promise<SipHead> {
  let line = await connection.readLine();
  // RFC 3261, 7.5: empty lines before a message are ignored.
  while (line === "") line = await connection.readLine();
  if (!isStartLine(line)) throw new ProtocolError(`not a SIP message: ${excerpt(line)}`);
  const lines: string[] = [];
  for (; line !== ""; line = await connection.readLine()) lines.push(line);
  return parseHead(lines);
}

async function skipBody(connection: LineConnection, { bodyBytes }: SipHead): Promise<void> {
  for (let left = bodyBytes; left > 0;)
    left -= Buffer.byteLength(await connection.readLine()) + "\r\n".length;
}

/** A server that demands credentials or does not know the user is up as well. */
function judge(status: number): Outcome {
  return status < 500
    ? passed(String(status), "Success")
    : failed("status", String(status), `SIP status returned: ${status}`);
}
