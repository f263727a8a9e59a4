import assert from "node:assert/strict";
import { test } from "node:test";

import { Secret } from "../../kit/crypto/secret.ts";
import { oauthHeader } from "./x.ts";

/** The example of https://docs.x.com/fundamentals/authentication/oauth-1-0a/creating-a-signature, with one parameter in a form. */
const keys = {
  apiKey: new Secret("xvz1evFS4wEEPTGEFPHBog"),
  apiSecret: new Secret("kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"),
  accessToken: new Secret("370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"),
  accessSecret: new Secret("LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"),
};
const query = new URLSearchParams({
  include_entities: "true",
  status: "Hello Ladies + Gentlemen, a signed OAuth request!",
});

test("a request is signed as the documentation of X shows it", () => {
  const url = new URL(`https://api.x.com/1.1/statuses/update.json?${query.toString()}`);
  const occasion = { now: 1_318_622_958_999, once: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg" };
  assert.equal(
    oauthHeader({ method: "POST", url }, keys, occasion),
    [
      'OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog"',
      'oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg"',
      'oauth_signature_method="HMAC-SHA1"',
      'oauth_timestamp="1318622958"',
      'oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"',
      'oauth_version="1.0"',
      'oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"',
    ].join(", "),
  );
});
