import { discord } from "./discord.ts";
import { googleChat } from "./google-chat.ts";
import { line } from "./line.ts";
import { matrix } from "./matrix.ts";
import { mattermost } from "./mattermost.ts";
import { rocketChat } from "./rocket-chat.ts";
import { signal } from "./signal.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webex } from "./webex.ts";
import { zulip } from "./zulip.ts";
import { alertmanager } from "./alertmanager.ts";
import { incidentIo } from "./incident-io.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { rootly } from "./rootly.ts";
import { splunkOnCall } from "./splunk-on-call.ts";
import { bark } from "./bark.ts";
import { gotify } from "./gotify.ts";
import { homeAssistant } from "./home-assistant.ts";
import { ntfy } from "./ntfy.ts";
import { pushover } from "./pushover.ts";
import { amazonSns } from "./amazon-sns.ts";
import { apprise } from "./apprise.ts";
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
