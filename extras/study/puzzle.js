"use strict";
// Plays the puzzle of a page (extras/study/puzzle_page.py) by touch, without a server: the page has the answer to each
// move. Its frames are those of client/picture/page.js. The drawings are the page's own, which was escaped when it was made.
(async () => {
  const $ = (id) => document.getElementById(id);
  const bytes = Uint8Array.from(atob($("data").textContent), (sign) => sign.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { plan, patches, before, moves: known, right, left } = await new Response(plain).json();
  const { textContent: asks, dataset: { called } } = $("said");
  const moves = {}, base = plan.places.map(() => 0), change = (now, row) => {
    for (let n = 0; n < row.length; n += 2) now[row[n]] = row[n + 1];
  };
  before.forEach((row) => change(base, row));
  for (const [move, [path, told, frames]] of Object.entries(known))
    moves[move] = { path, steps: told.map(([seat, what], n) => [`${"AB"[seat]}: ${what}`, frames[n]]) };
  const used = new Set(Object.values(moves).flatMap(({ path }) => path));
  const draw = (name, given = {}) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in given) node.setAttribute(key, given[key]);
    return node;
  };
  // The touched squares, the move that was made, how many moves of its line are shown, and what it took.
  let touched = [], made = "", at = 0, tries = 0, hints = 0, told = "", solved = false;

  const groups = plan.places.map(([x, y]) => draw("g", { transform: `translate(${x} ${y})` }));
  $("drawing").innerHTML = `<rect width="${plan.width}" height="${plan.height}" rx="10" class="paper"/>${plan.under}`;
  $("drawing").append(...groups);
  const cells = Object.entries(plan.squares).filter(([name]) => used.has(name)).map(([name, [x, y]]) => {
    const cell = draw("rect", { x: x - 22, y: y - 22, width: 44, height: 44, rx: 5, "data-name": name });
    const dot = draw("circle", { cx: x, cy: y, r: 3.2 });
    cell.addEventListener("click", () => touch(name));
    $("touch").append(cell, dot);
    return { name, cell, dot };
  });

  const fits = (names) => Object.keys(moves).filter((move) => names.every((name) => moves[move].path.includes(name)));
  const whole = (move) => touched.length > 0 && new Set(moves[move].path).size === touched.length;

  function touch(name) {
    if (made) return;
    const more = touched.includes(name) ? touched.filter((one) => one !== name) : [...touched, name];
    touched = fits(more).length ? more : fits([name]).length ? [name] : [];
    show();
  }

  function play(move) {
    made = move;
    at = 1;
    touched = [];
    tries += solved ? 0 : 1;
    const won = move === right, answer = moves[move].steps[1];
    const count = tries === 1 ? "First try" : `${tries} tries`;
    if (won) told = `Right: ${move} wins, and nothing else does.${solved ? "" : ` ${count}${hints ? ", with a hint" : ""}.`}`;
    else if (!answer) told = `No: ${move} ends the game, and loses it.`;
    else told = `No: ${move} loses (proved). The answer is ${answer[0]}.`;
    solved = solved || won;
    show();
    if (!won && answer) setTimeout(() => { if (made === move && at === 1) step(1); }, 900);
    $("acts").firstChild.focus({ preventScroll: true });
  }

  function again() {
    made = told = "";
    at = 0;
    show();
  }

  function hint() {
    hints += 1;
    told = hints > 1 ? `It is ${right}.` : `It is one of these: ${left.join(", ")}. The next hint tells it.`;
    show();
  }

  function step(by) {
    at = Math.max(1, Math.min(at + by, moves[made].steps.length));
    show();
  }

  // The same buttons stay, and so does the focus.
  function fill(box, rows) {
    while (box.children.length > rows.length) box.lastChild.remove();
    rows.forEach(([words, act, kind = "", name = ""], place) => {
      const node = box.children[place] ?? box.appendChild(document.createElement("button"));
      Object.assign(node, { type: "button", textContent: words, onclick: act, className: kind });
      if (name) node.setAttribute("aria-label", name);
      else node.removeAttribute("aria-label");
    });
  }

  function show() {
    const steps = made ? moves[made].steps : [], now = base.slice();
    for (const [, row] of steps.slice(0, at)) change(now, row);
    now.forEach((patch, place) => { groups[place].innerHTML = patches[patch][0]; });
    $("desc").textContent = plan.places.map(([, , name], place) => [name, patches[now[place]][1]]).filter(([, said]) => said)
      .map(([name, said]) => (name ? `${name}: ${said}` : said)).join("; ");
    const line = at > 2 ? ` Move ${at} of ${steps.length}: ${steps[at - 1][0]}.` : "";
    const next = touched.length ? `${called}: ${touched.join(" ")} …` : told || asks;
    $("said").textContent = made ? told + line : next;
    const open = made ? [] : fits(touched);
    for (const { name, cell, dot } of cells) {
      cell.setAttribute("class", touched.includes(name) ? "picked" : "");
      dot.setAttribute("visibility", open.some((move) => moves[move].path.includes(name)) ? "visible" : "hidden");
    }
    const button = (move) => [`Play ${move}`, () => play(move), whole(move) ? "main" : ""];
    const few = open.length < 7 ? open : open.filter(whole);
    if (made) fill($("acts"), [
      made === right ? ["Once more", again] : ["Try again", again, "main"],
      ...(steps.length > 2 ? [["<", () => step(-1), "", "One move back"], [">", () => step(1), "", "One move on"]] : []),
    ]);
    else fill($("acts"), [...(touched.length ? few.map(button) : []), ...(hints < 2 ? [["Hint", hint]] : [])]);
    $("list").hidden = Boolean(made);
    fill($("moves"), Object.keys(moves).map((move) => [move, () => play(move)]));
  }
  show();
})();
