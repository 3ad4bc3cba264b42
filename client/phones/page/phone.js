// A seat on a phone, and the board that all look at: shows what the host's program tells, sends what is touched.
// It knows no rule. A key made from the secret in its address seals all messages
// (docs/protocols/phones.md). site.py sends it without remarks and needless spaces: a remark has a line of its own,
// each statement has its semicolon, and no pattern holds a space or a slash.
"use strict";
(() => {
const $ = id => document.getElementById(id);
const body = document.body, board = $("board");

// The page says already what to do where nothing comes.
if (!window.WebSocket || !window.TextEncoder || !window.nacl || board.innerHTML === undefined) return;

// ---- small things -------------------------------------------------------------------------------------------------

// A browser may forbid to keep anything: then this page remembers as long as it is open.
const kept = {};
const store = (name, text) => {
  try {
    if (text === undefined) return localStorage.getItem("quadrille." + name) || kept[name];
    kept[name] = text;
    localStorage.setItem("quadrille." + name, text);
  } catch (e) {
    return kept[name];
  }
};
const make = (tag, kind = "") => {
  const node = document.createElement(tag);
  node.className = kind;
  return node;
};
const draw = (tag, given = {}) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in given) node.setAttribute(name, given[name]);
  return node;
};
// Text is written only where it differs: what comes into a live region is read out.
const say = (node, text = "") => { if (node.textContent !== text) node.textContent = text; };
const tell = texts => { for (const id in texts) say($(id), texts[id]); };
const show = wanted => { for (const id in wanted) $(id).hidden = !wanted[id]; };
// A button that does nothing just now can have the focus all the same, and says why.
const able = wanted => { for (const id in wanted) $(id).setAttribute("aria-disabled", !wanted[id]); };
const press = acts => {
  for (const id in acts) $(id).onclick = () => $(id).getAttribute("aria-disabled") === "true" ? refuse(WHY[id]) : acts[id]();
};
const WHY = {
  play: "This is no whole move yet.", clear: "Nothing is picked yet.", first: "This is the start.", prev: "This is the start.",
  on: "This is the present.",
};
// The same refusal once more is read out once more, and nods: the browser has to see it gone before it comes again.
const anew = () => {
  tell({ told: "" });
  $("told").className = "";
  $("told").getClientRects();
};
const refuse = why => {
  anew();
  tell({ told: why });
  $("told").className = "alarm";
};
const submit = (id, act) => { $(id).onsubmit = event => { event.preventDefault(); act(); }; };
// As many children as there are items. Those that were there stay, and so does the focus.
const fill = (box, items, create, put = say) => {
  while (box.children.length > items.length) box.removeChild(box.lastChild);
  items.forEach((item, at) => put(box.children[at] || box.appendChild(create()), item));
};
const item = () => make("li");
const button = () => {
  const node = make("button");
  node.type = "button";
  return node;
};
const utf8 = text => new TextEncoder().encode(text);
const plain = text => text.toLowerCase().replace(/[^a-z0-9]/g, "");

// ---- secrets ------------------------------------------------------------------------------------------------------

const play = location.pathname === "/tv" ? "screen" : "play", tv = play === "screen";
// A code typed by hand, the token of a seat that is asked for, and secrets that open nothing.
let typed = "", asked = "", refused = {};

// A table is known by its invitation; without one, the last seat is meant.
const invited = () => plain(location.hash);
const seat = () => JSON.parse(store("seat" + invited()) || "{}");
const keep = seat => ["", invited()].forEach(name => store("seat" + name, JSON.stringify(seat)));
const secret = () => [asked, typed, play === "play" && seat().token, invited()].filter(each => each && !refused[each])[0];

// ---- the line to the host -----------------------------------------------------------------------------------------

// Milliseconds: for an answer, until one is asked for, of a gap that must have been sleep, and for a touch to do something.
const PATIENCE = 5000, SILENCE = 4000, NAP = 8000, DOUBT = 400, WAITS = [0, 500, 1000, 2000, 3000];
const LOST = "Connection lost. Trying again …";
let line = null, tries = 0, later = 0, doubt = 0, over = false, gone = false, ticked = Date.now(), hidden = 0;

function hang() {
  clearTimeout(later);
  clearTimeout(doubt);
  if (!line) return;
  clearTimeout(line.timer);
  line.socket.onopen = line.socket.onmessage = line.socket.onclose = null;
  line.socket.close();
  line = null;
}

