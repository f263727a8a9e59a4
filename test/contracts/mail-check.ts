import assert from "node:assert/strict";
import test, { suite } from "node:test";

import type { ProbedCheckType } from "../../src/checks/check-type.ts";
import type { Outcome } from "../../src/domain/run/outcome.ts";
import { waitFor } from "../time/wait-for.ts";
import { drainEventLoop } from "../time/fake-clock.ts";
import { certificateFacts, selfSigned, type Certificate } from "../peers/certificates.ts";
import { lineServer } from "../peers/line-server.ts";
import { closing, tcpPeer, type Peer } from "../peers/tcp.ts";
import { tlsPeer } from "../peers/tls.ts";
import { trustedCertificate } from "../peers/trusted-certificate.ts";
import { contextOf } from "./check-type.ts";

type Answers = Readonly<Record<string, string>>;

interface MailServer {
  readonly ports: Readonly<Record<"false" | "ssl" | "starttls", number>>;
  readonly greeting: string;
  /** Agrees to everything, TLS included, and lets everybody in. */
  readonly answers: Answers;
  readonly tls: { readonly command: string; readonly refusal: string };
  /** Final responses to a login, each of which repeats the sent text. */
  readonly repeats: readonly Answers[];
}

const username = "alice";
const password = 's3cret "with\\ blanks';
const good = trustedCertificate();
const soon = trustedCertificate(10);

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** The contract of mail checks for TLS and credentials. */
export function mailCheckContract(
  type: ProbedCheckType,
  { ports, greeting, answers, tls, repeats }: MailServer,
): void {
  const run = (
    { host: target, port }: Pick<Peer, "host" | "port">,
    parameters: object,
    signal = new AbortController().signal,
  ): Promise<Outcome> => type.prepare({ target, port, ...parameters }).run(contextOf({ signal }));

  interface Talked {
    readonly certificate?: Certificate;
    readonly answers?: Answers;
  }
  /** The outcome, and what the server received. */
  const talk = async (
    parameters: { readonly secure: string | false; readonly [name: string]: unknown },
    { certificate = good, ...more }: Talked = {},
  ): Promise<Outcome & { readonly received: readonly string[] }> => {
    const received: string[] = [];
    const said = { greeting, answers: { ...answers, ...more.answers }, received };
    await using peer =
      parameters.secure === "ssl"
        ? await tlsPeer(certificate, lineServer(said))
        : await tcpPeer(lineServer({ ...said, certificate }));
    const outcome = await run(peer, parameters);
    await waitFor("the connection closed", () => peer.open() === 0);
    return { ...outcome, received };
  };

  for (const [secure, port] of Object.entries(ports)) {
    test(`${type.type} calls port ${port} where secure is ${secure}`, async () => {
      await using peer = await tcpPeer(closing, "127.77.0.1", port);
      const running = type.prepare({ target: peer.host, secure }).run(contextOf());
      assert.equal((await running).reason, "protocol");
      assert.equal(peer.accepted(), 1);
    });
  }

  for (const secure of ["ssl", "starttls"]) {
    suite(`${type.type} with ${secure}`, () => {
      const rows = [
        { name: "a certificate that is trusted", certificate: good, parameters: { verify: true } },
        { name: "one that is not, and nobody minds", certificate: selfSigned(), parameters: {} },
        {
          name: "one that is not",
          certificate: selfSigned(),
          parameters: { verify: true },
          message: "SSL cert failed: self-signed",
        },
        {
          name: "one for longer than is warned of",
          certificate: soon,
          parameters: { warningdays: 9 },
        },
        {
          name: "one for less than is warned of",
          certificate: soon,
          parameters: { warningdays: 11 },
          message: /^Certificate expires \d{4}-\d\d-\d\d$/,
        },
      ];
      for (const { name, certificate, parameters, message } of rows) {
        test(`${message === undefined ? "takes" : "refuses"} ${name}`, async () => {
          const { received, ...outcome } = await talk(
            { secure, username, password, ...parameters },
            { certificate },
          );
          if (message === undefined) assert.ok(outcome.passed, outcome.message);
          else {
            assert.equal(outcome.reason, "certificate");
            assert.match(outcome.message, new RegExp(message));
            assert.doesNotMatch(received.join("\n"), /alice|s3cret/);
          }
          assert.ok(outcome.timings?.tls !== undefined);
          assert.deepEqual(outcome.certificate, certificateFacts(certificate));
        });
      }
    });
  }

  suite(`${type.type} before TLS`, () => {
    const secure = "starttls";

    test("sends no user name if the server refuses TLS", async () => {
      const { received, ...outcome } = await talk(
        { secure, username, password },
        { answers: { [tls.command]: tls.refusal } },
      );
      assert.deepEqual(
        [outcome.reason, outcome.text, outcome.message],
        ["tls", "TLS error", "TLS error: STARTTLS is refused"],
      );
      assert.doesNotMatch(received.join("\n"), /alice|s3cret/);
    });

    test("refuses bytes injected before the handshake", async () => {
      const { reason, message, received } = await talk(
        { secure, username, password },
        { answers: { [tls.command]: `${answers[tls.command]}${greeting}` } },
      );
      assert.deepEqual(
        [reason, message],
        ["protocol", "Protocol error: more than its agreement before the TLS handshake"],
      );
      assert.doesNotMatch(received.join("\n"), /alice|s3cret/);
    });

    test("needs no certificate, and judges none", async () => {
      const { passed, timings } = await talk({ secure: false, verify: true, warningdays: 9000 });
      assert.deepEqual([passed, timings?.tls], [true, undefined]);
    });
  });

  const stalls = [
    { name: "the first handshake", secure: "ssl", greeting: "", phase: "in the TLS handshake" },
    {
      name: "the handshake after an agreement",
      secure: "starttls",
      greeting,
      phase: "in the TLS handshake",
    },
    { name: "the greeting", secure: "starttls", greeting: "", phase: "waiting for the answer" },
  ];
  for (const { name, secure, greeting, phase } of stalls) {
    test(`${type.type} is ended by the signal if ${name} stalls`, async () => {
      const received: string[] = [];
      await using peer = await tcpPeer(lineServer({ greeting, answers, received }));
      const controller = new AbortController();
      const running = run(peer, { secure }, controller.signal);
      await waitFor(
        "the stall",
        () => peer.accepted() === 1 && (greeting === "" || received.includes(tls.command)),
      );
      await drainEventLoop(50);
      controller.abort("over");
      assert.equal((await running).message, `Timeout ${phase}`);
      await waitFor("the connection closed", () => peer.open() === 0);
    });
  }

  for (const answers of repeats) {
    test(`${type.type} never shows credentials that a server repeats: ${JSON.stringify(answers)}`, async () => {
      const { received, ...outcome } = await talk(
        { secure: false, username, password },
        { answers },
      );
      assert.equal(outcome.passed, false);
      assert.ok(["auth", "protocol"].includes(outcome.reason), outcome.reason);
      const said = received.map((line) => line.split(" ").at(-1) ?? "");
      for (const secret of [username, "s3cret", ...said])
        assert.ok(!`${outcome.text} ${outcome.message}`.includes(secret), secret);
      const { evidence = "" } = outcome;
      assert.ok(evidence.startsWith(greeting), evidence);
      for (const secret of ["s3cret", base64(password), base64(`\0${username}\0${password}`)])
        assert.ok(!evidence.includes(secret), evidence);
    });
  }

  test(`${type.type} takes no IPv4 address where only IPv6 will do`, async () => {
    await using four = await tcpPeer(lineServer({ greeting, answers }));
    const { reason } = await run(four, { ipv6: true });
    assert.deepEqual([reason, four.accepted()], ["dns", 0]);
    await using six = await tcpPeer(lineServer({ greeting, answers }), "::1");
    const { passed, address } = await run(six, { ipv6: true });
    assert.deepEqual([passed, address], [true, "::1"]);
  });
}
