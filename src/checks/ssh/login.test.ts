import assert from "node:assert/strict";
import test, { suite } from "node:test";

import * as fc from "fast-check";
import type { AuthContext, Connection, ServerChannel } from "ssh2";

import { waitFor } from "../../../test/time/wait-for.ts";
import { drainEventLoop } from "../../../test/time/fake-clock.ts";
import { sshKey } from "../../../test/peers/ssh-key.ts";
import {
  message as packet,
  send,
  shell,
  ssh,
  type SshServerOptions,
} from "../../../test/peers/ssh.ts";
import { flooding, type SocketHandler } from "../../../test/peers/tcp.ts";
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

const identification = "SSH-2.0-test\r\n";
const credentials = { username: "alice", password: "s3cret" };
const key = sshKey();

/** Takes one way in, by which it lets who is right in. */
function taking(method: AuthContext["method"]): NonNullable<SshServerOptions["onAttempt"]> {
  return (attempt) => {
    if (attempt.method === method) attempt.accept();
    else attempt.reject([method]);
  };
}

/** Refuses everybody who has shown something, in that way. */
function refusing(
  refuse: (attempt: AuthContext, client: Connection) => void,
  taken: readonly AuthContext["method"][] = ["password", "keyboard-interactive"],
): NonNullable<SshServerOptions["onAttempt"]> {
  return (attempt, client) => {
    if (attempt.method === "none") attempt.reject([...taken]);
    else refuse(attempt, client);
  };
}

const farewell = (reason: number, text: string): Buffer => packet(1, reason, text, "");
suite("a login", () => {
  const loggedIn = { text: "Logged in" };
  const withKey = { sshkey: key.privateKey };
  const rows: readonly ({
    name: string;
    manner: SshServerOptions;
    parameters?: object;
    /** In what ways it is tried. */
    tries: readonly string[];
  } & SshEnding)[] = [
    {
      name: "takes a password",
      manner: { onAttempt: taking("password") },
      tries: ["none", "password"],
      ...loggedIn,
    },
    {
      name: "answers questions with the password",
      manner: {
        onAttempt(attempt) {
          if (attempt.method !== "keyboard-interactive")
            return attempt.reject(["keyboard-interactive"]);
          return attempt.prompt([{ prompt: "Password:", echo: false }], ([answer]) => {
            if (answer === credentials.password) attempt.accept();
            else attempt.reject();
          });
        },
      },
      tries: ["none", "keyboard-interactive"],
      ...loggedIn,
    },
    {
      name: "takes a key in place of a password",
      manner: { onAttempt: taking("publickey") },
      parameters: withKey,
      tries: ["none", "publickey", "publickey"],
      ...loggedIn,
    },
    {
      name: "is nothing to a server that asks for nothing",
      manner: { onAttempt: (attempt) => attempt.accept() },
      tries: ["none"],
      ...loggedIn,
    },
    {
      name: "is tried once",
      manner: { onAttempt: refusing((attempt) => attempt.reject()) },
      tries: ["none", "password"],
      ...failedLogin(),
    },
    {
      name: "is not tried with a password where the key is refused",
      manner: { onAttempt: refusing((attempt) => attempt.reject(), ["publickey", "password"]) },
      parameters: withKey,
      tries: ["none", "publickey"],
      ...failedLogin(),
    },
    {
      name: "is not tried where no password is taken",
      manner: { onAttempt: taking("publickey") },
      tries: ["none"],
      ...failedLogin(": the server takes no password"),
    },
    {
      name: "is not tried where no key is taken",
      manner: { onAttempt: taking("password") },
      parameters: withKey,
      tries: ["none"],
      ...failedLogin(": the server takes no key"),
    },
    {
      name: "fails where something else is wanted as well",
      manner: { onAttempt: refusing((attempt) => attempt.reject(["publickey"], true)) },
      tries: ["none", "password"],
      ...failedLogin(": the server wants more than that"),
    },
    {
      name: "fails where the password is too old",
      manner: {
        onAttempt: refusing((attempt) => {
          if (attempt.method === "password") attempt.requestChange("New password:", () => {});
        }),
      },
      tries: ["none", "password"],
      ...failedLogin(": the server wants a new password"),
    },
    {
      name: "fails where the server hangs up, and does not say what that repeats",
      manner: { onAttempt: refusing((_, client) => send(client, farewell(2, "no s3cret"))) },
      tries: ["none", "password"],
      ...failedLogin(": the server hung up"),
    },
    {
      name: "does not say what a broken answer repeats",
      manner: { onAttempt: refusing((_, client) => send(client, packet(51, "s3cret"))) },
      tries: ["none", "password"],
      ...protocolError("something that is not SSH"),
    },
    {
      name: "is not tried where the server has no time",
      manner: { onHandshake: (client) => send(client, farewell(12, "too many are here")) },
      tries: [],
      reason: "status",
      text: "Refused",
      message: 'Refused: "too many are here"',
    },
    {
      name: "signs once, however often it is asked to",
      manner: {
        onAttempt: refusing(
          (attempt, client) => {
            if (attempt.method === "publickey" && attempt.signature !== undefined)
              send(client, packet(60, "ssh-ed25519", ""));
            attempt.accept();
          },
          ["publickey"],
        ),
      },
      parameters: withKey,
      tries: ["none", "publickey", "publickey"],
      ...protocolError("something that is not SSH"),
    },
    {
      name: "lets no server choose what to compute with",
      manner: {
        config: { algorithms: { kex: ["diffie-hellman-group-exchange-sha256"] } },
      },
      tries: [],
      ...protocolError('"Handshake failed: no matching key exchange algorithm"'),
    },
  ];
  for (const { name, manner, parameters = {}, tries, ...ending } of rows) {
    test(name, async () => {
      const tried: string[] = [];
      const onAttempt: SshServerOptions["onAttempt"] = (attempt, client) => {
        tried.push(attempt.method);
        manner.onAttempt?.(attempt, client);
      };
      const outcome = await runSshCheck(ssh({ ...manner, onAttempt }), {
        ...credentials,
        ...parameters,
      });
      assertEnding(outcome, ending);
      assert.deepEqual(tried, tries);
      assert.doesNotMatch(outcome.evidence ?? "", /s3cret/);
    });
  }
});

