import { codeOf, InvalidInput, messageOf, Unavailable, type AppError } from "../kit/errors.ts";

/** Returns the error of a process that cannot listen. Only a missing permission is invalid input: a port may become free, and an address may appear. */
export function cannotListen(setting: string, place: string, cause: unknown): AppError {
  const message = `${setting}: cannot listen on ${place}: ${messageOf(cause)}`;
  return codeOf(cause) === "EACCES"
    ? new InvalidInput(`${message}: ports below 1024 need a right that this process lacks`, {
        cause,
      })
    : new Unavailable(message, { cause });
}
