// What has interrupted a job, and what it has changed by intent: events that belong together, with the restarts in the processes and the
// report about them.

import { duration, element, fine, plural, stamp, svg } from "./text.js";

/** Events with less between them belong together. */
const GAP = 20_000;
/** Clocks of hosts differ. */
const SLACK = 5_000;
const MOST = 50;
const FAULTS = new Set(["rank_ended", "rank_overdue", "node_lost", "node_unhealthy", "workload_control"]);
const INTENDED = new Set(["drain", "scale", "cycle"]);
const STEPS = new Set([...FAULTS, ...INTENDED, "restart", "in_process_restart", "node_came", "node_left", "node_healthy", "report", "job_ended"]);
const CAUSE = /^([A-Z_]+) (?:on|by|of) (rank \d+|\{[^}]*\} \d+ ranks)(.*)$/s;

const isFault = (event) => FAULTS.has(event.kind) || Boolean(event.restart && event.restart.fault);
const begins = (event) => isFault(event) || INTENDED.has(event.kind) || event.kind === "restart" || Boolean(event.restart);

/** A fault after the report of the one before is another one, as is a restart in the processes that comes later than the first. */
function isNext(current, event) {
  const before = current.events.some((each) => each.kind === "report") || (event.restart && current.events.some((each) => each.restart));
  return before && isFault(event) && event.time - current.end > SLACK;
}

/** Returns all interruptions, oldest first. */
export function interruptions(events, reports) {
  const found = [];
  let current = null;
  const inOrder = [...events.values()].filter((event) => STEPS.has(event.kind)).sort((one, other) => one.time - other.time);
  for (const event of inOrder) {
    if (current && event.time - current.end < GAP && !isNext(current, event)) {
      current.events.push(event);
      current.end = Math.max(current.end, event.time);
    } else if (begins(event)) {
      const begin = event.restart ? event.time - event.restart.total : event.time;
      current = { key: "event " + event.number, begin, end: event.time, events: [event], report: null };
      found.push(current);
    } else {
      current = null;
    }
  }
  for (const [number, report] of reports) attach(report, number, found);
  return found.sort((one, other) => one.begin - other.begin).map(describe);
}

function attach(report, number, found) {
  const time = Number(report.time) || 0;
  const entry = found.findLast((each) => !each.report && time > each.begin - SLACK && time < each.end + SLACK);
  if (entry) entry.report = report;
  else found.push({ key: "report " + number, begin: time, end: time, events: [], report });
}

const text = (value) => typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
const list = (value) => Array.isArray(value) ? value : [];

/** The ranks know what was thrown, and the agents what has ended a process: nothing but what somebody has asked for, if they say nothing. */
function faultOf(events) {
  const told = events.find((event) => event.restart && event.restart.fault);
  const seen = events.find((event) => FAULTS.has(event.kind));
  const kind = told && CAUSE.exec(told.restart.cause)?.[1];
  if (!seen && kind === "TERMINATED" && events.some((event) => INTENDED.has(event.kind))) return undefined;
  return seen && (!told || kind === "TERMINATED") ? seen : told;
}

/** Adds what it was, who began it, and what it has cost. */
function describe(entry) {
  const { report, events } = entry;
  const fault = faultOf(events);
  const first = fault || events[0];
  const cause = first && first.restart ? first.restart.cause : "";
  const parts = CAUSE.exec(cause);
  entry.isFault = Boolean(report || fault);
  entry.inProcess = events.some((event) => event.restart) && !events.some((event) => ["rank_ended", "node_lost", "cycle"].includes(event.kind));
  entry.cause = report ? text(report.verdict) : parts ? parts[1] + parts[3] : cause || (first ? first.text : "");
  entry.who = report ? text(report.first) + (report.node ? ` on ${text(report.node)}` : "") : parts ? parts[2] : first ? first.node : "";
  entry.short = report ? `${text(report.verdict)}, ${text(report.first)}` : (parts ? `${parts[1]}, ${parts[2]}` : entry.cause.split(/ after |: /)[0]);
  entry.suggestion = report ? text(report.suggestion).toLowerCase().replaceAll("_", " ") : "";
  entry.cost = cost(events);
  return entry;
}

