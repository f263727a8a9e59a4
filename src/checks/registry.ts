import { audioCheck } from "./audio/audio.ts";
import type { CheckType } from "./check-type.ts";
import { dnsCheck } from "./dns/dns.ts";
import { ftpCheck } from "./ftp.ts";
import { httpCheck } from "./http/http.ts";
import { httpAdvCheck } from "./http/httpadv.ts";
import { httpContentCheck } from "./http/httpcontent.ts";
import { httpParseCheck } from "./http/httpparse.ts";
import { imap4Check } from "./mail/imap4.ts";
import { mysqlCheck } from "./mysql/mysql.ts";
import { pingCheck } from "./icmp/ping.ts";
import { pop3Check } from "./mail/pop3.ts";
import { portCheck } from "./port.ts";
import { pushCheck } from "./push.ts";
import { rblCheck } from "./dns/rbl.ts";
import { rdpCheck } from "./rdp.ts";
import { sipCheck } from "./sip/sip.ts";
import { smtpCheck } from "./mail/smtp.ts";
import { sshCheck } from "./ssh/ssh.ts";
import { sslCheck } from "./tls/ssl.ts";
import { webSocketCheck } from "./http/websocket.ts";

export const checkTypes = [
  audioCheck,
  dnsCheck,
  ftpCheck,
  httpCheck,
  httpAdvCheck,
  httpContentCheck,
  httpParseCheck,
  imap4Check,
  mysqlCheck,
  pingCheck,
  pop3Check,
  portCheck,
  pushCheck,
  rblCheck,
  rdpCheck,
  sipCheck,
  smtpCheck,
  sshCheck,
  sslCheck,
  webSocketCheck,
] as const satisfies readonly CheckType[];

const byName: ReadonlyMap<string, CheckType> = new Map(
  checkTypes.map((checkType) => [checkType.type, checkType]),
);

/** The check type of that name, ignoring case. */
export function checkTypeOf(type: string): CheckType | undefined {
  return byName.get(type.toUpperCase());
}

/** A parameter for the API reference and for forms. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  /** Its JSON Schema, which covers all types that have it. */
  readonly forms: Readonly<Record<string, unknown>>;
  readonly types: readonly string[];
}

/** The parameters of all types, each with the types that have it. */
export function parametersOfTypes(): readonly Parameter[] {
  const all = checkTypes.flatMap(({ type, schema }) =>
    Object.entries(schema.shape).map(([name, parameter]) => {
      const { description = "", ...forms } = parameter.meta() ?? {};
      return { name, type, description, forms };
    }),
  );
  return [...Map.groupBy(all, ({ name }) => name)].map(([name, uses]) => {
    const forms = new Map(uses.map((use) => [JSON.stringify(use.forms), use.forms]));
    const [first = {}, ...others] = forms.values();
    return {
      name,
      description: uses[0]?.description ?? "",
      forms: others.length === 0 ? first : { anyOf: [first, ...others] },
      types: uses.map(({ type }) => type),
    };
  });
}
