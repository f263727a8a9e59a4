import { z } from "zod";

import { parseHost } from "../../kit/host.ts";

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ["1", true],
  ["true", true],
  [false, false],
  [0, false],
  ["0", false],
  ["false", false],
  ["", false],
  [null, false],
]);

/** A switch as clients write it: a boolean, 0 or 1, or the text of one; off where it is missing. */
export const flag = z
  .unknown()
  .transform((value, context) => {
    const on = FLAGS.get(typeof value === "string" ? value.toLowerCase() : value);
    if (on !== undefined) return on;
    context.issues.push({ code: "custom", message: "must be true or false", input: value });
    return z.NEVER;
  })
  .prefault(false);

const HTTP_URL = "must be a valid URL that begins with http:// or https://";

export const httpUrl = z.string({ error: HTTP_URL }).transform((text, context) => {
  // The URL parser would drop white space without a word.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
  if (url !== null) return url;
  context.issues.push({ code: "custom", message: HTTP_URL, input: text });
  return z.NEVER;
});

const HOST = "must be a host name or an IP address";

/** A name or an address, in the one spelling of parseHost. */
export const host = z.string({ error: HOST }).transform((text, context) => {
  const parsed = parseHost(text);
  if (parsed !== undefined) return parsed;
  context.issues.push({ code: "custom", message: HOST, input: text });
  return z.NEVER;
});

const PORT = "must be a whole number from 1 to 65535";

export const portNumber = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,5}$/)
        .transform(Number),
    ],
    { error: PORT },
  )
  .refine((port) => Number.isInteger(port) && port >= 1 && port <= 65_535, { error: PORT });
