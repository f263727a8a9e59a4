import type { Socket } from "node:net";

import { SMTPServer } from "smtp-server";

import { systemClock } from "../../src/kit/clock.ts";
import type { Certificate } from "./certificates.ts";

type Step = "connect" | "auth" | "mail" | "rcpt" | "data";

export interface SmtpBehaviour {
  /** Answers a step with this code and text instead of taking it; `data` answers once the whole mail is in. */
  readonly refuse?: Partial<Readonly<Record<Step, readonly [code: number, text: string]>>>;
  /** Never answers that step. */
  readonly hang?: Step;
  /** Breaks the connection instead of answering that step. */
  readonly drop?: Step;
  /** How long it takes to answer a whole mail. */
  readonly mailMs?: number;
  /** Offers STARTTLS; with `secure` it speaks TLS from the first byte. */
  readonly certificate?: Certificate;
  readonly secure?: boolean;
  readonly lmtp?: boolean;
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly encrypted: boolean;
  readonly user: string | undefined;
}

export interface SmtpPeer extends AsyncDisposable {
  readonly url: string;
  /** Mails that were taken, and those that were given whole but not taken. */
  readonly mails: readonly ReceivedMail[];
  readonly refusedMails: readonly ReceivedMail[];
  /** Number of connections so far, and of open ones. */
  readonly connections: () => number;
  readonly open: () => number;
  /** Steps that were reached, for those who wait for one. */
  readonly reached: readonly Step[];
  readonly behave: (manner: Omit<SmtpBehaviour, "certificate" | "secure" | "lmtp">) => void;
  readonly hangUp: () => void;
}

/** A real mail server that behaves as a test asks. */
export async function smtpPeer(manner: SmtpBehaviour = {}, host = "127.0.0.1"): Promise<SmtpPeer> {
  const { certificate, secure = false, lmtp = false } = manner;
  let current: SmtpBehaviour = manner;
  const mails: ReceivedMail[] = [];
  const refusedMails: ReceivedMail[] = [];
  const reached: Step[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  /** Undefined where the step is to be left without an answer. */
  const answer = (step: Step): { readonly error: Error | null } | undefined => {
    reached.push(step);
    if (current.drop === step) hangUp();
    if (current.drop === step || current.hang === step) return undefined;
    const [responseCode, words] = current.refuse?.[step] ?? [];
    return {
      error: responseCode === undefined ? null : Object.assign(new Error(words), { responseCode }),
    };
  };

  const server = new SMTPServer({
    ...certificate,
    secure,
    lmtp,
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    ...(certificate === undefined ? { disabledCommands: ["STARTTLS"] } : {}),
    onConnect(_session, callback) {
      const given = answer("connect");
      if (given !== undefined) callback(given.error);
    },
    onAuth(auth, _session, callback) {
      const given = answer("auth");
      if (given !== undefined)
        callback(given.error, given.error === null ? { user: auth.username ?? "" } : undefined);
    },
    onMailFrom(_address, _session, callback) {
      const given = answer("mail");
      if (given !== undefined) callback(given.error);
    },
    onRcptTo(_address, _session, callback) {
      const given = answer("rcpt");
      if (given !== undefined) callback(given.error);
    },
    onData(stream, { envelope, secure: encrypted, user }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = { from, to, raw: Buffer.concat(chunks).toString(), encrypted, user };
        const take = (): void => {
          const given = answer("data");
          (given?.error === null ? mails : refusedMails).push(mail);
          if (given !== undefined) callback(given.error);
        };
        if (current.mailMs === undefined) take();
        else systemClock.setTimer(take, current.mailMs);
      });
    },
  });
  server.on("error", () => {}); // what a client breaks off is what the tests are about
  server.server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const address = server.server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `${secure ? "smtps" : "smtp"}://${host}:${port}`,
    mails,
    refusedMails,
    connections: () => connections,
    open: () => sockets.size,
    reached,
    behave(manner) {
      current = manner;
    },
    hangUp,
    async [Symbol.asyncDispose]() {
      hangUp();
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** The value of a header, unfolded, its encoded words read (RFC 2047). */
export function headerOf(raw: string, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replaceAll(/\r\n[ \t]/g, " ");
  const prefix = `${name.toLowerCase()}:`;
  const line = head.split("\r\n").find((candidate) => candidate.toLowerCase().startsWith(prefix));
  return line
    ?.slice(prefix.length)
    .trim()
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, encoding: string, body: string) =>
      encoding.toLowerCase() === "b"
        ? Buffer.from(body, "base64").toString()
        : unquote(body.replaceAll("_", " ")),
    );
}

/** The text of the part of that type. */
export function partOf(raw: string, type: string): string {
  const boundary = /boundary="?([^"\r\n]+)"?/.exec(raw)?.[1] ?? "";
  const part = raw
    .split(`--${boundary}`)
    .find((candidate) => headerOf(candidate.trimStart(), "content-type")?.startsWith(type));
  if (part === undefined) throw new Error(`no part of type ${JSON.stringify(type)}`);
  const body = part.slice(part.indexOf("\r\n\r\n") + 4);
  const encoding = headerOf(part.trimStart(), "content-transfer-encoding");
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  return encoding === "quoted-printable" ? unquote(body.replaceAll("=\r\n", "")) : body;
}

function unquote(body: string): string {
  const bytes = body.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
