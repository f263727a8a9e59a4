import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type CustomFetch,
  type ServerMetadata,
} from "openid-client";

import { systemClock, type Clock } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { SignInFlow } from "./flow-cookie.ts";
import type { OidcClient } from "./oidc-sign-in.ts";
import { withProvider } from "./provider-fetch.ts";

interface Deps extends OidcClient {
  /** URL to which the provider redirects. */
  readonly redirectUri: string;
  readonly egress: Egress;
  readonly clock: Clock;
}

/** All methods throw Unavailable where the provider does not answer, or its metadata is wrong. */
export interface OidcProvider {
  /** Returns the provider's sign-in URL. */
  readonly signInUrl: (flow: SignInFlow) => Promise<string>;
  /**
   * Returns the signed-in person's mailbox as verified by the provider, in lower case; undefined if there is none. Throws if the answer does not belong to this
   * flow.
   */
  readonly mailboxOf: (answer: URLSearchParams, flow: SignInFlow) => Promise<string | undefined>;
}

const METADATA_MS = 3_600_000;
const SCOPE = "openid email";
const MAX_MAILBOX_LENGTH = 320;

/** A client of OpenID Connect, by the authorization code flow with PKCE. */
export function createOidcProvider(deps: Deps): OidcProvider {
  const { clock, redirectUri } = deps;
  let known: { readonly metadata: ServerMetadata; readonly at: number } | undefined;
  let reading: Promise<ServerMetadata> | undefined;
  const read = async (): Promise<ServerMetadata> => {
    try {
      const metadata = await withProvider(deps, (fetch) => discovered(deps, fetch));
      known = { metadata, at: clock.monotonic() };
      return metadata;
    } finally {
      reading = undefined;
    }
  };
  // Read once for all who wait for it: strangers may ask for it as often as they are many.
  const metadataNow = async (): Promise<ServerMetadata> => {
    if (known !== undefined && clock.monotonic() - known.at < METADATA_MS) return known.metadata;
    reading ??= read();
    return reading;
  };
  return {
    async signInUrl({ state, nonce, verifier }) {
      const config = configurationOf(deps, await metadataNow());
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return url.href;
    },
    async mailboxOf(answer, flow) {
      const config = configurationOf(deps, await metadataNow());
      const answered = new URL(`${redirectUri}?${answer.toString()}`);
      try {
        return await withProvider(deps, (fetch) => {
          config[customFetch] = fetch;
          return verifiedMailbox(config, answered, flow);
        });
      } catch (error) {
        // It may have moved or changed since it was asked for its metadata.
        known = undefined;
        throw error;
      }
    },
  };
}

async function discovered(
  { issuer, clientId }: OidcClient,
  fetch: CustomFetch,
): Promise<ServerMetadata> {
  const server = new URL(issuer);
  try {
    const found = await discovery(server, clientId, undefined, undefined, {
      [customFetch]: fetch,
      execute: isPlain(issuer) ? [allowInsecureRequests] : [],
    });
    return found.serverMetadata();
  } catch (error) {
    throw new Unavailable("the metadata of the provider is wrong", { cause: error });
  }
}

/** Made for each request, with the clock as it is now: the library only knows that of the system. */
function configurationOf(
  { issuer, clientId, clientSecret, clock }: Deps,
  metadata: ServerMetadata,
): Configuration {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication = methods.includes("client_secret_basic")
    ? ClientSecretBasic
    : ClientSecretPost;
  const skew = Math.round((clock.now() - systemClock.now()) / 1000);
  const config = new Configuration(
    metadata,
    clientId,
    { [clockSkew]: skew },
    authentication(clientSecret.reveal()),
  );
  // The library trusts what comes over TLS from the provider itself; the signature holds also where TLS is ended on the way.
  // guard: signature of a provider's token
  enableNonRepudiationChecks(config);
  if (isPlain(issuer)) allowInsecureRequests(config);
  return config;
}

async function verifiedMailbox(
  config: Configuration,
  answered: URL,
  { state, nonce, verifier }: SignInFlow,
): Promise<string | undefined> {
  const tokens = await authorizationCodeGrant(config, answered, {
    // guard: state of a provider's answer = answered.searchParams.get("state") ?? it
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
  });
  const claims = tokens.claims();
  if (claims === undefined) return undefined;
  // Some providers have the mailbox in the answer of their endpoint for it alone.
  const isThere = claims.email !== undefined;
  const canAsk = config.serverMetadata().userinfo_endpoint !== undefined;
  const { email, email_verified: isVerified } =
    isThere || !canAsk ? claims : await fetchUserInfo(config, tokens.access_token, claims.sub);
  // guard: mailboxes that a provider has verified
  if (isVerified !== true) return undefined;
  if (typeof email !== "string" || email.length > MAX_MAILBOX_LENGTH) return undefined;
  return email.toLowerCase();
}

function isPlain(issuer: string): boolean {
  return new URL(issuer).protocol === "http:";
}
