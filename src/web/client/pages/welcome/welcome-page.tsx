import { Stack, Stepper, Text } from "@mantine/core";
import { useState } from "react";
import type { ReactElement } from "react";

import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { useText } from "../../text.ts";
import { ForEditors } from "../check-edit/for-editors.tsx";
import { useForms } from "../check-edit/queries.ts";
import { AlertStep } from "./alert-step.tsx";
import { DoneStep } from "./done-step.tsx";
import { TargetStep } from "./target-step.tsx";

const LAST = 2;

/** Leads whoever has no check yet to one that runs, and to a test alert. */
export function WelcomePage(): ReactElement {
  const text = useText();
  const forms = useForms();
  const [step, setStep] = useState(0);
  const [checkId, setCheckId] = useState("");
  return (
    <ForEditors title={text("welcome.title")}>
      <PageTitle title={text("welcome.title")} />
      <Stack maw={720} gap="lg">
        <Text>{text("welcome.lead")}</Text>
        <Stepper active={step} size="sm" allowNextStepsSelect={false}>
          <Stepper.Step label={text("welcome.targetStep")} allowStepSelect={false}>
            <Loaded query={forms}>
              {({ checks }) => (
                <TargetStep
                  types={checks}
                  done={(id) => {
                    setCheckId(id);
                    setStep(1);
                  }}
                />
              )}
            </Loaded>
          </Stepper.Step>
          <Stepper.Step label={text("welcome.alertStep")} allowStepSelect={false}>
            <AlertStep done={() => setStep(LAST)} />
          </Stepper.Step>
          <Stepper.Completed>
            <DoneStep checkId={checkId} />
          </Stepper.Completed>
        </Stepper>
      </Stack>
    </ForEditors>
  );
}
