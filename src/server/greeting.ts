import { signInUrl } from "../domain/account/session.ts";
import type { Config } from "../settings/config.ts";
import { roleNames } from "../settings/role-settings.ts";
import type { RunningService } from "./watchpost.ts";

type Started = Pick<RunningService, "address" | "firstAccess">;

/** Returns the message that a started process prints on a terminal. */
export function greeting(version: string, started: Started, config: Config): string {
  const { address } = started;
  const lines = [
    `Watchpost ${version} is running${rolesIn(config)}.`,
    "",
    ...addressesOf(address, config),
    whereData(config),
  ];
  const link = signInLink(started, config);
  if (link !== undefined)
    lines.push(
      `  Sign in      ${link}   (works once, for a day)`,
      "  API tokens   ./watchpost token create, or the page API tokens once you are signed in",
    );
  if (config.WATCHPOST_EGRESS === "private") {
    lines.push(
      "",
      "  Targets in private networks are allowed. If strangers may use this installation, set WATCHPOST_EGRESS=public.",
    );
  }
  return `${lines.join("\n")}\n\n`;
}

/** The same for programs, as fields of a line of the log. */
export function startedFields(version: string, started: Started, config: Config): object {
  const { WATCHPOST_ROLES: roles, WATCHPOST_EGRESS: egress } = config;
  const { address } = started;
  return {
    version,
    roles,
    address,
    ...placeOfData(config),
    egress,
    signIn: signInLink(started, config),
  };
}

function signInLink({ address, firstAccess }: Started, config: Config): string | undefined {
  if (firstAccess === undefined) return undefined;
  return signInUrl(config.WATCHPOST_URL ?? address, firstAccess.linkSecret);
}

function rolesIn({ WATCHPOST_ROLES: roles }: Config): string {
  return roles.length === roleNames.length ? "" : `: ${roles.join(", ")}`;
}

function addressesOf(address: string, { WATCHPOST_ROLES: roles }: Config): readonly string[] {
  if (!roles.includes("api")) return [`  Health       ${address}/readyz`];
  return [
    `  API          ${address}/api/1`,
    `  Reference    ${address}/docs`,
    `  Heartbeats   ${address}/v1`,
    `  Dashboard    ${address}/`,
  ];
}

function whereData(config: Config): string {
  const { data, database } = placeOfData(config);
  return data === undefined ? `  Database     ${database}` : `  Data         ${data}`;
}

function placeOfData({ WATCHPOST_DATABASE_URL: url, WATCHPOST_DATA: data }: Config): {
  readonly data?: string;
  readonly database?: string;
} {
  if (url === undefined) return { data };
  const { host, pathname } = new URL(url.reveal());
  return { database: `${host}${pathname}` };
}
