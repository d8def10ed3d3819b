// How numbers, times and elements are written. Texts come from exceptions, host names and logs, so they only ever become text nodes.

export const $ = (id) => document.getElementById(id);

export function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  if (options.class) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.title) made.title = options.title;
  made.append(...children);
  return made;
}

export function svg(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Returns a key of the map: a small square in the colour of a state. */
export function key(state) {
  const made = element("span", { class: "key" });
  made.dataset.state = state;
  return made;
}

export function duration(ms) {
  if (ms < 0) return "0 s";
  if (ms < 9_950) return (ms / 1000).toFixed(1) + " s";
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return seconds + " s";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min` + (minutes < 10 && seconds % 60 ? ` ${seconds % 60} s` : "");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const fine = (ms) => ms < 1000 ? Number(ms.toPrecision(3)) + " ms" : duration(ms);
export const number = (value) => value.toLocaleString("en");
export const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

export function perSecond(speed) {
  return (speed >= 10 ? number(Math.round(speed)) : String(Number(speed.toPrecision(2)))) + " steps/s";
}

export const clock = (ms) => new Date(ms).toLocaleTimeString("en-GB");
export const day = (ms) => new Date(ms).toLocaleDateString("en-CA");
export const stamp = (ms) => day(ms) === day(Date.now()) ? clock(ms) : day(ms) + " " + clock(ms);

/** Returns the name of the time zone in which all times are shown. */
export function zone() {
  const minutes = -new Date().getTimezoneOffset();
  const digits = (value) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const offset = minutes === 0 ? "" : (minutes < 0 ? "−" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60);
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `UTC${offset}` + (name && name !== "UTC" ? ` (${name})` : "");
}
