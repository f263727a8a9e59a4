import type { Channel } from "../channels/channel.ts";
import { withoutProofs } from "../channels/link-proofs.ts";
import { checkTypeOf } from "../checks/registry.ts";
import { includesAccess, type Access } from "../domain/account/access.ts";
import type { Check } from "../domain/check.ts";
import { targetWithoutQuery, withoutUrlSecrets } from "../domain/target.ts";
import { memoize } from "../kit/net/memoize.ts";
import { HIDDEN, redact } from "../kit/redact.ts";

type Parameters = Check["parameters"];
type CheckSettings = Pick<Check, "type" | "parameters">;
type Recipient = Pick<Channel, "showsAddress">;

/**
 * Redaction of check and address settings and of everything that repeats them: results, responses, messages, and links. All text shown to people passes through
 * it, so that no page shows what another one hides.
 */
export interface Redaction {
  readonly parameters: (check: CheckSettings) => Parameters;
  readonly target: (target: string) => string;
  /** Whether the reader is shown the texts that runs found as they are. */
  readonly showsFound: boolean;
  /** Redacts texts from runs of the check, such as the start of a response. */
  readonly foundBy: (check: CheckSettings) => (text: string) => string;
  /** Whether the reader is shown the settings of an address, such as the headers of a webhook. */
  readonly showsSettings: boolean;
  readonly address: (address: string, recipient: Recipient) => string;
  /** Redacts a message to an address, which contains its settings. */
  readonly message: (body: string, recipient: Recipient) => string;
  /** Redacts a receiver's response, which may repeat the message. */
  readonly response: (response: string, recipient: Recipient) => string;
}

/** Returns the redaction for a reader with this access. The holder of an alert's link has access to `view`. */
export function redactionFor(access: Access): Redaction {
  return includesAccess(access, "edit") ? forEditors(access) : forViewers;
}

function forEditors(access: Access): Redaction {
  const body = includesAccess(access, "owner") ? unchanged : withOwnProofs(access);
  return {
    parameters: ({ parameters }) => parameters,
    target: unchanged,
    showsFound: true,
    foundBy: () => unchanged,
    showsSettings: true,
    address: unchanged,
    message: body,
    response: body,
  };
}

const forViewers: Redaction = {
  parameters: ({ type, parameters }) =>
    // guard: parameters below edit = checkTypeOf(type)?.hideCredentials(parameters)
    checkTypeOf(type)?.hideSentValues(parameters) ?? hideAll(parameters),
  // guard: targets of results below edit = parameter
  target: (target) => targetWithoutQuery({ target }),
  showsFound: false,
  foundBy: ({ type, parameters }) => {
    const sent = checkTypeOf(type)?.sentValues(parameters) ?? [];
    return memoize(
      (text) =>
        /* guard: texts of targets below edit = argument */ withoutUrlSecrets(
          /* guard: texts of targets below edit = argument */ redact(withoutProofs(text), sent),
        ),
      MAX_REMEMBERED,
    );
  },
  showsSettings: false,
  address: (address, { showsAddress }) => (showsAddress === true ? address : HIDDEN),
  message: (body, { showsAddress }) =>
    showsAddress === true
      ? withoutProofs(body)
      : /* guard: messages below edit = parameter */ HIDDEN,
  response: (response, { showsAddress }) =>
    showsAddress === true
      ? withoutProofs(response)
      : /* guard: responses of receivers below edit = argument */ statusIn(response),
};

function unchanged(text: string): string {
  return text;
}

function withOwnProofs(access: Access): (text: string) => string {
  return (text) => withoutProofs(text, access);
}

/** The status with which a response begins, such as `503 Service Unavailable`; the rest is the receiver's own. */
function statusIn(response: string): string {
  return /^[1-5]\d\d(?: [A-Z][A-Za-z' -]*)?(?=$|:)/.exec(response)?.[0] ?? HIDDEN;
}

/** Hides all values of a type that only a later version knows. */
function hideAll(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.keys(parameters).map((name) => [name, HIDDEN]));
}

/** Texts remembered at a time: a list of results repeats a few messages thousands of times. */
const MAX_REMEMBERED = 100;
