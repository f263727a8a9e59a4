import { WatchpostError } from "./error.ts";

/** A PUSH check, as the service shows it when it is made. */
export interface HeartbeatTarget {
  /** The address of the service, such as `https://watchpost.example.com`. */
  readonly url: string;
  readonly id: string;
  readonly checktoken: string;
}

export interface Heartbeat {
  /** `start` where a run begins, `fail` where it failed, the exit code that it ended with, or `log`. */
  readonly signal?: "start" | "fail" | "log" | number;
  /** Text of the result. */
  readonly msg?: string;
  /** How long it took, in ms. */
  readonly ping?: number;
  /** Distinguishes concurrent runs. */
  readonly rid?: string;
  /** Metrics, which the check's fields judge. */
  readonly data?: object;
}

/** Sends a heartbeat, and resolves once it is stored. */
export async function sendHeartbeat(
  { url, id, checktoken }: HeartbeatTarget,
  { signal, data, ...rest }: Heartbeat = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<void> {
  const path = ["v1", id, checktoken, ...(signal === undefined ? [] : [String(signal)])];
  const address = new URL(path.map(encodeURIComponent).join("/"), `${url.replace(/\/+$/, "")}/`);
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined) address.searchParams.set(name, String(value));
  const response = await fetch(address, {
    method: "POST",
    ...(data !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ data }),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw WatchpostError.of(response.status, text);
}
