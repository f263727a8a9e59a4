import type { Account } from "../../domain/account/account.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import type { Reads } from "../store.ts";

/** The account that the operator names, or the only primary one. */
export async function namedAccount(
  { accounts }: Pick<Reads, "accounts">,
  accountId: string | undefined,
): Promise<Account> {
  if (accountId === undefined) {
    const [only, ...others] = await accounts.listPrimary();
    if (only === undefined) throw new NotFound("there is no account yet");
    if (others.length > 0)
      throw new InvalidInput(
        `account: must be one of ${[only, ...others].map(({ id }) => id).join(", ")}`,
      );
    return only;
  }
  const account = await accounts.find(accountId);
  if (account === undefined)
    throw new NotFound(`account: no such account ${JSON.stringify(accountId)}`);
  return account;
}
