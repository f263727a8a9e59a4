import { alertmanager } from "./alertmanager.ts";
import { discord } from "./discord.ts";
import { googleChat } from "./google-chat.ts";
import { mattermost } from "./mattermost.ts";
import { ntfy } from "./ntfy.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { pushover } from "./pushover.ts";
import type { Service } from "./service.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";

/** Every service whose format we know, alphabetical. */
const services: readonly Service[] = [
  alertmanager,
  discord,
  googleChat,
  mattermost,
  ntfy,
  opsgenie,
  pagerduty,
  pushover,
  slack,
  teams,
  telegram,
];

export function serviceNamed(name: string | undefined): Service | undefined {
  return services.find((service) => service.name === name);
}

export function serviceAt(address: string): Service | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : services.find((service) => service.matches(url));
}
