import { isRecord } from "../../kit/safe-json.ts";

/** Parses the JSON object in a response; empty if there is none or it was truncated. */
export function responseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {}; // only the status counts then
  }
}

/** Converts seconds in a response to ms; undefined if there are none. */
export function secondsInMs(seconds: unknown): number | undefined {
  return typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
}
