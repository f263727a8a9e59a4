const MAX_QUOTED = 80;

/** The beginning of a server's line, quoted for a message. Responses after a login may repeat the password and must not be quoted. */
export function excerpt(line: string): string {
  return JSON.stringify(line.slice(0, MAX_QUOTED));
}
