import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { hashToken } from "../src/kit/crypto/seal.ts";
import { alice, bob } from "../test/record-builders.ts";
import type { RecordedResponses } from "./baselines/fastify.ts";
import { load, type Measured } from "./load.ts";
import { dataFolder, fill, median, openStore, rowOf, startServer } from "./fixture.ts";

const CHECKS = 1000;
const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";
const authorization = `Basic ${btoa(`${token}:`)}`;
/** In another account, so that the list stays as long as it is. */
const newCheck = JSON.stringify({
  customerid: bob.id,
  type: "HTTP",
  target: "http://127.0.0.1/",
  label: "made by the bench",
});

interface Case {
  readonly name: string;
  readonly call: string;
  readonly body: string;
  readonly times: number;
  readonly connections: number;
}

const cases: readonly Case[] = [
  {
    name: "GET one check",
    call: `GET /api/1/checks/${alice.id}-00000000`,
    body: "",
    times: 20_000,
    connections: 32,
  },
  { name: "GET 1,000 checks", call: "GET /api/1/checks", body: "", times: 100, connections: 4 },
  {
    name: "POST a check",
    call: "POST /api/1/checks",
    body: newCheck,
    times: 5000,
    connections: 32,
  },
];

function requestOf({ call, body }: Case): string {
  const content =
    body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${call} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n${content}\r\n${body}`;
}

/**
 * Requests a second that the API of the real program answers, against a bare Fastify server that answers the same bytes
 * to the same requests. In turns, in one run; each round begins with a fresh process.
 */
export async function benchApi(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  await fill(folder, CHECKS, (index) => ({
    type: "HTTP",
    label: `check ${index}`,
    enabled: false,
    parameters: { target: `http://127.0.0.1:9/${index}` },
  }));
  const store = await openStore(folder);
  await store.write(async (tx) => {
    await tx.accounts.insert(bob);
    await tx.tokens.insert({
      digest: hashToken(token),
      accountId: alice.id,
      label: "bench",
      createdAt: alice.createdAt,
      compatibility: "standard",
    });
  });
  await store.close();

  const ours = new Map<string, Measured[]>();
  const bare = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    await using program = await startServer("watchpost", {
      WATCHPOST_LISTEN: "127.0.0.1:0",
      WATCHPOST_DATA: folder.path,
      // Counted all the same, for a limit costs what it costs.
      WATCHPOST_TOKEN_RATE: "100000000",
      WATCHPOST_ADDRESS_RATE: "100000000",
    });
    const file = join(folder.path, "answers.json");
    await writeFile(file, JSON.stringify(await answersOf(program.port)));
    await using baseline = await startServer("bench/baselines/fastify.ts", {}, [file]);
    for (const one of cases) {
      const { name, times, connections } = one;
      const requests = Array.from({ length: times }, () => requestOf(one));
      for (const [server, kept] of [
        [baseline, bare],
        [program, ours],
      ] as const) {
        const { port } = server;
        await load({ port, connections, requests: requests.slice(0, times / 10) });
        kept.set(name, [...(kept.get(name) ?? []), await load({ port, connections, requests })]);
      }
    }
  }

  const lines = cases.flatMap(({ name }) => {
    const [bareOnes, ourOnes] = [bare.get(name) ?? [], ours.get(name) ?? []];
    const ratios = ourOnes.map(
      ({ perSecond }, round) => perSecond / (bareOnes[round]?.perSecond ?? 1),
    );
    return [
      rowOf(`${name}: bare Fastify`, bareOnes),
      `${rowOf(`${name}: Watchpost`, ourOnes)} ${median(ratios).toFixed(2)} |`,
    ];
  });
  return [
    `API, ${rounds} rounds, medians`,
    "",
    "| server | a second | p50 ms | p99 ms | statuses | ratio |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** Records the program's responses, for the bare server to return the same. */
async function answersOf(port: number): Promise<RecordedResponses> {
  const answers: Record<string, RecordedResponses[string]> = {};
  for (const { call, body } of cases) {
    const [method = "", path = ""] = call.split(" ");
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === "" ? {} : { body }),
    });
    answers[call] = { status: response.status, body: await response.text() };
  }
  return answers;
}
