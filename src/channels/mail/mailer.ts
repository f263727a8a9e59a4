import { createTransport } from "nodemailer";

import { DeliveryFailed, messageOf } from "../../kit/errors.ts";
import type { Secret } from "../../kit/crypto/secret.ts";
import { oneLine } from "../format/one-line.ts";
import { readSender, type Senders } from "./senders.ts";

export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with the user and the options of the connection. */
  readonly url: Secret;
  readonly senders: Senders;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly date: Date;
  /** The sender that is wanted; the operator's own unless given. */
  readonly from?: string | undefined;
}

/** The connection to the mail server, for alerts and system mails. */
export interface Mailer {
  readonly senders: Pick<Senders, "defaultSender" | "resolve">;
  /** Resolves with the server's reply once it has taken the mail; otherwise throws DeliveryFailed. */
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<string>;
  readonly close: () => void;
}

const MAX_CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;
const REPLY_LENGTH = 1000;

export function createMailer({ url, senders }: SmtpSettings): Mailer {
  const { mailbox: ownMailbox } = readSender(senders.defaultSender);
  const transport = createTransport({
    url: url.reveal(),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Only for a kept connection that the server dropped meanwhile, before any of the mail went over it.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // An SMTP error does not say whether the whole mail had been sent, and only then may the server have accepted it.
  const handedOver = new WeakSet<AbortSignal>();
  transport.use("stream", (mail, done) => {
    const { signal } = mail.data;
    mail.message.processFunc((stream) => {
      if (signal !== undefined) stream.once("end", () => handedOver.add(signal));
      return stream;
    });
    done();
  });

  return {
    senders,
    async send({ to, from, subject, ...mail }, signal) {
      const { name, mailbox } = readSender(senders.resolve(from));
      try {
        const sent = await transport.sendMail({
          ...mail,
          // guard: encoded words in subjects = argument
          subject: withoutEncodedWords(subject),
          from: { name, address: mailbox },
          // A sender on behalf of another is named (RFC 5322, 3.6.2) and receives the bounces.
          ...(mailbox !== ownMailbox && { sender: { name: "", address: ownMailbox } }),
          to: { name: "", address: to },
          envelope: { from: { name: "", address: ownMailbox }, to: { name: "", address: to } },
          signal,
        });
        // LMTP replies for each recipient after the mail, so that a rejection is reported as sent.
        if (sent.rejected.length > 0)
          throw sent.rejectedErrors?.[0] ?? new Error("recipient refused");
        return oneLine(sent.response, REPLY_LENGTH);
      } catch (error) {
        throw failureOf(error, handedOver.has(signal));
      }
    },
    close: () => transport.close(),
  };
}

/** Removes text that looks like an encoded word (RFC 2047, 2), because mail programs would decode it to line breaks, direction changes, or anything else. */
function withoutEncodedWords(subject: string): string {
  return subject.replaceAll(/=\?(?=[^?\s]+\?[bq]\?)/gi, "= ?");
}

/** Commands that the server judges by this recipient and this mail; refusing any other it speaks of us, which the operator can mend. */
const personal = new Set(["RCPT TO", "DATA"]);
/** RFC 5321, 3.8: the server shuts down, whatever the command was. */
const CLOSING = 421;
/** RFC 3463, 3.2, and RFC 7505, 4.2: no such mailbox, no such host, no mailbox at all, moved away, and a host that takes no mail. */
const nowhere = /^\d{3}[ -]5\.1\.(?:1|2|3|6|10)(?!\d)/;

function failureOf(error: unknown, wasHandedOver: boolean): DeliveryFailed {
  const { response, responseCode, command } = repliedIn(error);
  if (responseCode === undefined) {
    return new DeliveryFailed(oneLine(messageOf(error), REPLY_LENGTH), {
      cause: error,
      retryable: true,
      receiverAway: true,
      mayHaveArrived: wasHandedOver,
    });
  }
  // 503 speaks of the order of commands on this connection, not of the mail.
  const refused = responseCode >= 500 && responseCode !== 503 && personal.has(command);
  // After DATA, a rejection may be about the content.
  const ofRecipient = command === "RCPT TO" ? "refused" : undefined;
  const address = nowhere.test(response) ? "gone" : ofRecipient;
  return new DeliveryFailed(oneLine(response, REPLY_LENGTH), {
    cause: error,
    retryable: !refused,
    // A mailbox that is refused for now, as by greylisting, says nothing of the next one.
    receiverAway: responseCode === CLOSING || !personal.has(command),
    address: refused ? address : undefined,
  });
}

function repliedIn(error: unknown): {
  response: string;
  responseCode: number | undefined;
  command: string;
} {
  const { response, responseCode, command } = (error ?? {}) as {
    response?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  return {
    response: typeof response === "string" ? response : "",
    responseCode: typeof responseCode === "number" ? responseCode : undefined,
    command: typeof command === "string" ? command : "",
  };
}
