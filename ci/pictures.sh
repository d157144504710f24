#!/usr/bin/env bash
# The pictures, in light and in dark: no text overlaps another, crosses a frame, comes near the edge, or is hard to read.
# With file names as arguments: these pictures.
source "$(dirname "$0")/lib.sh"

debian_tool chromium chromium
# Among the widest of fonts: a text that has room in it has room in others.
if [ -z "$(find /usr/share/fonts -name DejaVuSans.ttf -print -quit 2>/dev/null)" ]; then
  debian_packages fonts-dejavu-core
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then set -- docs/*.svg benches/charts/*.svg; fi

# page FILE: a page with the picture in it, which writes into itself what is wrong with it.
page() {
  echo '<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0 }</style>'
  cat "$1"
  cat <<'SCRIPT'
<script>
const found = [];
const svg = document.querySelector("svg");
const { width, height } = svg.viewBox.baseVal;
svg.style.width = width + "px";
svg.style.height = height + "px";

const area = (element) => element.getBoundingClientRect();
const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
const within = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
const say = (text) => `"${text.textContent.trim()}"`;
// The contrast of two colours, from 1 to 21, as the Web Content Accessibility Guidelines define it.
const light = (color) => color.match(/[\d.]+/g).slice(0, 3).map((byte) => byte / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
const contrast = (a, b) => Math.max(light(a), light(b)) / Math.min(light(a), light(b));
const fill = (element) => getComputedStyle(element).fill;

const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
const frames = [...svg.querySelectorAll("rect[rx]")];
const margin = { left: 8, top: 8, right: width - 8, bottom: height - 8 };
const drawn = svg.getBBox();
if (drawn.x < 0 || drawn.y < 0 || drawn.x + drawn.width > width || drawn.y + drawn.height > height)
  found.push("something is drawn outside the picture");
texts.forEach((text, at) => {
  if (!within(area(text), margin)) found.push(`${say(text)} is too near the edge`);
  for (const other of texts.slice(at + 1))
    if (meet(area(text), area(other))) found.push(`${say(text)} and ${say(other)} overlap`);
  for (const frame of frames)
    if (meet(area(text), area(frame)) && !within(area(text), area(frame))) found.push(`${say(text)} crosses a frame`);
  const behind = frames.filter((frame) => within(area(text), area(frame))).pop();
  if (behind && contrast(fill(text), fill(behind)) < 4.5) found.push(`${say(text)} is hard to read`);
});
const mode = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const page = document.createElement("pre");
page.id = "found";
page.textContent = [`${texts.length} texts, ${mode}`, ...found].join("\n");
document.body.replaceChildren(page);
</script>
SCRIPT
}

wrong=0
for picture in "$@"; do
  page "$picture" >"$work/page.html"
  for mode in light dark; do
    scheme=1
    if [ "$mode" = dark ]; then scheme=0; fi
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom \
      --blink-settings=preferredColorScheme=$scheme "file://$work/page.html" >"$work/dom" 2>"$work/log" ||
      skip "chromium does not run here: $(tail -n 1 "$work/log")"
    sed -n '/<pre id="found">/,/<\/pre>/p' "$work/dom" | sed 's/<[^>]*>//g; /^$/d' >"$work/found"
    grep -q "^[1-9][0-9]* texts, $mode" "$work/found" || fail "$picture: no text was seen in $mode"
    sed "s|^|$picture: |" "$work/found"
    if [ "$(wc -l <"$work/found")" -gt 1 ]; then wrong=$((wrong + 1)); fi
  done
done
[ "$wrong" -eq 0 ] || fail "mend what is listed above"