function dial() {
  hang();
  // A socket opened by a hidden page hangs: it is opened on waking.
  if (over || document.hidden) return;
  const word = secret();
  if (!word) return stop("Scan the QR code of a table, or type its code.");
  const pair = nacl.box.keyPair();
  const socket = new WebSocket(location.origin.replace("http", "ws") + "/table");
  const mine = line = { socket, word, sent: 0, got: 0, heard: Date.now() };
  socket.binaryType = "arraybuffer";
  mine.timer = setTimeout(lost, PATIENCE);
  socket.onopen = () => socket.send(pair.publicKey);
  socket.onmessage = event => hear(mine, pair, new Uint8Array(event.data));
  socket.onclose = closed;
}

const nonce = number => {
  const bytes = new Uint8Array(24);
  new DataView(bytes.buffer).setUint32(20, number);
  return bytes;
};

function hear(mine, pair, bytes) {
  mine.heard = Date.now();
  mine.asked = 0;
  clearTimeout(doubt);
  if (!mine.out) {
    const shared = nacl.box.before(bytes, pair.secretKey);
    const key = nacl.hash(new Uint8Array([...utf8("quadrille phone"), ...shared, ...utf8(mine.word)]));
    mine.out = key.slice(0, 32);
    mine.into = key.slice(32);
    return send({ do: "come", as: play });
  }
  const opened = nacl.secretbox.open(bytes, nonce(mine.got++), mine.into);
  if (!opened) return lost();
  const first = !mine.seen;
  // A television is loaded again by whoever has no keyboard.
  if (first && tv) history.replaceState(null, "", "#" + mine.word);
  clearTimeout(mine.timer);
  mine.seen = true;
  tries = 0;
  gone = false;
  tell({ link: "" });
  take(JSON.parse(new TextDecoder().decode(opened)), first);
}

function send(wish) {
  if (!line || !line.out || line.socket.readyState !== 1) {
    tell({ link: LOST });
    return false;
  }
  // A touch that nothing comes of for a moment: does the host still answer?
  if (wish.do !== "here") {
    clearTimeout(doubt);
    doubt = setTimeout(() => {
      line.asked = Date.now();
      send({ do: "here" });
      doubt = setTimeout(tell, DOUBT, { link: "The host does not answer. Trying again …" });
    }, DOUBT);
  }
  line.socket.send(nacl.secretbox(utf8(JSON.stringify(wish)), nonce(line.sent++), line.out));
  return true;
}

function lost() {
  hang();
  if (document.hidden) return;
  later = setTimeout(dial, gone ? PATIENCE : WAITS[Math.min(tries++, 4)]);
  // It has been told already.
  if (gone) return;
  if (tries > 1) tell({ link: LOST });
  if (tries > 3 && !view.stage) {
    tell({ why: "The host can't be reached.", advice: "Is this phone in the same Wi-Fi as the host, and not in one for guests? This page goes on trying." });
  }
}

// The host has closed the line for good, or until the person does something. After all else the page dials again.
const ENDS = [4400, 4405, 4429], ADVICE = "Try again after a while, or scan the QR code of a table.";

function closed(event) {
  const word = line.word, { code, reason } = event;
  if (code === 4403) {
    refused[word] = true;
    if (secret()) return dial();
    typed = "";
    return stop(reason || "This opens no seat.", "The table is full or has ended, or the code is another one.");
  }
  if (ENDS.includes(code)) return stop(reason || "The table is closed.", ADVICE);
  if (code === 4404) {
    stop(reason || "The host has gone.", "This page goes on trying.");
    over = false;
    gone = true;
    return lost();
  }
  lost();
  // Too many at the door: not for good.
  if (code === 4428) tell({ why: reason, advice: "This page goes on trying.", link: "" });
  else if (reason) tell({ link: reason });
}

// A page that says what to do; nothing is tried again but by the person.
function stop(why, advice) {
  over = true;
  hang();
  view = blank();
  showHead();
  wait(why, advice);
  show({ retry: secret(), codeform: !secret(), ask: false });
  $("title").focus();
}

function wait(why, advice) {
  body.dataset.stage = "wait";
  document.title = "Quadrille";
  tell({ why, advice, link: "", title: "Quadrille", whose: "" });
}

function start() {
  over = gone = false;
  tries = 0;
  show({ retry: false, codeform: false });
  wait("One moment …", "");
  dial();
}

