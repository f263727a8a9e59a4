import { localText } from "../../channels/format/times.ts";
import type { SecondFactors } from "../../domain/account/second-factor.ts";
import { mailboxOf } from "../../domain/contact/contact.ts";
import type { Contact } from "../../domain/contact/contact.ts";
import { totpUri } from "../../kit/crypto/totp.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { LinkPage } from "../link-page.ts";
import { codeField } from "./code-form.ts";
import { qrCode } from "./qr-code.ts";
import { passwordField, problemText, sessionPage } from "./session-page.ts";

const TITLE = "<h2>Two-factor authentication</h2>";
const BACK = '<p><a href=".">Back to Watchpost</a></p>';
/** A reader has to go on without one when few are left. */
const FEW_CODES = 3;

interface Status {
  readonly status: number;
  readonly factors: SecondFactors;
  readonly timeZone: string;
  readonly problem?: string;
}

/** Whether the contact has a second factor, and what it can do about that. */
export function statusPage({ status, factors, timeZone, problem }: Status): LinkPage {
  const { totpSince, recoveryCodes } = factors;
  const password = passwordField("password", "Your password", "current-password");
  const content =
    totpSince === undefined
      ? `<p>With an authenticator app on your phone, nobody gets in who has only your password. Signing in then asks for a code of the app too.</p>${problemText(problem)}<form method="post">${password}<p><button type="submit" name="do" value="begin">Set up an app</button></p></form>`
      : `<p>On since ${escapeHtml(localText(totpSince, timeZone))}. ${codesLeftText(recoveryCodes)}</p>${problemText(problem)}<form method="post">${password}<p><button type="submit" name="do" value="codes">Make new recovery codes</button> <button class="danger" type="submit" name="do" value="remove">Turn it off</button></p></form>`;
  return sessionPage(status, `${TITLE}${content}${BACK}`);
}

function codesLeftText(left: number): string {
  const said = left === 1 ? "One recovery code is left" : `${left} recovery codes are left`;
  return left <= FEW_CODES ? `<strong>${said}: make new ones.</strong>` : `${said}.`;
}

interface Enrolment {
  readonly status: number;
  readonly secret: string;
  /** Who shows the codes, in the list of the app. */
  readonly issuer: string;
  readonly contact: Contact | undefined;
  readonly problem?: string;
}

/** Shows the secret to the app, and asks for its first code. */
export function enrolmentPage({ status, secret, issuer, contact, problem }: Enrolment): LinkPage {
  const label = (contact && mailboxOf(contact)) ?? contact?.name ?? "";
  const uri = totpUri(secret, { issuer, label });
  const groups = (secret.match(/.{4}/g) ?? []).join(" ");
  return sessionPage(
    status,
    `${TITLE}<p>Scan this with your authenticator app, then type the code that it shows.</p>${qrCode(uri, "QR code for your authenticator app")}<details><summary>You cannot scan it?</summary><p>Type this key into the app: <code>${groups}</code></p><p><a href="${escapeHtml(uri)}">Or open it on this device</a></p></details>${problemText(problem)}<form method="post">${codeField("The code that the app shows")}<p>You stay signed in here, and are signed out everywhere else.</p><p><button type="submit" name="do" value="confirm">Turn it on</button></p></form>${BACK}`,
  );
}

/** Shown this once. */
export function codesPage(codes: readonly string[]): LinkPage {
  const items = codes.map((code) => `<li><code>${code}</code></li>`).join("");
  return sessionPage(
    200,
    `<h2>Your recovery codes</h2><p>Keep them where you find them without your phone. Each signs you in once in place of a code of the app. <strong>They are not shown again.</strong></p><ol class="codes">${items}</ol>${BACK}`,
  );
}
