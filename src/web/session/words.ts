import type { IncomingHttpHeaders } from "node:http";

import { languageOf, type PageLanguage } from "../page-language.ts";

/** The texts of the pages on which people sign in. Those with a link are HTML. */
export interface Words {
  readonly signIn: string;
  readonly email: string;
  readonly password: string;
  readonly forgotPassword: string;
  readonly wrongPassword: string;
  readonly signedIn: string;
  /** What is given is HTML. */
  readonly signedInAs: (name: string, role: string, account: string) => string;
  readonly openDashboard: string;
  readonly changePassword: string;
  readonly twoFactor: string;
  readonly signOut: string;
  readonly newPassword: string;
  readonly linkComes: string;
  readonly sendLink: string;
  readonly lookIntoMailbox: string;
  readonly linkSent: string;
  readonly noMailTitle: string;
  readonly noMail: string;
  readonly choosePassword: string;
  readonly willSignInAs: (mailbox: string) => string;
  readonly shortest: (characters: number) => string;
  readonly passwordLength: (shortest: number, longest: number) => string;
  readonly linkEnded: string;
  readonly signInWithPasskey: string;
  readonly usePasskey: string;
  readonly noPasskey: string;
  readonly oneMoreStep: string;
  readonly beginAgain: string;
  readonly recoveryCode: string;
  readonly appCode: string;
  readonly wrongCode: string;
  readonly wrongProof: string;
  readonly heldBack: (minutes: number) => string;
  readonly stepEnded: string;
  readonly otherSite: string;
  readonly tooMany: (seconds: number) => string;
  readonly busyTitle: string;
  readonly busy: string;
  readonly currentPassword: string;
  readonly nextPassword: string;
  readonly staysSignedIn: string;
  readonly change: string;
  readonly wrongCurrent: string;
  readonly changedMeanwhile: string;
}

