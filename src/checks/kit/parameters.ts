import { z } from "zod";

import { parseFlag } from "../../kit/flag.ts";
import { parseHost } from "../../kit/host.ts";

/** A switch; off where it is missing, empty or null. */
export const flag = z
  .unknown()
  .transform((value, context) => {
    const on = value === "" || value === null ? false : parseFlag(value);
    if (on !== undefined) return on;
    context.issues.push({ code: "custom", message: "must be true or false", input: value });
    return z.NEVER;
  })
  .prefault(false);

const HTTP_URL = "must be a valid URL that begins with http:// or https://";
/** What RFC 9110, 4.1 asks everybody to understand. */
const LONGEST_URL = 8000;

export const httpUrl = z
  .string({ error: HTTP_URL })
  .max(LONGEST_URL, `must be at most ${LONGEST_URL} characters`)
  .transform((text, context) => {
    // The URL parser would drop white space without a word.
    const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
    if (url !== null) return url;
    context.issues.push({ code: "custom", message: HTTP_URL, input: text });
    return z.NEVER;
  });

const HOST = "must be a host name or an IP address";
/** RFC 1035, 2.3.4, and the dot at its end. */
const LONGEST_HOST = 254;

/** A name or an address, in the one spelling of parseHost. */
export const host = z.string({ error: HOST }).transform((text, context) => {
  const parsed = parseHost(text);
  if (parsed !== undefined && parsed.length <= LONGEST_HOST) return parsed;
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
