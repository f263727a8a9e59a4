import { join } from "node:path";

/** Callers need the socket's path without loading the server. */
export function controlSocketPath(directory: string): string {
  return join(directory, "control");
}
