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
  type ParameterSpec,
} from "../../schema/parameter.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { term, type Words } from "../../schema/words.ts";
import { secret } from "./secrets.ts";

/** RFC 1035, 2.3.4, and the dot at its end. */
const MAX_HOST_LENGTH = 254;
/** Minimum URL length that RFC 9110, 4.1 recommends supporting. */
const MAX_URL_LENGTH = 8000;
/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL_LENGTH = 254;
const MAX_TEXT_LENGTH = 10_000;

const TARGET = "The host or URL to check";

/** Clients of the original service give a URL where a host is meant. */
export function hostOfUrl(value: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(value) ? URL.parse(value)?.hostname : undefined;
}

/** A name or an address, in the one spelling of parseHost; of a URL its host. */
function hostSpec(description: string): ParameterSpec<string> {
  return {
    description,
    jsonSchema: { type: "string", maxLength: MAX_HOST_LENGTH },
    expected: "must be a host name or an IP address",
    parse(value) {
      const parsed = typeof value === "string" ? parseHost(hostOfUrl(value) ?? value) : undefined;
      return parsed !== undefined && parsed.length <= MAX_HOST_LENGTH ? parsed : undefined;
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
    jsonSchema: { type: "string", maxLength: MAX_URL_LENGTH, pattern: begin },
    expected: `Invalid URL, must be one that begins with ${beginnings}, of at most ${MAX_URL_LENGTH} characters`,
    parse: (value) =>
      typeof value === "string" && shape.test(value) ? (URL.parse(value) ?? undefined) : undefined,
  };
}

export const host = required(hostSpec(TARGET)).register(formHints, {
  title: term("Host"),
  help: { en: "A host name or an IP address", de: "Ein Hostname oder eine IP-Adresse" },
});
export const dnsServer = optional(hostSpec(TARGET), undefined).register(formHints, {
  title: { en: "DNS server", de: "DNS-Server" },
  help: {
    en: "A host name or an IP address; the server that the location itself asks if empty",
    de: "Ein Hostname oder eine IP-Adresse; der Server, den der Standort selbst fragt, wenn leer",
  },
});
export const httpUrl = required(urlSpec(["http", "https"])).register(formHints, {
  title: term("URL"),
  help: {
    en: "A web address with http:// or https://",
    de: "Eine Webadresse mit http:// oder https://",
  },
});
export const webSocketUrl = required(urlSpec(["ws", "wss", "http", "https"])).register(formHints, {
  title: term("URL"),
  help: { en: "An address with ws:// or wss://", de: "Eine Adresse mit ws:// oder wss://" },
});

/** A host, or a web address for the host and the port in it. */
export const hostOrUrl = required({
  description: TARGET,
  jsonSchema: { type: "string", maxLength: MAX_URL_LENGTH },
  expected: "must be a host name, an IP address, or a web address",
  parse(value): { readonly host: string; readonly port: number | undefined } | undefined {
    const url = urlSpec(["http", "https"]).parse(value);
    if (url === undefined && typeof value === "string" && value.includes("/")) return undefined;
    const host = hostSpec(TARGET).parse(url?.hostname ?? value);
    if (host === undefined) return undefined;
    return { host, port: url === undefined || url.port === "" ? undefined : Number(url.port) };
  },
}).register(formHints, {
  title: term("Host"),
  help: {
    en: "A host name, an IP address or a web address",
    de: "Ein Hostname, eine IP-Adresse oder eine Webadresse",
  },
  input: "line",
});

export const serverName = optional(
  hostSpec("The name that the certificate must match; the target's unless given"),
  undefined,
).register(formHints, {
  title: { en: "Name on the certificate", de: "Name auf dem Zertifikat" },
  help: {
    en: "The name that the certificate must match; that of the host if empty",
    de: "Der Name, zu dem das Zertifikat passen muss; der des Hosts, wenn leer",
  },
  advanced: true,
});

const PORT = "The port, if it is not the default port of the protocol";
const PORTS = { min: 1, max: 65_535 };

export const portNumber = required(wholeNumberSpec(PORT, PORTS)).register(formHints, {
  title: term("Port"),
  help: {
    en: "The TCP port that must accept connections",
    de: "Der TCP-Port, der Verbindungen annehmen muss",
  },
});
const portHints = {
  title: term("Port"),
  help: { en: "Only where it is not the usual one", de: "Nur wenn es nicht der übliche ist" },
};
/** A port whose default depends on other parameters. */
export const optionalPort = wholeNumber(PORT, PORTS, undefined).register(formHints, portHints);

export function portOr(usual: number): z.ZodType<number> {
  return wholeNumber(PORT, PORTS, usual).register(formHints, portHints);
}

export const ipv6 = flag("Uses IPv6 only; otherwise IPv4 is preferred").register(formHints, {
  title: { en: "IPv6 only", de: "Nur IPv6" },
  help: { de: "Nutzt nur IPv6; sonst wird IPv4 bevorzugt" },
  advanced: true,
});
export const follow = flag("Follows redirects, up to four").register(formHints, {
  title: { en: "Follow redirects", de: "Weiterleitungen folgen" },
  help: { de: "Folgt Weiterleitungen, bis zu vier" },
  suggested: true,
});
export const invert = flag(
  "Inverts the result: passes if the text is absent, or if the connection or the recipient is refused",
).register(formHints, {
  title: { en: "The text must be absent", de: "Der Text muss fehlen" },
  help: {
    en: "Passes where the text is not found, and fails where it is",
    de: "Besteht, wenn der Text nicht gefunden wird, und schlägt sonst fehl",
  },
});
export const verify = flag(
  "Fails if the certificate is expired, not trusted, or for another name",
).register(formHints, {
  title: { en: "Verify the certificate", de: "Zertifikat prüfen" },
  help: {
    de: "Schlägt fehl, wenn das Zertifikat abgelaufen ist, nicht vertrauenswürdig oder für einen anderen Namen",
  },
  suggested: true,
});

const CONTENT = "Text that must be in the response";
const contentHints = {
  title: { en: "Text to find", de: "Gesuchter Text" },
  help: { de: "Text, der in der Antwort stehen muss" },
};

export const contentString = text(CONTENT, MAX_TEXT_LENGTH).register(formHints, contentHints);
/** For protocols in which it could become part of a command. */
export const contentLine = line(CONTENT).register(formHints, contentHints);

export const username = line("The user name for the login").register(formHints, {
  title: { en: "User name", de: "Benutzername" },
  help: { en: "Logs in where it is given", de: "Meldet sich an, wenn er angegeben ist" },
});
export const password = secret(line("The password of `username`")).register(formHints, {
  title: { en: "Password", de: "Passwort" },
  help: { de: "Das Passwort zu `username`" },
});

/** How a connection becomes secret, if at all; true and `ssl` are the same. */
export function secure<const Way extends string>(
  ways: readonly Way[],
): z.ZodType<false | "ssl" | Way> {
  const known = ["ssl", ...ways] as const;
  const parameter: z.ZodType<false | "ssl" | Way> = optional(
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
  return parameter.register(formHints, {
    title: { en: "Encryption", de: "Verschlüsselung" },
    help: { de: "Ob die Verbindung verschlüsselt ist, und wie" },
    choices: Object.fromEntries(["false", ...known].map((way) => [way, WAYS[way] ?? term(way)])),
  });
}

const WAYS: Readonly<Record<string, Words>> = {
  false: { en: "None", de: "Keine" },
  ssl: { en: "TLS from the start", de: "TLS von Anfang an" },
  starttls: term("STARTTLS"),
};

export const warningDays = wholeNumber(
  "Fails if the certificate expires within this number of days",
  { min: 0, max: 36_500 },
  undefined,
).register(formHints, {
  title: { en: "Days before the certificate expires", de: "Tage vor Ablauf des Zertifikats" },
  help: { de: "Schlägt fehl, wenn das Zertifikat innerhalb so vieler Tage abläuft" },
});

export const email = optional(
  {
    description:
      "The mail address: SMTP tests it as the recipient, IMAP4 logs in with it if there is no `username`",
    jsonSchema: { type: "string", maxLength: MAX_EMAIL_LENGTH },
    expected: "must be an email address",
    parse: (value) =>
      typeof value === "string" && /^[^\s\p{Cc}@<>]+@[^\s\p{Cc}@<>]+$/u.test(value)
        ? value
        : undefined,
  },
  undefined,
).register(formHints, {
  title: { en: "Mail address", de: "E-Mail-Adresse" },
  help: {
    en: "Logs in with it where there is no user name",
    de: "Meldet sich damit an, wenn es keinen Benutzernamen gibt",
  },
  advanced: true,
});

export function transport<const Way extends string>(
  ways: readonly [Way, ...Way[]],
): z.ZodType<Way> {
  return choice("The transport protocol of the request", ways).register(formHints, {
    title: term("Transport"),
    help: { de: "Das Transportprotokoll der Anfrage" },
    advanced: true,
    choices: Object.fromEntries(ways.map((way) => [way, term(way.toUpperCase())])),
  });
}
