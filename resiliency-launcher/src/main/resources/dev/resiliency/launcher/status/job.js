// What is known of a job, as its agents write it to the store, and the words for it.

import { duration, number, perSecond, plural } from "./text.js";

/** States of a node whose processes have ended on purpose. */
const LEAVES = new Set(["drained", "left", "completed"]);
const FRESH = 60_000;
/** Agents write heartbeats every few seconds. */
const SILENT = 15_000;
const MOST_EVENTS = 1000;
const MOST_REPORTS = 100;
const MOST_STEPS = 2000;
/** For how long a speed is that of now. */
const RECENT = 60_000;

export const job = {
  status: null, nodes: [], ranks: new Map(), events: new Map(), reports: new Map(), sections: new Map(), steps: [],
  lost: null, name: "", skew: 0, canAct: false,
};

/** Returns the time by the clock of the server. */
export const now = () => Date.now() + job.skew;

/** Takes over what has changed; returns whether more than ranks has. */
export function receive(update) {
  if (update.first) {
    for (const known of [job.ranks, job.events, job.reports, job.sections]) known.clear();
    job.steps = [];
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
  job.steps = job.steps.concat(update.steps).slice(-MOST_STEPS);
  trim(job.events, MOST_EVENTS, (oldest) => oldest === 1); // by the first, the job has begun
  trim(job.reports, MOST_REPORTS, () => false);
  job.nodes = (job.status ? job.status.nodes : []).map((node) => ({ ...node, ranks: ranksOf(node) }));
  return Boolean(update.first || update.status || update.events.length || update.reports.length || update.sections.length);
}

function trim(map, most, isKept) {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    if (!isKept(oldest)) map.delete(oldest);
  }
}

function rankOf(fields) {
  const [process, rank, state, pid, restarts, since, step, section, sectionSince, heartbeat, iteration, active] = fields;
  return { process, rank, state, pid, restarts, since, step, section, sectionSince, heartbeat, iteration, active };
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
    rankOf([process, node.founder ? node.firstRank + process : -1, "", 0, 0, 0, -1, "", 0, 0, -1, -1]));
}

// ---- Ranks ----

/** Returns whether a process is one of the ranks that the job counts; a spare is once it has stepped in. */
const isRank = (rank) => rank.rank >= 0 || rank.active >= 0;

/** A spare, or a rank that the wrapper has made a reserve. */
const isReserve = (rank) => rank.active < 0 && (rank.iteration >= 0 || rank.rank < 0);

export function classify(node, rank) {
  if (node.state === "lost") return { state: "failed", fresh: false };
  if (LEAVES.has(node.state)) return { state: "completed", fresh: false };
  switch (rank.state) {
    case "running":
      return isReserve(rank) ? { state: "spare", fresh: false } : { state: "running", fresh: rank.restarts > 0 && now() - rank.since < FRESH };
    case "joining": return { state: "spare", fresh: false };
    case "completed": case "left": return { state: "completed", fresh: false };
    case "asking": case "waiting": case "failed": return { state: "failed", fresh: false };
    case "stopping": case "killed": return { state: "stopping", fresh: false };
    default: return { state: rank.rank < 0 ? "spare" : "idle", fresh: false };
  }
}

export function stateText(node, rank) {
  if (node.state === "lost") return "lost with its node";
  if (node.state === "drained") return "left (drained)";
  if (LEAVES.has(node.state)) return node.state; // its agent may have ended before it said so of each rank
  if (node.group === undefined) return "its node waits";
  switch (rank.state) {
    case "running": return isReserve(rank) ? "waits to step in" : "running";
    case "joining": return "waits to join";
    case "asking": return "failed; to be started again";
    case "waiting": return "failed; starts again soon";
    case "stopping": return "asked to end";
    case "killed": return "killed";
    case "idle": return rank.rank < 0 ? "not started yet" : "not started";
    case "": return "its agent has not reported yet";
    default: return rank.state;
  }
}

export const rankName = (node, rank) => rank.rank >= 0 ? `rank ${rank.rank}`
  : node.group === undefined ? `process ${rank.process}` : `spare ${node.group}.${rank.process}`;

/** What it does, for the three lines of a card. */
export function describe(node, rank) {
  const text = stateText(node, rank);
  const doing = text !== "running" ? text : rank.rank < 0 ? `active rank ${rank.active}` : rank.section || text;
  const silence = rank.heartbeat > 0 ? now() - rank.heartbeat : 0;
  const last = silence > SILENT ? `no heartbeat for ${duration(silence)}`
    : rank.step >= 0 ? "step " + number(rank.step)
    : rank.since > 0 && (text !== "completed" || rank.state === text) ? "for " + duration(now() - rank.since) : "";
  return [rankName(node, rank), doing, last];
}

/** Counts ranks by their state, and those that wait to be one. */
export function count() {
  const counts = { running: 0, failed: 0, stopping: 0, completed: 0, spare: 0, idle: 0, fresh: 0, step: -1 };
  for (const node of job.nodes) {
    for (const rank of node.ranks) {
      const kind = classify(node, rank);
      if (isRank(rank) || kind.state === "spare") counts[kind.state]++;
      if (kind.fresh) counts.fresh++;
      if (kind.state === "running") counts.step = Math.max(counts.step, rank.step);
    }
  }
  return counts;
}

// ---- The whole job ----

/** Returns how fast the job was at which times; a step that went back begins anew. */
export function speeds() {
  const found = [];
  for (let i = 1; i < job.steps.length; i++) {
    const [before, from] = job.steps[i - 1];
    const [time, to] = job.steps[i];
    found.push({ before, time, speed: to >= from ? (to - from) * 1000 / (time - before) : null });
  }
  return found;
}

function speedNow() {
  const latest = speeds().filter(({ time, speed }) => speed !== null && now() - time < RECENT).slice(-3);
  return latest.length === 0 ? null : latest.reduce((sum, { speed }) => sum + speed, 0) / latest.length;
}

/** Returns what a person wants to know first; the command has the same in Java. */
export function headline(counts, last) {
  const worldSize = job.status.worldSize;
  const parts = [counts.running > worldSize ? `training with ${plural(counts.running, "rank")}`
    : counts.running > 0 ? `training with ${number(counts.running)} of ${plural(worldSize, "rank")}`
    : counts.failed > 0 ? "no rank is training" : counts.completed > 0 ? "completed" : "starting"];
  if (counts.step >= 0) parts.push("step " + number(counts.step));
  const speed = counts.running > 0 ? speedNow() : null;
  if (speed !== null) parts.push(perSecond(speed));
  if (last) parts.push(`last interruption ${duration(now() - last.begin)} ago (${last.short})`);
  const first = job.events.get(1) || job.events.values().next().value;
  if (first) parts.push(duration(now() - first.time) + " since start");
  return parts.join(", ");
}
