import assert from "node:assert/strict";

import { createAcknowledgeLinks } from "../../src/channels/acknowledge-links.ts";
import { createPageLinks } from "../../src/channels/page-links.ts";
import { addressKinds, channelOf } from "../../src/channels/registry.ts";
import { addressForms } from "../../src/channels/address-forms.ts";
import { checkTypes } from "../../src/checks/registry.ts";
import type { CheckType } from "../../src/checks/check-type.ts";
import { isSecret } from "../../src/checks/parameters/secrets.ts";
import type { Access } from "../../src/domain/account/access.ts";
import type { Check } from "../../src/domain/check.ts";
import type { Address, Contact } from "../../src/domain/contact/contact.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import type { ApiFixture } from "../api-fixture.ts";
import { issue } from "../peers/certificate-authority.ts";
import { sshKey } from "../peers/ssh-key.ts";
import { aFlip, anAlert, aResult } from "../record-builders.ts";
import { sampleAlert, sampleNotice } from "../sample-alert.ts";

/** A text, and the access with which it may be read; undefined of what the API shows to nobody. */
export interface PlantedSecret {
  readonly text: string;
  readonly where: string;
  readonly needs: Access | undefined;
}

export interface PlantedInstallation {
  readonly secrets: readonly PlantedSecret[];
  /** IDs of all records, for operations that take one. */
  readonly ids: readonly string[];
  /** The public names of checks. */
  readonly uuids: readonly string[];
  /** The path of the link in an alert, which shows its check. */
  readonly checkPage: string;
  readonly failing: Check;
  readonly contact: Contact;
}

interface Garden {
  readonly cast: ApiFixture;
  readonly secrets: PlantedSecret[];
  /** A new secret, as letters and digits that no pattern takes for a key. */
  readonly sow: (where: string, needs: Access | undefined) => string;
  readonly ask: (request: string, parameters: object) => Promise<ReturnType<typeof JSON.parse>>;
}

const url = "http://watchpost.example";
const sealer = createSealer(new Uint8Array(32));

/** Gives Alice a secret in each place that can hold one, and a history in which targets and receivers have repeated all of them. */
export async function plantSecrets(cast: ApiFixture): Promise<PlantedInstallation> {
  const secrets: PlantedSecret[] = [];
  const garden: Garden = {
    cast,
    secrets,
    sow(where, needs) {
      const text = `sown${secrets.length}q${Math.random().toString(36).slice(2, 8).padEnd(6, "z")}`;
      secrets.push({ text, where, needs });
      return text;
    },
    async ask(request, parameters) {
      const { status, body, text } = await cast.ask(cast.alice, request, parameters);
      assert.equal(status, 200, `${request} ${text}`);
      return body;
    },
  };
  await plantAccount(garden);
  const contact = await plantContact(garden);
  const checks: Check[] = [];
  for (const type of checkTypes) checks.push(await plantCheck(garden, type, contact));
  const [failing] = checks;
  assert.ok(failing);
  const page = await plantPage(garden, checks);
  const others = await plantOthers(garden, checks);
  await remember(garden, checks);
  await alert(garden, failing, contact);
  return {
    secrets,
    ids: [...checks.map(({ id }) => id), contact.id, page, ...others],
    uuids: checks.map(({ uuid }) => uuid),
    checkPage: pageLinkOf(failing, contact),
    failing,
    contact,
  };
}

async function plantAccount({ cast, secrets, sow, ask }: Garden): Promise<void> {
  secrets.push({ text: cast.alice.token, where: "a token", needs: undefined });
  await ask("PUT /branding", {
    from: sow("the sender of mails", "view"),
    downtext: `{label} ${sow("a text of mails", "view")}`,
    welcome: `{password} ${sow("a text of invitations", "view")}`,
  });
  const { url: calendar } = await ask("POST /calendar", {});
  const proof = new URL(calendar).searchParams.get("proof") ?? "";
  secrets.push({ text: proof, where: "the link of the calendar", needs: "edit" });
  const { token } = await ask("POST /tokens", { label: "other" });
  secrets.push({ text: token, where: "another token", needs: undefined });
}

/** With an address of each kind. */
async function plantContact({ cast, secrets, sow, ask }: Garden): Promise<Contact> {
  const newaddresses = addressKinds.map((type) => {
    const { example } = addressForms[type].address;
    const isShown = channelOf(cast.deps.channels, type).showsAddress === true;
    if (isShown) return { type, address: example };
    const word = sow(`the address of ${type}`, "edit");
    const address = example.startsWith("https:")
      ? `https://hooks.example.com/services/${word}`
      : `${word}${"a".repeat(example.length - word.length)}`;
    if (type !== "webhook") return { type, address };
    return {
      type,
      address: `${address}?key=${sow("the query of a webhook", "edit")}`,
      headers: { "X-Plain": sow("a header of a webhook", "edit") },
      querystrings: { plain: sow("a query string of a webhook", "edit") },
      data: { plain: sow("the data of a webhook", "edit") },
    };
  });
  const { _id: id, addresses } = await ask("POST /contacts", {
    name: "Ann",
    custrole: "notify",
    newaddresses: [
      ...newaddresses,
      // Our own payload, in which there are links.
      { type: "webhook", address: `https://hooks.example.com/${sow("a plain webhook", "edit")}` },
    ],
  });
  for (const { secret } of Object.values<{ readonly secret?: string }>(addresses))
    if (secret !== undefined)
      secrets.push({ text: secret, where: "the secret of signatures", needs: "edit" });
  const contact = await cast.store.contacts.find(cast.alice.account.id, id);
  assert.ok(contact);
  return contact;
}

