import type { AddressKind } from "./registry.ts";

/** How a form shows addresses of a kind. */
export interface AddressForm {
  /** The name of the kind for people. */
  readonly title: string;
  readonly address: { readonly title: string; readonly help: string; readonly example: string };
  /** The names of the members that only such addresses have, in the order of the form. */
  readonly settings: readonly ("action" | "headers" | "querystrings" | "data" | "priority")[];
}

export const addressForms: Readonly<Record<AddressKind, AddressForm>> = {
  email: {
    title: "Mail",
    address: { title: "Mail address", help: "Where mails are sent to", example: "ann@example.com" },
    settings: [],
  },
  twitter: {
    title: "Direct message on X or Mastodon",
    address: {
      title: "Handle",
      help: "A handle on X, or one on Mastodon with its server",
      example: "@ann@mastodon.example",
    },
    settings: [],
  },
  sms: {
    title: "Text message",
    address: {
      title: "Phone number",
      help: "With a plus and the code of the country",
      example: "+44 20 7946 0000",
    },
    settings: [],
  },
  webhook: {
    title: "Webhook",
    address: {
      title: "URL",
      help: "A URL that takes requests; for services that are known by their URL, such as Discord, Telegram, Teams or ntfy, messages are in their own format",
      example: "https://hooks.example.com/alerts",
    },
    settings: ["action", "headers", "querystrings", "data"],
  },
  voice: {
    title: "Phone call",
    address: {
      title: "Phone number",
      help: "With a plus and the code of the country",
      example: "+44 20 7946 0000",
    },
    settings: [],
  },
  slack: {
    title: "Slack",
    address: {
      title: "URL of the incoming webhook",
      help: "From Slack: your app, then Incoming Webhooks",
      example: "https://hooks.slack.com/services/T0/B0/x",
    },
    settings: [],
  },
  pagerduty: {
    title: "PagerDuty",
    address: {
      title: "Integration key",
      help: "32 letters and digits, of an integration with the Events API v2",
      example: "0123456789abcdef0123456789abcdef",
    },
    settings: [],
  },
  pushover: {
    title: "Pushover",
    address: {
      title: "User or group key",
      help: "30 letters and digits, from the page of your Pushover account",
      example: "abcdefghijklmnopqrstuvwxyz1234",
    },
    settings: ["priority"],
  },
};
