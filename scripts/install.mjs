// Runs before `npm start` and `npm test`, on whatever Node npm itself runs on: plain JavaScript, nothing but built-in modules.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

// The runtime's own package is only whole once its install script has put the program there.
const isWhole = wanted.every(isInstalled) && existsSync(`${root}node_modules/.bin/node`);
if (!isWhole) {
  process.stderr.write("Installing what is missing (once).\n");
  const npm = process.env.npm_execpath;
  const run = (...args) => {
    const quiet = [...args, "--no-audit", "--no-fund", "--loglevel=error"];
    const [command, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
    const { status } = spawnSync(command, [...first, ...quiet], {
      cwd: root,
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) process.exit(status ?? 1);
  };
  // Of all scripts of packages only the runtime's is needed: others would compile what there is a way without.
  run("ci", "--ignore-scripts", ...(forTests ? [] : ["--omit=dev"]));
  run("rebuild", "node");
}

/** Programs that the tests run, and Debian's package of each. */
const programs = {
  dovecot: ["dovecot-imapd", "dovecot-pop3d"],
  exim4: "exim4-daemon-light",
  ffmpeg: "ffmpeg",
  icecast2: "icecast2",
  ip: "iproute2",
  kamailio: "kamailio",
  mariadbd: "mariadb-server",
  mtr: "mtr-tiny",
  named: "bind9",
  nginx: "nginx-light",
  openssl: "openssl",
  ping: "iputils-ping",
  postgres: "postgresql",
  prlimit: "util-linux",
  rbldnsd: "rbldnsd",
  sshd: "openssh-server",
  traceroute: "traceroute",
  vsftpd: "vsftpd",
  websocketd: "websocketd",
  xrdp: "xrdp",
};

/** While it says no, a server that is installed does not start by itself. */
const STARTING_POLICY = "/usr/sbin/policy-rc.d";

function missingPackages() {
  // Servers lie where the PATH of an ordinary shell does not lead.
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    "/usr/local/sbin",
    "/usr/sbin",
    "/usr/lib/postgresql/15/bin",
  ];
  const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)));
  return Object.entries(programs).flatMap(([program, packages]) =>
    isThere(program) ? [] : packages,
  );
}

if (forTests && missingPackages().length > 0) {
  const install = ["apt-get", "install", "--yes", "--no-install-recommends", ...missingPackages()];
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const isOurs = !existsSync(STARTING_POLICY);
    if (isOurs) writeFileSync(STARTING_POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    for (const [command, ...rest] of [["apt-get", "update", "-qq"], install]) {
      spawnSync(command, rest, {
        stdio: ["ignore", 2, 2],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
    }
    if (isOurs) rmSync(STARTING_POLICY);
  }
  if (missingPackages().length > 0) {
    process.stderr.write(
      `The tests need programs that are not here. On Debian, as root: ${install.join(" ")}\n`,
    );
    process.exit(1);
  }
}
