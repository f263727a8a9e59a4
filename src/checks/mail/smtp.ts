import { hostname } from "node:os";

import { z } from "zod";

import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { defineCheckType } from "../check-type.ts";
import { formHints } from "../../schema/form-parameter.ts";
import type { LineConnection } from "../net/line-connection.ts";
import { mailParameters, checkMailServer, type MailParameters } from "./mail-protocol.ts";
import { email, invert } from "../parameters/parameters.ts";
import { refusal } from "../outcome/refusal.ts";
import { sendCommand, readReply, type Reply } from "../net/reply.ts";

const recipient = email.clone().register(formHints, {
  title: { en: "Recipient", de: "Empfänger" },
  help: {
    en: "Names this mail address as the recipient, and sends nothing",
    de: "Nennt diese E-Mail-Adresse als Empfänger, und sendet nichts",
  },
});
const mustRefuse = invert.clone().register(formHints, {
  title: { en: "The recipient must be refused", de: "Der Empfänger muss abgelehnt werden" },
  help: {
    en: "Passes where the server refuses to take mail for the recipient",
    de: "Besteht, wenn der Server es ablehnt, E-Mails für den Empfänger anzunehmen",
  },
  advanced: true,
});

export const smtpCheck = defineCheckType({
  type: "SMTP",
  title: { en: "SMTP server", de: "SMTP-Server" },
  group: "mail",
  summary: {
    en: "Connects to a mail server, logs in and names a recipient if it has them, and passes if all succeed",
    de: "Verbindet sich mit einem Mailserver, meldet sich an und nennt einen Empfänger, wenn beides angegeben ist, und besteht, wenn alles gelingt",
  },
  target: "host",
  recognition: { ports: { 25: {}, 465: { secure: "ssl" }, 587: { secure: "starttls" } } },
  example: {
    target: "mx.example.com",
    port: 587,
    secure: "starttls",
    verify: true,
    warningdays: 14,
    username: "alice",
    password: "s3cret",
    email: "ben@example.com",
    invert: false,
    ipv6: false,
  },
  schema: z.object({ ...mailParameters, email: recipient, invert: mustRefuse }),
  run: (parameters, context) =>
    checkMailServer(parameters, context, {
      port: 25,
      securePort: 465,
      readGreeting,
      requestTls,
      runSession: (connection) => runSession(connection, parameters),
      quit: "QUIT",
    }),
});

/** RFC 5321, 4.1.1.1 requires a fully qualified name, and many servers refuse any other. */
const OWN_NAME = hostname().includes(".") ? hostname() : "localhost.localdomain";

async function readGreeting(connection: LineConnection): Promise<Outcome | undefined> {
  const reply = await readReply(connection);
  return reply.code === 220 ? undefined : refusalOf(reply);
}

async function requestTls(connection: LineConnection): Promise<boolean> {
  await sendHello(connection);
  return (await sendCommand(connection, "STARTTLS")).code === 220;
}

interface Parameters extends MailParameters {
  readonly email: string | undefined;
  readonly invert: boolean;
}

async function runSession(
  connection: LineConnection,
  { secure, username, password, email, invert }: Parameters,
): Promise<Outcome> {
  const hello = await sendHello(connection);
  if (hello.code !== 250) return refusalOf(hello);
  let outcome = passed("220", secure === "starttls" ? "STARTTLS connected" : "Connected");
  if (username !== undefined && password !== undefined) {
    const login = await logIn(connection, { mechanisms: mechanismsOf(hello), username, password });
    if (login === undefined)
      return failed("auth", "Login failed", "Login failed: neither PLAIN nor LOGIN is offered");
    const code = String(login.code);
    if (login.code !== 235) return failed("auth", code, "Login failed");
    outcome = passed(code, `${outcome.message}, auth success`);
  }
  return email === undefined ? outcome : testRecipient(connection, { email, invert });
}

/** The reply to EHLO lists the extensions; a server that does not support EHLO gets HELO. */
async function sendHello(connection: LineConnection): Promise<Reply> {
  const reply = await sendCommand(connection, `EHLO ${OWN_NAME}`);
  return reply.code >= 500 ? sendCommand(connection, `HELO ${OWN_NAME}`) : reply;
}

/** Some servers write `AUTH=`, as a draft of RFC 4954 did, or both, each with other mechanisms. */
function mechanismsOf({ lines }: Reply): readonly string[] {
  return lines
    .filter((line) => /^AUTH[ =]/i.test(line))
    .flatMap((offer) => offer.toUpperCase().split(/[ =]/));
}

interface Login {
  readonly mechanisms: readonly string[];
  readonly username: string;
  readonly password: string;
}

/** The last reply; undefined if the server offers no mechanism that is supported here. */
async function logIn(
  connection: LineConnection,
  { mechanisms, username, password }: Login,
): Promise<Reply | undefined> {
  if (mechanisms.includes("PLAIN")) {
    const proof = base64(`\0${username}\0${password}`);
    const reply = await sendCommand(connection, `AUTH PLAIN ${proof}`);
    // A server that overlooks what comes with the command asks for it.
    return reply.code === 334 ? sendCommand(connection, proof) : reply;
  }
  if (!mechanisms.includes("LOGIN")) return undefined;
  let reply = await sendCommand(connection, "AUTH LOGIN");
  for (const answer of [username, password])
    if (reply.code === 334) reply = await sendCommand(connection, base64(answer));
  return reply;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Names the recipient, and stops before the mail itself. */
async function testRecipient(
  connection: LineConnection,
  { email, invert }: { readonly email: string; readonly invert: boolean },
): Promise<Outcome> {
  // RFC 6531, 3.4: an address beyond ASCII must be announced, and a server without support refuses at once.
  const extension = /^[\x20-\x7e]*$/.test(email) ? "" : " SMTPUTF8";
  const sender = await sendCommand(connection, `MAIL FROM:<>${extension}`);
  if (sender.code !== 250)
    return failed("status", String(sender.code), "The empty sender was rejected");
  const { code } = await sendCommand(connection, `RCPT TO:<${email}>`);
  // RFC 5321, 3.8: the server is shutting down, which is no verdict on the address.
  if (code === 421) return failed("status", "421", "The server closes");
  const isAccepted = code === 250 || code === 251;
  const message = `Email for address ${email} was ${isAccepted ? "accepted" : "rejected"}`;
  return isAccepted === invert
    ? failed("mismatch", String(code), message)
    : passed(String(code), message);
}

function refusalOf({ code, lines }: Reply): Outcome {
  return refusal(String(code), `${code} ${lines[0]}`);
}
