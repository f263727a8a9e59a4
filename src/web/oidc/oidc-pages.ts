import { AuthorizationResponseError } from "openid-client";

import { localPath } from "../../domain/dashboard-paths.ts";
import { PROBLEM_PARAMETER, type OidcProblem } from "../../domain/account/oidc-problem.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import { html } from "../../kit/html.ts";
import type { DeviceCookie } from "../../kit/http/device-cookie.ts";
import type { MinuteBudget } from "../../kit/http/minute-budget.ts";
import type { SessionCookie } from "../../kit/http/session-cookie.ts";
import { signInCookies } from "../../kit/http/sign-in-cookies.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import type { SessionAdmin } from "../../store/transactions/session-admin.ts";
import { linkPage, type LinkPage, type LinkPages, type PageRequest } from "../link-page.ts";
import { createFlowCookie, type FlowCookie, type SignInFlow } from "./flow-cookie.ts";
import { oidcPath, type OidcSignIn } from "./oidc-sign-in.ts";
import { createOidcProvider, type OidcProvider } from "./provider.ts";

interface Deps {
  readonly store: Pick<Store, "write">;
  readonly sessions: SessionAdmin;
  readonly cookie: SessionCookie;
  readonly devices: DeviceCookie;
  /** Of each client address. */
  readonly attempts: MinuteBudget;
  /** The public address of this installation. */
  readonly url: string;
  readonly log: Log;
}

interface Flows extends Deps {
  readonly provider: OidcProvider;
  readonly flows: FlowCookie;
}

const MAX_ACCOUNT_ID_LENGTH = 40;
const callbackPath = `${oidcPath}/callback`;
const MAX_MESSAGE_LENGTH = 300;

/** Creates the pages where a sign-in at the provider starts and ends, by path. */
export function createOidcPages(deps: Deps, oidc: OidcSignIn): Readonly<Record<string, LinkPages>> {
  const { url } = deps;
  const { sealer, clock } = oidc;
  const provider = createOidcProvider({ ...oidc, redirectUri: `${url}${callbackPath}` });
  const flows = createFlowCookie({ url, path: oidcPath, sealer, clock });
  const all = { ...deps, provider, flows };
  const act = async (): Promise<LinkPage> => redirect(`${url}/signin`);
  return {
    [oidcPath]: { ask: (query, _form, request) => begin(all, query, request), act },
    [callbackPath]: { ask: (query, _form, request) => end(all, query, request), act },
  };
}

async function begin(deps: Flows, query: URLSearchParams, request: PageRequest): Promise<LinkPage> {
  const { provider, flows } = deps;
  const account = (query.get("account") ?? "").slice(0, MAX_ACCOUNT_ID_LENGTH) || undefined;
  const flow = flows.begin({ next: localPath(query.get("next")), account });
  const failed = failing(deps, { flow, request });
  if (!isWithinLimit(deps, request)) return failed("busy");
  try {
    return redirect(await provider.signInUrl(flow), [flows.write(flow)]);
  } catch (error) {
    return failed("unavailable", error);
  }
}

async function end(deps: Flows, query: URLSearchParams, request: PageRequest): Promise<LinkPage> {
  if (!isWithinLimit(deps, request)) return failing(deps, { request })("busy");
  const flow = deps.flows.take(request.headers.cookie);
  const failed = failing(deps, { flow, request });
  if (flow === undefined) return failed("ended");
  try {
    const mailbox = await deps.provider.mailboxOf(query, flow);
    if (mailbox === undefined) return failed("unverified");
    return (await signedIn(deps, { mailbox, flow, request })) ?? failed("unknown");
  } catch (error) {
    if (error instanceof AuthorizationResponseError) return failed("refused", error);
    return failed(codeOf(error) === "unavailable" ? "unavailable" : "invalid", error);
  }
}

/** Undefined if nobody with the mailbox may sign in. */
async function signedIn(
  deps: Flows,
  {
    mailbox,
    flow,
    request,
  }: { readonly mailbox: string; readonly flow: SignInFlow; readonly request: PageRequest },
): Promise<LinkPage | undefined> {
  const { store, sessions, flows, log } = deps;
  const { client, headers } = request;
  const { "user-agent": agent = "", cookie: sent } = headers;
  const done = await store.write(async (tx) => {
    const of = await tx.contacts.findConfirmedSignIn({ mailbox, accountId: flow.account });
    if (of === undefined) return undefined;
    const session = sessions.prepare(of, { client, agent });
    await session.signIn(tx, ["openid connect"]);
    return { of, session };
  });
  if (done === undefined) return undefined;
  log.info("web.signed_in", { contact: done.of.contactId, from: client });
  const { secret } = done.session;
  const { maxMs } = sessions.lifetimes;
  const kept = signInCookies(deps, { secret, maxMs, mailbox, sent });
  return leadingOn(flow.next ?? "../../", [...kept, flows.clear()]);
}

/** After a redirect, the request would still count as cross-site and lack our cookies; a page that continues from our site has them. */
function leadingOn(next: string, cookies: string[]): LinkPage {
  const page = linkPage(200, html`<p>You are signed in. <a href="${next}">Continue</a></p>`, {
    toRoot: "../../",
  });
  const headers = { refresh: `0; url=${next}`, "cache-control": "no-store", "set-cookie": cookies };
  return { ...page, headers: { ...page.headers, ...headers } };
}

function isWithinLimit({ attempts }: Pick<Deps, "attempts">, { client }: PageRequest): boolean {
  return attempts.spend(`client ${client}`, /* guard: attempts to sign in elsewhere = 0 */ 1);
}

/** Leads back to the sign-in page, which says why, and logs what was wrong. */
function failing(
  { url, flows, log }: Pick<Flows, "url" | "flows" | "log">,
  { flow, request }: { readonly flow?: SignInFlow | undefined; readonly request: PageRequest },
): (problem: OidcProblem, error?: unknown) => LinkPage {
  return (problem, error) => {
    const query = new URLSearchParams({ [PROBLEM_PARAMETER]: problem });
    if (flow?.next !== undefined) query.set("next", flow.next);
    const message = error === undefined ? undefined : reasonOf(error).slice(0, MAX_MESSAGE_LENGTH);
    log.warn("web.sign_in_failed", { from: request.client, problem, message });
    return redirect(`${url}/signin?${query.toString()}`, [flows.clear()]);
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError) return error.error;
  const message = messageOf(error);
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${message}: ${reasonOf(cause)}` : message;
}

function redirect(location: string, cookies: string[] = []): LinkPage {
  const page = linkPage(303, undefined);
  const headers = { location, "cache-control": "no-store", "set-cookie": cookies };
  return { ...page, headers: { ...page.headers, ...headers } };
}
