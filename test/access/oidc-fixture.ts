import { createSignInFixture, type SignInFixture } from "./sign-in-fixture.ts";
import { CLIENT, oidcProvider, type OidcProviderPeer } from "../peers/oidc-provider.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location: string;
  /** Cookies set by the response, each with its attributes. */
  readonly cookies: readonly string[];
  readonly refresh: string;
}

/** A sign-in that has begun. */
export interface Begun extends Answer {
  /** The header of the browser in which it did. */
  readonly cookie: string;
}

/** A site and its provider, and a browser that goes between them. */
export interface OidcFixture extends AsyncDisposable {
  readonly site: SignInFixture;
  readonly provider: OidcProviderPeer;
  readonly get: (path: string, cookie?: string) => Promise<Answer>;
  readonly begin: (query?: string) => Promise<Begun>;
  /** Goes to the provider, and back to where it leads. */
  readonly finish: (begun: Begun, change?: (back: URL) => void) => Promise<Answer>;
}

export async function createOidcFixture(
  options: { readonly rate?: number } = {},
): Promise<OidcFixture> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.use(await oidcProvider());
  const client = {
    issuer: provider.url,
    clientId: CLIENT.id,
    clientSecret: new Secret(CLIENT.secret),
  };
  const site = stack.use(await createSignInFixture({ rate: 0, ...options, oidc: client }));
  provider.now = site.cast.clock.now;
  const get: OidcFixture["get"] = async (path, cookie = "") => {
    const { statusCode, headers, body } = await site.server.inject({
      url: path,
      headers: { cookie },
    });
    return {
      status: statusCode,
      body,
      location: headers.location ?? "",
      cookies: [headers["set-cookie"] ?? []].flat(),
      refresh: headers.refresh ?? "",
    };
  };
  const all = stack.move();
  return {
    site,
    provider,
    get,
    async begin(query = "") {
      const answer = await get(`/signin/oidc${query}`);
      return { ...answer, cookie: answer.cookies[0]?.split(";")[0] ?? "" };
    },
    finish({ location, cookie }, change = () => {}) {
      const back = provider.consent(location);
      change(back);
      return get(`${back.pathname}${back.search}`, cookie);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
