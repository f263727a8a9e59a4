import {
  Alert,
  Anchor,
  AppShell,
  Burger,
  Button,
  Center,
  Group,
  Loader,
  NavLink,
  ScrollArea,
  Text,
} from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { BookIcon } from "@primer/octicons-react";
import { Suspense, useEffect, useRef, type ReactElement } from "react";
import { Link, Route, Switch, useLocation } from "wouter";

import { accountOf, chooseAccount } from "../api/account-choice.ts";
import { CommandPalette } from "../commands/command-palette.tsx";
import { useQuestion } from "../parts/draft/use-question.ts";
import { loadedLater } from "../parts/loaded-later.tsx";
import { PageBoundary } from "../parts/page-boundary.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { visibleText } from "../parts/visible-text.ts";
import { routes } from "../routes.tsx";
import { useText } from "../text.ts";
import { AccountMenu } from "./account-menu.tsx";
import { useAccess, useSession } from "./session.ts";

const DiscardQuestion = loadedLater(
  async () => (await import("../parts/draft/discard-question.tsx")).DiscardQuestion,
);
const KeySheet = loadedLater(async () => (await import("./key-sheet.tsx")).KeySheet);

/** Frame of every page: the navigation and the signed-in user. */
export function Shell(): ReactElement {
  const text = useText();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [areKeysShown, keys] = useDisclosure(false);
  const isAsking = useQuestion() !== undefined;
  // Not while something is being typed.
  useHotkeys([["shift+?", keys.open]]);
  const [path] = useLocation();
  const content = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    close();
    // Screen readers start with the new content (WCAG 2.2, 2.4.3).
    content.current?.focus();
    window.scrollTo(0, 0);
  }, [path, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {text("navigation.skip")}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={text("navigation.open")}
              aria-expanded={isOpen}
            />
            <Text component={Link} href="/" fw={700} size="lg" c="inherit" td="none">
              Watchpost
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <CommandPalette showKeys={keys.open} />
            <AccountMenu showKeys={keys.open} />
            <Suspense>
              {isAsking && <DiscardQuestion />}
              {areKeysShown && <KeySheet close={keys.close} />}
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={text("navigation.main")} data-closed={!isOpen || undefined}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <NavigationLinks path={path} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" ref={content} tabIndex={-1} style={{ outline: "none" }}>
        <ChosenAccount />
        <PageBoundary key={path}>
          <Suspense fallback={<PageLoader />}>
            <Switch>
              {routes.map(({ path: pattern, page }) => (
                <Route key={pattern} path={pattern} component={page} />
              ))}
              <Route component={NotFoundPage} />
            </Switch>
          </Suspense>
        </PageBoundary>
      </AppShell.Main>
    </AppShell>
  );
}

function NavigationLinks({ path }: { readonly path: string }): ReactElement {
  const text = useText();
  const may = useAccess();
  return (
    <>
      {routes.map(({ path: href, link, needs = "view" }) => {
        if (link === undefined || !may(needs)) return null;
        const LinkIcon = link.icon;
        const isCurrent = href === "/" ? path === "/" : path.startsWith(href);
        return (
          <NavLink
            key={href}
            component={Link}
            href={href}
            label={text(link.text)}
            leftSection={<LinkIcon size={16} />}
            active={isCurrent}
            aria-current={isCurrent ? "page" : undefined}
          />
        );
      })}
      <NavLink
        href="/docs"
        label={text("navigation.reference")}
        leftSection={<BookIcon size={16} />}
      />
    </>
  );
}

function PageLoader(): ReactElement {
  const text = useText();
  return (
    <Center h={200}>
      <Loader aria-label={text("common.loading")} />
    </Center>
  );
}

/** Notice that a subaccount is shown, with the way back. */
function ChosenAccount(): ReactElement | null {
  const text = useText();
  const { customer_name: name } = useSession();
  if (accountOf() === undefined) return null;
  return (
    <Alert variant="outline" mb="md" role="status">
      <Group justify="space-between">
        <Text c="inherit">{text("navigation.workingOn", { name: visibleText(name) })}</Text>
        <Button variant="default" size="xs" onClick={() => chooseAccount(undefined)}>
          {text("navigation.back")}
        </Button>
      </Group>
    </Alert>
  );
}

function NotFoundPage(): ReactElement {
  const text = useText();
  return (
    <>
      <PageTitle title={text("common.notFound")} />
      <Text>
        <Anchor component={Link} href="/">
          {text("common.toOverview")}
        </Anchor>
      </Text>
    </>
  );
}
