import { randomBytes } from "node:crypto";

import { z } from "zod";

import type { Clock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { cookieValues } from "../../kit/http/cookie-header.ts";

/** Browser state during a sign-in at the provider. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  /** PKCE verifier. */
  readonly verifier: string;
  /** Destination afterwards. */
  readonly next?: string | undefined;
  /** The account to sign in to, where it is not the oldest. */
  readonly account?: string | undefined;
  readonly endsAt: number;
}

export interface FlowCookie {
  readonly begin: (wanted: Pick<SignInFlow, "next" | "account">) => SignInFlow;
  /** Returns the header Set-Cookie. */
  readonly write: (flow: SignInFlow) => string;
  /** The flow in the header Cookie: once, and for ten minutes. */
  readonly take: (header: string | undefined) => SignInFlow | undefined;
  /** Has the browser forget it. */
  readonly clear: () => string;
}

interface Deps {
  readonly url: string;
  readonly path: string;
  readonly sealer: Sealer;
  readonly clock: Pick<Clock, "now">;
}

const LIFETIME_MS = 600_000;
const SECRET_BYTES = 32;
/** A browser keeps 4096 bytes of a cookie. */
const MAX_NEXT_LENGTH = 1000;
/** Flows that have ended and are remembered until they would have by themselves. */
const MAX_TAKEN = 10_000;
const CONTEXT = "sign-in by OpenID Connect";

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string().optional(),
  account: z.string().optional(),
  endsAt: z.number(),
});

/** SameSite=Lax, for the provider leads back from another site; it opens nothing by itself. */
export function createFlowCookie({ url, path, sealer, clock }: Deps): FlowCookie {
  const isSecure = url.startsWith("https:");
  const name = isSecure ? "__Secure-watchpost-oidc" : "watchpost-oidc";
  const { pathname } = new URL(`${url}${path}`);
  const attributes = `Path=${pathname}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const taken = new Map<string, number>();

  const open = (header: string | undefined): SignInFlow | undefined => {
    const [value] = cookieValues(header, name);
    if (value === undefined) return undefined;
    try {
      return flowSchema.parse(JSON.parse(sealer.open(Buffer.from(value, "base64url"), CONTEXT)));
    } catch {
      return undefined;
    }
  };
  const isFirst = ({ state, endsAt }: SignInFlow): boolean => {
    // guard: one use of a provider's answer
    if (taken.has(state)) return false;
    const now = clock.now();
    for (const [other, end] of taken) {
      if (end > now && taken.size < MAX_TAKEN) break;
      taken.delete(other);
    }
    taken.set(state, endsAt);
    return true;
  };

  return {
    begin: ({ next, account }) => ({
      state: secret(),
      nonce: secret(),
      verifier: secret(),
      next: next !== undefined && next.length <= MAX_NEXT_LENGTH ? next : undefined,
      account,
      endsAt: clock.now() + LIFETIME_MS,
    }),
    write(flow) {
      const value = Buffer.from(sealer.seal(JSON.stringify(flow), CONTEXT)).toString("base64url");
      return `${name}=${value}; Max-Age=${LIFETIME_MS / 1000}; ${attributes}`;
    },
    take(header) {
      const flow = open(header);
      return flow !== undefined && flow.endsAt > clock.now() && isFirst(flow) ? flow : undefined;
    },
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}
