import assert from "node:assert/strict";
import { test } from "node:test";

import { readConfig } from "./config.ts";
import { providerConfig } from "./provider-config.ts";

const read = (given: Readonly<Record<string, string>>) =>
  providerConfig(readConfig({ WATCHPOST_FILE: "/dev/null", ...given }));

test("nobody brings anything where nothing is set", () =>
  assert.deepEqual(read({}), { twilio: undefined, x: undefined, mastodon: undefined }));

test("who is set is asked where it usually is, with its credentials", () => {
  const account = `AC${"0".repeat(32)}`;
  const { twilio, x, mastodon } = read({
    WATCHPOST_TWILIO_ACCOUNT: account,
    WATCHPOST_TWILIO_TOKEN: "one",
    WATCHPOST_TWILIO_FROM: "+15550100",
    WATCHPOST_X_API_KEY: "two",
    WATCHPOST_X_API_SECRET: "three",
    WATCHPOST_X_ACCESS_TOKEN: "four",
    WATCHPOST_X_ACCESS_SECRET: "five",
    WATCHPOST_MASTODON_URL: "https://mastodon.example/",
    WATCHPOST_MASTODON_TOKEN: "six",
  });
  assert.deepEqual(
    [twilio?.account, twilio?.token.reveal(), twilio?.from, twilio?.url],
    [account, "one", "+15550100", "https://api.twilio.com"],
  );
  assert.deepEqual(
    [x?.apiKey, x?.apiSecret, x?.accessToken, x?.accessSecret].map((key) => key?.reveal()),
    ["two", "three", "four", "five"],
  );
  assert.equal(x?.url, "https://api.x.com");
  assert.deepEqual([mastodon?.url, mastodon?.token.reveal()], ["https://mastodon.example", "six"]);
});
