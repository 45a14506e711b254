"use strict";
// The page of one answer. The data is in #data; nothing is loaded from anywhere.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const report = data.report;
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const node = (name, attributes, ...children) => {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
    e.append(...children);
    return e;
  };
  const svg = (name, attributes, text) => {
    const e = document.createElementNS(SVG, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const where = (p) => (p ? data.places[p.file + ":" + p.line] : undefined);
  const place = (p) => p.file + ":" + p.line + ":" + p.column;

  // The head line.
  const words = { true: "TRUE: the error is not reached by any execution", false: "FALSE: the error is reached", unknown: "UNKNOWN" };
  const head = document.querySelector("header");
  head.className = report.verdict;
  head.append(node("h1", {}, words[report.verdict] + (report.verdict === "false" && report.position ? " at " + place(report.position) : "")));
  const how = [report.config, data.seconds.toFixed(2) + " s", data.cpu_seconds.toFixed(2) + " s CPU"].filter((x) => x).join(", ");
  head.append(node("p", {}, report.property + "  ·  " + how + "  ·  plumb " + data.version));

  // The source, with invariants in the margin.
  const rows = [];
  data.files.forEach((file, f) => {
    const lines = [];
    $("source").append(node("div", { class: "file" }, file.name));
    const all = document.createDocumentFragment();
    file.text.replace(/\n$/, "").split("\n").forEach((text, i) => {
      const row = node("div", { class: "row" }, node("span", { class: "n" }, String(i + 1)), node("span", { class: "t" }, text));
      all.append(row);
      lines.push(row);
    });
    $("source").append(all);
    rows.push(lines);
  });
  const row = (at) => (at && rows[at[0]] ? rows[at[0]][at[1] - 1] : undefined);
  for (const invariant of report.invariants) {
    const line = row(where(invariant.position));
    if (line && invariant.expressions.length) line.before(node("div", { class: "note" }, invariant.expressions.join("\n")));
  }
  if (report.verdict === "false") row(where(report.position))?.classList.add("error");

  // Tabs.
  const tabs = [];
  const tab = (name, section) => {
    const button = node("button", { type: "button", role: "tab", id: "tab-" + section }, name);
    const show = () => {
      for (const [b, s] of tabs) {
        b.setAttribute("aria-selected", String(b === button));
        $(s).hidden = s !== section;
      }
      if (section === "graph") draw();
    };
    button.onclick = show;
    tabs.push([button, section]);
    $("tabs").append(button);
    return show;
  };

  // The explanation: path, invariants, or what stood in the way.
  const positioned = (title, list, line) => {
    if (!list.length) return;
    $("answer").append(node("h2", {}, title));
    const table = node("table", {});
    list.forEach((x) => table.append(node("tr", {}, ...line(x).map((c) => node("td", { class: "v" }, c)))));
    $("answer").append(table);
  };
  let current = -1;
  let highlight = () => {};
  if (report.verdict === "false") {
    const globals = new Set(data.globals);
    const base = (name) => (/^[*(]*([A-Za-z_]\w*)/.exec(name) || [])[1];
    // What is known after each step: the frames of the calls, and the globals.
    const states = [];
    let frames = [], global = {};
    report.path.forEach((step) => {
      frames = frames.slice(0, step.depth + 1).map((f) => ({ name: f.name, values: { ...f.values } }));
      global = { ...global };
      while (frames.length <= step.depth) frames.push({ name: "", values: {} });
      frames[step.depth].name = step.position.function || "";
      const changed = new Set();
      step.assigned.forEach((a) => {
        const to = globals.has(base(a.name)) ? global : frames[step.depth].values;
        to[a.name] = a.value;
        changed.add(a.name);
      });
      states.push({ frames, global, changed });
    });
    const last = report.path.length;
    const slider = node("input", { type: "range", min: "0", max: String(last), value: "0", "aria-label": "step" });
    const count = node("span", { id: "count" });
    const button = (label, title, to) => {
      const b = node("button", { type: "button", class: "small", title, id: "step-" + title }, label);
      b.onclick = () => go(to());
      return b;
    };
    $("answer").append(node("h2", {}, "The error path, replayed from its inputs"));
    $("answer").append(node("div", { class: "controls" }, button("|◀", "first", () => 0), button("◀", "previous", () => current - 1),
      button("▶", "next", () => current + 1), button("▶|", "last", () => last), slider, count));
    const list = node("ol", { id: "steps" });
    const items = [];
    report.path.forEach((step, i) => {
      if (step.omitted) list.append(node("li", { class: "omitted" }, "… " + step.omitted + " steps like these …"));
      const says = [...step.conditions, ...step.assigned.map((a) => a.name + " = " + a.value)].join(", ");
      const item = node("li", { title: step.source.trim() }, "  ".repeat(step.depth) + step.position.line + "  " + step.source.trim() + (says ? "   // " + says : ""));
      item.onclick = () => go(i);
      items.push(item);
      list.append(item);
    });
    const depth = report.path.length ? report.path[report.path.length - 1].depth : 0;
    const end = node("li", {}, "  ".repeat(depth) + (report.position ? report.position.line + "  " : "") + "the error");
    end.onclick = () => go(last);
    items.push(end);
    list.append(end);
    const values = node("div", { id: "values" });
    $("answer").append(list, values);
    positioned("Inputs", report.inputs, (x) => [x.kind, x.name, x.value, place(x.position)]);
    const positions = report.path.map((s) => where(s.position)).concat([where(report.position)]);
    const show = (title, map, changed) => {
      const names = Object.keys(map);
      if (!names.length) return;
      const table = node("table", {});
      names.forEach((n) => table.append(node("tr", { class: changed.has(n) ? "changed" : "" }, node("td", { class: "v" }, n), node("td", { class: "v" }, map[n]))));
      values.append(node("h2", {}, title), table);
    };
    const go = (i) => {
      i = Math.max(0, Math.min(last, i));
      if (current >= 0) items[current].classList.remove("now");
      document.querySelectorAll(".row.now").forEach((r) => r.classList.remove("now"));
      current = i;
      items[i].classList.add("now");
      items[i].scrollIntoView({ block: "nearest" });
      slider.value = String(i);
      count.textContent = i + 1 + " of " + (last + 1);
      const line = row(positions[i]);
      if (line) {
        line.classList.add("now");
        line.scrollIntoView({ block: "center" });
      }
      values.replaceChildren();
      const state = states[Math.min(i, last - 1)];
      if (state) {
        const changed = i < last ? state.changed : new Set();
        [...state.frames].reverse().forEach((f) => show(f.name || "…", f.values, changed));
        show("global", state.global, changed);
      }
      highlight(positions[i]);
    };
    slider.oninput = () => go(Number(slider.value));
    document.addEventListener("keydown", (e) => {
      if (e.target.tagName === "INPUT" || e.target.tagName === "SELECT") return;
      if (e.key === "ArrowRight") go(current + 1);
      if (e.key === "ArrowLeft") go(current - 1);
    });
    positions.forEach((p) => row(p)?.classList.add("visited"));
    tab("Error path", "answer")();
    go(0);
  } else if (report.verdict === "true") {
    $("answer").append(node("h2", {}, "Proof, checked independently"), node("p", {}, report.reason + "."));
    const clauses = (c) => c.requires.map((e) => "requires " + e).concat(c.ensures.map((e) => "ensures " + e)).join("\n") || "nothing that C can say";
    if (report.contracts.length) positioned("Contracts", report.contracts, (x) => [place(x.position), x.function + "\n" + clauses(x)]);
    positioned("Invariants", report.invariants, (x) => [place(x.position), x.expressions.join("\n&& ") || "nothing that C can say"]);
    tab("Proof", "answer")();
  } else {
    $("answer").append(node("h2", {}, "What stood in the way"), node("p", {}, report.reason + (report.position ? " (" + place(report.position) + ")" : "")));
    positioned("Established nevertheless", report.established, (x) => [x]);
    tab("Unknown", "answer")();
  }
  positioned("Functions without a body: their results were taken to be anything", report.missing_bodies, (x) => [x.name, place(x.position)]);
  positioned("Remarks", report.remarks, (x) => [x]);

  // Graphs.
  const graphs = data.graphs.concat(data.arg ? [data.arg] : []);
  const folded = graphs.map((g) => {
    const set = new Set();
    // Large graphs begin with their loops folded.
    if (g.nodes.length > 80) g.nodes.forEach((n) => n.loops.forEach((h) => set.add(h)));
    return set;
  });
  const LARGEST = 400;
  const select = $("function");
  let view = { x: 0, y: 0, w: 100, h: 100 };
  let drawn = -1;
  const visible = (g, fold) => {
    // A node in a folded loop is represented by the head of the outermost one.
    const representative = g.nodes.map((n, i) => n.loops.find((h) => fold.has(h)) ?? i);
    const shown = new Set();
    const next = g.nodes.map(() => []);
    const edges = new Map();
    g.edges.forEach(([a, b, label, dashed]) => {
      const [x, y] = [representative[a], representative[b]];
      const key = x + " " + y + " " + (dashed ? 1 : 0);
      if (x === y && a !== b) return;
      if (!edges.has(key)) {
        edges.set(key, { from: x, to: y, label: label, dashed });
        if (!dashed) next[x].push(y);
      }
    });
    // Breadth first from the entry, up to a size that a browser draws at once.
    const queue = [representative[0]];
    shown.add(representative[0]);
    let cut = false;
    for (let k = 0; k < queue.length; k++) {
      for (const y of next[queue[k]]) {
        if (shown.has(y)) continue;
        if (shown.size >= LARGEST) { cut = true; continue; }
        shown.add(y);
        queue.push(y);
      }
    }
    return { shown: [...shown], edges: [...edges.values()].filter((e) => shown.has(e.from) && shown.has(e.to)), cut };
  };
  const layout = (g, fold) => {
    const { shown, edges, cut } = visible(g, fold);
    const next = new Map(shown.map((n) => [n, []]));
    edges.forEach((e) => { if (!e.dashed) next.get(e.from).push(e); });
    // Edges to what is open on the depth-first stack go back.
    const state = new Map(), order = [];
    const stack = [[shown[0], 0]];
    state.set(shown[0], 1);
    while (stack.length) {
      const top = stack[stack.length - 1];
      const out = next.get(top[0]);
      if (top[1] < out.length) {
        const e = out[top[1]++];
        const s = state.get(e.to);
        e.back = s === 1;
        if (s === undefined) { state.set(e.to, 1); stack.push([e.to, 0]); }
      } else {
        state.set(top[0], 2);
        order.push(top[0]);
        stack.pop();
      }
    }
    order.reverse();
    const rank = new Map(order.map((n) => [n, 0]));
    order.forEach((n) => next.get(n).forEach((e) => { if (!e.back) rank.set(e.to, Math.max(rank.get(e.to), rank.get(n) + 1)); }));
    const layers = [];
    order.forEach((n) => (layers[rank.get(n)] ||= []).push(n));
    const into = new Map(order.map((n) => [n, []]));
    edges.forEach((e) => { if (!e.back && !e.dashed) into.get(e.to)?.push(e.from); });
    const boxes = new Map();
    const size = (n) => {
      const box = g.nodes[n];
      const lines = fold.has(n) ? [...box.lines.slice(0, 2), "… " + g.nodes.filter((m) => m.loops.includes(n)).length + " blocks (click to unfold)"] : box.lines.slice(0, 8);
      if (!fold.has(n) && box.lines.length > 8) lines.push("… " + (box.lines.length - 8) + " more");
      const text = lines.map((l) => (l.length > 46 ? l.slice(0, 45) + "…" : l));
      return { text, w: Math.max(50, ...text.map((l) => l.length * 6.8 + 14)), h: Math.max(1, text.length) * 14 + 10 };
    };
    let y = 0;
    layers.forEach((layer) => {
      const middle = (n) => {
        const from = into.get(n).map((m) => boxes.get(m)).filter((b) => b);
        return from.length ? from.reduce((s, b) => s + b.x + b.w / 2, 0) / from.length : 0;
      };
      const wanted = layer.map((n) => [middle(n), n]).sort((a, b) => a[0] - b[0]);
      const sizes = wanted.map(([m, n]) => [m, n, size(n)]);
      const total = sizes.reduce((s, x) => s + x[2].w + 30, -30);
      const centre = sizes.reduce((s, x) => s + x[0], 0) / sizes.length;
      let x = centre - total / 2, tallest = 0;
      sizes.forEach(([, n, s]) => {
        boxes.set(n, { ...s, x, y });
        x += s.w + 30;
        tallest = Math.max(tallest, s.h);
      });
      y += tallest + 44;
    });
    // An edge past other layers goes around them, on the left.
    edges.forEach((e) => { e.far = !e.back && !e.dashed && rank.get(e.to) > rank.get(e.from) + 1; });
    return { boxes, edges, cut };
  };
  const setView = () => $("canvas").setAttribute("viewBox", [view.x, view.y, view.w, view.h].map((n) => n.toFixed(1)).join(" "));
  let bounds = view;
  const fit = () => {
    const c = $("canvas").getBoundingClientRect();
    const scale = Math.max(bounds.w / Math.max(c.width, 1), bounds.h / Math.max(c.height, 1), 0.6);
    view = { w: c.width * scale, h: c.height * scale, x: bounds.x + bounds.w / 2 - (c.width * scale) / 2, y: bounds.y - 10 };
    if (view.h > bounds.h) view.y = bounds.y + bounds.h / 2 - view.h / 2;
    setView();
  };
  const zoom = (factor, px, py) => {
    const c = $("canvas").getBoundingClientRect();
    const [u, v] = [px === undefined ? 0.5 : (px - c.left) / c.width, py === undefined ? 0.5 : (py - c.top) / c.height];
    view = { x: view.x + view.w * u * (1 - factor), y: view.y + view.h * v * (1 - factor), w: view.w * factor, h: view.h * factor };
    setView();
  };
  function draw(keep) {
    const index = Number(select.value || 0);
    const g = graphs[index];
    if (!g || (drawn === index && !keep)) return;
    drawn = index;
    const { boxes, edges, cut } = layout(g, folded[index]);
    const canvas = $("canvas");
    canvas.replaceChildren(svg("defs", {}));
    const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
    arrow.append(svg("path", { d: "M0 0L8 4L0 8z", style: "fill:#8c959f;stroke:none" }));
    canvas.firstChild.append(arrow);
    edges.forEach((e) => {
      const [a, b] = [boxes.get(e.from), boxes.get(e.to)];
      if (!a || !b) return;
      const side = e.back || e.dashed || b.y <= a.y;
      const [x1, y1] = side ? [a.x + a.w, a.y + a.h / 2] : [a.x + a.w / 2, a.y + a.h];
      const [x2, y2] = side ? [b.x + b.w, b.y + b.h / 2] : [b.x + b.w / 2, b.y];
      const reach = Math.max(x1, x2) + 40 + Math.min(120, Math.abs(y1 - y2) / 6);
      const around = Math.min(a.x, b.x) - 24 - Math.min(100, Math.abs(y1 - y2) / 8);
      const [ya, yb] = [a.y + a.h / 2, b.y + b.h / 2];
      const d = side ? `M${x1} ${y1}C${reach} ${y1} ${reach} ${y2} ${x2} ${y2}` : e.far ? `M${a.x} ${ya}C${around} ${ya} ${around} ${yb} ${b.x} ${yb}` : `M${x1} ${y1}C${x1} ${y1 + 24} ${x2} ${y2 - 24} ${x2} ${y2}`;
      const path = svg("path", { d, "marker-end": "url(#arrow)", class: e.dashed ? "dashed" : e.back ? "back" : "" });
      if (e.label) path.append(svg("title", {}, e.label));
      canvas.append(path);
      if (e.label && !side) {
        const text = e.label.length > 30 ? e.label.slice(0, 29) + "…" : e.label;
        const at = e.far ? { x: a.x - 4, y: ya - 6, "text-anchor": "end" } : { x: x1 + (x2 - x1) * 0.8 + 4, y: y1 + (y2 - y1) * 0.6 };
        canvas.append(svg("text", { ...at, class: "condition" }, text));
      }
    });
    let [left, right, bottom] = [Infinity, -Infinity, 0];
    boxes.forEach((b, n) => {
      const info = g.nodes[n];
      const group = svg("g", { class: [info.kind, g.nodes.some((m) => m.loops.includes(n)) ? "loop" : "", folded[index].has(n) ? "folded" : ""].join(" "), "data-node": n });
      group.append(svg("rect", { x: b.x, y: b.y, width: b.w, height: b.h, rx: 4, class: "box" }));
      b.text.forEach((line, i) => group.append(svg("text", { x: b.x + 7, y: b.y + 17 + 14 * i, "xml:space": "preserve" }, line)));
      group.append(svg("title", {}, info.lines.join("\n")));
      group.onclick = () => {
        if (moved) return;
        if (folded[index].has(n)) folded[index].delete(n);
        else if (g.nodes.some((m) => m.loops.includes(n))) folded[index].add(n);
        else return row(info.at?.[0])?.scrollIntoView({ block: "center" });
        draw(true);
      };
      canvas.append(group);
      left = Math.min(left, b.x);
      right = Math.max(right, b.x + b.w + 60);
      bottom = Math.max(bottom, b.y + b.h);
    });
    bounds = { x: left - 10, y: -10, w: right - left + 20, h: bottom + 20 };
    $("graph-note").textContent = boxes.size + " of " + g.nodes.length + " blocks" + (cut ? " (more than can be drawn: fold loops)" : "");
    if (!keep) fit();
  }
  let moved = false;
  const canvas = $("canvas");
  let drag;
  canvas.onpointerdown = (e) => { drag = { x: e.clientX, y: e.clientY, view: { ...view } }; moved = false; };
  window.addEventListener("pointermove", (e) => {
    if (!drag) return;
    const c = canvas.getBoundingClientRect();
    if (Math.abs(e.clientX - drag.x) + Math.abs(e.clientY - drag.y) > 4) moved = true;
    view = { ...view, x: drag.view.x - ((e.clientX - drag.x) * view.w) / c.width, y: drag.view.y - ((e.clientY - drag.y) * view.h) / c.height };
    setView();
  });
  window.addEventListener("pointerup", () => { drag = undefined; });
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.15 : 1 / 1.15, e.clientX, e.clientY); }, { passive: false });
  $("zoom-in").onclick = () => zoom(1 / 1.4);
  $("zoom-out").onclick = () => zoom(1.4);
  $("zoom-fit").onclick = fit;
  if (graphs.length) {
    graphs.forEach((g, i) => select.append(node("option", { value: String(i) }, g.name)));
    select.onchange = () => draw();
    const show = tab("Graph", "graph");
    highlight = (at) => {
      document.querySelectorAll("#canvas .active").forEach((a) => a.classList.remove("active"));
      const g = graphs[drawn];
      if (!at || !g) return;
      g.nodes.forEach((n, i) => {
        if ((n.at || []).some((p) => p[0] === at[0] && p[1] === at[1])) document.querySelector(`#canvas [data-node="${i}"]`)?.classList.add("active");
      });
    };
    void show;
  }

  // Statistics: what ran, for how long, and its figures.
  const runs = data.attempts;
  const seconds = (run, name) => run.statistics.find((s) => s[0] === name)?.[1] || 0;
  if (runs.length) {
    const longest = Math.max(0.01, ...runs.map((r) => r.seconds));
    const chart = svg("svg", { viewBox: `0 0 640 ${runs.length * 26 + 8}`, width: "100%", role: "img", "aria-label": "seconds by configuration" });
    runs.forEach((run, i) => {
      const scale = 380 / longest;
      chart.append(svg("text", { x: 0, y: i * 26 + 18, "font-size": 12 }, run.config));
      chart.append(svg("rect", { x: 170, y: i * 26 + 5, height: 17, width: Math.max(1, run.seconds * scale), class: "bar" }));
      chart.append(svg("rect", { x: 170, y: i * 26 + 5, height: 17, width: Math.max(0, seconds(run, "check seconds") * scale), class: "bar check" }));
      chart.append(svg("text", { x: 178 + run.seconds * scale, y: i * 26 + 18, "font-size": 12 }, run.seconds.toFixed(2) + " s"));
    });
    $("statistics").append(node("h2", {}, "Seconds by configuration (light: checking the evidence)"), chart);
    runs.forEach((run) => {
      const table = node("table", {});
      run.statistics.forEach(([k, v]) => table.append(node("tr", {}, node("td", {}, k), node("td", { class: "v" }, String(v)))));
      $("statistics").append(node("h2", {}, run.config), node("p", {}, run.reason || ""), table);
    });
    tab("Statistics", "statistics");
  }

  // Configuration and certificate.
  const facts = [["command", data.command_line], ["version", "plumb " + data.version], ["meaning", data.meaning], ["property", report.property], ["configuration", report.config]];
  data.files.forEach((f) => facts.push(["SHA-256 of " + f.name, f.sha256]));
  const table = node("table", {});
  facts.forEach(([k, v]) => table.append(node("tr", {}, node("td", {}, k), node("td", { class: "v" }, v))));
  $("certificate").append(node("h2", {}, "Configuration"), table, node("h2", {}, "Certificate"), node("p", {}, data.certificate));
  if (data.witness) $("certificate").append(node("h2", {}, "Witness"), node("pre", {}, data.witness));
  tab("Certificate", "certificate");
  document.body.dataset.ready = "true";
})();
