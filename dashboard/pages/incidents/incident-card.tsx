import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { RecordActions, RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { isOver, shownChecks, useStatusPages, type Incident } from "./incident.ts";
import { IncidentForm } from "./incident-form.tsx";
import { MarkdownText } from "../../parts/markdown-text.tsx";
import { CorrectionForm, UpdateForm, UpdateRemoval } from "./update-form.tsx";

interface Props {
  readonly incident: Incident;
}

/** One incident, with all that was posted of it. */
export function IncidentCard({ incident }: Props): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const { name, kind, stage, start, end, auto, byoutage } = incident;
  return (
    <RecordCard
      name={visibleText(name)}
      order={3}
      gap="xs"
      above={
        <Group gap="xs">
          <Badge variant="outline" color="gray">
            {text(`incidents.kind.${kind}`)}
          </Badge>
          <Text span fw={600}>
            {text(`incidents.stage.${stage}`)}
          </Text>
        </Group>
      }
      actions={mayChange && <Actions incident={incident} />}
    >
      <Text size="sm">
        <Instant at={start} />
        {end !== undefined && (
          <>
            {" – "}
            <Instant at={end} />
          </>
        )}
      </Text>
      <Where incident={incident} />
      {byoutage && !isOver(incident) && (
        <Text size="sm">{text(auto ? "incidents.endsByItself" : "incidents.endsByPeople")}</Text>
      )}
      <Updates incident={incident} />
    </RecordCard>
  );
}

/** The pages that show it, and what it affects there. */
function Where({ incident: { pages, checks } }: Props): ReactElement {
  const text = useText();
  const { data = [] } = useStatusPages();
  const shown = data.filter(({ _id }) => pages.length === 0 || pages.includes(_id));
  const affected = shownChecks(shown).filter(({ id }) => checks.includes(id));
  return (
    <>
      <Text size="sm">
        {pages.length === 0
          ? text("incidents.allPages")
          : text("incidents.onPages", {
              names: shown.map(({ name }) => visibleText(name)).join(", "),
            })}
      </Text>
      {affected.length > 0 && (
        <Text size="sm">
          {text("incidents.affected", {
            names: affected.map(({ name }) => visibleText(name)).join(", "),
          })}
        </Text>
      )}
    </>
  );
}

/** The last update, and the others for who wants to see them. */
function Updates({ incident }: Props): ReactElement {
  const text = useText();
  const numbered = incident.updates.map((update, index) => ({ ...update, index })).toReversed();
  const [last, ...earlier] = numbered;
  return (
    <>
      {last !== undefined && <Update incident={incident} index={last.index} />}
      {earlier.length > 0 && (
        <details>
          <summary>{text("incidents.earlier", { count: earlier.length })}</summary>
          <Stack gap="xs" mt="xs">
            {earlier.map(({ index }) => (
              <Update key={index} incident={incident} index={index} />
            ))}
          </Stack>
        </details>
      )}
    </>
  );
}

function Update({ incident, index }: Props & { readonly index: number }): ReactElement | null {
  const text = useText();
  const mayChange = useMay("edit");
  const [dialog, setDialog] = useState<"correct" | "delete">();
  const close = (): void => setDialog(undefined);
  const update = incident.updates[index];
  if (update === undefined) return null;
  return (
    <div>
      <Text size="sm" component="div">
        <strong>{text(`incidents.stage.${update.stage}`)}</strong> <Instant at={update.at} />{" "}
        {mayChange && (
          <Anchor component="button" type="button" size="sm" onClick={() => setDialog("correct")}>
            {text("incidents.correct")}
          </Anchor>
        )}{" "}
        {mayChange && incident.updates.length > 1 && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-label={text("incidents.deleteUpdateTitle")}
            onClick={() => setDialog("delete")}
          >
            {text("incidents.deleteUpdate")}
          </Anchor>
        )}
      </Text>
      <MarkdownText>{update.text}</MarkdownText>
      {dialog === "correct" && <CorrectionForm incident={incident} index={index} close={close} />}
      {dialog === "delete" && <UpdateRemoval incident={incident} index={index} close={close} />}
    </div>
  );
}

function Actions({ incident }: Props): ReactElement {
  const text = useText();
  const path = { params: { path: { id: incident._id } } };
  const publication = useChange({
    send: () => dataOf(api.PUT("/incidents/{id}", { ...path, body: { published: true } })),
    refreshes: ["incidents"],
    done: text("incidents.posted"),
    toastsError: true,
  });
  return (
    <>
      {!incident.published && (
        <Button
          size="xs"
          loading={publication.isPending}
          onClick={() => publication.mutate(undefined)}
        >
          {text("incidents.post")}
        </Button>
      )}
      <DialogButton label={text("incidents.addUpdate")}>
        {(close) => <UpdateForm incident={incident} close={close} />}
      </DialogButton>
      <RecordActions
        name={visibleText(incident.name)}
        form={(close) => <IncidentForm incident={incident} close={close} />}
        remove={() => dataOf(api.DELETE("/incidents/{id}", path))}
        refreshes={["incidents"]}
        consequences={<Text>{text("incidents.deleteHint")}</Text>}
      />
    </>
  );
}
