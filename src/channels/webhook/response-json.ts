import { isRecord } from "../../kit/safe-json.ts";

/** The object that a service answered; an empty one where it was something else, or cut off. */
export function responseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {}; // then its status has to say all
  }
}

/** Seconds of an answer in ms; undefined where there are none. */
export function secondsInMs(seconds: unknown): number | undefined {
  return typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
}