function wake(anew) {
  ticked = Date.now();
  if (over || document.hidden) return;
  tries = 0;
  if (anew || !line || !line.seen) return dial();
  line.asked = ticked - PATIENCE + 2000;
  send({ do: "here" });
}

setInterval(() => {
  const now = Date.now(), gap = now - ticked;
  ticked = now;
  clocks();
  if (document.hidden) return;
  if (gap > NAP) return wake(true);
  if (!line || !line.seen) return;
  if (line.asked && now - line.asked > PATIENCE) return lost();
  if (!line.asked && now - line.heard > SILENCE) {
    line.asked = now;
    send({ do: "here" });
  }
}, 500);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hidden = Date.now();
  else wake(Date.now() - hidden > PATIENCE);
});
window.addEventListener("pageshow", event => { if (event.persisted) wake(true); });
window.addEventListener("online", () => wake(true));
window.addEventListener("hashchange", () => { typed = ""; refused = {}; start(); });

// ---- what the host tells ------------------------------------------------------------------------------------------

const blank = () => ({
  door: {}, head: {}, room: { chairs: [] }, players: [], marks: { path: [], nexts: [], soft: [], fresh: [] },
  draft: { line: "", choices: [] }, told: {}, log: {}, chat: {}, signs: [], notes: [], words: [],
});
let view = blank(), size = [1, 1], spots = {}, lies = {}, layers = [], places = [], byName = {}, current = "";
let playing = null, tab = "moves", chosen = null, reader = null, reel = 0;

function take(news, first) {
  const had = document.activeElement, { at, over, stage } = view;
  if (news.anew) view = blank();
  for (const part in news) {
    const now = news[part];
    if (part === "players") {
      for (const seat in now) view.players[seat] = now[seat] && Object.assign(now[seat], { heard: Date.now() });
      view.players = view.players.filter(Boolean);
    } else if (part === "log" || part === "chat") for (const row in now) {
      if (now[row] === null) delete view[part][row];
      else view[part][row] = now[row];
    }
    else view[part] = now;
  }
  if (news.seat) {
    keep(news.seat);
    // The code of an evening leads to its door, and to no seat.
    typed = asked = "";
  }
  if (news.rules) read(news.rules);
  if (news.record) save(news.record);
  if (playing) {
    if (view.at !== playing.at) playing = null;
    // Sent, and nothing heard of it: the same move once more.
    else if (first) send(playing);
    else if (news.draft || news.told && news.told.alarm) playing = null;
  }
  body.dataset.stage = view.stage;
  if (view.stage !== stage) {
    turnTo(view.stage === "room" ? "chat" : "moves");
    scrollTo(0, 0);
  }
  if (news.door) showDoor();
  if (news.film || view.stage !== stage) roll();
  if (news.head) showHead();
  if (news.room) showRoom();
  if (news.board) showBoard(news.board);
  if (news.players) showPlayers();
  showAim();
  if (news.spots) showSpots(news.spots, !first && !news.board && news.at > at);
  Object.assign(lies, news.words_of);
  if (tv && news.at > at && !first) chime(520);
  if (news.board || news.spots || news.marks || news.draft) showMarks();
  if (news.anew || news.log) showLog();
  if (news.anew || news.chat || news.room) showChat(view.stage === stage);
  fill($("notes"), view.notes, item);
  fill($("facts"), tv ? view.notes : [], item);
  fill($("signs"), view.signs, item);
  if (first || news.words || news.stage) showMenu();
  showOver(!first && !over && view.stage === stage);
  showQr();
  if (news.told) anew();
  showBar();
  if (news.ring) ring();
  refocus(had);
  if (news.marks) follow();
}

// A buzz and two short tones. A browser lets a page sound only after a touch.
let sound = null;
document.addEventListener("click", () => {
  if (!sound && window.AudioContext) sound = new AudioContext();
  if (sound) sound.resume();
}, true);
// A television sounds only where somebody asked for it.
const loud = () => (store("sound") || (tv ? "off" : "on")) === "on";

function chime(...pitches) {
  if (!sound || !loud()) return;
  const gain = sound.createGain(), tone = sound.createOscillator(), now = sound.currentTime, end = now + .12 * pitches.length + .16;
  tone.connect(gain).connect(sound.destination);
  pitches.forEach((pitch, at) => tone.frequency.setValueAtTime(pitch, now + .12 * at));
  gain.gain.setValueAtTime(.15, now);
  gain.gain.exponentialRampToValueAtTime(.001, end);
  tone.start();
  tone.stop(end);
}

