import type { Guard } from "../guard.ts";

/** Whose records are read and written, and what shows their secrets. */
export const accountsGuards: Readonly<Record<string, Guard>> = {
  "accounts of others": {
    file: "src/api/http/auth.ts",
    text: "account?.parentId !== caller.id ||",
    without: "account === undefined ||",
    test: {
      file: "test/isolation.long.test.ts",
      name: "in standard mode an account is its own's and its parent's, and to all others as if it were not there",
    },
  },
  "records of others": {
    file: "src/store/tables/owned-rows.ts",
    text: 'selectAll().where("account_id", "=", accountId)',
    without: "selectAll()",
    test: {
      file: "src/api/resources/contact-groups.test.ts",
      name: "Carol sees, changes and deletes no group of Alice's or Bob's",
    },
  },
  "members of others": {
    file: "src/api/resources/contact-groups.ts",
    text: "await contacts.missingIds(accountId, [...added])",
    without: "[]",
    test: {
      file: "src/api/resources/contact-groups.test.ts",
      name: "members of other accounts, groups and nobodies are refused, and the group stays as it was",
    },
  },
  "recipients of others": {
    file: "src/api/resources/checks/subscriptions.ts",
    text: "others.filter((id) => !named.has(id))",
    without: "others.filter(() => false)",
    test: {
      file: "src/api/resources/checks/subscriptions.test.ts",
      name: "a check names groups and profiles of its account, and nobody else's",
    },
  },
  "alerts within the account": {
    file: "src/store/tables/contacts/contacts.ts",
    text: '.select(["addresses.contact_id", "addresses.id"])\n        .where("contacts.account_id", "=", accountId)',
    without: '.select(["addresses.contact_id", "addresses.id"])',
    test: {
      file: "src/store/transactions/record-flip.test.ts",
      name: "those of the account are alerted beside ids of another",
    },
  },
  "old addresses of each account": {
    file: "src/api/resources/heartbeat-aliases.ts",
    text: "      const stored = await store.write(async (tx) => {\n",
    without:
      '      const stored = await store.write(async (tx) => {\n        const [held] = await tx.heartbeatAliases.listHolders(wanted.digest, 1);\n        if (held !== undefined && held.checkId !== id)\n          throw new InvalidInput("address: a check has this address already");\n',
    test: {
      file: "src/api/resources/heartbeat-aliases.test.ts",
      name: "an account that adds an address gets the same answers whether or not another account has it",
    },
  },
  "removal of one's own old address": {
    file: "src/store/tables/heartbeat-aliases.ts",
    text: '        .where("digest", "=", digest)\n        .where("account_id", "=", accountId)\n',
    without: '        .where("digest", "=", digest)\n',
    test: {
      file: "src/api/resources/heartbeat-aliases.test.ts",
      name: "an account that adds an address gets the same answers whether or not another account has it",
    },
  },
  "old addresses of who came first": {
    file: "src/store/tables/heartbeat-aliases.ts",
    text: '.orderBy("heartbeat_aliases.created_at", "desc")',
    without: '.orderBy("heartbeat_aliases.created_at", "asc")',
    test: {
      file: "src/heartbeats/aliases/aliases.test.ts",
      name: "a heartbeat reaches five checks at most, those that got its address last",
    },
  },
  "checks of an old address": {
    file: "src/store/tables/heartbeat-aliases.ts",
    text: "        .limit(most)\n",
    without: "",
    test: {
      file: "src/heartbeats/aliases/aliases.test.ts",
      name: "a heartbeat reaches five checks at most, those that got its address last",
    },
  },
  "tokens as digests": {
    file: "src/kit/crypto/seal.ts",
    text: 'createHash("sha256").update(token).digest("base64url")',
    without: "token",
    test: { file: "src/kit/crypto/seal.test.ts", name: "a digest does not hold the token" },
  },
  "one answer for a wrong id and a wrong token": {
    file: "src/heartbeats/handler.ts",
    text: 'status: 403,\n    body: \'{"error":"No check found with that ID and checktoken"}\'',
    without: 'status: 404,\n    body: \'{"error":"No check found with that ID"}\'',
    test: {
      file: "src/heartbeats/heartbeats.test.ts",
      name: "an unknown id is refused and keeps nothing",
    },
  },
  "check tokens": {
    file: "src/heartbeats/heartbeats.ts",
    text: "state === undefined || !hasToken(state, token)",
    without: "state === undefined",
    test: {
      file: "src/heartbeats/heartbeats.test.ts",
      name: "a wrong token is refused and keeps nothing",
    },
  },
  "ids that the service makes": {
    file: "src/api/resources/checks/from-wire.ts",
    text: "    ...(known ?? { ...created(context), runRevision: 1, runChangedAt: modifiedAt }),",
    without:
      "    ...(known ?? { ...created(context), runRevision: 1, runChangedAt: modifiedAt }),\n    ...(input as object),",
    test: {
      file: "src/api/resources/checks/checks.test.ts",
      name: "an id sent with a POST is ignored, as is everything that only we set",
    },
  },
  "status of addresses": {
    file: "src/api/resources/contacts/from-wire.ts",
    text: "status: previous.status,",
    without: 'status: (entry as never)["status"] ?? previous.status,',
    test: {
      file: "src/api/resources/contacts/address-status.test.ts",
      name: "no client makes an address refused or disabled",
    },
  },
  "deletion of one's own account": {
    file: "src/api/resources/accounts/accounts.ts",
    text: "if (id === caller.id) throw",
    without: "if (false) throw",
    test: {
      file: "src/api/resources/accounts/accounts.test.ts",
      name: "nobody deletes their own account, nor one that they do not name, in standard mode",
    },
  },
  "checks at rest": {
    file: "src/store/tables/checks/check-row.ts",
    text: "parameters: sealer.seal(JSON.stringify(check.parameters))",
    without: "parameters: Buffer.from(JSON.stringify(check.parameters))",
    test: {
      file: "src/store/tables/checks/checks.test.ts",
      name: "no file of the store shows a check's parameters or its target",
    },
  },
  "addresses at rest": {
    file: "src/store/tables/contacts/contacts.ts",
    text: "sealer.seal(JSON.stringify(reach))",
    without: "Buffer.from(JSON.stringify(reach))",
    test: {
      file: "src/store/tables/contacts/contacts.test.ts",
      name: "no file of the store shows where an address leads or how it is called",
    },
  },
  "targets without credentials": {
    file: "src/domain/target.ts",
    text: 'url.password = "";\n  return url.href;',
    without: "return target;",
    test: {
      file: "src/domain/target.test.ts",
      name: "no URL shows its credentials, and its host and path stay",
    },
  },
  "parameters below edit": {
    file: "src/redaction/redaction.ts",
    text: "checkTypeOf(type)?.hideSentValues(parameters) ?? hideAll(parameters),",
    without: "checkTypeOf(type)?.hideCredentials(parameters) ?? hideAll(parameters),",
    test: {
      file: "test/access/secrets.test.ts",
      name: "no operation and no page shows a token that reads a secret or the proof of a link",
    },
  },
  "targets of results below edit": {
    file: "src/redaction/redaction.ts",
    text: "target: (target) => targetWithoutQuery({ target }),",
    without: "target: unchanged,",
    test: {
      file: "test/access/secrets.test.ts",
      name: "no operation and no page shows a token that reads a secret or the proof of a link",
    },
  },
  "texts of targets below edit": {
    file: "src/redaction/redaction.ts",
    text: "withoutUrlSecrets(redact(withoutProofs(text), sent))",
    without: "withoutProofs(text) + String(sent.length).slice(9)",
    test: {
      file: "test/access/secrets.test.ts",
      name: "no operation and no page shows a token that reads a secret or the proof of a link",
    },
  },
  "messages below edit": {
    file: "src/redaction/redaction.ts",
    text: "(showsAddress === true ? withoutProofs(body) : HIDDEN)",
    without: "(showsAddress === true ? withoutProofs(body) : body)",
    test: {
      file: "test/access/secrets.test.ts",
      name: "no operation and no page shows a token that reads a secret or the proof of a link",
    },
  },
  "responses of receivers below edit": {
    file: "src/redaction/redaction.ts",
    text: "showsAddress === true ? withoutProofs(response) : statusIn(response),",
    without: "showsAddress === true ? withoutProofs(response) : response,",
    test: {
      file: "test/access/secrets.test.ts",
      name: "no operation and no page shows a token that reads a secret or the proof of a link",
    },
  },
  "responses that repeat a webhook": {
    file: "src/channels/webhook/send-http.ts",
    text: "withoutProofs(redact(text, secrets))",
    without: "text.slice(Math.min(0, secrets.length))",
    test: {
      file: "src/channels/webhook/repeated-request.test.ts",
      name: "a response that repeats the request is kept without its secrets and the proofs of its links",
    },
  },
  "proofs of links": {
    file: "src/channels/link-proofs.ts",
    text: "return isOwn ? proof : `${name}${HIDDEN}`;",
    without: "return isOwn ? proof : `${name}${proof.slice(name.length)}`;",
    test: {
      file: "test/access/secrets.test.ts",
      name: "no operation and no page shows a token that reads a secret or the proof of a link",
    },
  },
  "acknowledgements in the audit log": {
    file: "src/web/acknowledge.ts",
    text: "await tx.audit.insert({ ...entry, recordId: check.id });",
    without: "void entry;",
    test: {
      file: "src/server/pages/acknowledge.test.ts",
      name: "an acknowledgement by link is in the audit log with the recipient of the link, whatever name was given",
    },
  },
  "names given with a link": {
    file: "src/domain/alert/acknowledgement.ts",
    text: "return `${given}, by the link in the alert to ${recipient}`;",
    without: 'return recipient === "" ? recipient : given;',
    test: {
      file: "src/server/pages/acknowledge.test.ts",
      name: "the recipient of a webhook's link goes by the name of the contact, for its address is a credential",
    },
  },
  "secrets in evidence": {
    file: "src/kit/redact.ts",
    text: "if (secrets.length === 0) return text;",
    without: "return text;",
    test: {
      file: "src/checks/http/fetch-target.test.ts",
      name: "no evidence holds the credentials of the target, however they are repeated",
    },
  },
  "secrets in the log": {
    file: "src/kit/crypto/secret.ts",
    text: "  toJSON(): string {\n    return REDACTED;",
    without: "  toJSON(): string {\n    return this.#value;",
    test: { file: "src/kit/log.test.ts", name: "secrets print as redacted wherever they end up" },
  },
  "time between passwords": {
    file: "src/api/passwords.ts",
    text: "if (sinceMs >= 0 && sinceMs < MIN_RESET_INTERVAL_MS)",
    without: "if (false)",
    test: {
      file: "src/api/passwords.test.ts",
      name: "a contact has a minute of rest after a password, and no other contact has",
    },
  },
  "one first account": {
    file: "src/server/first-account.ts",
    text: "if (await store.accounts.hasAny()) return undefined;",
    without: "",
    test: {
      file: "src/server/first-account.test.ts",
      name: "the first start makes an account with its owner, its schedules, and a link, once, and no token unless one is given",
    },
  },
  "the instance key's file": {
    file: "src/server/instance-key.ts",
    text: 'mode: 0o600, flag: "wx"',
    without: 'mode: 0o666, flag: "wx"',
    test: {
      file: "src/server/instance-key.test.ts",
      name: "a key is made once, for the owner of the folder alone",
    },
  },
  "passwords as hashes": {
    file: "src/api/passwords.ts",
    text: "await hashing.run(accountAsker(primaryId), () => hashInThread(password))",
    without: "password",
    test: {
      file: "src/api/passwords.test.ts",
      name: "the mail brings the password whose hash is stored, and no file ever shows it",
    },
  },
  "places of a gate by account": {
    file: "src/kit/concurrency/gate.ts",
    text: "!places.exceedsFairShare(runningKeys(accountId), limits.most)",
    without: 'places.countOf("running") < limits.most',
    test: {
      file: "src/kit/concurrency/gate.test.ts",
      name: "an account has as many places as it leaves for all others",
    },
  },
  "metrics for this machine alone": {
    file: "src/server/metrics-access.ts",
    text: "isLoopback(socket.remoteAddress) &&",
    without: "",
    test: {
      file: "src/server/metrics-access.test.ts",
      name: "another machine is refused the metrics",
    },
  },
  "metrics through a proxy": {
    file: "src/server/metrics-access.ts",
    text: "if (!isPassedOn && ",
    without: "if (",
    test: {
      file: "src/server/metrics-access.test.ts",
      name: "another machine by a proxy on this one is refused the metrics",
    },
  },
  "password hashing": {
    file: "src/api/passwords.ts",
    text: "hashing.run(accountAsker(primaryId), ",
    without: 'hashing.run(accountAsker(""), ',
    test: {
      file: "src/api/passwords.test.ts",
      name: "a password of another account does not wait for all that were asked for before",
    },
  },
  "the data folder": {
    file: "src/server/data-folder.ts",
    text: "if ((folder.mode & OTHERS_WRITE) !== 0) {",
    without: "if (false) {",
    test: {
      file: "src/server/data-folder.test.ts",
      name: "a folder of mode 777 that is only Watchpost's is made private, with a word",
    },
  },
  "files of the data folder": {
    file: "src/server/data-folder.ts",
    text: "(file.mode & OTHERS_ANYTHING) !== 0",
    without: "false",
    test: {
      file: "src/server/data-folder.test.ts",
      name: "files of a backup that others can read are made private, with a word, and other files are left",
    },
  },
  "files that are made": {
    file: "src/main.ts",
    text: "process.umask(0o077);",
    without: "process.umask(0);",
    test: {
      file: "test/e2e/start.test.ts",
      name: "npm start prints where it is and a link that works once, and no lasting secret, and stops on SIGTERM",
    },
  },
  "targets without queries": {
    file: "src/domain/target.ts",
    text: '.replace(/[?#].*$/s, "")',
    without: "",
    test: {
      file: "src/domain/target.test.ts",
      name: 'labels and messages have of the target "https://example.net/health?key=s3cret&q=a#top" only "https://example.net/health"',
    },
  },
  "files of other users": {
    file: "src/server/data-folder.ts",
    text: "file.uid !== user &&",
    without: "false &&",
    test: {
      file: "src/server/data-folder.test.ts",
      name: "a file of another user is refused, even where the folder can be made private",
    },
  },
  "links in the data folder": {
    file: "src/server/data-folder.ts",
    text: "!file.isSymbolicLink() && ",
    without: "",
    test: {
      file: "src/server/data-folder.test.ts",
      name: "what a link in the folder leads to keeps its mode, and a link of another user is refused",
    },
  },
};
