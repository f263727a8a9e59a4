import { Notifications } from "@mantine/notifications";
import type { ReactElement } from "react";
import { Router } from "wouter";

import { guardHistory, leave } from "../parts/draft/leaving.ts";
import { Shell } from "./shell.tsx";
import { SessionGate } from "./session-gate.tsx";

followLinkedCheck();
guardHistory();

/** All pages for people who are signed in. */
export function Dashboard(): ReactElement {
  return (
    <>
      <Notifications position="bottom-right" />
      <Router aroundNav={(navigate, to, options) => leave(() => navigate(to, options))}>
        <SessionGate>
          <Shell />
        </SessionGate>
      </Router>
    </>
  );
}

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