function ring() {
  if (navigator.vibrate) navigator.vibrate([80, 60, 80]);
  chime(660, 880);
}

function mute() {
  store("sound", loud() ? "off" : "on");
  showMenu();
  showQr();
  chime(660, 880);
}

// The focus is never lost: it stays at its place of a new board, and else goes where the next thing is to be done.
function refocus(had) {
  const visible = node => document.contains(node) && node.getClientRects().length;
  if (had === body || visible(had)) return;
  const place = byName[had.dataset.place];
  (place ? place.node : view.ask ? $("no") : view.stage === "door" ? $("name") : visible($("play")) ? $("play") : $("title")).focus({ preventScroll: true });
}

function showDoor() {
  const { about, title, goal, trust, more, free, rules } = view.door;
  tell({
    about: title || about, goal, trust, sealed: more,
    free: (title ? about + ". " : "") + (free ? `${free} free ${free > 1 ? "seats" : "seat"}.` : title ? "All seats are taken: you watch, and play in the next game." : ""),
  });
  show({ howto: rules });
  if (!$("name").value) $("name").value = store("name") || "";
}

const still = () => matchMedia("(prefers-reduced-motion:reduce)").matches;

// A few moves of the game, shown once at the door, and again when they are touched; only the end where nothing should move.
function roll(at = 0) {
  const { film, stage } = view;
  clearTimeout(reel);
  $("pan").inert = stage === "door";
  show({ boardbox: stage !== "door" || film && film.length });
  if (!film || stage !== "door" || at === film.length) return;
  const { board, spots, path } = film[at];
  if (board) showBoard(board);
  showSpots(spots, !board);
  view.marks.path = path;
  showMarks();
  if (still()) roll(at + 1);
  else reel = setTimeout(roll, path.length ? 700 : 1000, at + 1);
}
$("boardbox").onclick = () => roll();

function showHead() {
  const { game, title, turn, mine } = view.head;
  tell({ title: innerWidth < 480 && game || title || game, whose: turn });
  body.classList.toggle("mine", Boolean(mine));
  document.title = (mine ? "Your turn - " : "") + (game || "Quadrille");
}

function showRoom() {
  const { terms, chairs, seats } = view.room, all = chairs.slice();
  while (all.length < seats) all.push({ name: "free", free: true });
  tell({ terms });
  fill($("chairs"), all, () => pair("li"), (node, { name, kind, you, free }) => {
    say(node.firstChild, name);
    say(node.lastChild, kind && kind !== "person" ? " " + kind : "");
    node.className = you ? "you" : free ? "free" : "";
  });
}

const badge = () => {
  const node = draw("svg", { viewBox: "-21 -21 42 42", class: "badge", "aria-hidden": "true" });
  node.append(draw("use"));
  return node;
};
const mark = (node, seat) => node.firstChild.setAttribute("href", "#seat" + seat);
const pair = (tag, kind) => {
  const node = make(tag, kind);
  node.append(make("b"), make("small"));
  return node;
};

function showPlayers() {
  fill($("players"), view.players, () => {
    const node = item();
    node.append(badge(), pair("span", "who"), make("span", "figures"), make("span", "clock"));
    return node;
  }, (node, { seat, name, you, role, kind, place, turn, left, figures = [] }) => {
    const [sign, who, sums] = node.children;
    mark(sign, seat);
    say(who.firstChild, you ? "You" : name);
    say(who.lastChild, [role, kind, place ? "place " + place : turn ? "to move" : "", left ? "has left" : ""].filter(Boolean).join(", "));
    fill(sums, figures, () => pair("span"), (one, [name, number, share]) => {
      say(one.firstChild, String(number));
      say(one.lastChild, " " + name);
      one.className = share === undefined ? "" : "track";
      one.style.setProperty("--share", 100 * share + "%");
    });
    node.className = (kind === "guest" ? "guest " : "") + (turn ? "turn " : "") + (left ? "left " : "") + (place === 1 ? "first" : "");
  });
  tell({ figures: (view.players[0].figures || []).map(([name]) => name).filter(name => name !== "track").join(" · ") });
  fit();
  clocks();
}

// With many players, or in a narrow window, figures have their names but once.
function fit() {
  const { players, stage } = view;
  body.classList.toggle("many", stage === "table" && (players.length > 2 || innerWidth < 360 && $("figures").textContent > ""));
  body.classList.toggle("crowd", players.length > 3);
  measure();
}

