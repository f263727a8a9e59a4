import type { JsonObject } from "../api-client.ts";

/** Parts of service addresses in the format of `docs/channels.md`; no address if a part is missing. */
type Parts = Readonly<Record<string, string | undefined>>;

function withQuery(url: string, required: Parts, optional: Parts = {}): readonly JsonObject[] {
  if (Object.values(required).includes(undefined)) return [];
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...required, ...optional }))
    if (value !== undefined) query.set(name, value);
  return [{ type: "webhook", address: `${url}?${query.toString()}` }];
}

function withoutSlash(server: string): string {
  return server.replace(/\/+$/, "");
}

/** Returns one address of a type; none if it is missing. */
export function addressOf(type: string, address: string | undefined): readonly JsonObject[] {
  return address === undefined ? [] : [{ type, address }];
}

/** One of a type for each part of a list that commas separate; of mailboxes with a name the mailbox alone. */
export function addressesIn(type: string, list: string | undefined): readonly JsonObject[] {
  return (list ?? "")
    .split(",")
    .map((each) => /<([^>]+)>/.exec(each)?.[1] ?? each.trim())
    .filter((each) => each !== "")
    .map((address) => ({ type, address }));
}

interface Ntfy {
  readonly server: string | undefined;
  readonly topic: string | undefined;
  /** The header by which a protected topic is written to. */
  readonly authorization?: string | undefined;
}

export function ntfyAddress({ server, topic, authorization }: Ntfy): readonly JsonObject[] {
  if (server === undefined || topic === undefined) return [];
  const address = `${withoutSlash(server)}/${encodeURIComponent(topic)}`;
  const headers = authorization === undefined ? {} : { headers: { Authorization: authorization } };
  return [{ type: "webhook", address, ...headers }];
}

export function gotifyAddress(server: string | undefined, token: string | undefined) {
  return server === undefined ? [] : withQuery(`${withoutSlash(server)}/message`, { token });
}

export function telegramAddress(token: string | undefined, chat: Parts[string], more: Parts = {}) {
  return token === undefined
    ? []
    : withQuery(`https://api.telegram.org/bot${token}/sendMessage`, { chat_id: chat }, more);
}

export function opsgenieAddress(apiKey: string | undefined, region: string | undefined) {
  const host = region === "eu" ? "api.eu.opsgenie.com" : "api.opsgenie.com";
  return withQuery(`https://${host}/v2/alerts`, { apiKey });
}

/** With an application of its own; the address type of that name is the application of the installation. */
export function pushoverAddress(
  token: string | undefined,
  user: string | undefined,
  more: Parts = {},
) {
  return withQuery("https://api.pushover.net/1/messages.json", { token, user }, more);
}

/** Accounts in Europe have a different API than the address type uses. */
export function pagerDutyAddress(key: string | undefined, url: string | undefined) {
  const host = URL.parse(url ?? "")?.hostname ?? "";
  return host.startsWith("events.eu.")
    ? withQuery(`https://${host}/v2/enqueue`, { routing_key: key })
    : addressOf("pagerduty", key);
}

export function matrixAddress({ server, room, token }: Parts): readonly JsonObject[] {
  if (server === undefined || room === undefined) return [];
  const path = `_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message`;
  return withQuery(`${withoutSlash(server)}/${path}`, { access_token: token });
}

export function homeAssistantAddress({ server, action, token }: Parts): readonly JsonObject[] {
  if (server === undefined || action === undefined) return [];
  const name = action.replace(/^notify\./, "");
  return withQuery(`${withoutSlash(server)}/api/services/notify/${name}`, { token });
}

export function signalAddress({ server, number, recipients }: Parts): readonly JsonObject[] {
  if (server === undefined) return [];
  const plain = withoutSlash(server).replace(/\/v2\/send$/, "");
  return withQuery(`${plain}/v2/send`, { number, recipients });
}

export function lineAddress(to: string | undefined, token: string | undefined) {
  return withQuery("https://api.line.me/v2/bot/message/push", { to, token });
}
