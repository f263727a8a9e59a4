/** A check that a text could stand for. */
export interface Guess {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const ofPorts: ReadonlyMap<number, Omit<Guess, "parameters"> & { readonly secure?: string }> =
  new Map([
    [21, { type: "FTP" }],
    [22, { type: "SSH" }],
    [25, { type: "SMTP" }],
    [53, { type: "DNS" }],
    [110, { type: "POP3" }],
    [143, { type: "IMAP4" }],
    [465, { type: "SMTP", secure: "ssl" }],
    [587, { type: "SMTP", secure: "starttls" }],
    [993, { type: "IMAP4", secure: "ssl" }],
    [995, { type: "POP3", secure: "ssl" }],
    [3306, { type: "MYSQL" }],
    [3389, { type: "RDP" }],
    [5060, { type: "SIP" }],
  ]);

/**
 * What somebody means who enters a URL, a host, or a host with a port: in the order in which they are tried, until one passes. Empty where it is none of
 * them.
 */
export function guessChecks(entered: string): readonly Guess[] {
  const text = entered.trim();
  if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) return [webCheck(text)];
  if (/^wss?:\/\/\S+$/i.test(text) && URL.canParse(text))
    return [{ type: "WEBSOCKET", parameters: { target: text } }];
  const [, host, digits] = /^(\[[\da-f:.]+\]|[^\s/:@]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host !== undefined) return [checkOfPort(host, Number(digits))];
  if (isAddress(text)) return [pingCheck(text)];
  // A path without a scheme.
  if (/^[^\s/:@]+\.[^\s/:@]+\/\S*$/.test(text)) return [webCheck(`https://${text}`)];
  if (!/^[^\s/:@]+$/.test(text)) return [];
  return [webCheck(`https://${text}/`), webCheck(`http://${text}/`), pingCheck(text)];
}

function isAddress(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || /^\[?[\da-f]*:[\da-f:.]+\]?$/i.test(text);
}

function webCheck(target: string): Guess {
  const isSecure = /^https:/i.test(target);
  return { type: "HTTP", parameters: { target, follow: true, ...(isSecure && { verify: true }) } };
}

function pingCheck(target: string): Guess {
  return { type: "PING", parameters: { target } };
}

function checkOfPort(target: string, port: number): Guess {
  if (port === 80 || port === 8080) return webCheck(`http://${target}:${port}/`);
  if (port === 443 || port === 8443) return webCheck(`https://${target}:${port}/`);
  const { type, secure } = { secure: undefined, ...(ofPorts.get(port) ?? { type: "PORT" }) };
  const isSecure = secure !== undefined && { secure, verify: true };
  return { type, parameters: { target, port, ...isSecure } };
}
