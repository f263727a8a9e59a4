import "./mantine.css";
import "@mantine/notifications/styles.css";
import "./global.css";

import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode, type ComponentType } from "react";
import { createRoot } from "react-dom/client";

import { signInPaths } from "../src/domain/dashboard-paths.ts";
import { queryClient } from "./api/query-client.ts";
import { i18n, loadSignInTexts, loadTexts } from "./text.ts";
import { cssVariables, theme } from "./theme.ts";

/** The nonce with which the server lets this document add styles. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// The lock of the page behind a dialog adds a style of its own.
setNonce(nonce);

const root = document.querySelector("#root");
if (root === null) throw new Error("the document has no root");
const [Pages] = await Promise.all([pagesAt(location.pathname.replace(/\/+$/, "")), loadTexts()]);

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
          <Pages />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  </StrictMode>,
);

/** Who signs in does not wait for the dashboard. */
async function pagesAt(path: string): Promise<ComponentType> {
  if (!signInPaths.some((each) => each === path)) {
    const { Dashboard } = await import("./shell/dashboard.tsx");
    return Dashboard;
  }
  const [{ SignInPages }] = await Promise.all([
    import("./pages/sign-in/sign-in-pages.tsx"),
    loadSignInTexts(),
  ]);
  return SignInPages;
}
