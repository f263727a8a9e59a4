import type { MessageId } from "../../locales/catalogue.ts";
import type { Text } from "../../text.ts";

/** Resources of API operations, by the last part of their names. */
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
  info: "audit.info",
  maintenance: "audit.maintenance",
  notificationprofiles: "audit.notificationprofiles",
  schedules: "audit.schedules",
  secondfactors: "audit.secondfactors",
  sessions: "audit.sessions",
  statuspages: "audit.statuspages",
  subscribers: "audit.subscribers",
  tokens: "audit.tokens",
} as const satisfies Readonly<Record<string, MessageId>>;

const nouns: ReadonlyMap<string, MessageId> = new Map(Object.entries(resources));

/** Operations that are not said as what happened to a record. */
const special: Readonly<Record<string, MessageId>> = {
  "POST sessions": "audit.signedIn",
  "DELETE sessions": "audit.signedOut",
  "POST failed sign-ins": "audit.failedAttempts",
  "POST sign-in link": "audit.madeLink",
  "PUT password": "audit.chosePassword",
  "POST second factor": "audit.addedFactor",
  "DELETE second factor": "audit.removedFactor",
  "POST recovery codes": "audit.madeCodes",
  "FORGET info": "audit.forgotLocation",
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

/** A part of a sentence: words, or the place of who did it or of what it was done to. */
export type SentencePart = { readonly words: string } | { readonly place: "who" | "record" };

/** Private-use characters that mark placeholders, because no catalogue text contains them. */
const WHO = "\uE000";
const RECORD = "\uE001";

/** Says in a sentence what an operation such as `PUT checks` did. */
export function sentenceOf(operation: string, text: Text): readonly SentencePart[] {
  const [action = "", ...rest] = operation.split(" ");
  const resource = rest.join(" ");
  const noun = nouns.get(resource);
  const id = special[operation] ?? verbs[action] ?? "audit.other";
  const sentence = text(id, {
    who: WHO,
    record: RECORD,
    noun: noun === undefined ? resource : text(noun),
    action,
  });
  return sentence
    .split(/([\uE000\uE001])/)
    .filter((part) => part !== "")
    .map((part) => {
      if (part === WHO) return { place: "who" };
      return part === RECORD ? { place: "record" } : { words: part };
    });
}