function cost(events) {
  const restarts = events.filter((event) => event.restart);
  const count = (kind) => events.filter((event) => event.kind === kind).length;
  const parts = [];
  if (restarts.length > 0) {
    const total = fine(restarts.reduce((sum, event) => sum + event.restart.total, 0));
    parts.push(restarts.length === 1 ? `restarted in ${total}` : `${restarts.length} restarts in ${total}`);
  }
  if (count("cycle") > 0) parts.push("all ranks started again");
  else if (count("restart") > 0) parts.push(plural(count("restart"), "process").replace("processs", "processes") + " started again");
  if (count("node_lost") > 0) parts.push(plural(count("node_lost"), "node") + " lost");
  return parts.join(", ");
}

// ---- The list ----

const open = new Set();

/** Opens one, and shows it. */
export function show(box, wanted) {
  const details = [...box.children].find((each) => each.dataset.key === wanted);
  if (!details) return;
  details.open = true;
  details.scrollIntoView({ block: "nearest" });
  details.querySelector("summary").focus({ preventScroll: true });
}

/** Shows the latest, the last one first; what is open stays so. */
export function render(box, all) {
  box.replaceChildren(...all.slice(-MOST).reverse().map((entry) => {
    const details = element("details", { class: "entry" },
      element("summary", {},
        element("span", { class: "when", text: stamp(entry.begin) }),
        element("span", { class: "what" }, element("span", { class: entry.isFault ? "cause" : "cause intended", text: entry.cause }),
          element("span", { class: "who", text: entry.who })),
        element("span", { class: "cost", text: entry.cost }),
        element("span", { class: "suggestion", text: entry.suggestion })));
    details.dataset.key = entry.key;
    const fill = () => { if (details.childElementCount === 1) details.append(body(entry)); };
    if (open.has(entry.key)) {
      details.open = true;
      fill();
    }
    details.addEventListener("toggle", () => {
      if (details.open) {
        fill();
        open.add(entry.key);
      } else {
        open.delete(entry.key);
      }
    });
    return details;
  }));
}

function body(entry) {
  const made = element("div", { class: "body" });
  if (entry.report) made.append(...about(entry.report));
  for (const event of entry.events) if (event.restart) made.append(...phases(event.restart));
  made.append(element("ol", { class: "steps" }, ...entry.events.map((event) =>
    element("li", { class: isFault(event) ? "failed" : "" },
      element("span", { class: "offset", text: "+" + (Math.max(0, event.time - entry.begin) / 1000).toFixed(1) + " s" }),
      `${event.restart ? event.text.split(": ").slice(0, -1).join(": ") : event.text} `, element("span", { class: "offset", text: event.node })))));
  if (entry.report) {
    made.append(element("details", { class: "json" }, element("summary", { text: "The report as JSON" }), element("pre", { text: JSON.stringify(entry.report, null, 2) })));
  }
  return made;
}

function about(report) {
  const made = [];
  if (report.suggestion) {
    made.push(element("p", {}, element("b", { text: "Suggestion: " + text(report.suggestion).toLowerCase().replaceAll("_", " ") }), report.why ? ", as " + text(report.why) : ""));
  }
  if (report.external) {
    made.push(element("p", { text: "Attribution service: " + text(report.external.action || report.external) + (report.external.reason ? ", " + text(report.external.reason) : "") }));
  }
  if (list(report.evidence).length > 0) made.push(element("ul", {}, ...list(report.evidence).map((each) => element("li", { text: text(each) }))));
  if (list(report.followers).length > 0) made.push(element("p", { text: `Followed: ${list(report.followers).map(text).join(", ")}` }));
  if (list(report.others).length > 0) made.push(element("p", { text: `Besides: ${list(report.others).map(text).join("; ")}` }));
  return made;
}

/** Returns how long each phase of a restart took, as bars. */
function phases(restart) {
  const longest = Math.max(...Object.values(restart.phases), 0.001);
  return [
    element("p", { text: `Restarted into iteration ${restart.iteration} in ${fine(restart.total)}, as ${restart.who} saw it:` }),
    element("dl", { class: "phases" }, ...Object.entries(restart.phases).flatMap(([name, ms]) => {
      const bar = svg("svg", { class: "bar", viewBox: "0 0 160 8", preserveAspectRatio: "none" });
      bar.append(svg("rect", { width: 160 * ms / longest, height: 8 }));
      return [element("dt", { text: name === "barrier" ? "wait for the others" : name }), element("dd", {}, element("span", { text: fine(ms) }), bar)];
    })),
  ];
}
