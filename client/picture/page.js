"use strict";
// Draws the games that client/picture/film.py has told: each frame is a row of (place, patch), what changed since the
// one before; patch 0 is nothing. All drawings come from this page's own data, which was escaped when it was made.
(async () => {
  const $ = (id) => document.getElementById(id);
  let film, patches, plans, games, game, places, shown, at, timer;
  // A page of one game opens at its start, so that its end is a surprise; a report has told all results already.
  const opening = document.querySelector("[data-keys]") ? Infinity : 0;

  async function load() {
    const bytes = Uint8Array.from(atob($("data").textContent), (sign) => sign.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    film = await new Response(plain).json();
    games = film.games;
    $("game").replaceChildren(...games.map((one, number) => new Option(`${one.name ?? number + 1}. ${one.title}: ${one.players.join(", ")}`, number)));
    $("choice").hidden = games.length < 2;
  }
  await load();

  const sentence = ([seat, what]) => (seat < 0 ? what : `${game.players[seat]}: ${what}`);

  // Everything that belongs to a game: its paper with a group for each place, its moves, its result.
  function open(number) {
    ({ patches, plans } = film);
    game = games[number];
    const plan = plans[game.plan];
    const paper = `<rect width="${plan.width}" height="${plan.height}" rx="10" class="paper"/>${plan.under}`;
    const groups = plan.places.map(([x, y]) => `<g transform="translate(${x} ${y})" class="place"></g>`);
    $("board").setAttribute("viewBox", `0 0 ${plan.width} ${plan.height}`);
    $("drawing").innerHTML = paper + groups.join("");
    places = [...$("drawing").getElementsByClassName("place")];
    shown = places.map(() => 0);
    $("title").textContent = game.title;
    $("way").max = game.moves.length;
    $("moves").replaceChildren(...[-1, ...game.moves.keys()].map((entry) => {
      const line = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = entry < 0 ? "the start" : sentence(game.moves[entry]);
      button.addEventListener("click", () => stop(entry + 1));
      line.value = entry + 1;
      line.append(button);
      return line;
    }));
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
    $("now").textContent = `${at} of ${game.moves.length}. ${at ? sentence(game.moves[at - 1]) : "The start."}`;
    $("result").textContent = at < game.moves.length ? "Go to the end to see it." : game.result;
    $("way").value = at;
    $("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = $("moves").children[at];
    line.firstChild.setAttribute("aria-current", "step");
    $("moves").scrollTop = line.offsetTop - $("moves").clientHeight / 2;
    $("play").textContent = timer ? "Stop" : "Play";
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
  // Keys are for the whole page, or on a page with more than the games for the part that they are in.
  (document.querySelector("[data-keys]") ?? document).addEventListener("keydown", (event) => {
    const taken = event.target.matches(event.key === " " ? "button, select, input" : "select, input");
    if (taken || event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    doing[keys[event.key]]();
  });

  $("game").addEventListener("change", () => { open(Number($("game").value)); stop(opening); });
  $("controls").hidden = $("keys").lastChild.hidden = false;

  // An address may end with a game and a move, such as #3.12. Games that have no numbers are counted from 1.
  function addressed() {
    const [, one, move] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [];
    open(Math.max(0, games.findIndex((game, place) => (game.number ?? place + 1) === Number(one))));
    $("game").value = games.indexOf(game);
    stop(move === undefined ? opening : Number(move));
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
  // The page has been brought up to date. The game that is open stays at its move, even if it is in the list no more.
  document.addEventListener("renewed", async () => {
    await load();
    const place = games.findIndex(({ number }) => number === game.number);
    if (place >= 0) {
      open(place);
      show(at);
    }
    $("game").value = place;
  });
  window.addEventListener("hashchange", arrive);
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")?.hash === location.hash) arrive();
  });
})().finally(() => document.querySelectorAll(".ending").forEach((part) => part.classList.remove("ending")));
