// Shows a job: receives what has changed, and changes as much of the page.

import { ask } from "./actions.js";
import { interruptions, render as renderInterruptions, show } from "./interruptions.js";
import { classify, count, describe, headline, job, now, rankName, receive, speeds, stateText } from "./job.js";
import { RankMap } from "./map.js";
import { drawTimeline } from "./timeline.js";
import { $, duration, element, fine, key, number, plural, stamp, svg, zone } from "./text.js";

const MOST_ROWS = 200;
const MOST_ATTENTION = 100;
const LABELS = {
  running: "running", failed: "failed or lost", stopping: "stopping", completed: "completed", spare: "spare or waiting", idle: "not started",
  fresh: "started again just now",
};

const map = new RankMap($("map"), classify, describe);
let entries = [];
let connected = false;
let everConnected = false;
let dirty = { map: true, lists: true, timeline: true };

function changed(what) {
  dirty = { map: true, lists: dirty.lists || Boolean(what.lists), timeline: dirty.timeline || Boolean(what.timeline) };
  requestAnimationFrame(render);
}

function render() {
  if (!dirty.map && !dirty.lists) return;
  if (dirty.lists) entries = interruptions(job.events, job.reports);
  const counts = count();
  renderHead(counts);
  renderLegend(counts);
  map.draw();
  renderInspector();
  renderAttention();
  if (dirty.timeline || dirty.lists) renderTimeline();
  if (dirty.lists) {
    renderInterruptions($("interruptions"), entries);
    $("no-interruptions").hidden = entries.length > 0;
    renderSections();
    renderEvents();
  }
  dirty = { map: false, lists: false, timeline: false };
}

// ---- The head ----

function renderHead(counts) {
  const status = job.status;
  document.title = `${job.name} – resiliency`;
  $("job").textContent = job.name;
  const ended = status && status.end;
  const pill = $("health");
  const [state, text] = health(counts, ended);
  pill.dataset.state = state;
  pill.textContent = text;
  if (status) {
    $("headline").textContent = ended ? "ended with exit code " + ended : headline(counts, entries.findLast((entry) => entry.isFault));
    const there = status.nodes.filter((node) => node.state === "runs").length;
    const facts = [`${number(there)} of ${plural(status.nodes.length, "node")} here`];
    facts.push(`policy ${status.policy}`, `cycle ${status.cycle}`, plural(status.restarts, "restart") + " spent", `times in ${zone()}`);
    $("facts").textContent = facts.join("  ·  ");
  }
  $("actions").hidden = !job.canAct || Boolean(ended);
  const banner = $("banner");
  banner.hidden = !job.lost && (connected || !everConnected);
  banner.textContent = job.lost ? `The store of the job is gone: ${job.lost}. What is shown is how the job was.`
    : "No connection to the agent that serves this page. What is shown may be out of date; it goes on by itself when the agent is back.";
}

function health(counts, ended) {
  if (!everConnected) return ["idle", "connecting"];
  if (!connected) return ["failed", "no connection"];
  if (job.lost) return ["failed", "store lost"];
  if (!job.status) return ["idle", "no agent has joined yet"];
  if (ended) return [ended.startsWith("0 ") ? "completed" : "failed", "ended"];
  if (counts.failed > 0) return ["failed", plural(counts.failed, "rank") + " down"];
  if (counts.stopping > 0) return ["stopping", "stopping"];
  if (counts.running > 0) return ["running", "running"];
  return counts.completed > 0 ? ["completed", "completed"] : ["idle", "starting"];
}

// ---- Ranks ----

function renderLegend(counts) {
  const shown = Object.keys(LABELS).filter((state) => counts[state] > 0 || state === "running");
  $("legend").replaceChildren(...shown.map((state) =>
    element("li", {}, key(state), element("b", { text: number(counts[state]) }), LABELS[state])));
}

function find(selected) {
  const node = selected && job.nodes.find((each) => each.name === selected.node);
  const rank = node && node.ranks.find((each) => each.process === selected.process);
  return rank ? { node, rank } : null;
}

function renderInspector() {
  const box = $("inspector");
  const found = find(map.selected);
  if (!found) {
    box.replaceChildren(element("p", { class: "empty", text: "Choose a rank to see what it does." }));
    return;
  }
  const { node, rank } = found;
  const rows = [["State", stateText(node, rank)]];
  if (rank.since > 0) rows.push(["Since", duration(now() - rank.since)]);
  if (rank.section) rows.push(["Section", rank.section], ["Open for", duration(now() - rank.sectionSince)]);
  if (rank.step >= 0) rows.push(["Step", number(rank.step)]);
  if (rank.active >= 0 && rank.active !== rank.rank) rows.push(["Active rank", String(rank.active)]);
  if (rank.iteration >= 0) rows.push(["Iteration", String(rank.iteration)]);
  if (rank.heartbeat > 0) rows.push(["Last heartbeat", duration(now() - rank.heartbeat) + " ago"]);
  rows.push(["Restarts", String(rank.restarts)]);
  if (rank.pid > 0) rows.push(["Process", String(rank.pid)]);
  if (node.group !== undefined) rows.push(["Group rank", String(node.group)]);
  if (node.domain) rows.push(["Domain", node.domain]);
  const name = rankName(node, rank);
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
  for (const node of job.nodes) {
    const down = node.ranks.map((rank) => ({ node, rank, kind: classify(node, rank) }))
      .filter(({ kind }) => kind.state === "failed" || kind.state === "stopping");
    if (node.state === "lost" && down.length > 0) rows.push({ ...down[0], name: range(node) });
    else rows.push(...down.map((row) => ({ ...row, name: rankName(node, row.rank) })));
  }
  $("attention-box").hidden = rows.length === 0;
  $("attention-title").textContent = "Not running" + (rows.length > MOST_ATTENTION ? `: the first ${MOST_ATTENTION} of ${number(rows.length)}` : "");
  $("attention").replaceChildren(...rows.slice(0, MOST_ATTENTION).map(({ node, rank, kind, name }) =>
    element("tr", {},
      element("td", {}, element("span", { class: "mark" }, key(kind.state), name)),
      element("td", { text: node.name }), element("td", { text: stateText(node, rank) }),
      element("td", { class: "number", text: rank.since > 0 && node.state !== "lost" ? duration(now() - rank.since) : "–" }),
      element("td", { class: "number extra", text: String(rank.restarts) }),
      element("td", { class: "number extra", text: rank.step >= 0 ? number(rank.step) : "–" }))));
}

