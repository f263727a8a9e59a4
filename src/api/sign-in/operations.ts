import { z } from "zod";

import { changePassword } from "./change-password.ts";
import { showLink, start } from "./first-sign-in.ts";
import { forgot } from "./forgot.ts";
import { allowsPasskeys } from "./passkeys.ts";
import { signIn, signOut } from "./sign-in.ts";
import {
  addPasskey,
  beginApp,
  beginPasskey,
  confirmApp,
  removeApp,
  removePasskey,
  renewCodes,
} from "./two-factor.ts";
import { verify } from "./verify.ts";
import { PASSWORD, visitorOperation, type VisitorOperation } from "./visitor.ts";

const offers = visitorOperation({
  summary: "Shows by what people can sign in here",
  input: z.object({}),
  response: z.object({
    mail: z.boolean().describe("Whether a link for another password can be mailed"),
    passkeys: z.boolean().describe("Whether browsers let this address use passkeys"),
    shortest: z.int().describe("How many characters a password has at least"),
    provider: z
      .object({
        label: z.string().describe("The text of the link"),
        url: z.string().describe("Where it leads; `next` and `account` may be added"),
      })
      .optional()
      .describe("The provider of OpenID Connect"),
  }),
  async handle({ passwords, sessions, oidc: provider }) {
    const body = {
      mail: passwords.canSendMail,
      passkeys: allowsPasskeys(sessions.url),
      shortest: PASSWORD.shortest,
      ...(provider === undefined ? {} : { provider }),
    };
    return { body };
  },
});

export const SIGN_IN = "signin";

/** By method at the root, or by the name that follows it, which takes POST. */
export const signInOperations: Readonly<Record<string, VisitorOperation>> = {
  GET: offers,
  POST: signIn,
  VERIFY: verify,
  FORGOT: forgot,
  LINK: showLink,
  START: start,
  OUT: signOut,
  PASSWORD: changePassword,
  APP: beginApp,
  CONFIRMAPP: confirmApp,
  REMOVEAPP: removeApp,
  CODES: renewCodes,
  PASSKEY: beginPasskey,
  ADDPASSKEY: addPasskey,
  REMOVEPASSKEY: removePasskey,
};

export const signInSummary = "Signing in and out, and what people change about it";
