import { idOf, recordKinds, type AccountFixture } from "../stores/account-fixture.ts";

export const names = ["alice", "bob", "carol"] as const;
export type Name = (typeof names)[number];

/** The records of an account that a request may name. */
export type Records = AccountFixture & { readonly token: string };

/** Somebody who sends requests: Alice has a primary account, Bob's is hers, Carol is a stranger. */
export interface Caller {
  readonly title: string;
  /** The owner of its token; undefined for none. */
  readonly token: Name | undefined;
  /** The account whose records it requests. */
  readonly subject: Name;
  /** Whether it sends the id of that account. */
  readonly namesAccount: boolean;
  /** A word of its own that it puts into texts. */
  readonly word: string;
  /** The accounts whose records may be in its responses. */
  readonly mayRead: readonly Name[];
  /** The accounts whose records its requests may change. */
  readonly mayChange: readonly Name[];
  /** The accounts whose ids it can send. */
  readonly knownAccounts: readonly Name[];
}

const alone = (name: Name): Caller => ({
  title: name,
  token: name,
  subject: name,
  namesAccount: false,
  word: `${name}sown`,
  mayRead: [name],
  mayChange: [name],
  knownAccounts: names,
});

export const callers: readonly Caller[] = [
  // A caller that cannot name Bob's account must not change anything in it, even as its parent.
  { ...alone("alice"), mayRead: ["alice", "bob"], knownAccounts: ["alice", "carol"] },
  {
    ...alone("bob"),
    title: "alice for bob",
    token: "alice",
    namesAccount: true,
    mayRead: ["alice", "bob"],
    mayChange: ["alice", "bob"],
  },
  alone("bob"),
  alone("carol"),
  {
    ...alone("alice"),
    title: "nobody",
    token: undefined,
    word: "nobodysown",
    mayRead: [],
    mayChange: [],
  },
];

/**
 * Stands in a generated request for what somebody has when it is sent. It is letters alone, so that it stays what it is in a URL, a
 * form and JSON.
 */
export function refTo(name: Name, kind: string): string {
  return `zz${name}qq${kind}zz`;
}

const REFERENCE = new RegExp(`zz(${names.join("|")})qq(\\w+?)zz`, "g");

export function resolveRefs(text: string, records: Readonly<Record<Name, Records>>): string {
  return text.replaceAll(REFERENCE, (reference, found: string, kind: string) => {
    const name = names.find((each) => each === found);
    if (name === undefined) return reference;
    const { token, checktoken, others } = records[name];
    if (kind === "token") return token;
    if (kind === "checktoken") return checktoken;
    const kinds: readonly string[] = [...recordKinds, ...Object.keys(others)];
    return kinds.includes(kind) ? idOf(records[name], kind) : reference;
  });
}

/** References to a record of one kind of everybody whom the caller does not mean. */
export function refsToOthers({ subject, knownAccounts }: Caller, kind: string): readonly string[] {
  return names
    .filter((name) => name !== subject && (kind !== "account" || knownAccounts.includes(name)))
    .map((name) => refTo(name, kind));
}