suite("a look round", () => {
  const rows: readonly ({
    name: string;
    manner: SshServerOptions;
    parameters?: object;
  } & SshEnding)[] = [
    {
      name: "finds what the shell prints",
      manner: { onSession: shell((out) => out.end("load is low\n")) },
      ...found,
    },
    {
      name: "finds it in pieces, and waits for no end",
      manner: {
        onSession: shell((out) => {
          const print = async (): Promise<void> => {
            for (const piece of ["a load", Buffer.of(0xc3), Buffer.of(0xa4), " is l", "ow"]) {
              out.write(piece);
              await drainEventLoop(3);
            }
          };
          void print();
        }),
      },
      parameters: { contentstring: "loadä is low" },
      ...found,
    },
    {
      name: "finds what is printed as an error",
      manner: { onSession: shell((out) => out.stderr.end("load is low\n"), { terminal: false }) },
      ...found,
    },
    {
      name: "finds what the banner says, and needs no shell",
      manner: { config: { banner: "load is low" } },
      ...found,
    },
    {
      name: "misses what is not printed",
      manner: { onSession: shell((out) => out.end("load is high\n")) },
      ...missingText("load is low"),
    },
    {
      name: "misses what must not be printed",
      manner: { onSession: shell((out) => out.end("load is high\n")) },
      parameters: { invert: true },
      ...missing,
    },
    {
      name: "finds what must not be printed",
      manner: { onSession: shell((out) => out.end("load is low\n")) },
      parameters: { invert: true },
      ...forbiddenText("load is low"),
    },
    {
      name: "has its end where the server hangs up",
      manner: {
        onSession: shell((out, client) => {
          out.write("load is high\n");
          client.end();
        }),
      },
      ...missingText("load is low"),
    },
    {
      name: "has its end where the server hangs up and says why",
      manner: {
        onSession: shell((out, client) => {
          out.write("load is high\n");
          send(client, farewell(2, "see you"));
        }),
      },
      ...missingText("load is low"),
    },
    {
      name: "leaves at once",
      manner: {
        onSession: shell((out) => {
          let received = "";
          out.on("data", (data: Buffer) => (received += data));
          out.on("end", () => out.end(`received ${received}`));
        }),
      },
      parameters: { contentstring: "received exit\n" },
      ...found,
    },
    {
      name: "needs a session",
      manner: {},
      reason: "status",
      text: "Error",
      message: "No shell was given",
    },
    {
      name: "needs a server that stays",
      manner: { onSession: (_, client) => client.end() },
      reason: "protocol",
      text: "Connection closed",
      message: "Connection closed while waiting for the answer",
    },
    {
      name: "needs a server that stays where it gives no terminal",
      manner: {
        onSession(session, client) {
          session.on("pty", (_, reject) => {
            reject();
            client.end();
          });
        },
      },
      reason: "protocol",
      text: "Connection closed",
      message: "Connection closed while waiting for the answer",
    },
    {
      name: "does not read for ever",
      manner: { onSession: shell((out) => flood(out)) },
      ...protocolError("more than 1048576 bytes"),
    },
    {
      name: "withstands data after its end",
      manner: {
        onSession(_, client) {
          send(client, packet(96, 0));
          send(client, packet(95, 0, 1, "too late"));
          client.end();
        },
      },
      reason: "protocol",
      text: "Connection closed",
      message: "Connection closed while waiting for the answer",
    },
  ];
  for (const { name, manner, parameters = {}, ...ending } of rows) {
    test(name, async () => {
      const rule = { contentstring: "load is low", ...parameters };
      assertEnding(await runSshCheck(ssh(manner), { ...credentials, ...rule }), ending);
    });
  }
});

