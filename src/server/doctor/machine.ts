import { constants } from "node:fs";
import { access, open, rm, stat, statfs } from "node:fs/promises";
import { Resolver, getServers } from "node:dns/promises";
import { join } from "node:path";

import { findPingMethod } from "../../checks/icmp/ping-method.ts";
import type { Clock } from "../../kit/clock.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/file-error.ts";
import type { Finding } from "./finding.ts";
import { remedyFor } from "./remedies.ts";
import { descriptorLimit } from "../connections/descriptor-limit.ts";

const GIGABYTE = 1e9;
const [RED_BYTES, AMBER_BYTES] = [0.1 * GIGABYTE, GIGABYTE];
const SYNCS = 10;
const [AMBER_SYNC_MS, RED_SYNC_MS] = [20, 200];
const [RED_DESCRIPTORS, AMBER_DESCRIPTORS] = [1024, 4096];
const OTHERS = 0o077;
const ANSWER_MS = 3000;

/** Whether the data folder is there, is ours alone, and can be written. */
export async function folderFinding(folder: string, hasKeySetting = false): Promise<Finding> {
  const name = "data folder";
  try {
    const { mode } = await stat(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const hasKey = await exists(join(folder, "instance.key"));
    const hasDatabase = await exists(join(folder, "watchpost.db"));
    if (hasDatabase && !hasKey && !hasKeySetting)
      return {
        name,
        state: "red",
        found: `${folder} has a database and no instance.key`,
        advice: "put the key of a backup there: without it credentials cannot be read",
      };
    if ((mode & OTHERS) !== 0)
      return {
        name,
        state: "amber",
        found: `others may look into ${folder}`,
        advice: `chmod 700 ${folder}`,
      };
    return { name, state: "green", found: hasDatabase ? folder : `${folder}, without a database` };
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    return {
      name,
      state: isMissing ? "amber" : "red",
      found: `${folder}: ${fileTrouble(error)}`,
      advice: isMissing
        ? "the first start makes it; otherwise set WATCHPOST_DATA, or run this where the service runs"
        : remedyFor(error, "run this as the user of the service, who must own the folder"),
    };
  }
}

export async function roomFinding(folder: string): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const bytes = bavail * bsize;
  const found = `${(bytes / GIGABYTE).toFixed(1)} GB free${files > 0 ? `, ${ffree} files` : ""}`;
  const isFull = bytes < RED_BYTES || (files > 0 && ffree < 100);
  const state = isFull ? "red" : bytes < AMBER_BYTES ? "amber" : "green";
  const advice = "make room: a full disk stops heartbeats and verdicts; docs/worst-day.md";
  return { name: "disk room", state, found, ...(state !== "green" && { advice }) };
}

/** The median of some syncs: every heartbeat waits for one. */
export async function syncFinding(folder: string, clock: Clock): Promise<Finding> {
  const path = join(folder, `doctor-${process.pid}.tmp`);
  const times: number[] = [];
  try {
    await using file = await open(path, "w", 0o600);
    for (let index = 0; index < SYNCS; index += 1) {
      const before = clock.monotonic();
      await file.write(Buffer.alloc(4096, index), 0, 4096, 0);
      await file.datasync();
      times.push(clock.monotonic() - before);
    }
  } finally {
    await rm(path, { force: true });
  }
  const median = times.toSorted((one, other) => one - other)[SYNCS / 2] ?? 0;
  const state = median >= RED_SYNC_MS ? "red" : median >= AMBER_SYNC_MS ? "amber" : "green";
  const advice = "use a disk that syncs sooner, no network folder: each heartbeat waits for a sync";
  const found = `a sync takes ${median.toFixed(1)} ms`;
  return { name: "disk speed", state, found, ...(state !== "green" && { advice }) };
}

export function descriptorsFinding(limit = descriptorLimit()): Finding {
  const found = `${limit} descriptors at most`;
  const state = limit < RED_DESCRIPTORS ? "red" : limit < AMBER_DESCRIPTORS ? "amber" : "green";
  const advice = "raise it: LimitNOFILE of systemd, or ulimit -n";
  return { name: "descriptors", state, found, ...(state !== "green" && { advice }) };
}

export function versionFinding(version: string): Finding {
  const found = `Watchpost ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return { name: "versions", state: "green", found };
}

/** Sends each DNS server of the machine a query that it need not know: any response is enough. */
export async function dnsFinding(servers = getServers()): Promise<Finding> {
  const name = "name servers";
  const silent: string[] = [];
  for (const server of servers) {
    const resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
    resolver.setServers([server]);
    const failure = await resolver.resolveSoa("watchpost.invalid").then(
      () => undefined,
      (error: unknown) => codeOf(error),
    );
    if (failure !== undefined && ["ETIMEOUT", "ECONNREFUSED", "ECANCELLED"].includes(failure))
      silent.push(server);
  }
  const advice = "mend /etc/resolv.conf: names of targets and receivers cannot be resolved without";
  if (servers.length === 0) return { name, state: "red", found: "no server is configured", advice };
  if (silent.length === 0) return { name, state: "green", found: `${servers.join(", ")} answer` };
  const state = silent.length === servers.length ? "red" : "amber";
  return { name, state, found: `no answer from ${silent.join(", ")}`, advice };
}

/** PING checks use a socket where the system lets them, else the ping program. */
export async function icmpFinding(clock: Clock): Promise<Finding> {
  const name = "ICMP";
  try {
    const way = await findPingMethod(clock);
    const found = way === "socket" ? "PING checks use sockets" : "PING checks use the ping program";
    return { name, state: "green", found };
  } catch (error) {
    return {
      name,
      state: "amber",
      found: `PING checks cannot run: ${messageOf(error)}`,
      advice:
        "sysctl net.ipv4.ping_group_range with the group of the service, or install iputils-ping",
    };
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