// The goal, for all to see; on a phone until the first move.
function showAim() {
  const own = view.players.filter(({ you }) => you)[0], begun = Object.values(view.log).some(([letter]) => !own || letter === own.letter);
  tell({ aim: tv || !begun ? view.head.goal : "" });
  fit();
}

function clocks() {
  view.players.forEach(({ clock, runs, heard }, at) => {
    const node = $("players").children[at].lastChild;
    const left = Math.max(0, Math.ceil((clock - (runs ? Date.now() - heard : 0)) / 1000));
    say(node, clock === undefined ? "" : Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0"));
    node.className = runs && left <= 20 ? "clock short" : "clock";
  });
}

// ---- the board ----------------------------------------------------------------------------------------------------

function showBoard({ box, defs, under, places: given }) {
  const touch = draw("g"), layer = () => draw("g", { "aria-hidden": "true" });
  size = box;
  large = null;
  spots = {};
  lies = {};
  byName = {};
  board.textContent = "";
  board.setAttribute("viewBox", "0 0 " + box.join(" "));
  body.style.setProperty("--ratio", box[0] / box[1]);
  // The host's program has drawn this, and all that follows.
  $("symbols").innerHTML = defs;
  layers = [0, 1, 2, 3, 4, 5, 6].map(layer);
  layers[6].innerHTML = under;
  places = given.map(([name, x, y, width, height]) => {
    const node = draw("g", { class: "place", role: "button" });
    node.dataset.place = name;
    node.append(
      draw("rect", { class: "hit", x, y, width, height }),
      draw("rect", { class: "ring", x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 5 }),
      draw("circle", { class: "dot", cx: x + width / 2, cy: y + height / 2, r: 3.2 }),
      draw("text", { class: "step", x: x + 8, y: y + 9 }),
    );
    touch.append(node);
    return byName[name] = { name, node, x: x + width / 2, y: y + height / 2, side: Math.min(width, height) };
  });
  board.append(layers.pop(), ...layers, touch);
  if (!byName[current] && places.length) current = places[0].name;
  measure();
}

function showSpots(given, moved) {
  for (const id in given) {
    if (spots[id]) spots[id].remove();
    delete spots[id];
    if (!given[id]) continue;
    const [x, y, layer, drawing] = given[id];
    spots[id] = draw("g", { transform: `translate(${x} ${y})`, class: moved ? "new" : "" });
    spots[id].innerHTML = `<g>${drawing}</g>`;
    layers[layer].append(spots[id]);
  }
}

function showMarks() {
  const { path, nexts, soft, fresh } = view.marks;
  for (const id in spots) spots[id].classList.toggle("soft", soft.includes(id));
  board.setAttribute("class", view.draft.stage);
  for (const { name, node } of places) {
    const step = path.lastIndexOf(name) + 1, many = path.length > 1, next = nexts.includes(name), late = fresh.includes(name);
    node.setAttribute("class", "place" + (step ? " picked" : "") + (next ? " next" : ""));
    say(node.lastChild, step && many ? String(step) : "");
    node.setAttribute("aria-label", `${name}: ${lies[name] || "empty"}` + (step ? ", picked" : "") +
      (step && many ? `, ${step} of ${path.length}` : "") + (next ? ", may be picked" : "") + (late ? ", new" : ""));
    node.setAttribute("tabindex", name === current ? 0 : -1);
  }
}

function aim(place) {
  byName[current].node.setAttribute("tabindex", -1);
  current = place.name;
  place.node.setAttribute("tabindex", 0);
  place.node.focus({ preventScroll: true });
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
board.onkeydown = event => {
  const here = byName[event.target.dataset.place], way = ARROWS[event.key];
  if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
  if (way) {
    // To the nearest place that way.
    const far = ({ x, y }) => {
      const [dx, dy] = [x - here.x, y - here.y], along = dx * way[0] + dy * way[1];
      return along > 1 ? along + 4 * Math.abs(dx * way[1] + dy * way[0]) : Infinity;
    };
    const to = places.reduce((best, place) => far(place) < far(best) ? place : best, here);
    aim(to);
    to.node.scrollIntoView({ block: "nearest", inline: "nearest" });
  } else if (event.key === "Enter" || event.key === " ") pick(here);
  else if (event.key === "Backspace") send({ do: "drop" });
  else return;
  event.preventDefault();
};
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  if (!$("page").hidden) shut();
  else if (view.draft.line) send({ do: "line", line: "" });
});

