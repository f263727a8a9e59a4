// Shows on any page how a status page is: <script async src="https://…/status/<slug>/widget.js"></script>
// It needs its origin in script-src and connect-src of that page, and nothing else; where nothing can be read it shows nothing.
"use strict";

{
  const REFRESH_MS = 60_000;
  const PATIENCE_MS = 10_000;
  const icons = { operational: "▲", down: "▼", partly: "◆", maintenance: "■", unknown: "○" };
  const css = `
:host{display:inline-block;max-width:100%}
:host([hidden]){display:none}
a{display:inline-block;padding:.35em .7em;border:1px solid light-dark(#dfe3e8,#30363d);border-radius:.4em;background:light-dark(#fff,#14171a);color:light-dark(#1b1f24,#e6e9ec);font:.9rem/1.4 system-ui,sans-serif;text-decoration:none;overflow-wrap:anywhere}
a:hover{text-decoration:underline}
a:focus-visible{outline:2px solid;outline-offset:2px}
.operational{color:light-dark(#15713a,#4ade80)}
.down{color:light-dark(#b91c1c,#ff8080)}
.partly{color:light-dark(#8a4b00,#fbbf24)}
.maintenance{color:light-dark(#1d4ed8,#93b4ff)}
.unknown{color:light-dark(#52606d,#a5b0bb)}
`;

  function add(parent, name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    parent.append(element);
    return element;
  }

  function render(link, { summary, incidents }) {
    const state = Object.hasOwn(icons, summary.state) ? summary.state : "unknown";
    link.replaceChildren();
    const icon = add(link, "span", icons[state]);
    icon.className = state;
    icon.setAttribute("aria-hidden", "true");
    add(link, "span", ` ${summary.text}`);
    const incident = incidents.find(({ stage }) => stage !== "scheduled");
    if (incident !== undefined) add(link, "span", `: ${incident.name}`);
  }

  async function read(page) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${page}/status.json`, { credentials: "omit", signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
  }

  function show(script) {
    const page = script.src.replace(/\/widget\.js([?#].*)?$/, "");
    const host = document.createElement("span");
    host.hidden = true;
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    const link = document.createElement("a");
    link.href = page;
    link.target = "_blank";
    link.rel = "noopener";
    root.append(link);
    if (script.dataset.into !== undefined)
      document.querySelector(script.dataset.into)?.append(host);
    else if (script.closest("body") !== null) script.after(host);
    else document.body.append(host);
    const refresh = async () => {
      try {
        if (document.visibilityState === "visible") render(link, await read(page));
        host.hidden = link.childElementCount === 0;
      } catch {
        host.hidden = true;
      }
      setTimeout(refresh, REFRESH_MS);
    };
    void refresh();
  }

  const script = document.currentScript;
  if (document.readyState === "loading")
    document.addEventListener("DOMContentLoaded", () => show(script));
  else show(script);
}
