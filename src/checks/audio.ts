import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { flag, wholeNumber } from "./kit/parameter.ts";
import { httpUrl, ipv6 } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

export const audioCheck = defineCheckType({
  type: "AUDIO",
  summary:
    "Asks for an audio stream, and passes when audio comes, and is loud enough if that counts",
  target: "url",
  schema: z.object({
    target: httpUrl,
    verifyvolume: flag("Whether the stream must be as loud as `volumemin`"),
    volumemin: wholeNumber(
      "The least volume, in dB below full scale",
      { least: -90, most: 0 },
      -45,
    ),
    ipv6,
  }),
  run: unbuilt("AUDIO"),
});
