const MOST_QUOTED = 80;

/** The beginning of what a server said, for a message. What comes after a login may repeat a password and is never quoted. */
export function excerpt(line: string): string {
  return JSON.stringify(line.slice(0, MOST_QUOTED));
}