function flood(out: ServerChannel): void {
  while (out.write("load is high\n".repeat(999)));
  out.once("drain", () => flood(out));
}

test("what was seen of a server is evidence where it fails, without the password", async () => {
  const onSession = shell((out) => out.end("load is high for s3cret\n"));
  const config = { banner: "Welcome" };
  const seen = await runSshCheck(ssh({ config, onSession }), {
    ...credentials,
    contentstring: "low",
  });
  assert.match(
    seen.evidence ?? "",
    /^SSH-2\.0-ssh2js\S+\r\nWelcome\r\nload is high for \(hidden\)\n$/,
  );
  assert.equal(seen.address, "127.0.0.1");
  const { dns = -1, connect = -1, firstByte = -1, total = -1 } = seen.timings ?? {};
  assert.ok(0 <= dns && dns <= connect && connect <= firstByte && firstByte <= total);
});

suite("a stall is ended by the signal", () => {
  const rows: readonly { name: string; manner: (reached: () => void) => SocketHandler }[] = [
    {
      name: "before the exchange of keys",
      manner: (reached) => (socket) => {
        socket.write(identification);
        reached();
      },
    },
    {
      name: "before the login",
      manner: (reached) => ssh({ onAttempt: reached }),
    },
    { name: "in the login", manner: (reached) => ssh({ onAttempt: refusing(reached) }) },
    {
      name: "before the shell",
      manner: (reached) => ssh({ onSession: (session) => session.on("pty", reached) }),
    },
    { name: "in the shell", manner: (reached) => ssh({ onSession: shell(reached) }) },
  ];
  for (const { name, manner } of rows) {
    test(name, async () => {
      const controller = new AbortController();
      let isReached = false;
      const reached = (): void => {
        isReached = true;
      };
      const running = runSshCheck(
        manner(reached),
        { ...credentials, contentstring: "x" },
        controller.signal,
      );
      await waitFor("the stall", () => isReached);
      await drainEventLoop(10);
      controller.abort("over");
      const ending = {
        reason: "timeout",
        text: "Timeout",
        message: "Timeout waiting for the answer",
      };
      assertEnding(await running, ending);
    });
  }
});

suite("after its identification a server may send", () => {
  const framed = (payload: Uint8Array): Buffer => {
    const padding = 4 + (8 - ((payload.length + 9) % 8));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(payload.length + padding + 1);
    return Buffer.concat([length, Buffer.of(padding), payload, Buffer.alloc(padding)]);
  };
  const rows: readonly ({ name: string; manner: SocketHandler } & SshEnding)[] = [
    {
      name: "a packet that is too long",
      manner: saying(identification, Buffer.alloc(8, 0xff)),
      ...protocolError('"Bad packet length"'),
    },
    {
      name: "an offer of keys that is none",
      manner: saying(identification, framed(packet(20, "x"))),
      ...protocolError('"Received malformed KEXINIT"'),
    },
    {
      name: "why it does not serve",
      manner: saying(identification, framed(farewell(12, "too many are here"))),
      reason: "status",
      text: "Refused",
      message: 'Refused: "too many are here"',
    },
    {
      name: "the same after an identification in pieces",
      manner: saying("Welcome\r\n", "SS", "H-2.0", "-test\r", "\n", framed(farewell(12, "no"))),
      reason: "status",
      text: "Refused",
      message: 'Refused: "no"',
    },
    {
      name: "packets without an end",
      manner: (socket) => {
        socket.write(identification);
        flooding(framed(packet(2, "x".repeat(100))).toString())(socket);
      },
      ...protocolError("more than 1048576 bytes"),
    },
  ];
  for (const { name, manner, ...ending } of rows)
    test(name, async () => assertEnding(await runSshCheck(manner, credentials), ending));

  test("whatever it likes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const manner: SocketHandler = (socket) =>
          void socket.end(Buffer.concat([Buffer.from(identification), bytes]));
        const { passed, reason } = await runSshCheck(manner, credentials);
        assert.deepEqual([passed, reason], [false, "protocol"]);
      }),
      { numRuns: 50 },
    );
  });
});
