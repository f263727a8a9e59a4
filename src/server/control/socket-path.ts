import { join } from "node:path";

/** Whoever calls the service needs its socket's path, and none of what serves it. */
export function controlSocketPath(directory: string): string {
  return join(directory, "control");
}
