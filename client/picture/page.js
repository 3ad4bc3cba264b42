"use strict";
// Draws the games that client/picture/film.py has told: each frame is a row of (place, patch), what changed since the
// one before; patch 0 is nothing. All drawings come from this page's own data, which was escaped when it was made.
(async () => {
  const $ = (id) => document.getElementById(id);
  let film, patches, plans, games, game, places, shown, at, timer;

  async function load() {
    const bytes = Uint8Array.from(atob($("data").textContent), (sign) => sign.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    film = await new Response(plain).json();
    games = film.games;
    for (const one of games) one.film = film;
    // The open game stays in the list, though a live page has only the last ones.
    if (game && !games.some(({ number }) => number === game.number)) games.push(game);
    $("game").replaceChildren(...games.map((one, number) => new Option(`${one.name ?? number + 1}. ${one.title}: ${one.players.join(", ")}`, number)));
    $("choice").hidden = games.length < 2;
  }
  await load();

  const sentence = (entry) => {
    const [seat, what] = game.moves[entry], sign = game.signs?.[entry];
    return `${seat < 0 ? "" : `${game.players[seat]}: `}${what}${sign ? ` ${sign}` : ""}`;
  };

  // Everything that belongs to a game: its paper with a group for each place, its moves, its result.
  function open(number) {
    game = games[number];
    ({ patches, plans } = game.film);
    const plan = plans[game.plan];
    const paper = `<rect width="${plan.width}" height="${plan.height}" rx="10" class="paper"/>${plan.under}`;
    const groups = plan.places.map(([x, y]) => `<g transform="translate(${x} ${y})" class="place"></g>`);
    $("board").setAttribute("viewBox", `0 0 ${plan.width} ${plan.height}`);
    $("drawing").innerHTML = paper + groups.join("");
    places = [...$("drawing").getElementsByClassName("place")];
    shown = places.map(() => 0);
    $("drawing").append(drawn("g", { id: "signs" }));
    $("title").textContent = game.title;
    $("result").textContent = game.result;
    $("way").max = game.moves.length;
    $("moves").replaceChildren(...[-1, ...game.moves.keys()].map((entry) => {
      const line = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = entry < 0 ? "the start" : sentence(entry);
      button.addEventListener("click", () => stop(entry + 1));
      line.value = entry + 1;
      line.append(button);
      return line;
    }));
  }

  function drawn(name, attributes, words = "") {
    const part = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    part.textContent = words;
    return part;
  }

  // What the bots thought: signs on squares, the rest in words, and their chances as a chart.
  const left = 30, wide = 400, across = (entry) => left + (wide * entry) / Math.max(game.moves.length, 1);
  const down = (chances) => 70 - 60 * chances;
  function think() {
    const said = game.thoughts ?? [];
    const now = said.find(([entry]) => entry === at);
    const [, seat, value, rest, ...marks] = now ?? [];
    $("signs").replaceChildren(...marks.flatMap((square, n) => {
      const middle = n % 2 ? undefined : plans[game.plan].squares[square];
      return middle ? [drawn("text", { x: middle[0] + 15, y: middle[1] - 8, class: "sign" }, marks[n + 1])] : [];
    }));
    const words = marks.map((part, n) => (n % 2 ? `${part}; ` : `${part}: `)).join("");
    if (words) $("desc").textContent += `; signs: ${words}`;
    if (!$("courses")) return;
    const others = game.players.length - 1, ahead = () => `ahead of ${(others * (1 + value) / 2).toFixed(1)} of ${others} others`;
    const own = now && value !== null ? (others > 1 ? ahead() : `chances ${Math.round(50 + 50 * value)} %`) : "";
    const thought = rest ? (own ? `${own}; ${rest}` : rest) : own;
    $("thought").textContent = thought && `${game.players[seat]}: ${thought}`;
    const lines = [1, 0, -1].flatMap((chances) => [
      drawn("path", { d: `M${left} ${down(chances)}h${wide}`, class: "grid" }),
      drawn("text", { x: left - 6, y: down(chances), dy: ".35em", class: "heading" }, `${chances > 0 ? "+" : ""}${chances}`),
    ]);
    const names = [];
    game.players.forEach((player, seat) => {
      const own = said.filter((row) => row[1] === seat && row[2] !== null);
      if (!own.length) return;
      const looks = { class: `thin k${seat % 8}`, "stroke-dasharray": ["none", "7 5", "1 5", "12 5 1 5"][seat % 4] };
      const points = own.map(([entry, , chances]) => `${across(entry)},${down(chances)}`);
      lines.push(drawn("polyline", { ...looks, points: points.join(" ") }));
      if (points.length < 60)
        for (const point of points) lines.push(drawn("path", { d: `M${point}h0`, class: `spot k${seat % 8}` }));
      const name = document.createElement("li"), sample = drawn("svg", { viewBox: "0 0 30 8", width: 30, height: 8 });
      sample.append(drawn("path", { ...looks, d: "M2 4h26" }));
      name.append(sample, ` ${player}`);
      names.push(name);
    });
    lines.push(drawn("path", { d: `M${across(at)} 6v128`, class: "here" }));
    $("courses").querySelector("svg").replaceChildren(...lines);
    $("courses").querySelector("ul").replaceChildren(...names);
    $("courses").hidden = !names.length;
  }

  // The position after so many entries.
  function show(number) {
    at = Math.max(0, Math.min(number, game.moves.length));
    const now = places.map(() => 0);
    for (const changes of game.frames.slice(0, at + 1))
      for (let n = 0; n < changes.length; n += 2) now[changes[n]] = changes[n + 1];
    now.forEach((patch, place) => {
      if (patch !== shown[place]) places[place].innerHTML = patches[patch][0];
    });
    shown = now;
    const words = plans[game.plan].places.map(([, , called], place) => [called, patches[now[place]][1]]);
    $("desc").textContent = words.filter(([, said]) => said)
      .map(([called, said]) => (called ? `${called}: ${said}` : said)).join("; ");
    $("now").textContent = `${at} of ${game.moves.length}. ${at ? sentence(at - 1) : "The start."}`;
    $("way").value = at;
    think();
    if ($("verdict")) {
      $("verdict").textContent = at && game.verdicts[at - 1];
      $("course").querySelector(".here").setAttribute("d", `M${across(at)} 6v128`);
    }
    $("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = $("moves").children[at];
    line.firstChild.setAttribute("aria-current", "step");
    $("moves").scrollTop = line.offsetTop - $("moves").clientHeight / 2;
    $("play").textContent = $("play").ariaLabel = timer ? "Stop" : "Play";
  }

  function stop(number) {
    clearInterval(timer);
    timer = undefined;
    show(number);
  }

  function play() {
    if (timer) return stop(at);
    timer = setInterval(() => (at < game.moves.length ? show(at + 1) : stop(at)), 700);
    show(at < game.moves.length ? at : 0);
  }

  const doing = {
    first: () => stop(0), back: () => stop(at - 1), play, on: () => stop(at + 1), last: () => stop(Infinity),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowUp: "back", " ": "play", ArrowRight: "on", ArrowDown: "on", End: "last" };
  for (const [name, what] of Object.entries(doing)) $(name).addEventListener("click", what);
  $("way").addEventListener("input", () => stop(Number($("way").value)));
  for (const chart of document.querySelectorAll(".course > svg"))
    chart.addEventListener("click", (event) => {
      const paper = event.currentTarget.getBoundingClientRect();
      const part = (((event.clientX - paper.left) / paper.width) * 440 - left) / wide;
      stop(Math.round(part * game.moves.length));
    });
  // Keys are for the whole page, or on a page with more than the games for the part that they are in.
  (document.querySelector("[data-keys]") ?? document).addEventListener("keydown", (event) => {
    const taken = event.target.matches(event.key === " " ? "button, select, input" : "select, input");
    if (taken || event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    doing[keys[event.key]]();
  });

  $("game").addEventListener("change", () => { open(Number($("game").value)); stop(Infinity); });
  $("controls").hidden = $("keys").lastChild.hidden = false;

  // An address may end with a game and a move, such as #3.12. Games that have no numbers are counted from 1.
  function addressed() {
    const [, one, move] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [];
    open(Math.max(0, games.findIndex((game, place) => (game.number ?? place + 1) === Number(one))));
    $("game").value = games.indexOf(game);
    stop(Number(move ?? game.opens ?? Infinity));
  }
  // Whoever comes by an address wants to see the game, and to step through it. To follow a link to where one is already
  // is no change of the address.
  function arrive() {
    if (!/^#\d/.test(location.hash)) return;
    addressed();
    $("board").scrollIntoView();
    document.querySelector("[data-keys]")?.focus({preventScroll: true});
  }
  addressed();
  arrive();
  // The page has been brought up to date. The game that is open stays at its move.
  document.addEventListener("renewed", async () => {
    await load();
    const place = games.findIndex(({ number }) => number === game.number);
    open(place);
    show(at);
    $("game").value = place;
  });
  window.addEventListener("hashchange", arrive);
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")?.hash === location.hash) arrive();
  });
})();
