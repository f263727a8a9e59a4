import type { Guard } from "../guard.ts";

const test = "test/access/oidc.test.ts";

/** Who is signed in by a provider of OpenID Connect. */
export const oidcGuards: Readonly<Record<string, Guard>> = {
  "state of a provider's answer": {
    file: "src/web/session/oidc/provider.ts",
    text: "    expectedState: state,\n",
    without: '    expectedState: answered.searchParams.get("state") ?? state,\n',
    test: {
      file: test,
      name: "an answer of the provider with another state signs nobody in",
    },
  },
  "signature of a provider's token": {
    file: "src/web/session/oidc/provider.ts",
    text: "  enableNonRepudiationChecks(config);\n",
    without: "",
    test: { file: test, name: "a token signed with another key signs nobody in" },
  },
  "mailboxes that a provider has verified": {
    file: "src/web/session/oidc/provider.ts",
    text: "  if (isVerified !== true) return undefined;\n",
    without: "",
    test: { file: test, name: "only a mailbox that the provider has verified counts" },
  },
  "one use of a provider's answer": {
    file: "src/web/session/oidc/flow-cookie.ts",
    text: "    if (taken.has(state)) return false;\n",
    without: "",
    test: {
      file: test,
      name: "an answer counts once, within ten minutes, and in the browser that asked",
    },
  },
  "confirmed mailboxes of who signs in elsewhere": {
    file: "src/store/tables/contacts/sign-ins.ts",
    text: '        .where("addresses.confirmed", "=", 1)\n',
    without: "",
    test: {
      file: test,
      name: "nobody is registered, and a mailbox that is not confirmed here, or only gets alerts, signs nobody in",
    },
  },
  "attempts to sign in elsewhere": {
    file: "src/web/session/oidc/oidc-pages.ts",
    text: "  return attempts.spend(`client ${client}`, 1);\n",
    without: "  return attempts.spend(`client ${client}`, 0);\n",
    test: { file: test, name: "sign-ins by the provider are limited for each client address" },
  },
};
