// Draws all ranks of a job on a canvas: each node is a block of cells, one for each of its processes. The more there are, the smaller
// the cells, and the less is written into them.

const CARD = { width: 224, height: 66, gap: 8 };
const SIZES = [56, 46, 38, 30, 24, 20, 16, 13, 11, 9, 8, 7, 6, 5];
const MOST_CARDS = 16;
const TALLEST = 620;
const WIDEST_BLOCK = 8;
const WIDEST_CARDS = 4;
const CAPTION = 17;
const GUTTER = 46;

/** Returns where each process of each node is drawn. */
function arrange(nodes, width) {
  const cells = nodes.reduce((sum, node) => sum + node.ranks.length, 0);
  if (cells <= MOST_CARDS) {
    return place(nodes, width, { ...CARD, caption: CAPTION, space: 18, gutter: 0, cards: true, size: CARD.height });
  }
  let last;
  for (const size of SIZES) {
    const captioned = size >= 16;
    last = place(nodes, width, {
      width: size, height: size, gap: size >= 13 ? 3 : size >= 8 ? 2 : 1, caption: captioned ? CAPTION : 0,
      space: size >= 16 ? 14 : size >= 9 ? 8 : 5, gutter: captioned ? 0 : GUTTER, cards: false, size,
    });
    if (last.height <= TALLEST) break;
  }
  return last;
}

function place(nodes, width, style) {
  const boxes = [];
  const most = nodes.reduce((longest, node) => Math.max(longest, node.ranks.length), 1);
  const fitting = Math.max(1, Math.floor((width - style.gutter + style.gap) / (style.width + style.gap)));
  const columns = Math.min(style.cards ? WIDEST_CARDS : style.size >= 16 ? WIDEST_BLOCK : 4, most, fitting);
  const blockWidth = columns * (style.width + style.gap) - style.gap;
  const lines = Math.ceil(most / columns);
  const blockHeight = style.caption + lines * (style.height + style.gap) - style.gap;
  const perRow = Math.max(1, Math.floor((width - style.gutter + style.space) / (blockWidth + style.space)));
  const rowHeight = blockHeight + style.space;
  nodes.forEach((node, index) => {
    const x = style.gutter + (index % perRow) * (blockWidth + style.space);
    const y = Math.floor(index / perRow) * rowHeight;
    boxes.push({ node, x, y, isFirst: index % perRow === 0 });
  });
  const height = Math.ceil(nodes.length / perRow) * rowHeight - style.space;
  return { boxes, columns, blockWidth, perRow, rowHeight, height: Math.max(height, 40), style, most };
}

export class RankMap {
  constructor(canvas, classify, describe) {
    this.canvas = canvas;
    this.classify = classify;
    this.describe = describe;
    this.nodes = [];
    this.selected = null;
    this.layout = null;
  }

  setNodes(nodes) {
    this.nodes = nodes;
    this.layout = null;
  }

  cell(box, index) {
    const { style, columns } = this.layout;
    return {
      x: box.x + (index % columns) * (style.width + style.gap),
      y: box.y + style.caption + Math.floor(index / columns) * (style.height + style.gap),
      width: style.width, height: style.height,
    };
  }

