import { InvalidInput } from "../../kit/errors.ts";
import { isLinkLike } from "../../kit/net/link-like.ts";
import { parseTemplate } from "../format/template.ts";

/** Mail text that an account may replace. */
export interface MailTemplate {
  readonly maxLength: number;
  /** The message for any other text. */
  readonly expected: string;
  /** Returns the template as it is stored; throws InvalidInput with the expected format. */
  readonly parse: (text: string) => string;
}

const MAX_SUBJECT_LENGTH = 250;
const MAX_TEXT_LENGTH = 20_000;
/** It goes to people who do not know us. */
const MAX_WELCOME_LENGTH = 2000;

const ONE_LINE = `must be one line of at most ${MAX_SUBJECT_LENGTH} characters, without control characters`;
const manyLinesOf = (longest: number): string =>
  `must be text of at most ${longest} characters, without control characters but line breaks and tabs`;

const oneLine = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;
const manyLines = /^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u;

export const subjectTemplate: MailTemplate = {
  maxLength: MAX_SUBJECT_LENGTH,
  expected: ONE_LINE,
  parse(text) {
    if (text.length > MAX_SUBJECT_LENGTH || !oneLine.test(text)) throw new InvalidInput(ONE_LINE);
    return parsed(text);
  },
};

export const bodyTemplate: MailTemplate = {
  maxLength: MAX_TEXT_LENGTH,
  expected: manyLinesOf(MAX_TEXT_LENGTH),
  parse: (text) => parsed(parseLines(text)),
};

/** Limited because an author could otherwise mail anything to anybody in our name. */
export const welcomeTemplate: MailTemplate = {
  maxLength: MAX_WELCOME_LENGTH,
  expected: manyLinesOf(MAX_WELCOME_LENGTH),
  parse(text) {
    const lines = parseLines(text, /* guard: length of welcomes */ MAX_WELCOME_LENGTH);
    // guard: links in welcomes
    if (isLinkLike(lines))
      throw new InvalidInput(
        "must hold no links and no addresses but {url} and {email}, for it is mailed to people who may not expect it",
      );
    if (lines !== "" && !lines.includes("{password}"))
      throw new InvalidInput("must say {password}, for nobody could sign in without it");
    return lines;
  },
};

function parsed(template: string): string {
  parseTemplate(template);
  return template.trim() === "" ? "" : template;
}

function parseLines(text: string, longest = MAX_TEXT_LENGTH): string {
  if (text.length > longest || !manyLines.test(text)) throw new InvalidInput(manyLinesOf(longest));
  return text.trim() === "" ? "" : text.replaceAll(/\r\n?/g, "\n");
}
