// The life of a job on an axis of time: how fast it trained, as a line, and what has interrupted it, as marks that can be chosen.

import { clock, day, perSecond, stamp, svg } from "./text.js";

const TOP = 16;
const CHART = 56;
const AXIS = TOP + CHART + 12;
const HEIGHT = AXIS + 26;
const MOST_MARKS = 300;
const TICKS = [1e4, 3e4, 6e4, 3e5, 6e5, 1.8e6, 3.6e6, 1.08e7, 2.16e7, 4.32e7, 8.64e7];

/**
 * Draws.
 *
 * @param begin of the job
 * @param speeds see job.js
 * @param entries see interruptions.js
 * @param choose receives the key of an entry
 */
export function drawTimeline(axis, { begin, end, speeds, entries, choose }) {
  const width = axis.parentElement.clientWidth;
  if (width <= 0) return;
  const x = (time) => 8 + Math.max(0, time - begin) / (end - begin) * (width - 16);
  axis.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  axis.style.height = HEIGHT + "px";
  axis.replaceChildren(...speedLine(speeds, x, width), ...ticks(begin, end, x, width),
    ...entries.slice(-MOST_MARKS).map((entry) => mark(entry, x(entry.begin), choose)));
}

/** A line with a gap wherever the step went back. */
function speedLine(speeds, x, width) {
  const known = speeds.filter(({ speed }) => speed !== null);
  if (known.length === 0) return [];
  const most = Math.max(...known.map(({ speed }) => speed)) || 1;
  const y = (speed) => TOP + CHART * (1 - speed / most);
  let path = "";
  let isOn = false;
  for (const { before, time, speed } of speeds) {
    if (speed !== null) path += `${isOn ? "L" : `M${x(before).toFixed(1)} ${y(speed).toFixed(1)}L`}${x(time).toFixed(1)} ${y(speed).toFixed(1)}`;
    isOn = speed !== null;
  }
  return [
    svg("line", { class: "grid", x1: 0, x2: width, y1: TOP, y2: TOP }),
    svg("text", { class: "scale", x: 0, y: TOP - 4 }, `up to ${perSecond(most)}`),
    svg("path", { class: "speed", d: path }),
  ];
}

function ticks(begin, end, x, width) {
  const fitting = width / 70;
  const step = TICKS.find((each) => (end - begin) / each <= fitting) || 8.64e7 * Math.ceil((end - begin) / 8.64e7 / fitting);
  const ahead = -new Date(begin).getTimezoneOffset() * 60_000;
  const marks = [svg("line", { class: "grid", x1: 0, x2: width, y1: AXIS, y2: AXIS })];
  for (let time = Math.ceil((begin + ahead) / step) * step - ahead; time <= end; time += step) {
    const place = x(time);
    if (place < 30 || place > width - 30) continue;
    const label = step >= 8.64e7 ? day(time).slice(5) : step < 6e4 ? clock(time) : clock(time).slice(0, 5);
    marks.push(svg("line", { class: "grid", x1: place, x2: place, y1: AXIS, y2: AXIS + 6 }),
      svg("text", { x: place, y: AXIS + 20, "text-anchor": "middle" }, label));
  }
  return marks;
}

/** A mark is wide enough for a finger. */
function mark(entry, place, choose) {
  const group = svg("g", { class: "mark-of " + (!entry.isFault ? "intended" : entry.inProcess ? "in-process" : "processes"), tabindex: "-1" });
  group.append(svg("rect", { class: "finger", x: place - 14, y: 0, width: 28, height: HEIGHT }),
    svg("line", { x1: place, x2: place, y1: TOP, y2: AXIS }), svg("circle", { cx: place, cy: AXIS, r: 5 }),
    svg("title", {}, `${stamp(entry.begin)} ${entry.cause}`));
  group.addEventListener("click", () => choose(entry.key));
  return group;
}
