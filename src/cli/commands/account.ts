import type { Command } from "commander";

import { signInUrl } from "../../domain/account/session.ts";
import type { CommandContext } from "../command-context.ts";
import { formatTable, formatTime } from "../table.ts";

interface Options {
  readonly name: string;
  readonly ownerEmail?: string;
  readonly timezone: string;
}

interface SignInOptions {
  readonly account?: string;
  readonly contact?: string;
  readonly removeSecondFactors?: boolean;
}

export function addAccountCreate(parent: Command, context: CommandContext): void {
  parent
    .command("create")
    .summary("create a primary account, and print its token, once")
    .description(
      "Creates a primary account with its owner, as the first start does: it shares with no other account, and neither sees the other. Its token is printed once, alone on standard output; only its hash is stored.",
    )
    .requiredOption("--name <text>", "the name of the account")
    .option("--owner-email <address>", "the email address of its owner (default: none)")
    .option(
      "--timezone <zone>",
      "a name such as Europe/Berlin, or hours ahead of GMT such as 5.75",
      "0",
    )
    .addHelpText(
      "after",
      '\nExample:\n  $ ./watchpost account create --name "Shop" --owner-email owner@example.com --timezone Europe/Berlin',
    )
    .action(async ({ name, ownerEmail, timezone: timeZone }: Options) => {
      const made = await (await context.accountAdmin()).create({ name, ownerEmail, timeZone });
      context.print(`${made.token}\n`);
      context.printError(
        `Store it now, it is not shown again. Account: ${made.id}. For another token: ./watchpost token create --account ${made.id}\n`,
      );
    });
}

export function addAccountList(parent: Command, context: CommandContext): void {
  parent
    .command("list")
    .summary("list the primary accounts")
    .description("Lists the id, date, time zone and name of every primary account.")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  $ ./watchpost account list")
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const accounts = await (await context.accountAdmin()).list();
      if (json) return context.print(`${JSON.stringify(accounts, undefined, 2)}\n`);
      const rows = accounts.map(({ id, createdAt, timeZone, name }) => [
        id,
        formatTime(createdAt),
        timeZone,
        name,
      ]);
      context.print(formatTable([["ID", "CREATED", "TIME ZONE", "NAME"], ...rows]));
    });
}

export function addAccountSignIn(parent: Command, context: CommandContext): void {
  parent
    .command("sign-in")
    .summary("print a link by which a contact signs in, once")
    .description(
      "Prints a link that signs a contact in once, within a day, and asks for a new password: for an owner who lost theirs, or has none yet.",
    )
    .option("--account <id>", "the account (default: the only primary one)")
    .option("--contact <id>", "the contact (default: the first owner of the account)")
    .option(
      "--remove-second-factors",
      "also removes the contact's authenticator app, passkeys and recovery codes, where these are lost",
    )
    .addHelpText("after", "\nExample:\n  $ ./watchpost account sign-in")
    .action(async ({ account, contact, removeSecondFactors }: SignInOptions) => {
      const made = await (
        await context.accountAdmin()
      ).createSignInLink({
        accountId: account,
        contactId: contact,
        removesSecondFactors: removeSecondFactors,
      });
      context.print(`${signInUrl((await context.settings()).url, made.secret)}\n`);
      context.printError(
        `It signs ${JSON.stringify(made.name)} in, once, until ${formatTime(made.endsAt)}.\n`,
      );
    });
}
