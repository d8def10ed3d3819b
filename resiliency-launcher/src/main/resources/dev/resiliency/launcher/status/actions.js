// What the page can ask of a job, in a dialog.

import { job } from "./job.js";
import { $ } from "./text.js";

let pending = null;

export function ask(action, title, text, parameters) {
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
