import type { Scenario, Trouble } from "../scenario.ts";

/** Troubles of the monitor's machine, in table order; a run uses a different order. */
export const troubles: readonly Trouble[] = [
  {
    name: "own-link-down",
    breaks: "The network interface of the monitor's machine is down.",
    kind: "link-down",
    seconds: 60,
    isMute: true,
  },
  {
    name: "own-network-cut",
    breaks: "No packet leaves the monitor's machine, and a site fails meanwhile.",
    kind: "network-cut",
    seconds: 60,
    outage: "during",
    isMute: true,
  },
  {
    name: "own-resolver-silent",
    breaks: "The name server of the monitor's machine is silent.",
    kind: "resolver-silent",
    seconds: 75,
    isMute: false,
  },
  {
    name: "own-resolver-servfail",
    breaks: "The name server of the monitor's machine answers SERVFAIL to everything.",
    kind: "resolver-servfail",
    seconds: 75,
    isMute: false,
  },
  {
    name: "own-pause",
    breaks: "All processes of the monitor are stopped, and continue.",
    kind: "paused",
    seconds: 60,
    isMute: true,
  },
  {
    name: "own-disk-full",
    breaks: "The disk of the monitor is full, and a site fails meanwhile.",
    kind: "disk-full",
    seconds: 90,
    outage: "during",
    isMute: false,
  },
  {
    name: "own-kill",
    breaks: "The monitor is killed and started again while a site is down.",
    kind: "killed",
    seconds: 10,
    outage: "before",
    isMute: false,
  },
  {
    name: "own-receiver-away",
    breaks: "The receivers of alerts refuse connections when a site fails, and return.",
    kind: "receiver-away",
    seconds: 90,
    outage: "during",
    isMute: true,
  },
  {
    name: "own-database-away",
    breaks: "The monitor's database does not answer, and a site fails meanwhile.",
    kind: "database-away",
    seconds: 60,
    outage: "during",
    isMute: true,
  },
  {
    name: "own-location-cut",
    breaks: "One of the monitor's locations has no network, and a site fails meanwhile.",
    kind: "location-cut",
    seconds: 75,
    outage: "during",
    isMute: false,
  },
  {
    name: "own-upgrade",
    breaks: "The monitor is stopped and started again, as an upgrade does, while a site is down.",
    kind: "upgraded",
    seconds: 10,
    outage: "before",
    isMute: false,
  },
  {
    name: "own-clock-forward",
    breaks: "The clock of the monitor's machine is set forward by an hour.",
    kind: "clock-forward",
    seconds: 45,
    outage: "during",
    isMute: false,
  },
  {
    name: "own-clock-back",
    breaks: "The clock of the monitor's machine is set back by an hour.",
    kind: "clock-back",
    seconds: 45,
    outage: "during",
    isMute: false,
  },
];

/** Returns the site that fails during a trouble. */
export function siteOf({ name, breaks, outage }: Trouble): Scenario {
  return {
    name,
    breaks,
    service: "http",
    probe: (place) => ({ kind: "http", url: `http://${place.name}/` }),
    failure: { kind: "response", status: 503 },
    pattern: { kind: outage === undefined ? "steady" : "outage" },
    expects: outage === undefined ? "never" : "must",
    words: [/503/],
  };
}
