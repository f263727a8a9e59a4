import { signInUrl } from "../domain/account/session.ts";
import type { Config } from "./config.ts";
import { roleNames } from "./settings/role-settings.ts";
import type { RunningService } from "./watchpost.ts";

/** What a process that has started prints. */
export function greeting(
  version: string,
  { address, firstAccess }: Pick<RunningService, "address" | "firstAccess">,
  config: Config,
): string {
  const lines = [
    `Watchpost ${version} is running${rolesIn(config)}.`,
    "",
    ...addressesOf(address, config),
    whereData(config),
  ];
  if (firstAccess !== undefined)
    lines.push(
      `  Sign in      ${signInUrl(config.WATCHPOST_URL ?? address, firstAccess.linkSecret)}   (works once, for a day)`,
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

function whereData({ WATCHPOST_DATABASE_URL: url, WATCHPOST_DATA: folder }: Config): string {
  if (url === undefined) return `  Data         ${folder}`;
  const { host, pathname } = new URL(url.reveal());
  return `  Database     ${host}${pathname}`;
}
