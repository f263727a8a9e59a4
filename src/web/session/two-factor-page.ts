import { generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";

import { localText } from "../../channels/format/times.ts";
import {
  longestPasskeyLabel,
  needsSecondFactor,
  type SecondFactors,
} from "../../domain/account/second-factor.ts";
import { mailboxOf, type Contact } from "../../domain/contact/contact.ts";
import { totpUri } from "../../kit/crypto/totp.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import type { LinkPage } from "../link-page.ts";
import { codeField, passkeyForm } from "./code-form.ts";
import { passwordField, problemText, sessionPage } from "./session-page.ts";
import { english } from "./words.ts";

/** Modules of white around it, without which scanners do not find it (ISO/IEC 18004). */
const QUIET = 4;

const TITLE = "<h2>Two-factor authentication</h2>";
const BACK = '<p><a href=".">Back to Watchpost</a></p>';
/** A reader has to go on without one when few are left. */
const FEW_CODES = 3;

interface Status {
  readonly status: number;
  readonly factors: SecondFactors;
  readonly timeZone: string;
  readonly allowsPasskeys: boolean;
  readonly problem?: string;
}

/** Which second factors the contact has, and what it can do about them. */
export function statusPage(shown: Status): LinkPage {
  const { status, factors, problem } = shown;
  const isOn = needsSecondFactor(factors);
  const intro = isOn
    ? ""
    : "<p>Now whoever has your password gets in. With an authenticator app or a passkey, signing in asks for that too.</p>";
  const codes = isOn
    ? `<h3>Recovery codes</h3><p>${codesLeftText(factors.recoveryCodes)}</p><p>${button("codes", "Make new recovery codes", "quiet")}</p>`
    : "";
  return sessionPage(
    status,
    `${TITLE}${intro}${problemText(problem)}<form method="post">${passwordField("password", "Your password", "current-password")}${appPart(shown)}${passkeyPart(shown)}${codes}</form>${BACK}`,
  );
}

function appPart({ factors: { totpSince }, timeZone }: Status): string {
  return totpSince === undefined
    ? `<h3>Authenticator app</h3><p>Off.</p><p>${button("begin", "Set up an app")}</p>`
    : `<h3>Authenticator app</h3><p>On since ${escapeHtml(localText(totpSince, timeZone))}.</p><p>${button("remove", "Turn it off", "danger")}</p>`;
}

function passkeyPart({ factors: { passkeys }, timeZone, allowsPasskeys }: Status): string {
  if (!allowsPasskeys && passkeys.length === 0) return "";
  const items = passkeys.map(({ id, label, createdAt, usedAt }) => {
    const used = usedAt === undefined ? "not used yet" : `used ${localText(usedAt, timeZone)}`;
    return `<li><strong>${escapeHtml(label)}</strong>, since ${escapeHtml(localText(createdAt, timeZone))}, ${escapeHtml(used)} ${button(`removepasskey ${id}`, `Remove ${label}`, "danger")}</li>`;
  });
  const list = items.length === 0 ? "<p>None.</p>" : `<ul class="passkeys">${items.join("")}</ul>`;
  const add = allowsPasskeys ? `<p>${button("passkey", "Add a passkey")}</p>` : "";
  return `<h3>Passkeys</h3>${list}${add}`;
}

function button(step: string, text: string, look = ""): string {
  return `<button class="${look}" type="submit" name="do" value="${escapeHtml(step)}">${escapeHtml(text)}</button>`;
}

/** Has the browser make a passkey, with the name that the contact gives it. */
export function newPasskeyPage({
  secret,
  options,
}: {
  readonly secret: string;
  readonly options: string;
}): LinkPage {
  const form = passkeyForm({
    kind: "create",
    action: "two-factor",
    options,
    words: english,
    content: `<input type="hidden" name="do" value="addpasskey"><input type="hidden" name="pending" value="${escapeHtml(secret)}"><p><label>What you call it <input name="label" maxlength="${longestPasskeyLabel}" placeholder="Laptop" required></label></p><p><button type="submit">Make the passkey</button></p>`,
  });
  return sessionPage(
    200,
    `<h2>A new passkey</h2><p>It is kept by this device, a security key or your password manager.</p>${form}<noscript><p>This needs JavaScript.</p></noscript>${BACK}`,
  );
}

function codesLeftText(left: number): string {
  const said = left === 1 ? "One recovery code is left" : `${left} recovery codes are left`;
  return left <= FEW_CODES ? `<strong>${said}: make new ones.</strong>` : `${said}.`;
}

interface Enrolment {
  readonly secret: string;
  /** Who shows the codes, in the list of the app. */
  readonly issuer: string;
  readonly contact: Contact | undefined;
}

/** Shows the secret to the app, and asks for its first code. */
export function enrolmentPage({ secret, issuer, contact }: Enrolment): LinkPage {
  const label = (contact && mailboxOf(contact)) ?? contact?.name ?? "";
  const uri = totpUri(secret, { issuer, label });
  const groups = (secret.match(/.{4}/g) ?? []).join(" ");
  return sessionPage(
    200,
    `${TITLE}<p>Scan this with your authenticator app, then type the code that it shows.</p>${qrCode(uri, "QR code for your authenticator app")}<details><summary>You cannot scan it?</summary><p>Type this key into the app: <code>${groups}</code></p><p><a href="${escapeHtml(uri)}">Or open it on this device</a></p></details>${confirmationForm}${BACK}`,
  );
}

const confirmationForm = `<form method="post">${codeField("The code that the app shows")}<p>You stay signed in here, and are signed out everywhere else.</p><p><button type="submit" name="do" value="confirm">Turn it on</button></p></form>`;

/** Asks for the first code again. The secret is not shown again: that takes the password. */
export function confirmationPage(status: number, problem: string): LinkPage {
  return sessionPage(
    status,
    `${TITLE}${problemText(problem)}${confirmationForm}<p>You did not add the key to your app? <a href="two-factor">Begin again</a> with your password.</p>${BACK}`,
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

/** An SVG element without styles, which the policy of the pages refuses. Black on white also by night: not every scanner reads the inverse. */
function qrCode(text: string, label: string): string {
  const code = generate(text);
  const side = code.size + 2 * QUIET;
  const area = `x="${-QUIET}" y="${-QUIET}" width="${side}" height="${side}"`;
  return `<svg class="qr" role="img" aria-label="${label}" viewBox="${-QUIET} ${-QUIET} ${side} ${side}" shape-rendering="crispEdges"><rect ${area} fill="#fff"/><path d="${toSvgPath(code)}" fill="#000"/></svg>`;
}
