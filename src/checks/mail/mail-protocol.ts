import type { z } from "zod";

import { failed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { RunContext } from "../check-type.ts";
import { judgeCertificate, mailMessages } from "../tls/certificate-rules.ts";
import { withLineConnection } from "../net/line-connection.ts";
import type { LineConnection } from "../net/line-connection.ts";
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

/** What every mail protocol can be told. */
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

/** In what mail protocols differ, in the order in which it is said. */
export interface MailProtocol {
  readonly port: number;
  /** Where it speaks TLS from the first byte. */
  readonly securePort: number;
  /** Gives an outcome where nothing is left to be said after the greeting. */
  readonly readGreeting: (talk: LineConnection) => Promise<Outcome | undefined>;
  /** Whether the server agrees. */
  readonly requestTls: (talk: LineConnection) => Promise<boolean>;
  readonly runSession: (talk: LineConnection) => Promise<Outcome>;
  readonly quit: string;
}

/** The talk with a mail server; in TLS its certificate is judged before anything else is said. */
export function checkMailServer(
  { target, port, secure, verify, warningdays, ipv6 }: MailParameters,
  context: RunContext,
  protocol: MailProtocol,
): Promise<Outcome> {
  const usualPort = secure === "ssl" ? protocol.securePort : protocol.port;
  const call = { host: target, port: port ?? usualPort, family: ipv6 ? 6 : undefined } as const;

  const enterTls = async (talk: LineConnection): Promise<Outcome | undefined> =>
    judgeCertificate(await talk.startTls(), {
      verify,
      warningDays: warningdays,
      words: mailMessages,
      now: context.now(),
    });
  const turnToTls = async (talk: LineConnection): Promise<Outcome | undefined> =>
    (await protocol.requestTls(talk))
      ? enterTls(talk)
      : failed("tls", "TLS error", "TLS error: STARTTLS is refused");

  return withLineConnection(call, context, async (talk) => {
    const outcome =
      (secure === "ssl" ? await enterTls(talk) : undefined) ??
      (await protocol.readGreeting(talk)) ??
      (secure === "starttls" ? await turnToTls(talk) : undefined) ??
      (await protocol.runSession(talk));
    talk.writeLine(protocol.quit);
    return outcome;
  });
}
