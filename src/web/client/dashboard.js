import { ask } from "./ask.js";
import { detailOf, readDetail } from "./check-detail.js";
import { readRefused, refusedRow } from "./refused.js";

const KEPT_AS = "watchpost-token";
const REFRESH_MS = 15_000;

const part = (id) => document.getElementById(id);
const [enter, leave, notice, table, refused] = [
  "enter",
  "leave",
  "notice",
  "checks",
  "refused",
].map(part);

/** The checks whose details are shown, and what was read of them last. */
const details = new Map();
/** The check that a link led to, until it is shown. */
let led = location.hash.slice(1);

async function readChecks(token) {
  const opened = [...details.keys()].map(async (id) => {
    details.set(id, await readDetail(token, id));
  });
  const checks = Object.values(await ask(token, "checks?current=true"));
  // One that is gone meanwhile has no details any more; the others go on.
  await Promise.allSettled(opened);
  return checks;
}

function stateOf(check) {
  const events = check.events ?? [];
  const disabled = events.find(({ type }) => type === "disabled");
  const down = events.find(({ type }) => type === "down");
  if (disabled !== undefined || check.enable !== "active")
    return { name: "off", since: disabled?.t };
  if (check.state === 0) return { name: "down", since: down?.t ?? check.firstdown };
  return { name: check.state === 1 ? "up" : "waiting", since: undefined };
}

function row(check) {
  const { name, since } = stateOf(check);
  const { target = "", port } = check.parameters;
  const place = withoutCredentials(target) + (port === undefined ? "" : `:${port}`);
  const cells = [
    name.toUpperCase(),
    check.label,
    check.type,
    place,
    `${check.interval} min`,
    since === undefined ? "" : new Date(since).toLocaleString(),
  ];
  const line = document.createElement("tr");
  line.id = check._id;
  line.append(
    ...cells.map((text) => {
      const cell = document.createElement("td");
      cell.textContent = text;
      return cell;
    }),
  );
  line.firstElementChild.className = `state ${name}`;
  const label = document.createElement("button");
  label.type = "button";
  label.className = "more";
  label.textContent = check.label;
  label.setAttribute("aria-expanded", String(details.has(check._id)));
  label.addEventListener("click", () => {
    if (!details.delete(check._id)) details.set(check._id, undefined);
    void refresh();
  });
  line.children[1].replaceChildren(label);
  if (check.trouble !== undefined) {
    const trouble = document.createElement("span");
    trouble.className = "trouble";
    trouble.textContent = `${check.trouble.kind}: ${check.trouble.message}`;
    line.children[1].append(trouble);
  }
  return details.get(check._id) === undefined ? [line] : [line, detailRow(check)];
}

function detailRow(check) {
  const line = document.createElement("tr");
  const cell = document.createElement("td");
  cell.colSpan = 6;
  cell.className = "detail";
  cell.append(...detailOf(details.get(check._id)));
  line.append(cell);
  return line;
}

function withoutCredentials(target) {
  const url = URL.parse(target);
  if (url === null || (url.username === "" && url.password === "")) return target;
  url.username = "";
  url.password = "";
  return url.href;
}

function show(checks) {
  const order = { down: 0, waiting: 1, up: 2, off: 3 };
  const sorted = checks.toSorted(
    (one, other) =>
      order[stateOf(one).name] - order[stateOf(other).name] ||
      one.label.localeCompare(other.label, undefined, { numeric: true }),
  );
  table.tBodies[0].replaceChildren(...sorted.flatMap(row));
  table.hidden = checks.length === 0;
  const isMissing = led !== "" && !checks.some(({ _id }) => _id === led);
  if (led !== "" && !isMissing) showLed();
  const down = checks.filter((check) => stateOf(check).name === "down").length;
  notice.textContent =
    checks.length === 0
      ? "There are no checks yet: POST one to /api/1/checks."
      : `${checks.length} checks, ${down} down. Read at ${new Date().toLocaleTimeString()}.`;
  if (isMissing)
    notice.textContent +=
      " The check of the link is not among them: it is gone, or of another account.";
  document.title = down === 0 ? "Watchpost" : `(${down}) Watchpost`;
}

function showLed() {
  if (!details.has(led)) {
    details.set(led, undefined);
    void refresh();
    return;
  }
  part(led).scrollIntoView();
  led = "";
}

function showRefused(addresses) {
  refused.querySelector("tbody").replaceChildren(...addresses.map(refusedRow));
  refused.hidden = addresses.length === 0;
}

async function refresh() {
  const token = sessionStorage.getItem(KEPT_AS);
  enter.hidden = token !== null;
  leave.hidden = token === null;
  if (token === null) return;
  try {
    const [checks, addresses] = await Promise.all([readChecks(token), readRefused(token)]);
    show(checks);
    showRefused(addresses);
  } catch (error) {
    if (error.status === 403) {
      sessionStorage.removeItem(KEPT_AS);
      enter.hidden = false;
      leave.hidden = true;
    }
    table.hidden = true;
    refused.hidden = true;
    notice.textContent = error.message;
  }
}

enter.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(KEPT_AS, part("token").value.trim());
  part("token").value = "";
  void refresh();
});
leave.addEventListener("click", () => {
  sessionStorage.removeItem(KEPT_AS);
  table.hidden = true;
  refused.hidden = true;
  notice.textContent = "";
  void refresh();
});
addEventListener("hashchange", () => {
  led = location.hash.slice(1);
  void refresh();
});
setInterval(refresh, REFRESH_MS);
void refresh();
