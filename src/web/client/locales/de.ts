import type { Catalogue } from "./catalogue.ts";
import { checkEdit } from "./de/check-edit.ts";
import { check } from "./de/check.ts";
import { common } from "./de/common.ts";
import { dropReasons } from "./de/drop-reasons.ts";
import { forms } from "./de/forms.ts";
import { navigation } from "./de/navigation.ts";
import { overview } from "./de/overview.ts";
import { states } from "./de/states.ts";
import { welcome } from "./de/welcome.ts";

export const de: Catalogue = {
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
