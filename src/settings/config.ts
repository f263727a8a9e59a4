import type { z } from "zod";

import type { Location } from "../domain/location.ts";
import { InvalidInput } from "../kit/errors.ts";
import { wrongBackups } from "./backup-settings.ts";
import { givenSettings } from "./given-settings.ts";
import { wrongRoles } from "./role-requirements.ts";
import { settings } from "./settings.ts";

/** The parsed settings by name. */
export type Config = Readonly<z.output<typeof schema>> & {
  /** The locations that this process runs checks from. */
  readonly locations: readonly Location[];
};

/** Settings that require each other. */
const requiredTogether = [
  ["WATCHPOST_TWILIO_ACCOUNT", "WATCHPOST_TWILIO_TOKEN", "WATCHPOST_TWILIO_FROM"],
  [
    "WATCHPOST_X_API_KEY",
    "WATCHPOST_X_API_SECRET",
    "WATCHPOST_X_ACCESS_TOKEN",
    "WATCHPOST_X_ACCESS_SECRET",
  ],
  ["WATCHPOST_MASTODON_URL", "WATCHPOST_MASTODON_TOKEN"],
  ["WATCHPOST_OIDC_ISSUER", "WATCHPOST_OIDC_CLIENT_ID", "WATCHPOST_OIDC_CLIENT_SECRET"],
  ["WATCHPOST_NATS_CERT", "WATCHPOST_NATS_CERT_KEY"],
  ["WATCHPOST_BACKUP_S3_ACCESS_KEY", "WATCHPOST_BACKUP_S3_SECRET_KEY"],
] as const;

/** Settings without a meaning unless WATCHPOST_NATS_URL is given. */
const requireNats = [
  "WATCHPOST_NATS_NKEY",
  "WATCHPOST_NATS_CA",
  "WATCHPOST_NATS_CERT",
  "WATCHPOST_LOCATION_KEY",
] as const;

const schema = settings.check(({ value, issues }) => {
  const wrong = (name: keyof typeof value, message: string): void => {
    issues.push({ code: "custom", path: [name], message, input: undefined });
  };
  if (value.WATCHPOST_SMTP_URL !== undefined && value.WATCHPOST_MAIL_FROM === undefined) {
    wrong("WATCHPOST_MAIL_FROM", "required with WATCHPOST_SMTP_URL");
  }
  if (value.WATCHPOST_CONFIRM_ADDRESSES && value.WATCHPOST_SMTP_URL === undefined) {
    wrong("WATCHPOST_SMTP_URL", "required with WATCHPOST_CONFIRM_ADDRESSES=on");
  }
  if (value.WATCHPOST_OPERATOR_EMAIL !== undefined && value.WATCHPOST_SMTP_URL === undefined) {
    wrong("WATCHPOST_SMTP_URL", "required with WATCHPOST_OPERATOR_EMAIL");
  }
  for (const names of requiredTogether) {
    const given = names.find((name) => value[name] !== undefined);
    const missing = names.filter((name) => given !== undefined && value[name] === undefined);
    for (const name of missing) wrong(name, `required with ${given}`);
  }
  if (value.WATCHPOST_NATS_URL === undefined) {
    const given = requireNats.find((name) => value[name] !== undefined);
    if (given !== undefined) wrong("WATCHPOST_NATS_URL", `required with ${given}`);
  }
  for (const [name, message] of [...wrongRoles(value), ...wrongBackups(value)])
    wrong(name, message);
  const one = value.WATCHPOST_LOCATION !== undefined || value.WATCHPOST_REGION !== undefined;
  if (one && value.WATCHPOST_LOCATIONS.length > 0) {
    wrong("WATCHPOST_LOCATIONS", "give either this, or WATCHPOST_LOCATION with WATCHPOST_REGION");
  }
  const codes = value.WATCHPOST_LOCATIONS.map(({ code }) => code);
  if (new Set(codes).size < codes.length)
    wrong("WATCHPOST_LOCATIONS", "each location is given once");
});

/** Reads the file and the environment, which overrides the file. Throws InvalidInput with one line for each problem. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = givenSettings(environment);
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, given));
    throw new InvalidInput(problems.join("\n"));
  }
  const {
    WATCHPOST_LOCATION: code = "local",
    WATCHPOST_REGION: region,
    WATCHPOST_LOCATIONS: several,
  } = parsed.data;
  return Object.freeze({
    ...parsed.data,
    locations: several.length > 0 ? several : [{ code, region }],
  });
}

/** The public URL of this installation; unless set, the one that a browser on this machine can open. */
export function publicUrl({
  WATCHPOST_URL: url,
  WATCHPOST_LISTEN: { host, port },
}: Pick<Config, "WATCHPOST_URL" | "WATCHPOST_LISTEN">): string {
  if (url !== undefined) return url;
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

function problemsOf(
  issue: z.core.$ZodIssue,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((name) => `${name}: unknown setting${didYouMean(name)}`);
  const [name = ""] = issue.path;
  return [`${String(name)}: ${withoutLogins(issue.message, given[String(name)])}`];
}

/** A message without the logins of the URLs in the value that it is about: the value may be that of another setting, and the message is logged. */
function withoutLogins(message: string, value: unknown): string {
  const logins = String(value).match(/(?<=:\/\/)[^\s/?#@"'<>]+@/g) ?? [];
  return logins.reduce((text, login) => text.replaceAll(login, ""), message);
}

function didYouMean(name: string): string {
  const letters = (text: string): ReadonlySet<string> =>
    new Set(text.slice("WATCHPOST_".length).split(""));
  const likeness = (known: string): number => {
    const [one, other] = [letters(known), letters(name)];
    return one.intersection(other).size / one.union(other).size;
  };
  const [best] = Object.keys(settings.shape).toSorted(
    (one, other) => likeness(other) - likeness(one),
  );
  return best !== undefined && likeness(best) > 0.6 ? `, did you mean ${best}?` : "";
}
