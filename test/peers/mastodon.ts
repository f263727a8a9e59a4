import { jsonApiPeer, type ApiRequest, type ApiReply, type ApiFailure } from "./json-api.ts";
import type { HttpPeer } from "./http.ts";

export interface MastodonPeer extends HttpPeer {
  /** Valid requests, accepted or not; those with an accepted key are repeated. */
  readonly posts: readonly { readonly key: string; readonly status: string }[];
  /** Visible statuses, with their audience besides the author. */
  readonly statuses: readonly { readonly text: string; readonly seenBy: readonly string[] }[];
  /** Sets the failure of valid requests from now on; none accepts them. */
  readonly behave: (trouble?: ApiFailure) => void;
}

const people: ReadonlySet<string> = new Set([
  "ann@mastodon.example",
  "bob@other.example",
  "eve@mastodon.example",
]);
const MAX_CHARACTERS = 500;
const URL_CHARACTERS = 23;
const mention = /(?<![=/\p{L}\p{N}_])@(\w+(?:[.-]+\w+)*)(?:@([\p{L}\p{N}.-]+[\p{L}\p{N}]))?/giu;

/** Posts statuses as https://docs.joinmastodon.org/methods/statuses specifies, for the one account with this token. */
export async function mastodonPeer({ token }: { readonly token: string }): Promise<MastodonPeer> {
  const posts: { key: string; status: string }[] = [];
  const statuses: { text: string; seenBy: string[] }[] = [];
  const kept = new Map<string, ApiReply>();
  let trouble: ApiFailure | undefined;

  const answer = (request: ApiRequest): ApiFailure => {
    const { headers } = request;
    if (request.method !== "POST" || request.path !== "/api/v1/statuses")
      return { status: 404, body: { error: "Record not found" } };
    if (headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { error: "The access token is invalid" } };
    const { status, visibility } = fieldsOf(request);
    if (status.trim() === "")
      return { status: 422, body: { error: "Validation failed: Text can't be blank" } };
    if (sizeOf(status) > MAX_CHARACTERS)
      return {
        status: 422,
        body: { error: "Validation failed: Text character limit of 500 exceeded" },
      };
    const key = String(headers["idempotency-key"] ?? "");
    posts.push({ key, status });
    if (trouble !== undefined) return trouble;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const seenBy = visibility === "direct" ? mentionedIn(status) : ["everybody"];
    statuses.push({ text: status, seenBy });
    const uri = `https://mastodon.example/users/watchpost/statuses/${statuses.length}`;
    const mentions = mentionedIn(status).map((acct) => ({ acct, username: acct.split("@")[0] }));
    const said = {
      status: 200,
      body: { id: String(statuses.length), uri, visibility, content: `<p>${status}</p>`, mentions },
    };
    kept.set(key, said);
    return said;
  };
  return {
    ...(await jsonApiPeer(answer)),
    posts,
    statuses,
    behave(next) {
      trouble = next;
    },
  };
}

function fieldsOf({ headers, body }: ApiRequest): { status: string; visibility: string } {
  const isJson = headers["content-type"] === "application/json";
  const parsed: unknown = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
  const fields = new Map<string, unknown>(Object.entries(Object(parsed)));
  const textOf = (name: string, usual: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : usual;
  };
  return { status: textOf("status", ""), visibility: textOf("visibility", "public") };
}

function mentionedIn(status: string): string[] {
  const names = [...status.matchAll(mention)].map(
    ([, name = "", server = "mastodon.example"]) => `${name}@${server}`,
  );
  return names.filter((name) => people.has(name));
}

/** A link counts as 23 characters, and a mention without its server. */
function sizeOf(status: string): number {
  const counted = status
    .replaceAll(/https?:\/\/\S+/g, "x".repeat(URL_CHARACTERS))
    .replaceAll(mention, (_, name: string) => `@${name}`);
  return Array.from(counted).length;
}
