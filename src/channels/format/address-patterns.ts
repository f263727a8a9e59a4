import { InvalidInput } from "../../kit/errors.ts";
import { parseHost } from "../../kit/net/host.ts";

const MAX_LENGTH = 2000;

function addressForm(
  fits: (address: string) => boolean,
  example: string,
): (address: string) => string {
  return (address) => {
    const given = address.trim();
    if (given.length <= MAX_LENGTH && fits(given)) return given;
    throw new InvalidInput(`must be ${example}, not ${JSON.stringify(given.slice(0, MAX_LENGTH))}`);
  };
}

/** A number as people write it; with a plus it is a whole one (E.164), which has at most 15 digits and no country that begins with 0. */
export const parsePhoneNumber = addressForm(
  (address) =>
    /^\+?[\d ()./-]+$/.test(address) && /^(\+[1-9]|\d)\d{4,14}$/.test(dialledNumber(address)),
  "a phone number of 5 to 15 digits such as +44 20 7946 0000",
);

/** A phone number without what people put between its digits. */
export function dialledNumber(address: string): string {
  return address.replaceAll(/[ ()./-]/g, "");
}

/** A handle, or one with the server that it is on. */
export const parseHandle = addressForm((address) => {
  const [, server] = /^@?\w[\w.-]{0,63}(?:@(.+))?$/.exec(address) ?? [];
  return server === undefined
    ? /^@?\w{1,30}$/.test(address)
    : server.includes(".") && parseHost(server) !== undefined;
}, "a handle such as @example or @example@mastodon.example");

export const parseSecureUrl = addressForm(
  isSecureUrl,
  "a URL such as https://hooks.example.com/services/T0/B0/x",
);

export const parseIntegration = addressForm(
  (address) => /^[A-Za-z0-9]{32}$/.test(address) || isSecureUrl(address),
  "an integration key of 32 letters and digits, or a URL that takes events",
);

export const parseUserKey = addressForm(
  (address) => /^[A-Za-z0-9]{30}$/.test(address),
  "a user or group key of 30 letters and digits",
);

/** Returns whether an address may be a key, in whatever form its service gives them. */
export function isKey(address: string): boolean {
  return /^[\w+.-]{1,100}$/.test(address);
}

function isSecureUrl(address: string): boolean {
  return /^https:\/\/[^\s\\]+$/i.test(address) && URL.canParse(address);
}