/** A check of the type with a secret in each parameter that may hold one. */
async function plantCheck(garden: Garden, type: CheckType, contact: Contact): Promise<Check> {
  const { cast, sow, ask, secrets } = garden;
  const common = { type: type.type, enabled: true, public: true, autodiag: true, sens: 0 };
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    ...common,
    ...type.example,
    label: `A check of type ${type.type}`,
    notifications: [{ [contact.id]: "All" }],
  });
  const id = String(body._id);
  for (const [name, parameter] of Object.entries(type.schema.shape)) {
    if (name === "target" && type.target === "url") {
      const address = new URL(String(type.example.target));
      address.username = sow(`a user name in the target of ${type.type}`, "edit");
      address.password = sow(`a password in the target of ${type.type}`, "edit");
      address.search = `?page=${sow(`the query of the target of ${type.type}`, "edit")}`;
      await ask(`PUT /checks/${id}`, { target: address.href });
    }
    if (!isSecret(parameter) || type.assigned.includes(name)) continue;
    const value = secretFor(
      garden,
      `${name} of ${type.type}`,
      (each) => parameter.safeParse(each).success,
    );
    // A request has one body.
    const instead = name === "data" ? { postdata: "" } : name === "postdata" ? { data: {} } : {};
    await ask(`PUT /checks/${id}`, { ...instead, [name]: value });
  }
  const found = await cast.store.checks.find(cast.alice.account.id, id);
  assert.ok(found, JSON.stringify(body));
  const { checktoken } = found.check.parameters;
  if (typeof checktoken === "string")
    secrets.push({ text: checktoken, where: "the token of a check", needs: "edit" });
  return found.check;
}

function secretFor(
  { secrets, sow }: Garden,
  where: string,
  isAccepted: (value: unknown) => boolean,
): unknown {
  if (isAccepted("plain text")) return sow(where, "edit");
  if (isAccepted({ plain: "text" })) return { "X-Plain": sow(where, "edit") };
  const { key, cert } = issue({ subject: "/CN=client.example" });
  const pem = [sshKey().privateKey, `${cert}\n${key}`].find(isAccepted);
  assert.ok(pem, `nothing is known that ${where} accepts`);
  const line = pem.split("\n").at(-3) ?? "";
  assert.ok(line.length > 20, line);
  secrets.push({ text: line, where, needs: "edit" });
  return pem;
}

async function plantPage({ sow, ask }: Garden, checks: readonly Check[]): Promise<string> {
  const { _id } = await ask("POST /statuspages", {
    name: "Shop",
    slug: "shop",
    access: "public",
    charts: "24h",
    password: sow("the password of a status page", undefined),
    sections: [{ name: "All", checks: checks.map(({ id }) => ({ id, name: "A check" })) }],
  });
  await ask("POST /subscribers", {
    page: _id,
    kind: "webhook",
    address: `https://hooks.example.com/?key=${sow("the webhook of a subscriber", "owner")}`,
  });
  return _id;
}

/** Returns the ids of the records. */
async function plantOthers(
  { sow, ask }: Garden,
  checks: readonly Check[],
): Promise<readonly string[]> {
  const push = checks.find(({ type }) => type === "PUSH");
  const alias = `${sow("an old address of heartbeats", undefined)}abcdefgh`;
  await ask(`POST /heartbeataliases/${push?.id}`, {
    address: `https://kuma.example.com/api/push/${alias}`,
  });
  const group = await ask("POST /contactgroups", { name: "Group", members: [] });
  const incident = await ask("POST /incidents", { name: "Incident", checks: [push?.id] });
  return [group._id, incident._id];
}

