import "./mantine.css";
import "@mantine/notifications/styles.css";
import "./global.css";

import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";

import { queryClient } from "./api/query-client.ts";
import { guardHistory, leave } from "./parts/draft/leaving.ts";
import { Shell } from "./shell/shell.tsx";
import { SessionGate } from "./shell/session-gate.tsx";
import { loadTexts } from "./text.ts";
import { cssVariables, theme } from "./theme.ts";

/** The nonce with which the server lets this document add styles. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// The lock of the page behind a dialog adds a style of its own.
setNonce(nonce);

const root = document.querySelector("#root");
if (root === null) throw new Error("the document has no root");
const i18n = await loadTexts();
followLinkedCheck();
guardHistory();

createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" />
          <Router aroundNav={(navigate, to, options) => leave(() => navigate(to, options))}>
            <SessionGate>
              <Shell />
            </SessionGate>
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  </StrictMode>,
);

/** Leads from the link of an alert, which names its check behind the hash, to the page of the check. */
function followLinkedCheck(): void {
  const follow = (): void => {
    const id = location.hash.slice(1);
    // Ids begin with that of the account; other names are of places in a page.
    if (location.pathname === "/" && id.includes("-"))
      history.replaceState(null, "", `/checks/${id}`);
  };
  addEventListener("hashchange", follow);
  follow();
}
