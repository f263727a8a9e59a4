const MINUTE_MS = 60_000;
export const maxRetryMs = 6 * 60 * MINUTE_MS;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 15 * MINUTE_MS;

/** How long to wait after attempt number `attempts`: 5 s doubling to a quarter of an hour, spread by `jitter` (0 to 1) over its upper half. */
export function retryDelay(attempts: number, jitter: number): number {
  const ceiling = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS);
  return ceiling / 2 + (ceiling / 2) * jitter;
}
