import { randomBytes } from "node:crypto";

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const LOWER = UPPER.toLowerCase();

/** Makes all ids and tokens, in the formats that existing clients parse and compare. */
export interface Ids {
  readonly account: (now: number) => string;
  readonly contact: (accountId: string) => string;
  readonly group: (accountId: string) => string;
  readonly profile: (accountId: string) => string;
  readonly address: () => string;
  readonly check: (accountId: string) => string;
  readonly maintenance: () => string;
  readonly statusPage: () => string;
  readonly incident: () => string;
  readonly subscriber: () => string;
  readonly configuration: () => string;
  readonly alert: () => string;
  readonly bundle: () => string;
  /** An API or check token, 8-4-4-4-12 upper-case letters and digits: 153 random bits. */
  readonly token: () => string;
  readonly uuid: () => string;
  readonly queue: () => string;
  readonly revision: () => string;
}

export function createIds(random: (size: number) => Uint8Array = randomBytes): Ids {
  const letters = (count: number, alphabet: string): string => {
    let text = "";
    while (text.length < count) {
      for (const byte of random(count)) {
        // 252 is the largest multiple of 36 in a byte; without the limit the first four letters would be more frequent.
        if (byte < 252 && text.length < count) text += alphabet.charAt(byte % alphabet.length);
      }
    }
    return text;
  };
  const grouped = (alphabet: string): string => {
    const drawn = letters(30, alphabet);
    const [first, second, third] = [drawn.slice(0, 8), drawn.slice(8, 12), drawn.slice(12, 15)];
    return `${first}-${second}-4${third}-8${drawn.slice(15, 18)}-${drawn.slice(18)}`;
  };
  return {
    account: (now) =>
      `${new Date(now).toISOString().replace(/\D/g, "").slice(0, 12)}${letters(5, UPPER)}`,
    contact: (accountId) => `${accountId}-${letters(5, UPPER)}`,
    group: (accountId) => `${accountId}-G-${letters(5, UPPER)}`,
    profile: (accountId) => `${accountId}-P-${letters(5, UPPER)}`,
    address: () => letters(8, UPPER),
    check: (accountId) => `${accountId}-${letters(8, UPPER)}`,
    maintenance: () => letters(6, UPPER),
    statusPage: () => letters(10, UPPER),
    incident: () => letters(10, UPPER),
    subscriber: () => letters(16, UPPER),
    configuration: () => letters(10, UPPER),
    alert: () => letters(20, LOWER),
    bundle: () => letters(20, LOWER),
    token: () => grouped(UPPER),
    uuid: () => grouped(LOWER),
    queue: () => letters(10, UPPER),
    revision: () => Buffer.from(random(16)).toString("hex"),
  };
}
