import type { Clock } from "../../kit/clock.ts";
import type { Secret } from "../../kit/crypto/secret.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Egress } from "../../kit/net/egress.ts";

/** As what this installation is known to its provider of OpenID Connect. */
export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** The provider by which people sign in, and what it takes to ask it. */
export interface OidcSignIn extends OidcClient {
  /** The text of the button. */
  readonly label: string;
  readonly egress: Egress;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

export const oidcPath = "/signin/oidc";
