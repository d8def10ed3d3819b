// Shows a job, as its agents write it to the store: receives what has changed, and changes as much of the page. Texts come from
// exceptions, host names and logs, so they only ever become text nodes.

import { RankMap } from "./map.js";

const FRESH = 60_000;
const INCIDENT_GAP = 20_000;
const MOST_ROWS = 200;
const MOST_ATTENTION = 100;
const FAULTS = new Set(["rank_ended", "rank_overdue", "node_lost", "node_unhealthy", "workload_control"]);
const STEPS = new Set([...FAULTS, "restart", "cycle", "node_came", "node_left", "node_healthy", "drain", "scale", "report", "job_ended"]);
const LABELS = {
  running: "running", failed: "failed or lost", stopping: "stopping", completed: "completed", idle: "waiting", fresh: "started again just now",
};

const $ = (id) => document.getElementById(id);
const job = { status: null, nodes: [], ranks: new Map(), events: new Map(), reports: new Map(), sections: new Map(), lost: null, name: "", skew: 0, canAct: false };
let connected = false;
let everConnected = false;
let dirty = { map: true, lists: true };

const now = () => Date.now() + job.skew;

function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  if (options.class) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.title) made.title = options.title;
  made.append(...children);
  return made;
}

function duration(ms) {
  if (ms < 0) return "0 s";
  if (ms < 9_950) return (ms / 1000).toFixed(1) + " s";
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return seconds + " s";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min` + (seconds % 60 ? ` ${seconds % 60} s` : "");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const fine = (ms) => ms < 1000 ? Number(ms.toPrecision(3)) + " ms" : duration(ms);
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const clock = (ms) => new Date(ms).toLocaleTimeString("en-GB");
const isToday = (ms) => new Date(ms).toDateString() === new Date(now()).toDateString();
const stamp = (ms) => isToday(ms) ? clock(ms) : new Date(ms).toLocaleDateString("en-CA") + " " + clock(ms);

// ---- What is known ----

function rankOf(fields) {
  const [process, rank, state, pid, restarts, since, step, section, sectionSince, heartbeat, iteration] = fields;
  return { process, rank, state, pid, restarts, since, step, section, sectionSince, heartbeat, iteration };
}

function receive(update) {
  if (update.first) {
    job.ranks.clear();
    job.events.clear();
    job.reports.clear();
    job.sections.clear();
  }
  job.name = update.job;
  job.skew = update.now - Date.now();
  job.canAct = update.canAct;
  job.lost = update.lost || null;
  if (update.status) job.status = update.status;
  for (const section of update.sections) job.sections.set(section.name, mergeSection(job.sections.get(section.name), section));
  for (const [arrival, ranks] of Object.entries(update.ranks)) job.ranks.set(Number(arrival), ranks.map(rankOf));
  for (const event of update.events) job.events.set(event.number, event);
  for (const report of update.reports) job.reports.set(report.number, report.content);
  while (job.events.size > 1000) job.events.delete(job.events.keys().next().value);
  while (job.reports.size > 100) job.reports.delete(job.reports.keys().next().value);
  job.nodes = (job.status ? job.status.nodes : []).map((node) => ({ ...node, ranks: ranksOf(node) }));
  map.setNodes(job.nodes);
  dirty = { map: true, lists: dirty.lists || Boolean(update.first || update.status || update.events.length || update.reports.length || update.sections.length) };
  requestAnimationFrame(render);
}

/** Nodes know more or less of the same job: the one that knows of the most times counts, and the longest that any has seen. */
function mergeSection(known, section) {
  if (!known) return section;
  const richer = section.count >= known.count ? section : known;
  return { ...richer, longest: Math.max(known.longest, section.longest) };
}

/** Until an agent has written what it knows, its seat says which ranks it will have. */
function ranksOf(node) {
  const known = job.ranks.get(node.arrival);
  if (known) return known;
  return Array.from({ length: job.status.processes }, (unused, process) =>
    rankOf([process, node.founder ? node.firstRank + process : -1, "", 0, 0, 0, -1, "", 0, 0, -1]));
}

function classify(node, rank) {
  if (node.state === "lost") return { state: "failed", fresh: false };
  if (node.state === "completed") return { state: "completed", fresh: false };
  switch (rank.state) {
    case "running": return { state: "running", fresh: rank.restarts > 0 && now() - rank.since < FRESH };
    case "completed": case "left": return { state: "completed", fresh: false };
    case "asking": case "waiting": case "failed": return { state: "failed", fresh: false };
    case "stopping": case "killed": return { state: "stopping", fresh: false };
    default: return { state: "idle", fresh: false };
  }
}

function stateText(node, rank) {
  if (node.state === "lost") return "lost with its node";
  if (node.state === "completed") return "completed"; // its agent may have ended before it said so of each rank
  switch (rank.state) {
    case "asking": return "failed; to be started again";
    case "waiting": return "failed; starts again soon";
    case "stopping": return "asked to end";
    case "killed": return "killed";
    case "idle": return rank.rank < 0 ? "spare, not needed yet" : "not started";
    case "": return "its agent has not reported yet";
    default: return rank.state;
  }
}

const rankName = (rank) => rank.rank < 0 ? `spare process ${rank.process}` : `rank ${rank.rank}`;

/** What it does, for the three lines of a card. */
function describe(node, rank) {
  const text = stateText(node, rank);
  const doing = text === "running" && rank.section ? rank.section : text;
  const parts = [];
  if (rank.step >= 0) parts.push("step " + rank.step.toLocaleString("en"));
  if (rank.heartbeat > 0) parts.push("heartbeat " + duration(now() - rank.heartbeat) + " ago");
  if (parts.length === 0 && rank.since > 0 && (text !== "completed" || rank.state === text)) parts.push("for " + duration(now() - rank.since));
  return [rankName(rank), doing, parts.join(" · ")];
}

// ---- The map ----

const map = new RankMap($("map"), classify, describe);

function find(selected) {
  const node = selected && job.nodes.find((each) => each.name === selected.node);
  const rank = node && node.ranks.find((each) => each.process === selected.process);
  return rank ? { node, rank } : null;
}

function count() {
  const counts = { running: 0, failed: 0, stopping: 0, completed: 0, idle: 0, fresh: 0 };
  for (const node of job.nodes) {
    for (const rank of node.ranks) {
      const kind = classify(node, rank);
      counts[kind.state]++;
      if (kind.fresh) counts.fresh++;
    }
  }
  return counts;
}

function renderHead(counts) {
  const status = job.status;
  document.title = `${job.name} – resiliency`;
  $("job").textContent = job.name;
  const ended = status && status.end;
  const pill = $("health");
  const [state, text] = !everConnected ? ["idle", "connecting"]
    : !connected ? ["failed", "no connection"]
    : job.lost ? ["failed", "store lost"]
    : !status ? ["idle", "no agent has come yet"]
    : ended ? [status.end.startsWith("0 ") ? "completed" : "failed", "ended"]
    : counts.failed > 0 ? ["failed", plural(counts.failed, "rank") + " down"]
    : counts.stopping > 0 ? ["stopping", "stopping"]
    : counts.running === 0 && counts.completed > 0 ? ["completed", "completed"]
    : counts.running === 0 ? ["idle", "starting"] : ["running", "running"];
  pill.dataset.state = state;
  pill.textContent = text;
  if (status) {
    const there = status.nodes.filter((node) => node.state === "runs").length;
    const facts = [
      `${there.toLocaleString("en")} of ${plural(status.nodes.length, "node")} here`, plural(counts.running, "rank") + " running", `policy ${status.policy}`,
      `cycle ${status.cycle}`, plural(status.restarts, "restart") + " spent",
    ];
    if (ended) facts.push("ended with exit code " + status.end);
    $("facts").textContent = facts.join("  ·  ");
  }
  $("actions").hidden = !job.canAct || Boolean(ended);
  const banner = $("banner");
  banner.hidden = !job.lost && (connected || !everConnected);
  banner.textContent = job.lost ? `The store of the job is gone: ${job.lost}. What is shown is how the job was.`
    : "No connection to the agent that serves this page. What is shown may be out of date; it goes on by itself when the agent is back.";
}

function renderLegend(counts) {
  $("legend").replaceChildren(...Object.entries(counts).filter(([state, number]) => number > 0 || state === "running").map(([state, number]) => {
    const key = element("span", { class: "key" });
    key.dataset.state = state;
    return element("li", {}, key, element("b", { text: number.toLocaleString("en") }), LABELS[state]);
  }));
}

function renderInspector() {
  const box = $("inspector");
  const found = find(map.selected);
  if (!found) {
    box.replaceChildren(element("p", { class: "empty", text: "Point at a rank to see what it does; click to keep it here." }));
    return;
  }
  const { node, rank } = found;
  const rows = [["State", stateText(node, rank)]];
  if (rank.since > 0) rows.push(["Since", duration(now() - rank.since)]);
  if (rank.section) rows.push(["Section", rank.section], ["Open for", duration(now() - rank.sectionSince)]);
  if (rank.step >= 0) rows.push(["Step", rank.step.toLocaleString("en")]);
  if (rank.iteration >= 0) rows.push(["Iteration", String(rank.iteration)]);
  if (rank.heartbeat > 0) rows.push(["Last heartbeat", duration(now() - rank.heartbeat) + " ago"]);
  rows.push(["Restarts", String(rank.restarts)]);
  if (rank.pid > 0) rows.push(["Process", String(rank.pid)]);
  if (node.group !== undefined) rows.push(["Group rank", String(node.group)]);
  if (node.domain) rows.push(["Domain", node.domain]);
  const name = rankName(rank);
  const children = [
    element("h3", { text: name.charAt(0).toUpperCase() + name.slice(1) }),
    element("p", { class: "where", text: node.name === node.address ? node.name : `${node.name}, ${node.address}` }),
    element("dl", {}, ...rows.flatMap(([term, value]) => [element("dt", { text: term }), element("dd", { text: value })])),
  ];
  if (job.canAct && node.state === "runs") {
    const drain = element("button", { text: "Drain this node…" });
    drain.type = "button";
    drain.addEventListener("click", () => ask("drain", `Drain node ${node.name}?`, "Its ranks end with SIGTERM and their grace, and its agent leaves the job.", () => ({ node: node.name })));
    children.push(drain);
  }
  box.replaceChildren(...children);
}

/** A lost node is one row, as are its ranks; other ranks have a row each. */
function renderAttention() {
  const rows = [];
  let ranks = 0;
  for (const node of job.nodes) {
    const down = node.ranks.map((rank) => ({ node, rank, kind: classify(node, rank) }))
      .filter(({ kind }) => kind.state === "failed" || kind.state === "stopping");
    ranks += down.length;
    if (node.state === "lost" && down.length > 0) rows.push({ ...down[0], name: rankRange(node.ranks) });
    else rows.push(...down.map((row) => ({ ...row, name: rankName(row.rank) })));
  }
  $("attention-box").hidden = rows.length === 0;
  $("attention-title").textContent = "Not running: " + plural(ranks, "rank") + (rows.length > MOST_ATTENTION ? `, of which the first ${MOST_ATTENTION} rows` : "");
  $("attention").replaceChildren(...rows.slice(0, MOST_ATTENTION).map(({ node, rank, kind, name }) => {
    const key = element("span", { class: "key" });
    key.dataset.state = kind.state;
    return element("tr", {},
      element("td", {}, element("span", { class: "mark" }, key, name)),
      element("td", { text: node.name }), element("td", { text: stateText(node, rank) }),
      element("td", { class: "number", text: rank.since > 0 && node.state !== "lost" ? duration(now() - rank.since) : "–" }),
      element("td", { class: "number", text: String(rank.restarts) }),
      element("td", { class: "number", text: rank.step >= 0 ? rank.step.toLocaleString("en") : "–" }));
  }));
}

function rankRange(ranks) {
  const numbers = ranks.map((rank) => rank.rank).filter((rank) => rank >= 0);
  if (numbers.length === 0) return plural(ranks.length, "spare process").replace("processs", "processes");
  const first = Math.min(...numbers);
  const last = Math.max(...numbers);
  return first === last ? `rank ${first}` : `ranks ${first}–${last}`;
}

// ---- Incidents, reports, sections, events ----

/** Events that follow each other closely are one incident, if a fault is among them or something was asked for. */
function incidents() {
  const found = [];
  let current = null;
  for (const event of job.events.values()) {
    if (!STEPS.has(event.kind)) continue;
    const begins = FAULTS.has(event.kind) || ["cycle", "drain", "scale", "restart"].includes(event.kind);
    if (current && event.time - current.end < INCIDENT_GAP) {
      current.events.push(event);
      current.end = Math.max(current.end, event.time);
    } else if (begins) {
      current = { begin: event.time, end: event.time, events: [event] };
      found.push(current);
    } else {
      current = null;
    }
  }
  return found;
}

const openIncidents = new Set();

function renderIncidents() {
  const all = incidents();
  $("no-incidents").hidden = all.length > 0;
  renderAxis(all);
  $("incidents").replaceChildren(...all.slice(-50).reverse().map((incident) => {
    const first = incident.events.find((event) => FAULTS.has(event.kind)) || incident.events[0];
    const restarts = incident.events.filter((event) => event.kind === "restart").length;
    const more = [];
    if (restarts > 0) more.push(plural(restarts, "restart"));
    if (incident.events.some((event) => event.kind === "cycle")) more.push("new cycle");
    more.push(plural(incident.events.length, "event"));
    const details = element("details", {},
      element("summary", {}, element("span", { class: "when", text: stamp(incident.begin) }),
        element("span", { class: "what", text: first.text }), element("span", { class: "more", text: more.join(", ") })),
      element("ol", { class: "steps" }, ...incident.events.map((event) =>
        element("li", { class: FAULTS.has(event.kind) ? "failed" : "" },
          element("span", { class: "offset", text: "+" + ((event.time - incident.begin) / 1000).toFixed(1) + " s" }),
          `${event.text} `, element("span", { class: "offset", text: event.node })))));
    const key = incident.events[0].number;
    details.open = openIncidents.has(key);
    details.addEventListener("toggle", () => details.open ? openIncidents.add(key) : openIncidents.delete(key));
    return details;
  }));
}

function svg(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function renderAxis(all) {
  const axis = $("axis");
  const width = axis.parentElement.clientWidth - 36;
  const events = [...job.events.values()];
  axis.toggleAttribute("hidden", all.length === 0);
  if (all.length === 0 || width <= 0) return;
  const begin = events[0].time;
  const end = Math.max(now(), begin + 60_000);
  const x = (time) => 8 + (time - begin) / (end - begin) * (width - 16);
  axis.setAttribute("viewBox", `0 0 ${width} 46`);
  const steps = [1e4, 3e4, 6e4, 3e5, 6e5, 1.8e6, 3.6e6, 1.08e7, 2.16e7, 4.32e7, 8.64e7];
  const step = steps.find((each) => (end - begin) / each <= width / 110) || 8.64e7 * Math.ceil((end - begin) / 8.64e7 / (width / 110));
  const marks = [svg("line", { x1: 0, x2: width, y1: 16, y2: 16 })];
  for (let time = Math.ceil(begin / step) * step; time <= end; time += step) {
    const place = x(time);
    if (place < 30 || place > width - 30) continue;
    marks.push(svg("line", { x1: place, x2: place, y1: 16, y2: 22 }),
      svg("text", { x: place, y: 36, "text-anchor": "middle" }, step < 6e4 ? clock(time) : clock(time).slice(0, 5)));
  }
  for (const incident of all) {
    const hasFault = incident.events.some((event) => FAULTS.has(event.kind));
    const dot = svg("circle", { cx: x(incident.begin), cy: 16, r: Math.min(9, 4 + Math.sqrt(incident.events.length)), class: hasFault ? "failed" : "", "fill-opacity": 0.8 });
    dot.append(svg("title", {}, `${stamp(incident.begin)} ${incident.events[0].text}`));
    marks.push(dot);
  }
  axis.replaceChildren(...marks);
}

const openReports = new Set();

/** A report may have more than what is shown first: all of it can be opened. */
function renderReports() {
  const reports = [...job.reports].reverse();
  $("reports-box").hidden = reports.length === 0;
  $("reports").replaceChildren(...reports.slice(0, 50).map(([number, report]) => {
    const text = (value) => typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
    const list = (value) => Array.isArray(value) ? value : [];
    const suggestion = text(report.suggestion).toLowerCase().replaceAll("_", " ");
    const first = text(report.first) + (report.node ? ` on ${text(report.node)}` : "");
    const began = Number(report.began) || 0;
    const body = element("div", { class: "report" });
    if (suggestion) body.append(element("p", {}, element("b", { text: "Suggestion: " + suggestion }), report.why ? ", as " + text(report.why) : ""));
    if (report.external) body.append(element("p", { text: "Attribution service: " + text(report.external.action || report.external) + (report.external.reason ? ", " + text(report.external.reason) : "") }));
    if (list(report.evidence).length > 0) body.append(element("ul", {}, ...list(report.evidence).map((each) => element("li", { text: text(each) }))));
    if (list(report.followers).length > 0) body.append(element("p", { text: `Followed: ${list(report.followers).map(text).join(", ")}` }));
    if (list(report.others).length > 0) body.append(element("p", { text: `Besides: ${list(report.others).map(text).join("; ")}` }));
    body.append(element("details", {}, element("summary", {}, element("span", { text: "As JSON" })), element("pre", { text: JSON.stringify(report, null, 2) })));
    const details = element("details", {},
      element("summary", {}, element("span", { class: "when", text: began ? stamp(began) : "report " + number }),
        element("span", { class: "what" }, element("span", { class: "verdict", text: text(report.verdict) || "report" }), first.trim() ? "  first " + first : ""),
        element("span", { class: "more", text: suggestion || "report " + number })), body);
    details.open = openReports.has(number);
    details.addEventListener("toggle", () => details.open ? openReports.add(number) : openReports.delete(number));
    return details;
  }));
}

function renderSections() {
  const sections = [...job.sections.values()].sort((one, other) => one.name < other.name ? -1 : 1);
  $("sections-box").hidden = sections.length === 0;
  $("sections").replaceChildren(...sections.map((section) => {
    const share = section.limit > 0 ? Math.min(1, section.longest / section.limit) : 0;
    const bar = svg("svg", { class: "bar", viewBox: "0 0 160 8" });
    bar.append(svg("rect", { class: "track", width: 160, height: 8, rx: 4 }),
      svg("rect", { class: share > 0.8 ? "near" : "", width: 160 * share, height: 8, rx: 4 }));
    const number = (ms) => element("td", { class: "number", text: ms > 0 ? fine(ms) : "–" });
    return element("tr", {}, element("td", { text: section.name || "between heartbeats" }), number(section.p50), number(section.p99), number(section.longest),
      number(section.limit), element("td", {}, section.limit > 0 ? bar : ""));
  }));
}

function renderEvents() {
  const wanted = $("filter").value.toLowerCase();
  const rows = [...job.events.values()].reverse().filter((event) =>
    !wanted || event.text.toLowerCase().includes(wanted) || event.node.toLowerCase().includes(wanted) || event.kind.includes(wanted));
  $("events").replaceChildren(...rows.slice(0, MOST_ROWS).map((event) => element("tr", {},
    element("td", { class: "time", text: stamp(event.time) }), element("td", { class: "node", text: event.node, title: event.node }),
    element("td", { text: event.text }))));
}

function render() {
  if (!dirty.map && !dirty.lists) return;
  const counts = count();
  renderHead(counts);
  renderLegend(counts);
  map.draw();
  renderInspector();
  renderAttention();
  if (dirty.lists) {
    renderIncidents();
    renderReports();
    renderSections();
    renderEvents();
  }
  dirty = { map: false, lists: false };
}

// ---- Actions ----

let pending = null;

function ask(action, title, text, parameters) {
  pending = { action, parameters };
  $("dialog-title").textContent = title;
  $("dialog-text").textContent = text;
  $("range").hidden = action !== "scale";
  $("answer").textContent = "";
  $("go").disabled = false;
  $("dialog").showModal();
}

$("restart").addEventListener("click", () => ask("restart", "Restart all ranks?", "All ranks of all nodes end with SIGTERM and their grace, and start again in the next cycle.", () => ({})));
$("scale").addEventListener("click", () => {
  $("min").value = job.status.founders;
  $("max").value = job.status.nodes.length;
  ask("scale", "Scale the job", "How many nodes take part from now on.", () => ({ min: Number($("min").value), max: Number($("max").value) }));
});
$("go").addEventListener("click", async () => {
  $("go").disabled = true;
  try {
    const response = await fetch("actions/" + pending.action, {
      method: "POST", headers: { "Content-Type": "application/json", Authorization: "Bearer " + $("token").value.trim() },
      body: JSON.stringify(pending.parameters()),
    });
    $("answer").textContent = await response.text();
    $("go").disabled = response.ok;
  } catch {
    $("answer").textContent = "The agent does not answer.";
    $("go").disabled = false;
  }
});

// ---- Input ----

const canvas = $("map");
const tip = $("tip");
canvas.addEventListener("mousemove", (event) => {
  const box = canvas.getBoundingClientRect();
  const found = map.at(event.clientX - box.left, event.clientY - box.top);
  tip.hidden = !found;
  if (found) {
    const lines = describe(found.node, found.rank);
    tip.textContent = `${lines[0]}, ${found.node.name}\n${lines[1]}` + (lines[2] ? `\n${lines[2]}` : "");
    tip.style.left = Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 4) + "px";
    tip.style.top = event.clientY - box.top + 16 + "px";
  }
});
canvas.addEventListener("mouseleave", () => { tip.hidden = true; });
canvas.addEventListener("click", (event) => {
  const box = canvas.getBoundingClientRect();
  const found = map.at(event.clientX - box.left, event.clientY - box.top);
  map.selected = found && { node: found.node.name, process: found.rank.process };
  dirty.map = true;
  requestAnimationFrame(render);
});
canvas.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key];
  if (!by) return;
  event.preventDefault();
  map.move(by);
  dirty.map = true;
  requestAnimationFrame(render);
});
$("filter").addEventListener("input", renderEvents);
const redraw = () => {
  dirty = { map: true, lists: true };
  requestAnimationFrame(render);
};
new ResizeObserver(redraw).observe(canvas.parentElement);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
setInterval(() => {
  dirty.map = true;
  requestAnimationFrame(render);
}, 1000);

// ---- Connection ----

let silence = 0;

function heard() {
  clearTimeout(silence);
  silence = 0;
}

function connect() {
  const source = new EventSource("updates");
  source.addEventListener("message", (event) => {
    heard();
    connected = true;
    everConnected = true;
    receive(JSON.parse(event.data));
  });
  source.addEventListener("open", heard);
  source.addEventListener("error", () => {
    // Streams end now and then, and begin again at once.
    if (silence === 0) {
      silence = setTimeout(() => {
        connected = false;
        dirty.map = true;
        requestAnimationFrame(render);
      }, 4000);
    }
    // A browser does not try again after an answer other than a stream, as when too many pages are open.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 5000);
  });
}

connect();
