// The life of a job on an axis of time: how fast it trained, as a line, and what has interrupted it, as marks that can be chosen.

import { clock, day, perSecond, stamp, svg } from "./text.js";

const TOP = 16;
const CHART = 56;
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
  const known = speeds.filter(({ speed }) => speed !== null);
  const level = TOP + (known.length > 0 ? CHART + 12 : 0);
  const height = level + 26;
  const x = (time) => 8 + Math.max(0, time - begin) / (end - begin) * (width - 16);
  axis.setAttribute("viewBox", `0 0 ${width} ${height}`);
  axis.style.height = height + "px";
  axis.replaceChildren(...(known.length > 0 ? speedLine(speeds, Math.max(...known.map(({ speed }) => speed)) || 1, x, width) : []),
    ...ticks(begin, end, x, width, level),
    ...entries.slice(-MOST_MARKS).map((entry) => mark(entry, x(entry.begin), level, choose)));
}

/** A line with a gap wherever the step went back. */
function speedLine(speeds, most, x, width) {
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

function ticks(begin, end, x, width, level) {
  const fitting = width / 70;
  const step = TICKS.find((each) => (end - begin) / each <= fitting) || 8.64e7 * Math.ceil((end - begin) / 8.64e7 / fitting);
  const ahead = -new Date(begin).getTimezoneOffset() * 60_000;
  const marks = [svg("line", { class: "grid", x1: 0, x2: width, y1: level, y2: level })];
  for (let time = Math.ceil((begin + ahead) / step) * step - ahead; time <= end; time += step) {
    const place = x(time);
    if (place < 30 || place > width - 30) continue;
    const label = step >= 8.64e7 ? day(time).slice(5) : step < 6e4 ? clock(time) : clock(time).slice(0, 5);
    marks.push(svg("line", { class: "grid", x1: place, x2: place, y1: level, y2: level + 6 }),
      svg("text", { x: place, y: level + 20, "text-anchor": "middle" }, label));
  }
  return marks;
}

/** A mark is wide enough for a finger. */
function mark(entry, place, level, choose) {
  const group = svg("g", { class: "mark-of " + (!entry.isFault ? "intended" : entry.inProcess ? "in-process" : "processes"), tabindex: "-1" });
  group.append(svg("rect", { class: "finger", x: place - 14, y: 0, width: 28, height: level + 26 }),
    svg("line", { x1: place, x2: place, y1: 4, y2: level }), svg("circle", { cx: place, cy: level, r: 5 }),
    svg("title", {}, `${stamp(entry.begin)} ${entry.cause}`));
  group.addEventListener("click", () => choose(entry.key));
  return group;
}
