import { recordKinds } from "../belongings.ts";
import type { AccountFixture, RecordKind } from "../belongings.ts";

export const names = ["alice", "bob", "carol"] as const;
export type Name = (typeof names)[number];

/** What there is of everybody that a request may name. */
export type Things = AccountFixture & { readonly token: string };

/** Somebody who sends requests: Alice has a primary account, Bob's is hers, Carol is a stranger. */
export interface Asker {
  readonly title: string;
  /** Whose token it has; undefined for none. */
  readonly token: Name | undefined;
  /** Whose records it means. */
  readonly means: Name;
  /** Whether it names their account. */
  readonly namesAccount: boolean;
  /** A word of its own that it puts into texts. */
  readonly word: string;
  /** Whose records may be in its answers. */
  readonly sees: readonly Name[];
  /** Whose records may change by its requests. */
  readonly changes: readonly Name[];
  /** Whose accounts it can name. */
  readonly knows: readonly Name[];
}

const alone = (name: Name): Asker => ({
  title: name,
  token: name,
  means: name,
  namesAccount: false,
  word: `${name}sown`,
  sees: [name],
  changes: [name],
  knows: names,
});

export const askers: readonly Asker[] = [
  // Who cannot name Bob's account must not change anything of his, parent or not.
  { ...alone("alice"), sees: ["alice", "bob"], knows: ["alice", "carol"] },
  {
    ...alone("bob"),
    title: "alice for bob",
    token: "alice",
    namesAccount: true,
    sees: ["alice", "bob"],
    changes: ["alice", "bob"],
  },
  alone("bob"),
  alone("carol"),
  {
    ...alone("alice"),
    title: "nobody",
    token: undefined,
    word: "nobodysown",
    sees: [],
    changes: [],
  },
];

/**
 * Stands in a generated request for what somebody has when it is sent. It is letters alone, so that it stays what it is in a URL, a
 * form and JSON.
 */
export function refTo(name: Name, thing: keyof Things): string {
  return `zz${name}qq${thing}zz`;
}

export function resolveRefs(text: string, things: Readonly<Record<Name, Things>>): string {
  const all = [...recordKinds, "checktoken", "token"] as const;
  return text.includes("zz")
    ? names.reduce(
        (rest, name) =>
          all.reduce(
            (inner, thing) => inner.replaceAll(refTo(name, thing), things[name][thing]),
            rest,
          ),
        text,
      )
    : text;
}

/** References to a record of one kind of everybody whom the asker does not mean. */
export function refsToOthers({ means, knows }: Asker, kind: RecordKind): readonly string[] {
  return names
    .filter((name) => name !== means && (kind !== "account" || knows.includes(name)))
    .map((name) => refTo(name, kind));
}
