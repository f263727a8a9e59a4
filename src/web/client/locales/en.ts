import { common } from "./en/common.ts";
import { dropReasons } from "./en/drop-reasons.ts";
import { navigation } from "./en/navigation.ts";
import { overview } from "./en/overview.ts";
import { states } from "./en/states.ts";

export const en = { common, dropReasons, navigation, overview, states };
