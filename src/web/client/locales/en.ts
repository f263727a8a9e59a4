import { checkEdit } from "./en/check-edit.ts";
import { check } from "./en/check.ts";
import { common } from "./en/common.ts";
import { dropReasons } from "./en/drop-reasons.ts";
import { forms } from "./en/forms.ts";
import { navigation } from "./en/navigation.ts";
import { overview } from "./en/overview.ts";
import { states } from "./en/states.ts";
import { welcome } from "./en/welcome.ts";

export const en = {
  check,
  checkEdit,
  common,
  dropReasons,
  forms,
  navigation,
  overview,
  states,
  welcome,
};
