import assert from "node:assert/strict";
import type { Socket } from "node:net";
import test, { after, before, suite } from "node:test";

import { checkParametersContract } from "../../../test/contracts/check-parameters.ts";
import { checkTypeContract, contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { sshKey } from "../../../test/peers/ssh-key.ts";
import { ssh } from "../../../test/peers/ssh.ts";
import { tcpPeer, type Peer } from "../../../test/peers/tcp.ts";
import { openSsh, type OpenSsh } from "../../../test/servers/openssh.ts";
import {
  assertEnding,
  failedLogin,
  found,
  missingText,
  forbiddenText,
  missing,
  protocolError,
  saying,
  runSshCheck,
  type SshEnding,
} from "../../../test/checks/ssh-check.ts";
import { sshCheck } from "./ssh.ts";

const { privateKey: sshkey } = sshKey();

checkParametersContract(sshCheck, {
  least: { target: "example.com" },
  leastReads: { target: "example.com", port: 22, invert: false, ipv6: false },
  full: {
    target: "example.com",
    port: 1000,
    username: "alice",
    password: "s3cret; drop",
    sshkey,
    contentstring: "Last login",
    invert: true,
    ipv6: false,
  },
  fullReads: {
    target: "example.com",
    port: 1000,
    username: "alice",
    password: "s3cret; drop",
    sshkey,
    contentstring: "Last login",
    invert: true,
    ipv6: false,
  },
});

const identification = "SSH-2.0-test\r\n";
const credentials = { username: "alice", password: "s3cret" };
const target = ({ host, port }: Pick<Peer, "host" | "port">) => ({ target: host, port });

const endings = {
  silence: "timeout",
  drip: "timeout",
  garbage: "protocol",
  reset: "protocol",
  close: "protocol",
  flood: "protocol",
} as const;

checkTypeContract(sshCheck, {
  healthy: () => tcpPeer(saying(identification)),
  parameters: target,
  endings,
});

checkTypeContract(sshCheck, {
  name: "SSH with a login",
  healthy: () => tcpPeer(ssh()),
  parameters: (peer) => ({ ...target(peer), ...credentials }),
  endings,
});

const ways = [
  { way: "without a login", parameters: {} },
  { way: "before a login", parameters: credentials },
];

suite("who is given nobody to log in as", () => {
  const rows: readonly ({ name: string; says?: string[]; parameters?: object } & SshEnding)[] = [
    { name: "finds a server", text: "Connected" },
    { name: "finds one that speaks 1 as well", says: ["SSH-1.99-x\n"], text: "Connected" },
    { name: "finds one in pieces", says: ["SS", "H-2", ".0-", "x\r", "\n"], text: "Connected" },
    {
      name: "finds what the server is",
      parameters: { contentstring: "2.0-test" },
      ...found,
    },
    {
      name: "finds what it says before that",
      says: ["Welcome to\r\nthe väult\r\n", identification],
      parameters: { contentstring: "väult" },
      ...found,
    },
    { name: "misses a text", parameters: { contentstring: "x" }, ...missingText("x") },
    {
      name: "misses a text that must be missing",
      parameters: { contentstring: "x", invert: true },
      ...missing,
    },
    {
      name: "finds a text that must be missing",
      parameters: { contentstring: "test", invert: true },
      ...forbiddenText("test"),
    },
    { name: "may have a user alone", parameters: { username: "alice" }, text: "Connected" },
    { name: "may have a password alone", parameters: { password: "x" }, text: "Connected" },
  ];
  for (const { name, says = [identification], parameters = {}, ...ending } of rows)
    test(name, async () => assertEnding(await runSshCheck(saying(...says), parameters), ending));
});

for (const { way, parameters } of ways) {
  test(`what is no SSH server is recognized ${way}`, async () => {
    const old = await runSshCheck(saying("SSH-1.5-x\r\n"), parameters);
    assertEnding(old, protocolError('not SSH 2: "SSH-1.5-x"'));
    const other = await runSshCheck(saying("220 ready\r\n".repeat(51)), parameters);
    assertEnding(other, protocolError("no identification of an SSH server"));
    assert.equal(other.evidence, "220 ready\r\n".repeat(51));
    const short = await runSshCheck((socket) => socket.end("220 ready\r\n"), parameters);
    assertEnding(short, {
      reason: "protocol",
      text: "Connection closed",
      message: "Connection closed while waiting for the answer",
    });
  });

  test(`a server gets the identification first ${way}`, async () => {
    let received = "";
    const manner = (socket: Socket): void => {
      socket.once("data", (data) => {
        received = data.toString();
        socket.end();
      });
    };
    await runSshCheck(manner, parameters);
    assert.equal(received, "SSH-2.0-Watchpost\r\n");
  });
}

suite("OpenSSH", () => {
  const kinds = ["ed25519", "rsa", "ecdsa"] as const;
  const keys = kinds.map((kind) => ({ kind, ...sshKey(["-t", kind]) }));
  const [{ privateKey: sshkey, publicKey } = { privateKey: "", publicKey: "" }] = keys;
  let server: OpenSsh;
  before(async () => {
    server = await openSsh({
      password: "sécret, or nöt",
      accounts: {
        alice: keys.map((key) => key.publicKey).join(""),
        bare: `restrict ${publicKey}`,
        careful: publicKey,
        files: publicKey,
        hasty: publicKey,
        strict: publicKey,
      },
      profile: "echo load is low\necho disk is full >&2\n",
      rules: `
        Match User careful
          AuthenticationMethods publickey,password
        Match User files
          ForceCommand internal-sftp
        Match User hasty
          MaxAuthTries 1
        Match User strict
          PasswordAuthentication no
      `,
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const password = "sécret, or nöt";
  const loggedIn = { text: "Logged in" };
  const rows: readonly ({ name: string; parameters: object } & SshEnding)[] = [
    { name: "answers", parameters: {}, text: "Connected" },
    { name: "says who it is", parameters: { contentstring: "-OpenSSH_" }, ...found },
    ...keys.map(({ kind, privateKey }) => ({
      name: `takes a key of the kind ${kind}`,
      parameters: { username: "alice", sshkey: privateKey },
      ...loggedIn,
    })),
    { name: "takes a password", parameters: { username: "alice", password }, ...loggedIn },
    {
      name: "takes no other password",
      parameters: { username: "alice", password: "x" },
      ...failedLogin(),
    },
    {
      name: "knows nobody else",
      parameters: { username: "carol", password },
      ...failedLogin(),
    },
    {
      name: "takes no other key, whatever the password",
      parameters: { username: "alice", password, sshkey: sshKey().privateKey },
      ...failedLogin(),
    },
    {
      name: "takes no password where it is set up so",
      parameters: { username: "strict", password },
      ...failedLogin(": the server takes no password"),
    },
    {
      name: "wants a password as well where it is set up so",
      parameters: { username: "careful", sshkey, password },
      ...failedLogin(": the server wants more than that"),
    },
    {
      name: "hangs up on who was wrong",
      parameters: { username: "hasty", password: "x" },
      ...failedLogin(": the server hung up"),
    },
    {
      name: "shows what the profile prints",
      parameters: { username: "alice", sshkey, contentstring: "load is low\r\n" },
      ...found,
    },
    {
      name: "shows what the profile prints as an error",
      parameters: { username: "alice", sshkey, contentstring: "disk is full" },
      ...found,
    },
    {
      name: "shows what only a terminal is shown",
      parameters: { username: "alice", sshkey, contentstring: "Last login: " },
      ...found,
    },
    {
      name: "does not show what nobody prints",
      parameters: { username: "alice", sshkey, contentstring: "load is high" },
      ...missingText("load is high"),
    },
    {
      name: "does not show what must not be printed",
      parameters: { username: "alice", sshkey, contentstring: "load is high", invert: true },
      ...missing,
    },
    {
      name: "does not show what we say",
      parameters: { username: "alice", sshkey, contentstring: "exit", invert: true },
      ...missing,
    },
    {
      name: "shows the same without a terminal, where it gives none",
      parameters: { username: "bare", sshkey, contentstring: "disk is full\n" },
      ...found,
    },
    {
      name: "says that it is only for files",
      parameters: { username: "files", sshkey, contentstring: "allows sftp connections only" },
      ...found,
    },
  ];
  for (const { name, parameters, ...ending } of rows) {
    test(name, async () => {
      const { run } = sshCheck.prepare({ ...target(server), ...parameters });
      assertEnding(await run(contextOf()), ending);
    });
  }

  test("counts one failure for one wrong password, and gets a disconnect", async () => {
    const wrong = { ...target(server), username: "nobody-else", password: "x" };
    await sshCheck.prepare(wrong).run(contextOf());
    const farewell = /^Disconnected from invalid user nobody-else /m;
    await waitFor("a farewell", () => farewell.test(server.log()));
    assert.equal(server.log().match(/^Failed password for invalid user nobody-else /gm)?.length, 1);
  });
});
