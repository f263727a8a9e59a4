import { Box, Button, Group, Stack, Stepper, Text } from "@mantine/core";
import { useEffect, useRef, type ReactElement } from "react";
import { Link, useSearchParams } from "wouter";

import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { ZoneProposal } from "../../parts/zone-proposal.tsx";
import { useText } from "../../text.ts";
import { ForEditors } from "../check-edit/for-editors.tsx";
import { useCheck, useForms } from "../check-edit/queries.ts";
import { AlertStep } from "./alert-step.tsx";
import { TargetStep } from "./target-step.tsx";

const steps = ["target", "alerts", "done"] as const;
type Step = (typeof steps)[number];

/** Guides a user without checks to a running check and a test alert. The address has the step and the created check. */
export function WelcomePage(): ReactElement {
  const text = useText();
  const forms = useForms();
  const [search, setSearch] = useSearchParams();
  const check = search.get("check") ?? "";
  const named = steps.find((each) => each === search.get("step"));
  const step = named === undefined || check === "" ? "target" : named;
  const content = useFocusOnStep(step);
  return (
    <ForEditors title={text("welcome.title")}>
      <PageTitle title={text("welcome.title")} />
      <ZoneProposal />
      <Stack maw={720} gap="lg">
        <Text>{text("welcome.lead")}</Text>
        <Box
          ref={content}
          role="group"
          tabIndex={-1}
          aria-label={text(`welcome.${step}Step`)}
          style={{ outline: "none" }}
        >
          <Stepper active={steps.indexOf(step)} size="sm" allowNextStepsSelect={false}>
            <Stepper.Step label={text("welcome.targetStep")} allowStepSelect={false}>
              <Loaded query={forms}>
                {(all) => (
                  <TargetStep
                    forms={all}
                    // Back would lead to a form that makes the same check again.
                    done={(id) => setSearch({ step: "alerts", check: id }, { replace: true })}
                  />
                )}
              </Loaded>
            </Stepper.Step>
            <Stepper.Step label={text("welcome.alertsStep")} allowStepSelect={false}>
              <AlertStep done={() => setSearch({ step: "done", check })} />
            </Stepper.Step>
            <Stepper.Completed>
              <DoneStep checkId={check} />
            </Stepper.Completed>
          </Stepper>
        </Box>
      </Stack>
    </ForEditors>
  );
}

/** Moves the focus to the next step. */
function useFocusOnStep(step: Step): React.RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    content.current?.focus();
  }, [step]);
  return content;
}

/** Next steps. */
function DoneStep({ checkId }: { readonly checkId: string }): ReactElement {
  const text = useText();
  const check = useCheck(checkId);
  return (
    <Loaded query={check}>
      {({ _id: id, label, intervalseconds }) => (
        <Stack>
          <Text role="status">
            {text("welcome.done", { name: visibleText(label), minutes: intervalseconds / 60 })}
          </Text>
          <Group>
            <Button component={Link} href="/">
              {text("welcome.toOverview")}
            </Button>
            <Button component={Link} href={`/checks/${id}/edit`} variant="default">
              {text("welcome.toCheck")}
            </Button>
            <Button component={Link} href="/checks/new" variant="default">
              {text("welcome.another")}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}
