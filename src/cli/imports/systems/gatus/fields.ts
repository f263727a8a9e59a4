import { leftOut, mapped, off, partOf, type Fields } from "../../fields.ts";

const OWN_TEXT = "alerts have a text of their own";
const ABOUT_GATUS = "it is about gatus itself";

export const configFields: Fields = {
  ...mapped("alerting endpoints external-endpoints maintenance suites"),
  ...leftOut("announcements", "post them as incidents of a status page"),
  ...leftOut("connectivity", "Watchpost tells a network failure of its own by the other checks"),
  ...leftOut("remote", "import each installation, with an --origin"),
  ...leftOut("security storage ui web metrics", ABOUT_GATUS),
  ...leftOut("concurrency debug disable-monitoring-lock skip-invalid-config-update", ABOUT_GATUS),
  ...partOf("endpoints", "tunneling"),
};

const common: Fields = mapped("alerts enabled group maintenance-windows name");

/** Fields by supported scheme; `dns` is an endpoint with a query. */
const ofScheme: Readonly<Record<string, Fields>> = {
  http: mapped("body graphql headers method"),
  ws: { ...mapped("body"), ...off("headers", "the handshake has no headers of its own") },
  ssh: {
    ...mapped("ssh"),
    ...leftOut("body", "no command is run: set contentstring and a check of its own"),
  },
  dns: mapped("dns"),
};

const NOTHING_IS_SENT = "nothing is sent, and no answer is read";

export function endpointFields(scheme: string): Fields {
  return {
    ...partOf("url", "dns graphql headers method ssh"),
    ...leftOut("body", NOTHING_IS_SENT),
    ...common,
    ...mapped("client conditions extra-labels interval url"),
    ...leftOut("ui", "what is shown of a check is set by its status page"),
    ...leftOut("always-run store", "an answer is not kept for other checks"),
    ...(Object.hasOwn(ofScheme, scheme) && ofScheme[scheme]),
  };
}

export const externalFields: Fields = { ...common, ...mapped("heartbeat token") };

export const clientFields: Fields = {
  ...mapped("ignore-redirect insecure network timeout"),
  ...off("proxy-url", "checks use no proxy"),
  ...off("tunnel", "checks use no tunnel"),
  ...off("dns-resolver", "names are looked up by the locations"),
  ...off("identity-aware-proxy kerberos oauth2", "checks cannot sign in that way"),
  ...off("tls", "its files are not read: set clientcert"),
};

export const dnsFields: Fields = mapped("query-name query-type");
export const sshFields: Fields = mapped("password private-key username");
export const heartbeatFields: Fields = mapped("interval");
export const windowFields: Fields = mapped("duration enabled every start timezone");

export const alertFields: Fields = {
  ...mapped("enabled failure-threshold send-on-resolved type"),
  ...leftOut("description", OWN_TEXT),
  ...leftOut("minimum-reminder-interval", "set reminders of its recipients: repeat, in minutes"),
  ...leftOut("success-threshold", "a check is up as soon as it passes", 2),
  ...leftOut("provider-override", "another receiver: make a contact for it"),
};

const everyProvider: Fields = {
  ...mapped("default-alert"),
  ...leftOut("overrides", "other receivers of some groups: make contacts for them"),
};

const ofProvider: Readonly<Record<string, Fields>> = {
  email: {
    ...mapped("to"),
    ...leftOut("host", "mails are sent by the mail server of this installation"),
    ...partOf("host", "client from password port username"),
  },
  slack: { ...mapped("webhook-url"), ...leftOut("title", OWN_TEXT) },
  discord: {
    ...mapped("webhook-url"),
    ...leftOut("title", OWN_TEXT),
    ...leftOut("message-content", "alerts mention nobody"),
  },
  mattermost: {
    ...mapped("webhook-url"),
    ...leftOut("channel", "a webhook writes to its own channel"),
    ...leftOut("client", "webhooks are called without settings of their own"),
  },
  teams: {
    ...mapped("webhook-url"),
    ...leftOut("title", OWN_TEXT),
    ...leftOut("client", "webhooks are called without settings of their own"),
  },
  "teams-workflows": { ...mapped("webhook-url"), ...leftOut("title", OWN_TEXT) },
  googlechat: {
    ...mapped("webhook-url"),
    ...leftOut("client", "webhooks are called without settings of their own"),
  },
  pagerduty: mapped("integration-key"),
  pushover: {
    ...mapped("application-token device priority sound ttl user-key"),
    ...leftOut("resolved-priority", "recoveries have the priority of failures, at most 1"),
    ...leftOut("title", OWN_TEXT),
  },
  twilio: {
    ...mapped("to"),
    ...leftOut(
      "sid",
      "texts are sent by the account of this installation: WATCHPOST_TWILIO_ACCOUNT",
    ),
    ...partOf("sid", "from token"),
    ...leftOut("text-twilio-resolved text-twilio-triggered", OWN_TEXT),
  },
  ntfy: {
    ...mapped("token topic url"),
    ...leftOut("priority", "failures have priority 4, recoveries 3"),
    ...leftOut("click", "a message leads to its check"),
    ...leftOut("email", "add an address of the type email"),
    ...leftOut("disable-cache disable-firebase", "messages are delivered as the server does it"),
  },
  gotify: {
    ...mapped("server-url token"),
    ...leftOut("priority", "failures have priority 8, recoveries 5"),
    ...leftOut("title", OWN_TEXT),
  },
  telegram: {
    ...mapped("id token topic-id"),
    ...leftOut("api-url", "messages go to api.telegram.org", "https://api.telegram.org"),
    ...leftOut("client", "webhooks are called without settings of their own"),
  },
  opsgenie: {
    ...mapped("api-key"),
    ...leftOut("priority", "every alert has priority P1", "P1"),
    ...leftOut("alias-prefix entity-prefix source tags", "alerts have names of their own"),
  },
  matrix: mapped("access-token internal-room-id server-url"),
  signal: mapped("api-url number recipients"),
  line: mapped("channel-access-token user-ids"),
};

/** Returns the treatment of each setting of an alerting provider; undefined for an unsupported one. */
export function providerFields(type: string): Fields | undefined {
  const own = Object.hasOwn(ofProvider, type) ? ofProvider[type] : undefined;
  return own === undefined ? undefined : { ...everyProvider, ...own };
}
