import { isRecord } from "../../kit/safe-json.ts";

/** The JSON object in a response; an empty one where there is none, or it was truncated. */
export function responseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {}; // only the status counts then
  }
}

/** Seconds in a response as ms; undefined where there are none. */
export function secondsInMs(seconds: unknown): number | undefined {
  return typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
}