function range(node) {
  const numbers = node.ranks.map((rank) => rank.rank).filter((rank) => rank >= 0);
  if (numbers.length === 0) return plural(node.ranks.length, "spare");
  const first = Math.min(...numbers);
  const last = Math.max(...numbers);
  return first === last ? `rank ${first}` : `ranks ${first}–${last}`;
}

// ---- Time, sections, events ----

function renderTimeline() {
  const first = job.events.get(1) || job.events.values().next().value;
  const begin = first ? first.time : now() - 60_000;
  drawTimeline($("axis"), {
    begin, end: Math.max(now(), begin + 60_000), speeds: speeds(), entries, choose: (wanted) => show($("interruptions"), wanted),
  });
}

function renderSections() {
  const sections = [...job.sections.values()].sort((one, other) => one.name < other.name ? -1 : 1);
  $("sections-box").hidden = sections.length === 0;
  $("sections").replaceChildren(...sections.map((section) => {
    const share = section.limit > 0 ? Math.min(1, section.longest / section.limit) : 0;
    const bar = svg("svg", { class: "bar", viewBox: "0 0 160 8" });
    bar.append(svg("rect", { class: "track", width: 160, height: 8, rx: 4 }),
      svg("rect", { class: share > 0.8 ? "near" : "", width: 160 * share, height: 8, rx: 4 }));
    const time = (ms) => element("td", { class: "number", text: ms > 0 ? fine(ms) : "–" });
    return element("tr", {}, element("td", { text: section.name || "between heartbeats" }), time(section.p50), time(section.p99), time(section.longest),
      time(section.limit), element("td", { class: "extra" }, section.limit > 0 ? bar : ""));
  }));
}

function renderEvents() {
  const wanted = $("filter").value.toLowerCase();
  const rows = [...job.events.values()].reverse().filter((event) =>
    !wanted || event.text.toLowerCase().includes(wanted) || event.node.toLowerCase().includes(wanted) || event.kind.includes(wanted));
  $("events").replaceChildren(...rows.slice(0, MOST_ROWS).map((event) => element("tr", {},
    element("td", { class: "time", text: stamp(event.time) }), element("td", { class: "node", text: event.node }),
    element("td", { text: event.text }))));
}

// ---- Input ----

const canvas = $("map");
const tip = $("tip");

function under(event) {
  const box = canvas.getBoundingClientRect();
  return map.at(event.clientX - box.left, event.clientY - box.top);
}

canvas.addEventListener("pointermove", (event) => {
  const found = event.pointerType === "mouse" && under(event); // a finger covers what it would say
  tip.hidden = !found;
  if (found) {
    const box = canvas.getBoundingClientRect();
    const lines = describe(found.node, found.rank);
    tip.textContent = `${lines[0]}, ${found.node.name}\n${lines[1]}` + (lines[2] ? `\n${lines[2]}` : "");
    tip.style.left = Math.max(0, Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 4)) + "px";
    tip.style.top = event.clientY - box.top + 16 + "px";
  }
});
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
canvas.addEventListener("click", (event) => {
  const found = under(event);
  map.selected = found && { node: found.node.name, process: found.rank.process };
  changed({});
});
canvas.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key];
  if (!by) return;
  event.preventDefault();
  map.move(by);
  changed({});
});
$("filter").addEventListener("input", renderEvents);
new ResizeObserver(() => changed({ timeline: true })).observe(canvas.parentElement);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => changed({}));
setInterval(() => changed({}), 1000);
setInterval(() => changed({ timeline: true }), 10_000);

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
    const update = JSON.parse(event.data);
    const lists = receive(update);
    map.setNodes(job.nodes);
    changed({ lists, timeline: update.steps.length > 0 });
  });
  source.addEventListener("open", heard);
  source.addEventListener("error", () => {
    // Streams end now and then, and begin again at once.
    if (silence === 0) {
      silence = setTimeout(() => {
        connected = false;
        changed({});
      }, 4000);
    }
    // A browser does not try again after an answer other than a stream, as when too many pages are open.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 5000);
  });
}

connect();
