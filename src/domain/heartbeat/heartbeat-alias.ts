/** Systems whose heartbeat addresses can be reused here. */
export const aliasSystems = [
  "uptime-kuma",
  "healthchecks",
  "gatus",
  "betterstack",
  "cronitor",
  "statping",
  "oneuptime",
  "uptimerobot",
  "deadmanssnitch",
] as const;
export type AliasSystem = (typeof aliasSystems)[number];

/** An address of another system that a heartbeat comes to. */
export interface HeartbeatAlias {
  readonly system: AliasSystem;
  /** Secret part of the address, as sensitive as a password. */
  readonly key: string;
  /** Last part of the path, such as `start`, `fail`, or an exit code. */
  readonly word: string | undefined;
}

interface Form {
  readonly system: AliasSystem;
  readonly path: RegExp;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Path patterns: the key in one or two groups, then the word. Host names are omitted because they change on migration. */
const forms: readonly Form[] = [
  { system: "uptime-kuma", path: /^\/api\/push\/(?<key>[A-Za-z0-9]{10,64})$/ },
  {
    system: "healthchecks",
    path: new RegExp(String.raw`^(?:/ping)?/(?<key>${UUID})(?:/(?<word>start|fail|log|\d+))?$`),
  },
  {
    system: "healthchecks",
    path: /^\/ping\/(?<key>[\w-]{16,128}\/[a-z0-9_-]{1,200})(?:\/(?<word>start|fail|log|\d+))?$/,
  },
  {
    system: "healthchecks",
    path: /^\/(?<key>[\w-]{22}\/[a-z0-9_-]{1,200})(?:\/(?<word>start|fail|log|\d+))?$/,
  },
  {
    system: "gatus",
    path: /^\/api\/v1\/endpoints\/(?<key>[^/]{1,300})\/external$/,
  },
  {
    system: "betterstack",
    path: /^\/api\/v1\/heartbeat\/(?<key>[A-Za-z0-9]{10,64})(?:\/(?<word>fail|\d+))?$/,
  },
  { system: "cronitor", path: /^\/p\/(?<key>[A-Za-z0-9]{16,64}\/[\w-]{1,100})$/ },
  { system: "statping", path: /^\/checkin\/(?<key>[A-Za-z0-9]{7,64})$/ },
  { system: "oneuptime", path: /^\/heartbeat\/(?<key>[A-Za-z0-9-]{16,64})$/ },
  { system: "uptimerobot", path: /^\/(?<key>m\d{3,15}-[0-9a-f]{20,64})$/ },
  { system: "deadmanssnitch", path: /^\/(?<key>[0-9a-f]{10})$/ },
];

/** All of these that are not the dashboard's, the API's or a page's begin in one of these ways. */
const BEGINNING =
  /^\/(?:api\/push\/|api\/v1\/|ping\/|p\/|checkin\/|heartbeat\/|m\d{3}|[0-9a-f]{8}|[\w-]{22}\/)/;
const MAX_PATH_LENGTH = 1000;

/** Reads a path, whatever its host. */
export function aliasOf(path: string): HeartbeatAlias | undefined {
  if (!BEGINNING.test(path) || path.length > MAX_PATH_LENGTH) return undefined;
  const plain = path.endsWith("/") ? path.slice(0, -1) : path;
  for (const { system, path: form } of forms) {
    const groups = form.exec(plain)?.groups;
    if (groups?.key !== undefined) return { system, key: groups.key, word: groups.word };
  }
  return undefined;
}

/** The addresses of gatus are no secret; the token that comes with them is. */
export function withToken(alias: HeartbeatAlias, token: string | undefined): HeartbeatAlias {
  return alias.system === "gatus" ? { ...alias, key: `${alias.key} ${token ?? ""}` } : alias;
}

/** Returns the text that is hashed to find a check by alias. */
export function aliasText({ system, key }: Pick<HeartbeatAlias, "system" | "key">): string {
  return `${system} ${key}`;
}

/** How people recognise it, without its secret. */
export function aliasHint({ system, key }: Pick<HeartbeatAlias, "system" | "key">): string {
  if (system === "gatus") return key.slice(0, key.indexOf(" "));
  const slug = key.indexOf("/");
  return slug === -1 ? `${key.slice(0, 4)}…` : `…${key.slice(slug)}`;
}
