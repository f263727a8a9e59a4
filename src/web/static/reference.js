// Adds the parts of the reference that need a script: a search over its whole text, and forms that send requests.

const header = document.querySelector("header");

function made(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Hides parts of the page that lack a word of the search, and their entries in the index. */
function addSearch() {
  const input = made("input", {
    type: "search",
    placeholder: "Search operations, parameters and records",
    ariaLabel: "Search",
  });
  const found = made("span", { role: "status" });
  const parts = [...document.querySelectorAll("[data-searched]")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const { element, text } of parts) {
      element.hidden = !words.every((word) => text.includes(word));
      if (!element.hidden) count++;
    }
    for (const link of document.querySelectorAll("nav li li a"))
      link.parentElement.hidden = document.getElementById(link.hash.slice(1)).hidden;
    for (const section of document.querySelectorAll("main > section:not([data-searched])"))
      section.hidden = section.querySelector("[data-searched]:not([hidden])") === null;
    for (const link of document.querySelectorAll("nav > ul > li > a"))
      link.parentElement.hidden = document.getElementById(link.hash.slice(1)).hidden;
    found.textContent = input.value === "" ? "" : `${count} found`;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
  header.append(input, found);
}

const token = made("input", {
  type: "password",
  placeholder: "Token, if you are not signed in",
  ariaLabel: "Token",
  autocomplete: "off",
});

/** A form under each operation, made when it is opened. */
function addRequests() {
  header.append(token);
  for (const article of document.querySelectorAll("article[data-verb]")) {
    const details = made("details", {}, made("summary", { textContent: "Try it" }));
    details.addEventListener("toggle", () => fill(details, article), { once: true });
    article.append(details);
  }
}

function fill(details, { dataset: { verb, path, example } }) {
  const parameters = made("textarea", {
    value: JSON.stringify(JSON.parse(example), undefined, 2),
    spellcheck: false,
  });
  const answer = made("pre", { hidden: true, role: "status" });
  const button = made("button", { textContent: `Send ${verb}` });
  button.addEventListener("click", async () => {
    answer.hidden = false;
    answer.textContent = "…";
    answer.textContent = await send({ verb, path }, parameters.value).catch(String);
  });
  details.append(made("label", {}, "Parameters, as JSON", parameters), button, answer);
}

async function send({ verb, path }, text) {
  const parameters = text.trim() === "" ? {} : JSON.parse(text);
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(parameters[name] ?? "");
    delete parameters[name];
    return value;
  });
  const hasBody = verb === "POST" || verb === "PUT";
  const query = hasBody ? {} : { json: JSON.stringify(parameters) };
  const response = await fetch(`${url}?${new URLSearchParams(query)}`, {
    method: verb,
    headers: {
      ...(hasBody && { "content-type": "application/json" }),
      ...(token.value !== "" && { authorization: `Bearer ${token.value}` }),
    },
    ...(hasBody && { body: JSON.stringify(parameters) }),
  });
  const body = await response.text();
  return `${response.status} ${response.statusText}\n${formatted(body)}`;
}

function formatted(body) {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

addSearch();
addRequests();
