import { z } from "zod";

import {
  subjectTemplate,
  bodyTemplate,
  welcomeTemplate,
  type MailTemplate,
} from "../../channels/mail/mail-template.ts";
import { mergeBranding, type Branding } from "../../domain/account/branding.ts";
import { deletedResponse, warning } from "./responses.ts";
import { currentAccount } from "./accounts/current-account.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { customerid } from "./identifiers.ts";
import { field, type Field } from "../../schema/field.ts";
import { operation, type Resource } from "../operation.ts";

const MAX_SENDER_LENGTH = 500;

const brandingAnswer = z
  .object({
    type: z.literal("branding"),
    customer_id: z.string(),
    from: z.string().describe("Empty where the default is used, as for all of them"),
    downsubject: z.string(),
    downtext: z.string(),
    upsubject: z.string(),
    uptext: z.string(),
    firstsubject: z.string(),
    firsttext: z.string(),
    welcome: z.string(),
    warning,
  })
  .meta({ id: "Branding" });

/** Empty text restores the default. */
function words({ maxLength, expected, parse }: MailTemplate): Field<string> {
  return field({
    expected,
    jsonSchema: { type: "string", maxLength },
    parse: (value) => (typeof value === "string" ? parse(value) : undefined),
    empty: "",
  });
}

const subject = words(subjectTemplate);
const text = words(bodyTemplate);

type Deps = Pick<ResourceDeps, "clock" | "senders">;

/** The sender and the texts that a request may set. */
function changedFields(senders: Deps["senders"]) {
  return z.object({
    customerid,
    from: words({
      maxLength: MAX_SENDER_LENGTH,
      expected: `must be text of at most ${MAX_SENDER_LENGTH} characters`,
      parse: senders.parse,
    }).describe(
      "The sender of mails: a name, or a name with a mailbox of a domain that this installation allows, such as `Shop <alerts@example.com>`",
    ),
    downsubject: subject.describe("The subject of mails that a check is down, one line"),
    downtext: text.describe("The text of mails that a check is down"),
    upsubject: subject.describe("The subject of mails that a check is up again, one line"),
    uptext: text.describe("The text of mails that a check is up again"),
    firstsubject: subject.describe("The subject of mails of a first result, one line"),
    firsttext: text.describe("The text of mails of a first result"),
    welcome: words(welcomeTemplate).describe(
      "The mail to a new contact that may sign in; it must contain `{password}`",
    ),
  });
}

export function branding({ clock, senders }: Deps): Resource {
  const change = async (
    { account, writeWithinLimits }: Call,
    changed: (known: Branding | undefined) => Branding | undefined,
  ): Promise<Branding | undefined> =>
    writeWithinLimits(account, async (tx) => {
      const known = await currentAccount(tx.accounts, account.id);
      const branding = changed(known.branding);
      await tx.accounts.update({ ...known, branding }, clock.now());
      return branding;
    });
  return {
    name: "branding",
    ids: "record",
    summary: "The sender and the texts of an account's mails, in place of the defaults",
    recorded: async ({ accounts }, { accountId }) => {
      const account = await accounts.find(accountId);
      return account && { kept: {}, compared: { ...account.branding } };
    },
    operations: {
      GET: operation({
        summary: "Returns the sender and texts of the account",
        needs: "view",
        effect: "read",
        input: z.object({ customerid }),
        response: brandingAnswer,
        handle: async (_, { account: { id, branding } }) => toResponse(id, branding),
      }),
      PUT: operation({
        summary: "Changes them; what is not sent stays, and empty text restores the default",
        needs: "owner",
        effect: "write",
        input: changedFields(senders),
        example: { downsubject: "{label} is down" },
        response: brandingAnswer,
        async handle(sent, call) {
          const changes = {
            from: sent.from,
            downSubject: sent.downsubject,
            downText: sent.downtext,
            upSubject: sent.upsubject,
            upText: sent.uptext,
            firstSubject: sent.firstsubject,
            firstText: sent.firsttext,
            welcome: sent.welcome,
          };
          return toResponse(
            call.account.id,
            await change(call, (known) => mergeBranding(known, changes)),
          );
        },
      }),
      DELETE: operation({
        summary: "Restores all defaults",
        needs: "owner",
        effect: "write",
        input: z.object({ customerid }),
        response: deletedResponse,
        async handle(_, call) {
          await change(call, () => undefined);
          return { ok: true, id: call.account.id };
        },
      }),
    },
  };
}

function toResponse(
  accountId: string,
  branding: Branding | undefined = {},
): z.infer<typeof brandingAnswer> {
  return {
    type: "branding",
    customer_id: accountId,
    from: branding.from ?? "",
    downsubject: branding.downSubject ?? "",
    downtext: branding.downText ?? "",
    upsubject: branding.upSubject ?? "",
    uptext: branding.upText ?? "",
    firstsubject: branding.firstSubject ?? "",
    firsttext: branding.firstText ?? "",
    welcome: branding.welcome ?? "",
  };
}