const words: Readonly<Record<PageLanguage, Words>> = {
  en: {
    signIn: "Sign in",
    email: "Email",
    password: "Password",
    forgotPassword: "Forgot your password?",
    wrongPassword: "The email or the password is not right.",
    signedIn: "Signed in",
    signedInAs: (name, role, account) => `${name}, with the role ${role} in ${account}.`,
    openDashboard: "Open the dashboard",
    changePassword: "Change the password",
    twoFactor: "Two-factor authentication",
    signOut: "Sign out",
    newPassword: "Choose a new password",
    linkComes: "You get a mail with a link.",
    sendLink: "Send the link",
    lookIntoMailbox: "Look into your mailbox",
    linkSent:
      "Where this address has access, a mail with a link is on its way there. The link works once, for an hour.",
    noMailTitle: "No mail can be sent",
    noMail:
      "This installation has no mail server. Whoever runs it can make you a link: <code>watchpost account sign-in</code>.",
    choosePassword: "Choose a password",
    willSignInAs: (mailbox) => `You will sign in as ${mailbox}.`,
    shortest: (characters) => `It must have at least ${characters} characters.`,
    passwordLength: (shortest, longest) =>
      `The password must have ${shortest} to ${longest} characters.`,
    linkEnded:
      'This link has been used, or has expired. <a href="signin">Sign in</a> with your password.',
    signInWithPasskey: "Sign in with a passkey",
    usePasskey: "Use a passkey",
    noPasskey: "The browser gave no passkey. Try again.",
    oneMoreStep: "One more step",
    beginAgain: "Begin again",
    recoveryCode: "A recovery code",
    appCode: "Code of your authenticator app, or a recovery code",
    wrongCode: "The code is not right, or was used before.",
    wrongProof: "That is not right, or was used before.",
    heldBack: (minutes) =>
      `Too many wrong codes: try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, or use a recovery code.`,
    stepEnded:
      'This took longer than five minutes, or was done already. <a href="signin">Sign in</a> again.',
    otherSite: "Another site sent this form, so nothing was done.",
    tooMany: (seconds) => `Too many attempts: try again in ${seconds} seconds.`,
    busyTitle: "Watchpost is busy",
    busy: "Nothing was changed. Go back and try again in a few seconds.",
    currentPassword: "Current password",
    nextPassword: "New password",
    staysSignedIn: "You stay signed in here, and are signed out everywhere else.",
    change: "Change it",
    wrongCurrent: "The current password is not right.",
    changedMeanwhile: "The password was changed meanwhile.",
  },
  de: {
    signIn: "Anmelden",
    email: "E-Mail",
    password: "Passwort",
    forgotPassword: "Passwort vergessen?",
    wrongPassword: "E-Mail-Adresse oder Passwort stimmt nicht.",
    signedIn: "Angemeldet",
    signedInAs: (name, role, account) => `${name}, mit der Rolle ${role} in ${account}.`,
    openDashboard: "Dashboard öffnen",
    changePassword: "Passwort ändern",
    twoFactor: "Zwei-Faktor-Authentisierung",
    signOut: "Abmelden",
    newPassword: "Neues Passwort wählen",
    linkComes: "Sie bekommen eine E-Mail mit einem Link.",
    sendLink: "Link senden",
    lookIntoMailbox: "Sehen Sie in Ihr Postfach",
    linkSent:
      "Wenn diese Adresse Zugang hat, ist eine E-Mail mit einem Link dorthin unterwegs. Der Link gilt einmal, eine Stunde lang.",
    noMailTitle: "Es kann keine E-Mail gesendet werden",
    noMail:
      "Diese Installation hat keinen Mailserver. Wer sie betreibt, kann Ihnen einen Link erstellen: <code>watchpost account sign-in</code>.",
    choosePassword: "Passwort wählen",
    willSignInAs: (mailbox) => `Sie melden sich als ${mailbox} an.`,
    shortest: (characters) => `Es muss mindestens ${characters} Zeichen haben.`,
    passwordLength: (shortest, longest) =>
      `Das Passwort muss ${shortest} bis ${longest} Zeichen haben.`,
    linkEnded:
      'Dieser Link wurde schon benutzt oder ist abgelaufen. <a href="signin">Melden Sie sich</a> mit Ihrem Passwort an.',
    signInWithPasskey: "Mit einem Passkey anmelden",
    usePasskey: "Passkey benutzen",
    noPasskey: "Der Browser hat keinen Passkey geliefert. Versuchen Sie es noch einmal.",
    oneMoreStep: "Noch ein Schritt",
    beginAgain: "Von vorn beginnen",
    recoveryCode: "Ein Wiederherstellungscode",
    appCode: "Code Ihrer Authenticator-App oder ein Wiederherstellungscode",
    wrongCode: "Der Code stimmt nicht oder wurde schon benutzt.",
    wrongProof: "Das stimmt nicht oder wurde schon benutzt.",
    heldBack: (minutes) =>
      `Zu viele falsche Codes: Versuchen Sie es in ${minutes} ${minutes === 1 ? "Minute" : "Minuten"} noch einmal, oder benutzen Sie einen Wiederherstellungscode.`,
    stepEnded:
      'Das hat länger als fünf Minuten gedauert oder wurde schon erledigt. <a href="signin">Melden Sie sich</a> noch einmal an.',
    otherSite: "Eine andere Website hat dieses Formular gesendet; deshalb ist nichts geschehen.",
    tooMany: (seconds) => `Zu viele Versuche: Versuchen Sie es in ${seconds} Sekunden noch einmal.`,
    busyTitle: "Watchpost ist ausgelastet",
    busy: "Nichts wurde geändert. Gehen Sie zurück, und versuchen Sie es in einigen Sekunden noch einmal.",
    currentPassword: "Bisheriges Passwort",
    nextPassword: "Neues Passwort",
    staysSignedIn: "Hier bleiben Sie angemeldet, überall sonst werden Sie abgemeldet.",
    change: "Ändern",
    wrongCurrent: "Das bisherige Passwort stimmt nicht.",
    changedMeanwhile: "Das Passwort wurde inzwischen geändert.",
  },
};

/** For the pages that set up second factors, which are in English. */
export const english = words.en;

/** The texts, with their language, for the browser that sent the request. */
export interface LocalizedWords extends Words {
  readonly language: PageLanguage;
}

export function wordsFor({
  headers,
}: {
  readonly headers: Pick<IncomingHttpHeaders, "accept-language">;
}): LocalizedWords {
  const language = languageOf(headers);
  return { language, ...words[language] };
}
