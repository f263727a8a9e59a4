import type { ServiceProblemName } from "../../../../domain/service-problem.ts";

export const problems = {
  database: "The database can't be written since {since}. Checks have no verdicts.",
  disk: "The disk is full since {since}. Alerts go on, results are not kept.",
  nats: "The NATS server can't be reached since {since}. Other locations run no checks.",
  locations_cut_off: "Locations on other machines have been cut off since {since}.",
  no_location: "No location runs checks since {since}.",
  location: "Location {subject} has not been seen since {since}.",
  offline: "Location {subject} has been offline since {since}.",
  resolver: "The resolver of location {subject} has not answered since {since}.",
  runs_undecided: "Runs from {subject} have had no outcome since {since}.",
  runs_missed: "Runs of checks have been missed since {since}.",
  stalled: "Watchpost has been interrupted repeatedly since {since}.",
  mail_server: "The mail server can't be used since {since}. Alerts by email are delayed.",
  alerts_unclaimed: "Alerts have not been sent since {since}.",
  alerts_delayed: "Alerts by {subject} have been delayed since {since}.",
  receivers: "Receivers of alerts by {subject} have not answered since {since}.",
  clock: "The clock has been wrong since {since}.",
  partitions: "The database is short of partitions since {since}.",
  database_distance: "The database has been too far away since {since}: alerts may be late.",
  backup: "The last backup is too old.",
  dead_mans_switch: "The dead man's switch can't be reached since {since}.",
} satisfies Readonly<Record<ServiceProblemName, string>>;
