import type { z } from "zod";

import { parseFlag } from "../../kit/flag.ts";
import { parseHost } from "../../kit/net/host.ts";
import {
  choice,
  flag,
  line,
  optional,
  required,
  text,
  wholeNumber,
  wholeNumberSpec,
} from "../../schema/parameter.ts";
import type { ParameterSpec } from "../../schema/parameter.ts";
import { secret } from "./secrets.ts";

/** RFC 1035, 2.3.4, and the dot at its end. */
const LONGEST_HOST = 254;
/** What RFC 9110, 4.1 asks everybody to understand. */
const LONGEST_URL = 8000;
/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
const LONGEST_EMAIL = 254;
const LONGEST_TEXT = 10_000;

const TARGET = "The host or URL to check";

/** Clients of the original service give a URL where a host is meant. */
export function hostOfUrl(value: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(value) ? URL.parse(value)?.hostname : undefined;
}

/** A name or an address, in the one spelling of parseHost; of a URL its host. */
function hostSpec(description: string): ParameterSpec<string> {
  return {
    description,
    jsonSchema: { type: "string", maxLength: LONGEST_HOST },
    expected: "must be a host name or an IP address",
    parse(value) {
      const parsed = typeof value === "string" ? parseHost(hostOfUrl(value) ?? value) : undefined;
      return parsed !== undefined && parsed.length <= LONGEST_HOST ? parsed : undefined;
    },
  };
}

/** A web address that begins with one of the schemes. */
function urlSpec(schemes: readonly string[]): ParameterSpec<URL> {
  const begin = `^(?:${schemes.join("|")})://`;
  // The URL parser would drop white space without a word.
  const shape = new RegExp(String.raw`${begin}\S+$`, "i");
  const beginnings = schemes.map((scheme) => `${scheme}://`).join(" or ");
  return {
    description: TARGET,
    jsonSchema: { type: "string", maxLength: LONGEST_URL, pattern: begin },
    expected: `Invalid URL, must be one that begins with ${beginnings}, of at most ${LONGEST_URL} characters`,
    parse: (value) =>
      typeof value === "string" && shape.test(value) ? (URL.parse(value) ?? undefined) : undefined,
  };
}

export const host = required(hostSpec(TARGET));
export const optionalHost = optional(hostSpec(TARGET), undefined);
export const httpUrl = required(urlSpec(["http", "https"]));
export const webSocketUrl = required(urlSpec(["ws", "wss", "http", "https"]));

/** A host, or a web address for the host and the port in it. */
export const hostOrUrl = required({
  description: TARGET,
  jsonSchema: { type: "string", maxLength: LONGEST_URL },
  expected: "must be a host name, an IP address, or a web address",
  parse(value): { readonly host: string; readonly port: number | undefined } | undefined {
    const url = urlSpec(["http", "https"]).parse(value);
    if (url === undefined && typeof value === "string" && value.includes("/")) return undefined;
    const host = hostSpec(TARGET).parse(url?.hostname ?? value);
    if (host === undefined) return undefined;
    return { host, port: url === undefined || url.port === "" ? undefined : Number(url.port) };
  },
});

export const serverName = optional(
  hostSpec("The name that the certificate must match; the target's unless given"),
  undefined,
);

const PORT = "The port, if it is not the default port of the protocol";
const PORTS = { min: 1, max: 65_535 };

export const portNumber = required(wholeNumberSpec(PORT, PORTS));
/** A port whose default depends on other parameters. */
export const optionalPort = wholeNumber(PORT, PORTS, undefined);

export function portOr(usual: number): z.ZodType<number> {
  return wholeNumber(PORT, PORTS, usual);
}

export const ipv6 = flag("Uses IPv6 only; otherwise IPv4 is preferred");
export const follow = flag("Follows redirects, up to four");
export const invert = flag(
  "Inverts the result: passes if the text is absent, or if the connection or the recipient is refused",
);
export const verify = flag("Fails if the certificate is expired, not trusted, or for another name");

const CONTENT = "Text that must be in the response";

export const contentString = text(CONTENT, LONGEST_TEXT);
/** For protocols in which it could become part of a command. */
export const contentLine = line(CONTENT);

export const username = line("The user name for the login");
export const password = secret(line("The password of `username`"));

/** How a connection becomes secret, if at all; true and `ssl` are the same. */
export function secure<const Way extends string>(
  ways: readonly Way[],
): z.ZodType<false | "ssl" | Way> {
  const known = ["ssl", ...ways] as const;
  return optional(
    {
      description: "Whether the connection is encrypted, and how",
      jsonSchema: { type: ["string", "boolean"], enum: [true, false, "false", ...known] },
      expected: `must be one of false, ${known.join(", ")}`,
      parse(value) {
        const on = parseFlag(value);
        if (on !== undefined) return on && "ssl";
        return known.find((way) => typeof value === "string" && way === value.toLowerCase());
      },
    },
    false,
  );
}

export const warningDays = wholeNumber(
  "Fails if the certificate expires within this number of days",
  { min: 0, max: 36_500 },
  undefined,
);

export const email = optional(
  {
    description:
      "The mail address: SMTP tests it as the recipient, IMAP4 logs in with it if there is no `username`",
    jsonSchema: { type: "string", maxLength: LONGEST_EMAIL },
    expected: "must be an email address",
    parse: (value) =>
      typeof value === "string" && /^[^\s\p{Cc}@<>]+@[^\s\p{Cc}@<>]+$/u.test(value)
        ? value
        : undefined,
  },
  undefined,
);

export function transport<const Way extends string>(
  ways: readonly [Way, ...Way[]],
): z.ZodType<Way> {
  return choice("The transport protocol of the request", ways);
}