function pick(place) {
  if (view.stage !== "table") return;
  if (view.look) return refuse("You are looking back. Touch: To the present.");
  if (view.over) return refuse("The game is over.");
  if (playing) return refuse(playing.line + " is being sent …");
  // The place that was picked last, once more: play it. A double tap is a slip.
  if (view.draft.stage === "legal" && view.marks.path.slice(-1)[0] === place.name && Date.now() - picked > 400) return $("play").click();
  picked = Date.now();
  send({ do: "pick", place: place.name });
}

// Pixels that a finger hits, below which a board is shown whole at first, and of the bar as it mostly is. Where places of
// the whole board are small, it is larger than its window; else the first touch enlarges it there, and the next ones pick.

const FINGER = 44, SMALL = 24, BAR = 122;
let large = null, finger = 0, down = null, tap = null, picked = 0;

function measure() {
  const box = $("boardbox"), table = view.stage === "table", [width, height] = size;
  const least = Math.min(99, ...places.map(({ side }) => side)), top = node => node.getBoundingClientRect().top;
  const beside = matchMedia("(min-aspect-ratio:1/1) and (min-width:560px)").matches;
  const room = beside ? innerHeight : $("table").offsetHeight - top(box) + top($("table")) - BAR;
  const across = box.clientWidth / width, whole = Math.min(across, room / height), hit = FINGER / least, small = whole < hit;
  const on = table && small && (large === null ? across * least >= SMALL : large);
  box.classList.toggle("large", on);
  board.style.width = table ? (on ? Math.ceil(width * hit) : Math.max(99, Math.floor(width * whole))) + "px" : "";
  show({ zoom: table && small });
  $("zoom").setAttribute("aria-label", on ? "Whole board" : "Enlarge the board");
  return on;
}

function enlarge(place) {
  large = !$("boardbox").classList.contains("large");
  if (measure() && place) place.node.scrollIntoView({ block: "center", inline: "center" });
}

// What was picked last, a place that may be picked, or what is new, is in the window of a board that is larger.
function follow() {
  const { path, nexts, fresh } = view.marks, pan = $("pan").getBoundingClientRect();
  const box = name => byName[name].node.getBoundingClientRect();
  const far = name => [box(name).left < pan.left || box(name).right > pan.right, box(name).top < pan.top || box(name).bottom > pan.bottom];
  const name = path.length ? path.slice(-1)[0] : nexts.length ? nexts.every(one => far(one).some(Boolean)) && nexts[0] : fresh[0];
  if (!byName[name] || !measure()) return;
  const [across, down] = far(name), here = box(name);
  if (across) $("pan").scrollLeft += here.left - pan.left - pan.width / 2;
  if (down) $("pan").scrollTop += here.top - pan.top - pan.height / 2;
}

board.onclick = event => {
  const place = byName[event.target.parentNode.dataset.place];
  if (!place) return;
  const box = place.node.firstChild.getBoundingClientRect();
  aim(place);
  const small = Math.min(box.width, box.height) < FINGER - 1 && !$("boardbox").classList.contains("large");
  if (Date.now() - finger < 800 && small) enlarge(place);
  else pick(place);
};
window.addEventListener("resize", fit);

// Two quick taps zoom a phone's page, whatever its style sheet says: the second one is made a plain click. Two fingers zoom.
document.addEventListener("touchstart", event => {
  finger = Date.now();
  down = event.touches.length === 1 && event.touches[0];
}, { passive: true });
document.addEventListener("touchend", event => {
  const { clientX, clientY } = event.changedTouches[0], near = (other, far) => other && Math.hypot(clientX - other.clientX, clientY - other.clientY) < far;
  const quick = tap && Date.now() - tap.time < 350 && near(tap, 30) && near(down, 10);
  finger = Date.now();
  tap = { time: finger, clientX, clientY };
  if (!quick || !event.cancelable || event.target.tagName === "INPUT") return;
  event.preventDefault();
  event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}, { passive: false });

// ---- what one can do ----------------------------------------------------------------------------------------------

