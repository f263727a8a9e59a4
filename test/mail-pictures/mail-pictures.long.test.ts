import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";

import { openCamera, schemes, widths, type Camera, type Picture, type Rgb } from "./pictures.ts";
import { sampleMails, type SampleMail } from "./sample-mails.ts";

/** WCAG 2.2, 1.4.3. */
const MIN_CONTRAST = 4.5;
/** WCAG 2.2, 2.5.5: what a finger hits. */
const MIN_TARGET_PX = 44;
/** Smaller text is zoomed by telephones, or not read. */
const MIN_FONT_PX = 13;
/** A channel is that much stronger than the others in what people call red or green. */
const CLEARLY = 40;

/** Returns the defects that a person would notice. */
function complaintsAbout(picture: Picture): readonly string[] {
  const { texts, buttons, cutOff, scrollWidth, width } = picture;
  return [
    ...(scrollWidth > width ? [`scrolls sideways: ${scrollWidth} of ${width} px`] : []),
    ...cutOff.map((element) => `cut off: ${element}`),
    ...texts.flatMap(({ text, contrast, fontPx, isOutside }) => [
      ...(isOutside ? [`outside: ${text}`] : []),
      ...(contrast < MIN_CONTRAST ? [`contrast ${contrast.toFixed(2)}: ${text}`] : []),
      ...(fontPx < MIN_FONT_PX ? [`${fontPx} px: ${text}`] : []),
    ]),
    ...(buttons.length === 1 ? [] : [`${buttons.length} buttons`]),
    ...buttons.flatMap(({ text, width: wide, height, isOnTop }) => [
      ...(isOnTop ? [] : [`covered: ${text}`]),
      ...(wide < MIN_TARGET_PX || height < MIN_TARGET_PX
        ? [`${wide} × ${height} px: ${text}`]
        : []),
    ]),
  ];
}

function colorNameOf([red, green, blue]: Rgb): SampleMail["color"] {
  if (red > Math.max(green, blue) + CLEARLY) return "red";
  return green > Math.max(red, blue) + CLEARLY ? "green" : "neutral";
}

function isDark(color: Rgb): boolean {
  return Math.max(...color) < 64;
}

const mails = await sampleMails();

suite("mails as a browser shows them", () => {
  let camera: Camera;
  before(async () => {
    camera = await openCamera();
  });
  after(async () => camera[Symbol.asyncDispose]());

  for (const { name, html, state, color, button } of mails)
    test(`${name}: read at a glance, whole, and touched with a finger, at a desk and on a telephone, by day and by night`, async () => {
      for (const width of ["desk", "phone"] as const)
        for (const scheme of schemes) {
          const view = `${width}, ${scheme}`;
          const picture = await camera.take(html, name, { width, scheme });
          assert.equal(picture.width, widths[width]);
          assert.deepEqual(complaintsAbout(picture), [], view);
          assert.match(picture.state, state);
          assert.equal(colorNameOf(picture.headColor), color, view);
          assert.deepEqual(picture.pixels.head, picture.headColor, view);
          assert.equal(isDark(picture.pixels.ground), scheme === "dark", view);
          assert.deepEqual(picture.pixels.ground, picture.groundColor, view);
          assert.equal(picture.buttons[0]?.text, button);
          assert.match(picture.buttons[0]?.href ?? "", /^https:\/\/watch\.example\.org\//);
        }
    });

  test("what would be hard to read, cut off or missed by a finger is found", async () => {
    const html = `<body style="background:#ffffff"><div>DOWN</div><h1 style="background:#b3261e;color:#e08080">Shop</h1>
      <div style="width:500px">wide</div><div style="width:20px;overflow:hidden">unbreakable</div>
      <p style="color:#999999;font-size:11px">pale</p><a href="https://watch.example.org/" style="display:inline-block;padding:2px">Open</a></body>`;
    const picture = await camera.take(html, "bad", { width: "phone", scheme: "light" });
    const found = complaintsAbout(picture).map((complaint) => complaint.replace(/[\d.]+/g, "N"));
    assert.deepEqual(
      found.map((complaint) => complaint.replace(/<.*/, "")),
      [
        "scrolls sideways: N of N px",
        "cut off: ",
        "contrast N: Shop",
        "contrast N: pale",
        "N px: pale",
        "N × N px: Open",
      ],
    );
  });
});
