import { Alert, Button, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { ApiError } from "../api/api.ts";
import { useText } from "../text.ts";
import { CodeNotLoaded } from "./loaded-later.tsx";
import { visibleText } from "./visible-text.ts";

const NOT_FOUND = 404;

interface Props {
  readonly error: Error;
  readonly retry: () => void;
}

/** Why something could not be loaded, and a way to try again. */
export function LoadError({ error, retry }: Props): ReactElement {
  const text = useText();
  if (error instanceof ApiError && error.status === NOT_FOUND) return <NothingThere />;
  if (error instanceof CodeNotLoaded)
    return (
      <Failure
        reason={text(error.isOutdated ? "common.outdated" : "common.codeNotLoaded")}
        action={text("common.reload")}
        act={() => location.reload()}
      />
    );
  return <Failure reason={visibleText(error.message)} action={text("common.retry")} act={retry} />;
}

interface FailureProps {
  readonly reason: string;
  readonly action: string;
  readonly act: () => void;
}

function Failure({ reason, action, act }: FailureProps): ReactElement {
  const text = useText();
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<AlertIcon size={16} />}
      title={text("common.notLoaded")}
      role="alert"
    >
      <Stack align="flex-start">
        <Text c="inherit">{reason}</Text>
        <Button variant="default" onClick={act}>
          {action}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Trying again would not help. */
function NothingThere(): ReactElement {
  const text = useText();
  return (
    <Stack align="flex-start" role="alert">
      <Text>{text("common.gone")}</Text>
      <Button component={Link} href="/">
        {text("common.toOverview")}
      </Button>
    </Stack>
  );
}
