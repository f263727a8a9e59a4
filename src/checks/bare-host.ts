import type { z } from "zod";

import { host, hostOfUrl, dnsServer, serverName } from "./parameters/parameters.ts";

const bareHosts: ReadonlySet<z.ZodType> = new Set<z.ZodType>([host, dnsServer, serverName]);

/** The host that counts where a URL was given for a parameter that is a host alone; undefined for anything else. */
export function hostInUrl(parameter: z.ZodType, value: unknown): string | undefined {
  return typeof value === "string" && bareHosts.has(parameter) ? hostOfUrl(value) : undefined;
}