function showBar() {
  const { draft, told, look, ask, marks, head, at } = view, { line, says } = draft, legal = draft.stage === "legal", brief = line.length < 12;
  tell({
    told: view.over ? "" : told.text, question: ask ? ask.text : "", play: legal && brief ? "Play " + line : "Play",
    draft: look ? "" : playing ? playing.line + " is being sent …" : says ? (line ? line + ": " : "") + says : legal ? line + ": Play makes this move." : line,
    when: look ? `Looking back: after ${look.at} of ${look.of}.` : "",
  });
  $("told").className = told.alarm ? "alarm" : "";
  $("draft").className = legal && brief && !says && !playing ? "unseen" : "";
  fill($("choices"), look || playing ? [] : draft.choices, button, (node, [name, full]) => {
    say(node, name);
    node.onclick = () => send({ do: "line", line: full });
    node.setAttribute("aria-pressed", full === line);
  });
  show({ hint: head.mine && view.words.some(([word]) => word === "hint"), ask, drop: marks.path.length > 1, acts: !look && (head.mine && !view.over || line || playing), looking: look, steps: look, lookback: !look && at });
  able({ play: legal && !playing, clear: line && !playing });
  if (look) able({ first: look.at, prev: look.at, on: look.at < look.of });
}

press({
  play() {
    playing = { do: "play", at: view.at, line: view.draft.line };
    send(playing);
    showBar();
  },
  clear: () => send({ do: "line", line: "" }),
  drop: () => send({ do: "drop" }),
  hint: () => wish("hint"),
  howto: () => read(view.door.rules),
  yes: () => send({ do: "answer", yes: true }),
  no: () => send({ do: "answer", yes: false }),
  first: () => send({ do: "look", at: 0 }),
  prev: () => send({ do: "look", at: view.look.at - 1 }),
  on: () => send({ do: "look", at: view.look.at + 1 }),
  now: () => send({ do: "look", at: null }),
  lookback: () => send({ do: "look", at: view.at - 1 }),
  zoom: () => enlarge(byName[current]),
  loud: () => mute(),
  again: () => wish("rematch"),
  shut: () => shut(),
  retry() {
    refused = {};
    start();
  },
});

// ---- log, chat, menu ----------------------------------------------------------------------------------------------

function showLog() {
  fill($("log"), Object.values(view.log), () => {
    const node = item();
    node.append(badge(), make("span"));
    return node;
  }, (node, [letter, text]) => {
    const [player] = view.players.filter(player => player.letter === letter);
    mark(node.firstChild, player ? player.seat : "");
    say(node.lastChild, text);
  });
}

function showChat(live) {
  const box = $("said"), before = box.children.length;
  fill(box, view.stage === "room" ? view.room.said || [] : Object.values(view.chat), item);
  if (live && box.children.length > before && tab !== "chat") $("tab-chat").classList.add("news");
}

// Five lines; the rest is behind "More".
const OFTEN = ["rules", "takeback", "resign", "record", "quit"];

function showMenu() {
  const { stage, words } = view, table = stage === "table", { code } = seat();
  const all = [["rules", "Rules of the game"], ...words.filter(([word]) => word !== "hint")];
  if (table) all.push(["record", "Save the game as a page"], ["sound", "Sound on your turn: " + (loud() ? "on" : "off")]);
  const often = all.filter(([word]) => OFTEN.includes(word)).sort(([one], [other]) => OFTEN.indexOf(one) - OFTEN.indexOf(other));
  const seldom = all.filter(one => !often.includes(one));
  for (const [id, some] of [["words", often], ["seldom", seldom]]) {
    fill($(id), some, button, (node, [word, name, needs]) => {
      say(node, name);
      node.dataset.word = word;
      node.onclick = () => needs ? choose(node, word, name, needs) : wish(word);
    });
  }
  $("seldom").parentNode.hidden = !seldom.length;
  tell({ mine: code ? `The code of your seat is ${code}: another browser takes the seat over with it.` : "" });
}

// A word that needs another one.
function choose(node, word, name, needs) {
  chosen = node;
  show({ more: true });
  tell({ restlabel: `${name}: ${needs.toLowerCase()}` });
  $("rest").value = "";
  $("rest").focus();
}

const wish = (word, rest = "") => word === "sound" ? mute() : send(word === "rules" || word === "record" ? { do: word } : { do: "word", word, rest });

submit("more", () => {
  wish(chosen.dataset.word, $("rest").value.trim());
  show({ more: false });
  chosen.focus();
});
submit("sayform", () => {
  const text = $("say").value.trim();
  if (text && send({ do: "say", text })) $("say").value = "";
});
submit("sitform", () => {
  const name = $("name").value.trim();
  store("name", name);
  // Where the line breaks before the answer, the page comes back to the seat by this token.
  asked = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
  send({ do: "sit", name, token: asked });
});
submit("codeform", () => {
  typed = plain($("code").value);
  refused = {};
  start();
});

