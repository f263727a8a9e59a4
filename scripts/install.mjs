// Runs before `npm start` and `npm test` with the Node that npm runs on, however old: plain JavaScript, and built-in modules only.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const forTests = process.argv.includes("--with-tests");

const lock = readJson("package-lock.json");
const { dependencies, devDependencies } = lock.packages[""];

/** The SHA-256 of the program in each package of the runtime, by the package's name. */
const recorded = readJson("scripts/runtime.json");
const runtimePackage = Object.keys(recorded).find((name) =>
  name.endsWith(`-${process.platform}-${process.arch}`),
);
if (runtimePackage === undefined)
  fail(
    1,
    `Watchpost comes with a Node for ${Object.keys(recorded).join(", ")}, and with none for ${process.platform} on ${process.arch}.`,
  );
const runtime = join(root, "node_modules", runtimePackage, "bin/node");
/** Record of verified packages, so that a start need not read the whole program again. */
const verifiedFile = join(root, "node_modules/.runtime-verified");

const wanted = [
  ...Object.keys({ ...dependencies, ...(forTests ? devDependencies : {}) }),
  runtimePackage,
];

function readJson(path) {
  return JSON.parse(readFileSync(`${root}${path}`, "utf8"));
}

function isInstalled(name) {
  const manifest = `node_modules/${name}/package.json`;
  if (!existsSync(`${root}${manifest}`)) return false;
  return readJson(manifest).version === lock.packages[`node_modules/${name}`].version;
}

function fail(status, sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(status || 1);
}

/** How often a line says that a program is still at work. */
const PROGRESS_EVERY_SECONDS = 10;

/**
 * Runs a program in its own process group, which is killed if this process stops. Every ten seconds, calls `progress` with the elapsed seconds and a function
 * that kills the group. Resolves with the exit code, if any, and with how the program ended.
 */
function run(command, args, progress, env = process.env) {
  return new Promise((resolve) => {
    let child;
    const end = () => child?.pid !== undefined && process.kill(-child.pid, "SIGTERM");
    const stopped = (signal) => {
      end();
      fail(128 + constants.signals[signal], `The installation was stopped by ${signal}.`);
    };
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
    // Before the program starts: a signal in between would leave it behind.
    for (const signal of signals) process.on(signal, stopped);
    child = spawn(command, args, { cwd: root, stdio: ["ignore", 2, 2], env, detached: true });
    let seconds = 0;
    const timer = setInterval(() => {
      seconds += PROGRESS_EVERY_SECONDS;
      progress(seconds, end);
    }, PROGRESS_EVERY_SECONDS * 1000);
    const done = (status, how) => {
      clearInterval(timer);
      for (const signal of signals) process.off(signal, stopped);
      resolve({ status, how });
    };
    child.on("error", (error) => done(null, `did not start (${error.message})`));
    child.on("exit", (status, signal) => done(status, `ended with ${status ?? signal}`));
  });
}

/** For how long nothing may arrive before the installation is given up. */
const NOTHING_ARRIVES_SECONDS = 120;

/** How many files npm has put into their places. */
function filesThere() {
  const folder = join(root, "node_modules");
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0;
}

/** Runs npm, says how far it is, and ends with a sentence where it fails or nothing arrives. */
async function npm(args, meaning) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  // By default npm waits for more than a minute between attempts to reach the registry.
  const attempts = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  let last = { files: 0, size: 0, seconds: 0 };
  let isGivenUp = false;
  const progress = (seconds, end) => {
    const files = filesThere();
    // The largest package by far is one file that takes long on a slow line.
    const size = statSync(runtime, { throwIfNoEntry: false })?.size ?? 0;
    if (files !== last.files || size !== last.size) last = { files, size, seconds };
    isGivenUp = seconds - last.seconds >= NOTHING_ARRIVES_SECONDS;
    if (isGivenUp) end();
    else process.stderr.write(`Installing for ${seconds} s: ${files} files so far.\n`);
  };
  const { status, how } = await run(command, [...first, ...args, ...quiet, ...attempts], progress);
  if (status === 0) return;
  const what = isGivenUp ? `received nothing for ${NOTHING_ARRIVES_SECONDS} s` : how;
  fail(
    status,
    `${meaning}: "npm ${args.join(" ")}" ${what}. The first start downloads packages: check that this machine reaches the npm registry ("npm ping"), and try again.`,
  );
}

/** Ends with a sentence unless the runtime is the program whose hash is recorded in the repository. */
function verifyRuntime() {
  const expected = recorded[runtimePackage];
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(runtime);
  const state = [expected, dev, ino, size, mtimeMs, ctimeMs].join(" ");
  if (existsSync(verifiedFile) && readFileSync(verifiedFile, "utf8") === state) return;
  const found = createHash("sha256").update(readFileSync(runtime)).digest("hex");
  // guard: the recorded runtime
  if (found !== expected)
    fail(
      1,
      `The Node that runs Watchpost is not the one that scripts/runtime.json records: the SHA-256 of ${runtime} is ${found}, not ${expected}. Remove the folder node_modules, and try again.`,
    );
  writeFileSync(verifiedFile, state);
}

