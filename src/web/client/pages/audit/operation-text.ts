import type { MessageId } from "../../locales/catalogue.ts";
import type { Text } from "../../text.ts";

/** What is changed by operations of the API, by the last part of their names. */
export const resources = {
  accounts: "audit.accounts",
  branding: "audit.branding",
  calendar: "audit.calendar",
  checks: "audit.checks",
  configurations: "audit.configurations",
  contactgroups: "audit.contactgroups",
  contacts: "audit.contacts",
  heartbeataliases: "audit.heartbeataliases",
  importedhistories: "audit.importedhistories",
  imports: "audit.imports",
  incidents: "audit.incidents",
  maintenance: "audit.maintenance",
  notificationprofiles: "audit.notificationprofiles",
  schedules: "audit.schedules",
  secondfactors: "audit.secondfactors",
  sessions: "audit.sessions",
  statuspages: "audit.statuspages",
  subscribers: "audit.subscribers",
  tokens: "audit.tokens",
} as const satisfies Readonly<Record<string, MessageId>>;

const nouns: Readonly<Record<string, MessageId>> = {
  ...resources,
  password: "audit.password",
  "second factor": "audit.secondfactors",
  "recovery codes": "audit.codes",
  "sign-in link": "audit.signInLink",
  "failed sign-ins": "audit.failedSignIns",
};

const verbs: Readonly<Record<string, MessageId>> = {
  POST: "audit.POST",
  PUT: "audit.PUT",
  DELETE: "audit.DELETE",
  ACKNOWLEDGE: "audit.ACKNOWLEDGE",
  BULK: "audit.BULK",
  RESETPASSWORD: "audit.RESETPASSWORD",
  RUN: "audit.RUN",
  TEST: "audit.TEST",
};

/** What an operation such as `PUT checks` did, in words; as it is where there are none for it. */
export function operationText(operation: string, text: Text): string {
  const [action = "", ...rest] = operation.split(" ");
  const resource = rest.join(" ");
  const [verb, noun] = [verbs[action], nouns[resource]];
  return text("audit.action", {
    verb: verb === undefined ? action : text(verb),
    noun: noun === undefined ? resource : text(noun),
  });
}