function turnTo(name) {
  tab = name;
  for (const each of ["moves", "chat", "menu"]) {
    const knob = $("tab-" + each), on = each === name;
    knob.setAttribute("aria-pressed", on);
    show({ [each]: on });
    if (on) knob.classList.remove("news");
    knob.onclick = () => turnTo(each);
  }
}

function read(blocks) {
  reader = document.activeElement;
  $("text").textContent = "";
  tell({ pagetitle: blocks[0].replace(/^#+\s/, "") });
  for (const block of blocks.slice(1)) {
    const node = make(block.startsWith("###") ? "h3" : block[0] === "#" ? "h2" : block.includes("\n") ? "pre" : "p", block[0] === "-" ? "one" : "");
    say(node, block.replace(/^#+\s/, "").replace(/^-/, "\u2022"));
    $("text").append(node);
  }
  show({ page: true });
  body.classList.add("reading");
  scrollTo(0, 0);
  $("pagetitle").focus();
}
function shut() {
  show({ page: false });
  body.classList.remove("reading");
  reader.focus();
}

function save({ name, text }) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  link.download = name;
  body.append(link);
  link.click();
  link.remove();
}

// ---- the end, and the code for others -------------------------------------------------------------------------------

// The points, between two games and after each; and the bet of somebody who watches.
function showEvening() {
  const { evening, over, bet, stage } = view, told = evening && evening.games && (over || stage === "room");
  show({ evening: told, bet });
  if (told) {
    $(over ? "over" : "room").append($("evening"));
    fill($("points"), evening.rows, item, (node, [place, name, points]) => say(node, `${place} ${name}: ${points} ${points === "1" ? "point" : "points"}`));
    fill($("bets"), over ? evening.bets : [], item, (node, [who, winner, right]) => say(node, `${who} bet on ${winner}, ${right ? "and was right" : "which was wrong"}.`));
  }
  if (!bet) return;
  tell({ betting: bet.says });
  fill($("winner"), bet.seats.map((name, seat) => [name, seat]), button, (node, [name, seat]) => {
    say(node, name);
    node.onclick = () => send({ do: "bet", seat });
    node.setAttribute("aria-pressed", seat === bet.seat);
  });
}

function showOver(live) {
  showEvening();
  const end = view.over, [again] = view.words.filter(([word]) => word === "rematch");
  show({ over: end, again });
  if (!end) return;
  tell({ again: again ? again[1] : "", result: end.lines.join("\n") });
  fill($("winners"), end.won, badge, mark);
  fill($("places"), view.players.filter(({ place }) => place).sort((one, other) => one.place - other.place), item,
    (node, { place, name, you, figures = [] }) => say(node, `${place}. ${you ? "You" : name}` +
      figures.map(([name, number]) => name === "track" ? ", " + number : `, ${number} ${name}`).join("")));
  if (!live) return;
  $("over").classList.add("event");
  chime(523, 659, 784, 1047);
  if (tv && !still()) rain(end.won);
  scrollTo(0, 0);
}

// The winners' signs fall over a television.
function rain(won) {
  for (let drop = 0; drop < 36; drop++) {
    const node = badge();
    node.setAttribute("class", "drop");
    mark(node, won[drop % won.length]);
    node.style.left = 97 * Math.random() + "%";
    node.style.animationDelay = 3 * Math.random() + "s";
    node.onanimationend = () => node.remove();
    body.append(node);
  }
}

function showQr() {
  const { qr } = view;
  show({ qr });
  if (!qr) return;
  let path = "";
  qr.rows.forEach((row, y) => row.replace(/1+/g, (run, x) => { path += `M${x + 4} ${y + 4}h${run.length}v1h-${run.length}z`; }));
  $("squares").setAttribute("d", path);
  $("squares").parentNode.setAttribute("viewBox", `0 0 ${qr.rows.length + 8} ${qr.rows.length + 8}`);
  tell({ address: qr.address, short: qr.code, other: `This picture on another screen: ${qr.address}/tv`, loud: "Sound: " + (loud() ? "on" : "off") });
}

body.classList.toggle("tv", tv);
turnTo(tab);
start();
})();
