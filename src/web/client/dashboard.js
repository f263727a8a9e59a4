import { getJson } from "./get-json.js";
import { detailParts, loadDetail } from "./check-detail.js";
import { loadRefusedAddresses, refusedAddressRow } from "./refused-addresses.js";
import { setText, textElement } from "./text-element.js";

const TOKEN_KEY = "watchpost-token";
const REFRESH_MS = 15_000;

const part = (id) => document.getElementById(id);
const [enter, leave, account, notice, table, refused] = [
  "enter",
  "leave",
  "account",
  "notice",
  "checks",
  "refused",
].map(part);

/** The details of the checks that are expanded, by id. */
const details = new Map();
/** Whether somebody is signed in, as long as there is no token; supposed until the API says otherwise. */
let isSignedIn = true;
/** The id of the check that a link points to, until it is shown. */
let linked = location.hash.slice(1);

async function loadChecks(token) {
  const expanded = [...details.keys()].map(async (id) => {
    details.set(id, await loadDetail(token, id));
  });
  const checks = Object.values(await getJson(token, "checks?current=true"));
  // The details of a check that was deleted meanwhile cannot be loaded; the others can.
  await Promise.allSettled(expanded);
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
  const place = withoutSecrets(target) + (port === undefined ? "" : `:${port}`);
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
  line.append(...cells.map((text) => textElement("td", text)));
  line.firstElementChild.className = `state ${name}`;
  const label = document.createElement("button");
  label.type = "button";
  label.className = "more";
  setText(label, check.label);
  label.setAttribute("aria-expanded", String(details.has(check._id)));
  label.addEventListener("click", () => {
    if (!details.delete(check._id)) details.set(check._id, undefined);
    void refresh();
  });
  line.children[1].replaceChildren(label);
  if (check.trouble !== undefined) {
    const trouble = textElement("span", `${check.trouble.kind}: ${check.trouble.message}`);
    trouble.className = "trouble";
    line.children[1].append(trouble);
  }
  return details.get(check._id) === undefined ? [line] : [line, detailRow(check)];
}

function detailRow(check) {
  const line = document.createElement("tr");
  const cell = document.createElement("td");
  cell.colSpan = 6;
  cell.className = "detail";
  cell.append(...detailParts(details.get(check._id)));
  line.append(cell);
  return line;
}

/** As in alerts: without user name, password, query and fragment of a URL. */
function withoutSecrets(target) {
  const url = URL.parse(target);
  if (url === null) return target;
  if (url.username === "" && url.password === "") return target.replace(/[?#].*$/s, "");
  url.username = "";
  url.password = "";
  return url.href.replace(/[?#].*$/s, "");
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
  const isMissing = linked !== "" && !checks.some(({ _id }) => _id === linked);
  if (linked !== "" && !isMissing) showLinked();
  const down = checks.filter((check) => stateOf(check).name === "down").length;
  const summary =
    checks.length === 0
      ? "There are no checks yet: POST one to /api/1/checks."
      : `${checks.length} ${checks.length === 1 ? "check" : "checks"}, ${down} down. Updated at ${new Date().toLocaleTimeString()}.`;
  const missing =
    " The check of the link was not found: it was deleted, or belongs to another account.";
  setText(notice, isMissing ? `${summary}${missing}` : summary);
  document.title = down === 0 ? "Watchpost" : `(${down}) Watchpost`;
}

function showLinked() {
  if (!details.has(linked)) {
    details.set(linked, undefined);
    void refresh();
    return;
  }
  part(linked).scrollIntoView();
  linked = "";
}

function showRefused(addresses) {
  refused.querySelector("tbody").replaceChildren(...addresses.map(refusedAddressRow));
  refused.hidden = addresses.length === 0;
}

async function refresh() {
  const token = sessionStorage.getItem(TOKEN_KEY);
  leave.hidden = token === null;
  enter.hidden = token !== null || isSignedIn;
  if (token === null && !isSignedIn) return;
  try {
    const [checks, addresses] = await Promise.all([loadChecks(token), loadRefusedAddresses(token)]);
    account.hidden = token !== null;
    show(checks);
    showRefused(addresses);
  } catch (error) {
    hideAll();
    if (error.status !== 403) {
      setText(notice, error.message);
      return;
    }
    if (token === null) isSignedIn = false;
    else setText(notice, error.message);
    sessionStorage.removeItem(TOKEN_KEY);
    enter.hidden = false;
    leave.hidden = true;
    account.hidden = true;
  }
}

function hideAll() {
  table.hidden = true;
  refused.hidden = true;
  setText(notice, "");
}

enter.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN_KEY, part("token").value.trim());
  part("token").value = "";
  void refresh();
});
leave.addEventListener("click", () => {
  sessionStorage.removeItem(TOKEN_KEY);
  hideAll();
  void refresh();
});
addEventListener("hashchange", () => {
  linked = location.hash.slice(1);
  void refresh();
});
setInterval(refresh, REFRESH_MS);
void refresh();
