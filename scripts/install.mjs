// Runs before `npm start` and `npm test` with the Node that npm runs on, however old: plain JavaScript, and built-in modules only.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const forTests = process.argv.includes("--with-tests");

const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
const { dependencies, devDependencies } = lock.packages[""];
const wanted = Object.keys({ ...dependencies, ...(forTests ? devDependencies : {}) });

function isInstalled(name) {
  const manifest = `${root}node_modules/${name}/package.json`;
  if (!existsSync(manifest)) return false;
  return (
    JSON.parse(readFileSync(manifest, "utf8")).version ===
    lock.packages[`node_modules/${name}`].version
  );
}

function fail(status, sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(status || 1);
}

/** Runs npm, and ends with a sentence where it fails. */
function npm(args, meaning) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error } = spawnSync(command, [...first, ...args, ...quiet], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  const how = error === undefined ? `ended with ${status}` : `did not start (${error.message})`;
  fail(status, `${meaning}: "npm ${args.join(" ")}" ${how}.`);
}

// The package of the runtime contains the program only after its install script ran.
const runtime = join(root, "node_modules/.bin/node");
if (!wanted.every(isInstalled) || !existsSync(runtime)) {
  process.stderr.write("Installing what is missing (once).\n");
  // Only the runtime needs its install script; the others compile add-ons that are optional.
  const scope = forTests ? [] : ["--omit=dev"];
  npm(["ci", "--ignore-scripts", ...scope], "The dependencies could not be installed");
  const meaning =
    "The Node that runs Watchpost could not be downloaded; see that this machine reaches the npm registry, and try again";
  npm(["rebuild", "node"], meaning);
  if (!existsSync(runtime)) fail(1, `${meaning}: there is no ${runtime}.`);
}

/** Programs and libraries that the tests run, and Debian's package of each. */
const programs = {
  dovecot: ["dovecot-imapd", "dovecot-pop3d"],
  exim4: "exim4-daemon-light",
  ffmpeg: "ffmpeg",
  icecast2: "icecast2",
  ip: "iproute2",
  kamailio: "kamailio",
  "libfaketimeMT.so.1": "libfaketime",
  mariadbd: "mariadb-server",
  "mkfs.ext4": "e2fsprogs",
  mtr: "mtr-tiny",
  named: "bind9",
  nginx: "nginx-light",
  openssl: "openssl",
  ping: "iputils-ping",
  postgres: "postgresql",
  prlimit: "util-linux",
  promtool: "prometheus",
  rbldnsd: "rbldnsd",
  sshd: "openssh-server",
  traceroute: "traceroute",
  vsftpd: "vsftpd",
  websocketd: "websocketd",
  xrdp: "xrdp",
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

function aptGet(...args) {
  const command = ["-o", `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`, ...args];
  const { status, error } = spawnSync("apt-get", command, {
    stdio: ["ignore", 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (status === 0) return;
  const how = error === undefined ? `ended with ${status}` : `did not start (${error.message})`;
  process.stderr.write(`"apt-get ${args.join(" ")}" ${how}.\n`);
}

function installPackages(packages) {
  const isOurs = !existsSync(START_POLICY);
  if (isOurs) writeFileSync(START_POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    aptGet("update", "-qq");
    aptGet("install", "--yes", "--no-install-recommends", ...packages);
  } finally {
    if (isOurs) rmSync(START_POLICY);
  }
}

if (forTests) {
  const isRoot = process.getuid?.() === 0;
  if (missingPackages().length > 0 && isRoot && isThere("apt-get"))
    installPackages(missingPackages());
  const missing = missingPackages();
  if (missing.length > 0)
    fail(
      1,
      `The tests need programs that are not installed. On Debian, as root: apt-get install --no-install-recommends ${missing.join(" ")}`,
    );
}
