import type { Catalogue } from "./catalogue.ts";
import { common } from "./de/common.ts";
import { dropReasons } from "./de/drop-reasons.ts";
import { navigation } from "./de/navigation.ts";
import { overview } from "./de/overview.ts";
import { states } from "./de/states.ts";

export const de: Catalogue = { common, dropReasons, navigation, overview, states };
