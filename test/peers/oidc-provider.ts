import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

import { systemClock } from "../../src/kit/clock.ts";
import { jsonApiPeer, type ApiFailure, type ApiReply, type ApiRequest } from "./json-api.ts";

export const CLIENT = { id: "watchpost", secret: "secret of the client" };
const KEY_ID = "key-1";

type Claims = Readonly<Record<string, unknown>>;

/** Deviations of this provider from a correct one. */
export interface Misbehaviour {
  /** Changes the claims of the ID token. */
  readonly claims?: (claims: Claims) => Claims;
  /** Changes the signed token. */
  readonly token?: (token: string) => string;
  /** Signs with a key that is not published. */
  readonly hasOtherKey?: boolean;
  /** Takes a code more than once. */
  readonly keepsCodes?: boolean;
  /** Answers requests for the path in this way. */
  readonly answers?: Readonly<Record<string, ApiFailure>>;
}

/** A provider of OpenID Connect, at which one person is signed in. */
export interface OidcProviderPeer extends AsyncDisposable {
  readonly url: string;
  /** Its clock. */
  now: () => number;
  /** The claims about the person. */
  person: Claims;
  misbehaviour: Misbehaviour;
  /** The paths that were asked for. */
  readonly requested: string[];
  /** Where it leads a browser that comes with a request to sign in. */
  readonly consent: (signInUrl: string) => URL;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

const keys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

export async function oidcProvider(): Promise<OidcProviderPeer> {
  const [own, other] = [keys(), keys()];
  const grants = new Map<string, Grant>();
  const requested: string[] = [];

  const authorize = (asked: URLSearchParams): URL => {
    const wanted = (name: string): string => asked.get(name) ?? "";
    const isWhole =
      wanted("response_type") === "code" &&
      wanted("client_id") === CLIENT.id &&
      wanted("code_challenge_method") === "S256" &&
      wanted("scope").split(" ").includes("openid");
    const [code, redirectUri] = [randomBytes(16).toString("hex"), wanted("redirect_uri")];
    const back = new URL(redirectUri);
    back.searchParams.set("state", wanted("state"));
    back.searchParams.set("iss", peer.url);
    if (!isWhole) {
      back.searchParams.set("error", "invalid_request");
      return back;
    }
    grants.set(code, { challenge: wanted("code_challenge"), redirectUri, nonce: wanted("nonce") });
    back.searchParams.set("code", code);
    return back;
  };
  const idToken = ({ nonce }: Grant): string => {
    const { misbehaviour, person } = peer;
    const iat = Math.floor(peer.now() / 1000);
    const claims = { iss: peer.url, aud: CLIENT.id, sub: "1", iat, exp: iat + 300, nonce };
    const whole = misbehaviour.claims?.({ ...claims, ...person }) ?? { ...claims, ...person };
    const signed = [{ alg: "RS256", kid: KEY_ID }, whole].map(encoded).join(".");
    const { privateKey } = misbehaviour.hasOtherKey === true ? other : own;
    const token = `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
    return misbehaviour.token?.(token) ?? token;
  };
  const redeem = ({ headers, body }: ApiRequest): ApiReply => {
    const form = new URLSearchParams(body);
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    if (peer.misbehaviour.keepsCodes !== true) grants.delete(code);
    const verifier = form.get("code_verifier") ?? "";
    const isGranted =
      grant?.challenge === createHash("sha256").update(verifier).digest("base64url") &&
      grant.redirectUri === form.get("redirect_uri");
    if (headers.authorization !== basic) return { status: 401, body: { error: "invalid_client" } };
    if (grant === undefined || !isGranted) return { status: 400, body: { error: "invalid_grant" } };
    const id_token = idToken(grant);
    return { status: 200, body: { access_token: "access", token_type: "bearer", id_token } };
  };
  const routes: Readonly<
    Record<string, (request: ApiRequest, asked: URLSearchParams) => ApiReply>
  > = {
    "/.well-known/openid-configuration": () => ({
      status: 200,
      body: {
        issuer: peer.url,
        authorization_endpoint: `${peer.url}/authorize`,
        token_endpoint: `${peer.url}/token`,
        jwks_uri: `${peer.url}/jwks`,
        userinfo_endpoint: `${peer.url}/userinfo`,
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
      },
    }),
    "/jwks": () => ({
      status: 200,
      body: { keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: KEY_ID, use: "sig" }] },
    }),
    "/authorize": (_request, asked) => consentPage(authorize(asked)),
    "/token": redeem,
    "/userinfo": () => ({ status: 200, body: { sub: "1", ...peer.person } }),
  };
  const server = await jsonApiPeer((request) => {
    const [path = "", query = ""] = request.path.split("?");
    requested.push(path);
    const otherwise = peer.misbehaviour.answers?.[path];
    if (otherwise !== undefined) return otherwise;
    const found = routes[path]?.(request, new URLSearchParams(query));
    return found ?? { status: 404, body: { error: "not found" } };
  });
  const peer: OidcProviderPeer = {
    url: server.url,
    now: systemClock.now,
    person: { email: "alice@example.com", email_verified: true },
    misbehaviour: {},
    requested,
    consent: (signInUrl) => authorize(new URL(signInUrl).searchParams),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return peer;
}

const basic = `Basic ${Buffer.from(
  [CLIENT.id, CLIENT.secret].map((part) => part.replaceAll(" ", "+")).join(":"),
).toString("base64")}`;

function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function consentPage(back: URL): ApiReply {
  const link = back.href.replaceAll("&", "&amp;");
  return {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html><html lang="en"><title>Provider</title><a href="${link}">Go on as Alice</a></html>`,
  };
}