/** Each check went down, and its target repeated all that it was sent. */
async function remember({ cast, secrets, sow }: Garden, checks: readonly Check[]): Promise<void> {
  const { store, clock, deps } = cast;
  for (const check of checks) {
    const at = clock.now();
    const sent = Object.values(check.parameters).map((value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
    const foreign = `https://${sow("a user in a redirect", "edit")}@sso.example/in?next=${sow("the query of a redirect", "edit")}`;
    const own = secrets.filter(({ where }) => where.endsWith(` of ${check.type}`));
    const said = `Redirected to ${foreign} after ${sent.slice(0, 3).join(" ")}`.slice(0, 400);
    const evidence = [
      `location: ${foreign}`,
      "location: /in?next=there",
      ...own.map(({ text }) => text),
      ...sent,
    ].join("\n");
    const flip = deps.ids.alert();
    await store.write(async (tx) => {
      await tx.results.append(
        aResult(check.no, at, { passed: false, text: said, message: said, reason: "status" }),
      );
      await tx.evidence.record({ checkNo: check.no, startedAt: at, flipped: true, text: evidence });
      await tx.states.flip(
        aFlip(check.no, {
          id: flip,
          at,
          since: at,
          revision: check.revision,
          text: said,
          message: said,
        }),
      );
      await tx.states.recordGap(check.no, {
        kind: "undecided",
        reason: "blocked",
        message: said,
        firstTick: at,
        lastTick: at,
        ticks: 2,
      });
      await tx.diagnostics.insert({
        id: `diagnostics-${check.no}`,
        accountId: check.accountId,
        checkNo: check.no,
        checkId: check.id,
        outage: flip,
        location: "fra",
        createdAt: at,
      });
    });
    const run = await store.write((tx) => tx.diagnostics.claim({ leaseMs: 1000 }));
    assert.ok(run);
    const findings = [{ tool: "page", about: foreign, text: evidence } as const];
    await store.write((tx) => tx.diagnostics.finish(run, { at, findings }));
  }
}

/** The check's outage was alerted to each address, and each receiver repeated the message and refused the address. */
async function alert(garden: Garden, check: Check, contact: Contact): Promise<void> {
  const { cast, secrets } = garden;
  const { store, clock, deps, alice } = cast;
  const { state } = (await store.checks.find(check.accountId, check.id)) ?? {};
  const at = clock.now();
  for (const to of contact.addresses) {
    const about = {
      accountId: check.accountId,
      checkId: check.id,
      contactId: contact.id,
      addressId: to.id,
      outage: state?.outage,
      createdAt: at,
    };
    const notice = sampleNotice("down", { since: at });
    const sent = sampleAlert("down", { ...about, notice });
    const acknowledgeUrl = createAcknowledgeLinks({ sealer, url }).linkOf(sent, to);
    const pageUrl = createPageLinks({ sealer, url, days: 30 }).linkOf(sent, to);
    const message = channelOf(deps.channels, to.kind).render({
      alert: sent,
      to,
      kind: "down",
      timeZone: alice.account.timeZone,
      url,
      pageUrl,
      acknowledgeUrl,
      branding: undefined,
    });
    for (const [, proof = ""] of message.body.matchAll(/proof=([\w-]{43})/g))
      if (!secrets.some(({ text }) => text === proof))
        secrets.push({
          text: proof,
          where: `a link in the alert by ${to.kind}`,
          needs: acknowledgeUrl?.includes(proof) || pageUrl?.includes(proof) ? "edit" : "owner",
        });
    const id = deps.ids.alert();
    const repeated = `500 Internal Server Error: ${to.address} ${JSON.stringify(to.request)} ${message.body}`;
    await store.write(async (tx) => {
      await tx.alerts.insert(anAlert(id, check, { ...about, flipId: `flip-${to.id}`, notice }));
      await tx.alerts.setRendered(id, {
        kind: "down",
        to: to.address,
        from: channelOf(deps.channels, to.kind).from,
        subject: message.subject,
        body: message.body,
        network: to.kind,
      });
      const end = { startedAt: at, endedAt: at, accepted: false, response: repeated };
      await tx.alerts.addDelivery({ alertId: id, attempt: 1, ...end });
      await tx.alerts.finishAttempt(id, {
        status: "failed",
        at,
        reason: repeated,
        possiblySent: false,
      });
      await refuse(tx.contacts, { check, contact, to }, { at, reason: repeated });
    });
  }
}

async function refuse(
  contacts: Parameters<Parameters<ApiFixture["store"]["write"]>[0]>[0]["contacts"],
  {
    check,
    contact,
    to,
  }: { readonly check: Check; readonly contact: Contact; readonly to: Address },
  refusal: { readonly at: number; readonly reason: string },
): Promise<void> {
  await contacts.changeAddressStatus({
    accountId: check.accountId,
    contactId: contact.id,
    addressId: to.id,
    address: to.address,
    status: "refused",
    refusal,
  });
}

function pageLinkOf(check: Check, { id: contactId, addresses }: Contact): string {
  const [to] = addresses;
  assert.ok(to);
  const links = createPageLinks({ sealer, url, days: 30 });
  const alert = sampleAlert("down", {
    accountId: check.accountId,
    checkId: check.id,
    contactId,
    createdAt: Date.UTC(2026, 0, 5, 12),
    notice: sampleNotice("down", { since: Date.UTC(2026, 0, 5, 12) }),
  });
  const { pathname, search } = new URL(links.linkOf(alert, to) ?? "");
  return pathname + search;
}
