import { checkTypes } from "../../src/checks/registry.ts";
import { selfSigned } from "../peers/certificates.ts";
import { sshKey } from "../peers/ssh-key.ts";

type Values = Readonly<Record<string, unknown>>;

/** A check type's parameters as clients send them. */
export interface Sample {
  /** Only what it must have. */
  readonly least: Values;
  /** Every parameter but those that Watchpost assigns. */
  readonly full: Values;
}

const { cert, key } = selfSigned();
/** Parameters that no documentation has an example of. */
const secrets: Values = { clientcert: `${cert}${key}`, sshkey: sshKey().privateKey };

/** The example of each type, with the keys and certificates that it leaves out. */
export const samples: Readonly<Record<string, Sample>> = Object.fromEntries(
  checkTypes.map(({ type, schema: { shape }, example }) => {
    const parameters = Object.entries(shape);
    const values = (names: readonly string[]): Values =>
      Object.fromEntries(
        Object.entries({ ...secrets, ...example }).filter(([name]) => names.includes(name)),
      );
    const required = parameters.filter(([, parameter]) => !parameter.safeParse(undefined).success);
    return [
      type,
      {
        least: values(required.map(([name]) => name)),
        full: values(parameters.map(([name]) => name)),
      },
    ];
  }),
);