/** npm 10 removes the link with the packages of the runtime for other machines, which it does not install. */
function linkRuntime() {
  const link = join(root, "node_modules/.bin/node");
  const target = join("..", runtimePackage, "bin/node");
  const stat = lstatSync(link, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() && readlinkSync(link) === target) return;
  rmSync(link, { force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
}

/** Where the sources of the dashboard are, and it was not built from these. */
async function buildDashboard() {
  const script = join(root, "scripts/client/build.ts");
  if (!existsSync(script)) return;
  const { status, how } = await run(runtime, [script], (seconds) =>
    process.stderr.write(`Building the dashboard for ${seconds} s.\n`),
  );
  if (status === 0) return;
  process.stderr.write(`The dashboard could not be built, all else works: ${script} ${how}.\n`);
}

if (!wanted.every(isInstalled) || !existsSync(runtime)) {
  process.stderr.write("Installing what is missing (once).\n");
  // No package needs its install script: those of some compile add-ons that are optional.
  const scope = forTests ? [] : ["--omit=dev"];
  await npm(["ci", "--ignore-scripts", ...scope], "The dependencies could not be installed");
  // npm says nothing of an optional package that it cannot download, or whose hash differs from the one in package-lock.json.
  if (!isInstalled(runtimePackage) || !existsSync(runtime))
    fail(
      1,
      `The Node that runs Watchpost could not be installed: ${runtimePackage} was not downloaded, or is not what package-lock.json records. Check that this machine reaches the npm registry, and that npm's setting "omit" does not contain "optional", and try again.`,
    );
}
verifyRuntime();
linkRuntime();
await buildDashboard();

/** Programs and libraries that the tests run, and Debian's package of each. */
const programs = {
  age: "age",
  caddy: "caddy",
  "chromium-headless-shell": "chromium-headless-shell",
  dovecot: ["dovecot-imapd", "dovecot-pop3d"],
  exim4: "exim4-daemon-light",
  ffmpeg: "ffmpeg",
  fish: "fish",
  gcc: ["gcc", "libc6-dev"],
  go: "golang-go",
  icecast2: "icecast2",
  ip: "iproute2",
  kamailio: "kamailio",
  "libfaketimeMT.so.1": "libfaketime",
  mariadbd: "mariadb-server",
  "mkfs.ext4": "e2fsprogs",
  mtr: "mtr-tiny",
  named: "bind9",
  "nats-server": "nats-server",
  nft: "nftables",
  nginx: "nginx-light",
  openssl: "openssl",
  pgbouncer: "pgbouncer",
  ping: "iputils-ping",
  postgres: "postgresql",
  prlimit: "util-linux",
  "prometheus-alertmanager": "prometheus-alertmanager",
  "prometheus-blackbox-exporter": "prometheus-blackbox-exporter",
  promtool: "prometheus",
  python3: "python3",
  rbldnsd: "rbldnsd",
  shellcheck: "shellcheck",
  sshd: "openssh-server",
  "systemd-analyze": "systemd",
  traceroute: "traceroute",
  vsftpd: "vsftpd",
  websocketd: "websocketd",
  xrdp: "xrdp",
  zsh: "zsh",
};

/** Debian puts the server of PostgreSQL 15 here, which is on no PATH. */
const POSTGRES_FOLDER = "/usr/lib/postgresql/15/bin";
/** Below it, Debian has a folder for each kind of processor. */
const LIBRARIES = "/usr/lib";
/** While this script says no, a server is not started when it is installed. */
const START_POLICY = "/usr/sbin/policy-rc.d";
/** Another apt-get at work is waited for. */
const LOCK_TIMEOUT_SECONDS = 900;

function isThere(program) {
  // Servers are installed in folders that the PATH of an ordinary shell lacks.
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    "/usr/local/sbin",
    "/usr/sbin",
    POSTGRES_FOLDER,
    ...(existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : []).map((name) =>
      join(LIBRARIES, name, "faketime"),
    ),
  ];
  return folders.some((folder) => existsSync(join(folder, program)));
}

function missingPackages() {
  return Object.entries(programs).flatMap(([program, packages]) =>
    isThere(program) ? [] : packages,
  );
}

async function aptGet(...args) {
  const command = ["-o", `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`, ...args];
  const { status, how } = await run(
    "apt-get",
    command,
    (seconds) => process.stderr.write(`"apt-get ${args[0]}" has run for ${seconds} s.\n`),
    { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  );
  if (status === 0) return;
  process.stderr.write(`"apt-get ${args.join(" ")}" ${how}.\n`);
}

async function installPackages(packages) {
  const isOurs = !existsSync(START_POLICY);
  if (isOurs) writeFileSync(START_POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await aptGet("update", "-qq");
    await aptGet("install", "--yes", "--no-install-recommends", ...packages);
  } finally {
    if (isOurs) rmSync(START_POLICY);
  }
}

if (forTests) {
  const isRoot = process.getuid?.() === 0;
  if (missingPackages().length > 0 && isRoot && isThere("apt-get"))
    await installPackages(missingPackages());
  const missing = missingPackages();
  if (missing.length > 0)
    fail(
      1,
      `The tests need programs that are not installed. On Debian, as root: apt-get install --no-install-recommends ${missing.join(" ")}`,
    );
}
