import type { z } from "zod";

import { failed, type Outcome } from "../../domain/run/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { judgeCertificate, mailMessages } from "../tls/certificate-rules.ts";
import { withLineConnection, type LineConnection } from "../net/line-connection.ts";
import {
  host,
  ipv6,
  optionalPort,
  password,
  secure,
  username,
  verify,
  warningDays,
} from "../parameters/parameters.ts";

/** The parameters that all mail protocols share. */
export const mailParameters = {
  target: host,
  port: optionalPort,
  secure: secure(["starttls"]),
  verify,
  warningdays: warningDays,
  username,
  password,
  ipv6,
};

export type MailParameters = z.output<z.ZodObject<typeof mailParameters>>;

/** The differences between mail protocols, in the order of a session. */
export interface MailProtocol {
  readonly port: number;
  /** The port for TLS from the first byte. */
  readonly securePort: number;
  /** Gives an outcome if the greeting already decides the check. */
  readonly readGreeting: (connection: LineConnection) => Promise<Outcome | undefined>;
  /** Whether the server agreed to STARTTLS. */
  readonly requestTls: (connection: LineConnection) => Promise<boolean>;
  readonly runSession: (connection: LineConnection) => Promise<Outcome>;
  readonly quit: string;
}

/** Runs a session with a mail server. With TLS, the certificate is judged before anything else is sent. */
export function checkMailServer(
  { target, port, secure, verify, warningdays, ipv6 }: MailParameters,
  context: RunContext,
  protocol: MailProtocol,
): Promise<Outcome> {
  const defaultPort = secure === "ssl" ? protocol.securePort : protocol.port;
  const call = { host: target, port: port ?? defaultPort, family: ipv6 ? 6 : undefined } as const;

  const startTls = async (connection: LineConnection): Promise<Outcome | undefined> =>
    judgeCertificate(await connection.startTls(), {
      verify,
      warningDays: warningdays,
      messages: mailMessages,
      now: context.now(),
    });
  const upgradeToTls = async (connection: LineConnection): Promise<Outcome | undefined> =>
    (await protocol.requestTls(connection))
      ? startTls(connection)
      : failed("tls", "TLS error", "TLS error: STARTTLS is refused");

  return withLineConnection(call, context, async (connection) => {
    const outcome =
      (secure === "ssl" ? await startTls(connection) : undefined) ??
      (await protocol.readGreeting(connection)) ??
      (secure === "starttls" ? await upgradeToTls(connection) : undefined) ??
      (await protocol.runSession(connection));
    connection.writeLine(protocol.quit);
    return outcome;
  });
}
