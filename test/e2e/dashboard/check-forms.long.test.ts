import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { checkTypes } from "../../../src/checks/registry.ts";
import { formParametersOf } from "../../../src/checks/forms.ts";
import type { FormParameter } from "../../../src/schema/form-parameter.ts";
import type { CheckRecord } from "../process.ts";
import { openSharedDashboard } from "./shared-dashboard.ts";

const dashboard = await openSharedDashboard();
after(() => dashboard[Symbol.asyncDispose]());
const { page, site } = dashboard;

interface LabelledCheck extends CheckRecord {
  readonly label: string;
}

/** Navigates like a link of the page, because reloading for each type would take longer than filling its form. */
async function follow(path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
}

async function unfold(on: Page): Promise<void> {
  for (const name of ["More parameters", "More settings"]) {
    const button = on.getByRole("button", { name, exact: true });
    if ((await button.count()) > 0 && (await button.getAttribute("aria-expanded")) === "false")
      await button.click();
  }
}

/** Finds an input by its title, before the required mark. */
function labelled({ title }: Pick<FormParameter, "title">): Locator {
  const escaped = title.replaceAll(/[()]/g, String.raw`\$&`);
  return page.getByLabel(new RegExp(`^${escaped}(?: \\*)?$`));
}

async function turn(title: string, isOn: boolean): Promise<void> {
  const input = page.getByRole("switch", { name: title, exact: true });
  // The label is its visible part.
  if ((await input.isChecked()) !== isOn) await input.press("Space");
}

async function enter(parameter: FormParameter, value: unknown): Promise<void> {
  const { input, title, choices = [] } = parameter;
  if (input === "switch") return turn(title, value === true);
  if (input === "choice") {
    await page.getByRole("combobox", { name: title, exact: true }).click();
    const word = choices.find((choice) => choice.value === value)?.title ?? assert.fail(title);
    return page.getByRole("option", { name: word, exact: true }).click();
  }
  if (input === "pairs" || input === "metrics") return enterRows(parameter, Object(value));
  return labelled(parameter).fill(String(value));
}

async function enterRows({ title, input }: FormParameter, rows: object): Promise<void> {
  for (const [index, [name, value]] of Object.entries(rows).entries()) {
    await page.getByRole("button", { name: `Add to ${title}`, exact: true }).click();
    const row = index + 1;
    if (input === "pairs") {
      await page.getByLabel(`Name ${row} of ${title}`, { exact: true }).fill(name);
      await page.getByLabel(`Value ${row} of ${title}`, { exact: true }).fill(String(value));
    } else {
      await page.getByLabel(`Path ${row} of ${title}`, { exact: true }).fill(value.name);
      for (const [limit, label] of [
        ["min", "At least"],
        ["max", "At most"],
      ] as const)
        if (value[limit] !== undefined)
          await page
            .getByLabel(`${label}, ${row} of ${title}`, { exact: true })
            .fill(String(value[limit]));
    }
  }
}

async function shown(parameter: FormParameter): Promise<unknown> {
  const { input, title } = parameter;
  if (input === "switch") return page.getByRole("switch", { name: title, exact: true }).isChecked();
  if (input === "pairs")
    return page.getByLabel(`Value 1 of ${title}`, { exact: true }).inputValue();
  if (input === "metrics")
    return page.getByLabel(`Path 1 of ${title}`, { exact: true }).inputValue();
  if (input === "choice")
    return page.getByRole("combobox", { name: title, exact: true }).inputValue();
  return labelled(parameter).inputValue();
}

/** Returns the form's representation of the example. */
function shownOf({ input, example, choices = [] }: FormParameter): unknown {
  if (input === "switch") return example;
  if (input === "pairs") return String(Object.values(Object(example))[0]);
  if (input === "metrics") return Object(Object.values(Object(example))[0]).name;
  const title = choices.find(({ value }) => value === example)?.title;
  return title ?? String(example);
}

/** Fields that are stored under the key that the form makes of the path. */
function stored(parameter: FormParameter): unknown {
  if (parameter.input !== "metrics") return parameter.example;
  return Object.fromEntries(
    Object.values(Object(parameter.example)).map((metric) => [Object(metric).name, metric]),
  );
}

for (const checkType of checkTypes) {
  const { type } = checkType;
  const parameters = formParametersOf(checkType).filter(({ example }) => example !== undefined);

  test(`a check of type ${type} is created, changed and opened again by its form`, async () => {
    await follow(`/checks/new?type=${type}`);
    await page.getByRole("button", { name: "Choose another type" }).waitFor();
    await page.getByRole("heading", { name: "What is checked" }).waitFor();
    await unfold(page);
    for (const parameter of parameters) await enter(parameter, parameter.example);
    await page.getByLabel("Name", { exact: true }).fill(`A ${type}`);
    await turn("Runs", false);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The check was created.").first().waitFor();
    const all: Readonly<Record<string, LabelledCheck>> = await site.api("GET checks");
    const made = Object.values(all).find(({ label }) => label === `A ${type}`);
    assert.ok(made);
    for (const parameter of parameters)
      assert.deepEqual(
        made.parameters[parameter.name] ?? parameter.default,
        stored(parameter),
        parameter.name,
      );
    await page.goto(`${site.base}/checks/${made._id}/edit`);
    await page.getByRole("heading", { name: `Edit A ${type}` }).waitFor();
    await unfold(page);
    for (const parameter of parameters)
      assert.equal(await shown(parameter), shownOf(parameter), parameter.name);
    await page.getByLabel("Name", { exact: true }).fill(`Changed ${type}`);
    const first = parameters.find(({ name }) => name === "target" || name === "grace");
    assert.ok(first);
    const other = String(first.example).replace("example.com", "example.net").replace("45", "50");
    await labelled(first).fill(other);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: `Edit Changed ${type}` }).waitFor();
    const changed = await site.api(`GET checks/${made._id}`);
    assert.equal(changed.label, `Changed ${type}`);
    assert.equal(String(changed.parameters[first.name]), other);
    const { [first.name]: _, ...before } = made.parameters;
    const { [first.name]: __, ...kept } = changed.parameters;
    assert.deepEqual(kept, before);
  });
}
