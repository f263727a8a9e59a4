import { discord } from "./chat/discord.ts";
import { googleChat } from "./chat/google-chat.ts";
import { line } from "./chat/line.ts";
import { matrix } from "./chat/matrix.ts";
import { mattermost } from "./chat/mattermost.ts";
import { rocketChat } from "./chat/rocket-chat.ts";
import { signal } from "./chat/signal.ts";
import { slack } from "./chat/slack.ts";
import { teams } from "./chat/teams.ts";
import { telegram } from "./chat/telegram.ts";
import { webex } from "./chat/webex.ts";
import { zulip } from "./chat/zulip.ts";
import { alertmanager } from "./incidents/alertmanager.ts";
import { incidentIo } from "./incidents/incident-io.ts";
import { opsgenie } from "./incidents/opsgenie.ts";
import { pagerduty } from "./incidents/pagerduty.ts";
import { rootly } from "./incidents/rootly.ts";
import { splunkOnCall } from "./incidents/splunk-on-call.ts";
import { bark } from "./push/bark.ts";
import { gotify } from "./push/gotify.ts";
import { homeAssistant } from "./push/home-assistant.ts";
import { ntfy } from "./push/ntfy.ts";
import { pushover } from "./push/pushover.ts";
import { amazonSns } from "./relays/amazon-sns.ts";
import { apprise } from "./relays/apprise.ts";
import type { Service } from "./service.ts";

/** Every service whose format we know, alphabetical. */
export const services: readonly Service[] = [
  alertmanager,
  amazonSns,
  apprise,
  bark,
  discord,
  googleChat,
  gotify,
  homeAssistant,
  incidentIo,
  line,
  matrix,
  mattermost,
  ntfy,
  opsgenie,
  pagerduty,
  pushover,
  rocketChat,
  rootly,
  signal,
  slack,
  splunkOnCall,
  teams,
  telegram,
  webex,
  zulip,
];

export const serviceNames = services.map(({ name }) => name);

export function serviceNamed(name: string | undefined): Service | undefined {
  return services.find((service) => service.name === name);
}

export function serviceAt(address: string): Service | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : services.find((service) => service.matches(url));
}
