import assert from "node:assert/strict";

import { createApiFixture, sessionLifetimes, type ApiFixture } from "../api-fixture.ts";
import { httpServer } from "../harnesses/http-server.ts";
import { createMinuteBudget } from "../../src/kit/http/minute-budget.ts";
import { createDeviceCookie } from "../../src/kit/http/device-cookie.ts";
import { createSessionCookie, type SessionCookie } from "../../src/kit/http/session-cookie.ts";
import { createSessionAdmin } from "../../src/store/transactions/session-admin.ts";
import { createOidcPages } from "../../src/web/oidc/oidc-pages.ts";
import { oidcPath, type OidcClient } from "../../src/web/oidc/oidc-sign-in.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import type { Asker } from "../../src/kit/concurrency/costly-work.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";

export const PASSWORD = "correct horse battery";
export const email = "alice@example.com";
export const url = "https://watch.example.org";
/** Attempts a minute. */
export const RATE = 5;

export type Headers = Readonly<Record<string, string>>;
export const fromPage = { origin: url };

interface Posted {
  readonly status: number;
  readonly body: string;
  /** The cookie that is set, without its attributes. */
  readonly set: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly status: number;
  readonly body: string;
}

/** The API and the pages on which people sign in, as browsers of Alice's reach them. */
export interface SignInFixture extends AsyncDisposable {
  readonly cast: ApiFixture;
  readonly server: ReturnType<typeof httpServer>;
  readonly cookie: SessionCookie;
  /** Passwords that were verified, each takes 0.3 s otherwise; undefined where nobody has one. */
  readonly verified: (string | undefined)[];
  /** Askers of the requests. */
  readonly askers: Asker[];
  /** Sends JSON, as a page of the dashboard does. */
  readonly post: (path: string, body: Headers, headers?: Headers) => Promise<Posted>;
  readonly ask: (
    path: string,
    headers: Headers,
    method?: "GET" | "POST" | "DELETE",
  ) => Promise<Asked>;
  /** Alice's is PASSWORD from now on, and every limit is fresh. */
  readonly setPassword: () => Promise<void>;
  /** The header of a browser in which Alice has just signed in by the password alone. */
  readonly signIn: () => Promise<{ readonly cookie: string }>;
}

export async function createSignInFixture(
  options: {
    readonly canSendMail?: boolean;
    readonly rate?: number;
    /** The provider of OpenID Connect. */
    readonly oidc?: OidcClient;
  } = {},
): Promise<SignInFixture> {
  const { canSendMail = true, rate = RATE } = options;
  const cast = await createApiFixture({ mails: canSendMail });
  const { alice, store, clock } = cast;
  const verified: (string | undefined)[] = [];
  const askers: Asker[] = [];
  const passwords = {
    ...cast.deps.passwords,
    hash: async (plain: string) => `hash of ${plain}`,
    verify: async (plain: string, stored: string | undefined, asker: Asker) => {
      askers.push(asker);
      verified.push(stored);
      return stored === `hash of ${plain}`;
    },
  };
  const cookie = createSessionCookie({ isSecure: true });
  const sealer = createSealer(new Uint8Array(32));
  const devices = createDeviceCookie({ sealer, clock, isSecure: true });
  const sessions = createSessionAdmin({ store, clock, lifetimes: sessionLifetimes });
  const attempts = createMinuteBudget(rate, clock);
  const provider = options.oidc && {
    ...options.oidc,
    label: "Sign in at Example",
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    sealer: createSealer(new Uint8Array(32)),
    clock,
  };
  const browser = { cookie, devices, url };
  const server = httpServer({
    deps: {
      ...cast.deps,
      passwords,
      sessions: { ...browser, admin: sessions },
      signInAttempts: attempts,
      oidc: provider && { label: provider.label, url: `${url}${oidcPath}` },
    },
    ...(provider && {
      linkPages: createOidcPages({ ...cast.deps, ...browser, sessions, attempts }, provider),
    }),
  });

  const post: SignInFixture["post"] = async (path, payload, headers = fromPage) => {
    const {
      statusCode,
      headers: answered,
      body,
    } = await server.inject({
      method: "POST",
      url: path,
      headers,
      payload,
    });
    const [set = ""] = String(answered["set-cookie"] ?? "").split(";");
    return { status: statusCode, body, set, headers: { ...answered } };
  };
  const setPassword = async (): Promise<void> => {
    const { id: accountId } = alice.account;
    const { id: contactId } = alice.contact;
    const hash = `hash of ${PASSWORD}`;
    await store.write((tx) => tx.contacts.setPassword({ accountId, contactId, hash, at: 0 }));
    await clock.advance(60_000);
  };

  return {
    cast,
    server,
    cookie,
    verified,
    askers,
    post,
    async ask(path, headers, method = "GET") {
      const { statusCode, body } = await server.inject({ method, url: path, headers });
      return { status: statusCode, body };
    },
    setPassword,
    async signIn() {
      await setPassword();
      const { status, set } = await post("/api/1/signin", { email, password: PASSWORD });
      assert.equal(status, 200);
      return { cookie: set };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await cast[Symbol.asyncDispose]();
    },
  };
}
