import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { listen } from "../peers/tcp.ts";
import { headerOf, smtpPeer, type ReceivedMail, type SmtpBehaviour } from "../peers/smtp.ts";
import type { Random } from "./random.ts";
import type { AlertRow, Message } from "./judges/verify-alerts.ts";

/** Messages accepted by a receiver, in order. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Ids of alerts, one entry for each time that one was received, whether the sender got the response or not. */
  readonly received: () => readonly string[];
  /** Messages that were received, and those whose connection was closed without a response after all of them was sent. */
  readonly messages: () => readonly Message[];
  /** Ids of alerts that it refused for good. */
  readonly refused: (alerts: readonly AlertRow[]) => ReadonlySet<string>;
  /** Ids of alerts that were sent whole, and got no response. */
  readonly unsure: () => ReadonlySet<string>;
  /** Changes how it behaves, or has it behave well from now on. */
  readonly misbehave: () => void;
  readonly behave: () => void;
}

/** A refusal of the mail and not of the mailbox, so that the address stays active. */
const UNWANTED = "5.7.1 not wanted";

/** Half of the time well; otherwise it is down, refuses for a while or for good, or takes a mail and hangs up before it says so. */
const smtpManners: readonly [SmtpBehaviour, ...SmtpBehaviour[]] = [
  {},
  {},
  {},
  {},
  { drop: "connect" },
  { refuse: { connect: [421, "4.3.2 closing"] } },
  { refuse: { rcpt: [451, "4.7.1 greylisted"] } },
  { refuse: { data: [452, "4.3.1 the disk is full"] } },
  { refuse: { rcpt: [550, UNWANTED] } },
  { drop: "data" },
];

export interface MailReceiver extends Receiver {
  readonly mails: () => readonly ReceivedMail[];
}

export async function mailReceiver(random: Random, host = "127.0.0.1"): Promise<MailReceiver> {
  const peer = await smtpPeer({}, host);
  const unsure: Message[] = [];
  let manner: SmtpBehaviour = {};
  let seen = 0;
  const behave = (next: SmtpBehaviour): void => {
    const hungUpOn = manner.drop === "data" ? peer.refusedMails.slice(seen) : [];
    unsure.push(...hungUpOn.map(messageOf));
    seen = peer.refusedMails.length;
    manner = next;
    peer.behave(next);
  };
  return {
    url: peer.url,
    mails: () => peer.mails,
    received: () => peer.mails.flatMap((mail) => messageOf(mail).alerts),
    messages: () => [...peer.mails.map(messageOf), ...unsure],
    // It never sees which mail a recipient was refused for; the stored response says so.
    refused: (alerts) =>
      new Set(alerts.filter(({ reason = "" }) => reason.includes(UNWANTED)).map(({ _id }) => _id)),
    unsure: () => new Set(unsure.flatMap(({ alerts }) => alerts)),
    misbehave: () => behave(random.pick(smtpManners)),
    behave() {
      behave({});
      peer.hangUp();
    },
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

function messageOf({ raw }: Pick<ReceivedMail, "raw">): Message {
  return {
    id: headerOf(raw, "message-id") ?? "",
    // A welcome has none.
    alerts: headerOf(raw, "x-watchpost-alerts")?.split(", ") ?? [],
  };
}

type Answer = (response: ServerResponse) => void;

const hangingUp: Answer = (response) => void response.socket?.destroy();
const taking: Answer = (response) => response.writeHead(200).end("ok");
const hookAnswers: readonly [Answer, ...Answer[]] = [
  taking,
  taking,
  taking,
  taking,
  (response) => response.writeHead(500).end(),
  (response) => response.writeHead(503, { "Retry-After": "1" }).end(),
  (response) => response.writeHead(429).end("slow down"),
  hangingUp,
  (response) => void response.writeHead(400).end("never"),
];
/** The message is received, and the sender gets half of the response. */
const halfAnswer: Answer = (response) => {
  response.socket?.write("HTTP/1.1 200 O");
  response.socket?.destroy();
};

interface Payload {
  readonly id: string;
  /** Alerts in a message about several first results that are up. */
  readonly alerts?: readonly Payload[];
}

function messageIn(body: string): Message {
  const { id, alerts }: Payload = JSON.parse(body);
  return { id, alerts: alerts?.map((alert) => alert.id) ?? [id] };
}

export async function hookReceiver(random: Random, host = "127.0.0.1"): Promise<Receiver> {
  const received: string[] = [];
  const refused = new Set<string>();
  const unsure = new Set<string>();
  const messages: Message[] = [];
  let isCalm = true;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const message = messageIn(body);
      const { alerts } = message;
      const answer = isCalm ? taking : random.chance(0.1) ? halfAnswer : random.pick(hookAnswers);
      const isTaken = answer === taking || answer === halfAnswer;
      if (isTaken) received.push(...alerts);
      if (answer === hangingUp) for (const alert of alerts) unsure.add(alert);
      if (isTaken || answer === hangingUp) messages.push(message);
      answer(response);
      if (response.statusCode === 400) for (const alert of alerts) refused.add(alert);
    });
  });
  const peer = await listen(server, host);
  return {
    url: `http://${peer.host}:${peer.port}`,
    received: () => received,
    messages: () => messages,
    refused: () => refused,
    unsure: () => unsure,
    misbehave() {
      isCalm = false;
    },
    behave() {
      isCalm = true;
    },
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}