  draw() {
    const width = Math.floor(this.canvas.parentElement.clientWidth);
    if (width === 0) return;
    if (this.layout === null || this.layout.forWidth !== width) {
      this.layout = arrange(this.nodes, width);
      this.layout.forWidth = width;
    }
    const ratio = window.devicePixelRatio || 1;
    const height = Math.ceil(this.layout.height + 2);
    if (this.canvas.width !== width * ratio || this.canvas.height !== Math.ceil(height * ratio)) {
      this.canvas.width = width * ratio;
      this.canvas.height = Math.ceil(height * ratio);
      this.canvas.style.height = height + "px";
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const colours = palette(this.canvas);
    const font = getComputedStyle(this.canvas).fontFamily;
    for (const box of this.layout.boxes) this.drawNode(pen, box, colours, font);
    this.drawSelection(pen, colours);
  }

  drawNode(pen, box, colours, font) {
    const { style, blockWidth } = this.layout;
    if (style.caption > 0) {
      pen.font = `500 11.5px ${font}`;
      pen.textAlign = "left";
      pen.textBaseline = "alphabetic";
      pen.fillStyle = box.node.state === "lost" ? colours.failed : colours.soft;
      const part = box.node.group === undefined ? "waits: " : box.node.founder ? "" : "spare: ";
      pen.fillText(fit(pen, part + box.node.name, blockWidth), box.x, box.y + 11);
    } else if (box.isFirst && box.node.ranks.length > 0) {
      pen.font = `10px ${font}`;
      pen.textAlign = "right";
      pen.textBaseline = "middle";
      pen.fillStyle = colours.faint;
      const rank = box.node.ranks[0].rank;
      pen.fillText(rank < 0 ? "" : rank.toLocaleString("en"), style.gutter - 10, box.y + style.height / 2 + 1);
    }
    box.node.ranks.forEach((rank, index) => this.drawRank(pen, box, rank, index, colours, font));
  }

  drawRank(pen, box, rank, index, colours, font) {
    const { style } = this.layout;
    const place = this.cell(box, index);
    const kind = this.classify(box.node, rank);
    const radius = style.size >= 13 ? (style.cards ? 7 : 4) : style.size >= 8 ? 2 : 0;
    pen.beginPath();
    pen.roundRect(place.x, place.y, place.width, place.height, radius);
    if (kind.state === "idle") {
      pen.fillStyle = colours.ground;
      pen.fill();
      pen.lineWidth = 1;
      pen.strokeStyle = style.size >= 8 ? colours.faint : colours.idle;
      pen.stroke();
    } else {
      pen.fillStyle = colours[kind.state];
      pen.fill();
    }
    if (kind.fresh) {
      const inset = style.size >= 13 ? 1.5 : 0.5;
      pen.beginPath();
      pen.roundRect(place.x + inset, place.y + inset, place.width - 2 * inset, place.height - 2 * inset, Math.max(0, radius - 1));
      pen.lineWidth = style.size >= 13 ? 3 : 1.5;
      pen.strokeStyle = colours.fresh;
      pen.stroke();
    }
    pen.fillStyle = kind.state === "idle" ? colours.soft : colours[kind.state + "Text"];
    if (style.cards) {
      this.drawCard(pen, place, box.node, rank, font);
    } else if (style.size >= 20) {
      const text = rank.rank >= 0 ? String(rank.rank) : rank.active >= 0 ? String(rank.active) : "s";
      const size = Math.min(style.size * 0.36, (style.width - 4) / (0.6 * text.length));
      if (size >= 7) {
        pen.font = `500 ${size}px ${font}`;
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.fillText(text, place.x + place.width / 2, place.y + place.height / 2 + 0.5);
      }
    }
  }

  drawCard(pen, place, node, rank, font) {
    const lines = this.describe(node, rank);
    const inner = place.width - 24;
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.font = `650 14px ${font}`;
    pen.fillText(fit(pen, lines[0], inner), place.x + 12, place.y + 23);
    pen.font = `12px ${font}`;
    pen.fillText(fit(pen, lines[1], inner), place.x + 12, place.y + 40);
    pen.fillText(fit(pen, lines[2], inner), place.x + 12, place.y + 55);
  }

  drawSelection(pen, colours) {
    const box = this.selected && this.layout.boxes.find((each) => each.node.name === this.selected.node);
    const index = box ? box.node.ranks.findIndex((rank) => rank.process === this.selected.process) : -1;
    if (index < 0) return;
    const place = this.cell(box, index);
    pen.lineWidth = 2;
    pen.strokeStyle = colours.text;
    pen.beginPath();
    pen.roundRect(place.x - 1, place.y - 1, place.width + 2, place.height + 2, 4);
    pen.stroke();
  }

  /** Returns the node and the process at a place of the canvas; null if none is there. */
  at(x, y) {
    if (this.layout === null) return null;
    const { style, columns, blockWidth, perRow, rowHeight } = this.layout;
    const column = Math.floor((x - style.gutter) / (blockWidth + style.space));
    const row = Math.floor(y / rowHeight);
    const box = column < 0 || column >= perRow ? undefined : this.layout.boxes[row * perRow + column];
    if (!box) return null;
    const inX = Math.floor((x - box.x) / (style.width + style.gap));
    const inY = Math.floor((y - box.y - style.caption) / (style.height + style.gap));
    const rank = inX < 0 || inX >= columns || inY < 0 ? undefined : box.node.ranks[inY * columns + inX];
    return rank ? { node: box.node, rank } : null;
  }

  /** Selects another process, so many further. */
  move(by) {
    const all = this.nodes.flatMap((node) => node.ranks.map((rank) => ({ node: node.name, process: rank.process })));
    const now = all.findIndex((each) => this.selected && each.node === this.selected.node && each.process === this.selected.process);
    const next = all[Math.min(all.length - 1, Math.max(0, now + by))];
    this.selected = next || null;
  }
}

function fit(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && pen.measureText(text.slice(0, end) + "…").width > width) end--;
  return text.slice(0, end) + "…";
}

function palette(element) {
  const style = getComputedStyle(element);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    running: colour("--running"), runningText: colour("--running-text"), failed: colour("--failed"), failedText: colour("--failed-text"),
    stopping: colour("--stopping"), stoppingText: colour("--stopping-text"), completed: colour("--completed"),
    completedText: colour("--completed-text"), spare: colour("--spare"), spareText: colour("--spare-text"), idle: colour("--idle"), fresh: colour("--fresh"), text: colour("--text"),
    soft: colour("--soft"), faint: colour("--faint"), ground: colour("--ground"),
  };
}
