import { AuthorizationResponseError } from "openid-client";

import { codeOf, messageOf } from "../../../kit/errors.ts";
import { escapeHtml } from "../../../kit/http/escape-html.ts";
import { linkPage, type LinkPage, type LinkPages, type PageRequest } from "../../link-page.ts";
import {
  agentOf,
  LONGEST_ACCOUNT_ID,
  nextIn,
  signedInCookies,
  type SessionPageDeps,
} from "../session-page.ts";
import { createFlowCookie, type FlowCookie, type SignInFlow } from "./flow-cookie.ts";
import { oidcPath, type OidcSignIn } from "./oidc-sign-in.ts";
import { PROBLEM_PARAMETER, type OidcProblem } from "./problems.ts";
import { createOidcProvider, type OidcProvider } from "./provider.ts";

interface Deps extends SessionPageDeps {
  readonly provider: OidcProvider;
  readonly flows: FlowCookie;
}

const callbackPath = `${oidcPath}/callback`;
const LONGEST_MESSAGE = 300;

/** By path, where a sign-in at the provider begins and ends. */
export function createOidcPages(
  deps: SessionPageDeps,
  oidc: OidcSignIn,
): Readonly<Record<string, LinkPages>> {
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

async function begin(deps: Deps, query: URLSearchParams, request: PageRequest): Promise<LinkPage> {
  const { provider, flows } = deps;
  const account = (query.get("account") ?? "").slice(0, LONGEST_ACCOUNT_ID) || undefined;
  const flow = flows.begin({ next: nextIn(query), account });
  const failed = failing(deps, { flow, request });
  if (!isWithinLimit(deps, request)) return failed("busy");
  try {
    return redirect(await provider.signInUrl(flow), [flows.write(flow)]);
  } catch (error) {
    return failed("unavailable", error);
  }
}

async function end(deps: Deps, query: URLSearchParams, request: PageRequest): Promise<LinkPage> {
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

/** Undefined where nobody has the mailbox who may sign in. */
async function signedIn(
  deps: Deps,
  {
    mailbox,
    flow,
    request,
  }: { readonly mailbox: string; readonly flow: SignInFlow; readonly request: PageRequest },
): Promise<LinkPage | undefined> {
  const { store, sessions, flows, log } = deps;
  const { client, headers } = request;
  const done = await store.write(async (tx) => {
    const of = await tx.contacts.findConfirmedSignIn({ mailbox, accountId: flow.account });
    if (of === undefined) return undefined;
    const session = sessions.prepare(of, { client, agent: agentOf(headers) });
    await session.signIn(tx, ["openid connect"]);
    return { of, session };
  });
  if (done === undefined) return undefined;
  log.info("web.signed_in", { contact: done.of.contactId, from: client });
  const kept = await signedInCookies(deps, { ...done, request });
  return leadingOn(flow.next ?? "../../", [...kept, flows.clear()]);
}

/** A redirect would still count as coming from the provider's site, and have no cookie of ours with it; a page of ours that leads on has. */
function leadingOn(next: string, cookies: string[]): LinkPage {
  const page = linkPage(
    200,
    `<p>You are signed in. <a href="${escapeHtml(next)}">Go on</a></p>`,
    "../../",
  );
  const headers = { refresh: `0; url=${next}`, "cache-control": "no-store", "set-cookie": cookies };
  return { ...page, headers: { ...page.headers, ...headers } };
}

function isWithinLimit(
  { attempts }: Pick<SessionPageDeps, "attempts">,
  { client }: PageRequest,
): boolean {
  return attempts.spend(`client ${client}`, /* guard: attempts to sign in elsewhere = 0 */ 1);
}

/** Leads back to the sign-in page, which says why, and logs what was wrong. */
function failing(
  { url, flows, log }: Deps,
  { flow, request }: { readonly flow?: SignInFlow | undefined; readonly request: PageRequest },
): (problem: OidcProblem, error?: unknown) => LinkPage {
  return (problem, error) => {
    const query = new URLSearchParams({ [PROBLEM_PARAMETER]: problem });
    if (flow?.next !== undefined) query.set("next", flow.next);
    const message = error === undefined ? undefined : reasonOf(error).slice(0, LONGEST_MESSAGE);
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
  const page = linkPage(303, "");
  const headers = { location, "cache-control": "no-store", "set-cookie": cookies };
  return { ...page, headers: { ...page.headers, ...headers } };
}
