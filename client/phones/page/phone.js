// A seat on a phone, and the board that all look at: shows what the host's machine tells, sends what is touched.
// It knows no rule. Frames are sealed with a key that is made from the secret of the QR code (protocols.md).
"use strict";
(() => {
const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const body = document.body, board = $("board");

if (!window.WebSocket || !window.Uint8Array || !window.TextEncoder || !window.nacl || board.innerHTML === undefined) {
  $("advice").textContent = "This browser is too old for this page: open it in another one.";
  return;
}

// ---- small things -------------------------------------------------------------------------------------------------

const store = {
  get(name) { try { return localStorage.getItem("quadrille." + name); } catch (e) { return null; } },
  set(name, text) { try { localStorage.setItem("quadrille." + name, text); } catch (e) { /* goes without */ } },
};
const make = (tag, kind, text) => {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
};
const draw = (tag, given) => {
  const made = document.createElementNS(SVG, tag);
  for (const name in given) made.setAttribute(name, given[name]);
  return made;
};
// Text is only written where it differs: what is written into a live region is read out.
const say = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const show = (node, wanted) => { node.hidden = !wanted; };
const able = (button, can) => button.setAttribute("aria-disabled", String(!can));
const isAble = button => button.getAttribute("aria-disabled") !== "true";
const button = () => { const made = make("button"); made.type = "button"; return made; };
// The children of a list: as many as there are items, the old ones kept, so that the focus stays.
const fill = (box, items, create, put) => {
  while (box.children.length > items.length) box.removeChild(box.lastElementChild);
  items.forEach((item, at) => {
    if (!box.children[at]) box.appendChild(create(item));
    put(box.children[at], item, at);
  });
};
const utf8 = text => new TextEncoder().encode(text);
const plain = text => text.toLowerCase().replace(/[^a-z0-9]/g, "");
const joined = parts => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
};

// ---- secrets ------------------------------------------------------------------------------------------------------

const asScreen = location.search === "?screen";
let typed = "";                    // a code typed by hand
let refused = {};                  // secrets that open nothing
let memory = {};                   // the seats, where nothing can be stored

const seats = () => { try { return JSON.parse(store.get("seats")) || memory; } catch (e) { return memory; } };
// A table is known by its invitation, of which only a hash is kept.
const table = () => {
  const secret = plain(location.hash);
  return secret ? Array.from(nacl.hash(utf8(secret)).slice(0, 8)).join("-") : "";
};
const keep = seat => {
  const all = seats(), name = table(), others = Object.keys(all).filter(each => each !== name).slice(-7);
  memory = {};
  for (const each of others) memory[each] = all[each];
  if (seat) memory[name] = memory[""] = seat;
  store.set("seats", JSON.stringify(memory));
};
// A seat of this table first, then its invitation; a code that was typed before both.
const secret = () => {
  const seat = !asScreen && seats()[table()];
  return [typed, seat && seat.token, plain(location.hash)].filter(each => each && !refused[each])[0];
};

// ---- the line to the host -----------------------------------------------------------------------------------------

const PATIENCE = 5000, SILENCE = 4000, NAP = 8000, WAITS = [0, 500, 1000, 2000, 3000];
let line = null, tries = 0, later = 0, over = false, ticked = Date.now(), hidden = 0;

function hang() {
  clearTimeout(later);
  if (!line) return;
  const socket = line.socket;
  clearTimeout(line.timer);
  line = null;
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}

function dial() {
  hang();
  if (over || document.hidden) return;      // a socket opened by a hidden page hangs; it is opened on waking
  const word = secret();
  if (!word) return stop("", "");
  const pair = nacl.box.keyPair();
  let socket;
  try {
    socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/table");
  } catch (e) {
    return lost();
  }
  socket.binaryType = "arraybuffer";
  const mine = line = { socket, word, out: null, into: null, sent: 0, got: 0, heard: Date.now(), asked: 0, seen: false };
  mine.timer = setTimeout(() => { if (line === mine && !mine.seen) lost(); }, PATIENCE);
  socket.onopen = () => socket.send(pair.publicKey);
  socket.onmessage = event => { if (line === mine) hear(mine, pair, new Uint8Array(event.data)); };
  socket.onclose = event => { if (line === mine) closed(event.code, event.reason); };
}

function nonce(number) {
  const bytes = new Uint8Array(24);
  for (let at = 23; number > 0; at--, number = Math.floor(number / 256)) bytes[at] = number % 256;
  return bytes;
}

function hear(mine, pair, bytes) {
  mine.heard = Date.now();
  mine.asked = 0;
  if (!mine.out) {
    if (bytes.length !== 32) return lost();
    const shared = nacl.box.before(bytes, pair.secretKey);
    const key = nacl.hash(joined([utf8("quadrille phone"), shared, utf8(mine.word)]));
    mine.out = key.slice(0, 32);
    mine.into = key.slice(32);
    send({ do: "come", as: asScreen ? "screen" : "play" });
    return;
  }
  const opened = nacl.secretbox.open(bytes, nonce(mine.got++), mine.into);
  if (!opened) return lost();
  const news = JSON.parse(new TextDecoder().decode(opened));
  const first = !mine.seen && news.stage !== undefined;
  if (first) {
    clearTimeout(mine.timer);
    mine.seen = true;
    tries = 0;
    say($("link"), "");
  }
  take(news, first);
}

function send(wish) {
  if (!line || !line.out || line.socket.readyState !== 1) return false;
  line.socket.send(nacl.secretbox(utf8(JSON.stringify(wish)), nonce(line.sent++), line.out));
  return true;
}

function lost() {
  hang();
  if (over || document.hidden) return;
  const wait = WAITS[Math.min(tries++, WAITS.length - 1)];
  if (tries > 1) say($("link"), "Connection lost. Trying again …");
  if (tries > 3 && !view.stage) {
    tell("The host can't be reached.", "Is this phone in the same Wi-Fi as the host's machine, and not in the guests' one? " +
      "Is the host's program running? This page goes on trying.");
  }
  later = setTimeout(dial, wait);
}

// What the host says by closing; all else is a connection that was lost.
const ENDS = {
  4404: ["The host has left.", "The table is closed. If the host opens another one, scan its QR code."],
  4409: ["This seat is open elsewhere.", "It has been opened in another browser. It can be taken back here."],
  4429: ["Too many tries.", "Wait for a minute, then try again."],
};

function closed(code, reason) {
  const word = line && line.word;
  if (code === 4403) {
    refused[word] = true;
    const seat = seats()[table()];
    if (seat && seat.token === word) keep(null);
    if (word === typed) typed = "";
    if (secret()) return dial();
    return stop("This opens no seat any more.", reason || "The table is full, or it has ended.");
  }
  if (ENDS[code]) return stop(ENDS[code][0], (reason && reason !== ENDS[code][0] ? reason + " " : "") + ENDS[code][1]);
  if (code === 1001 && reason) say($("link"), reason);
  lost();
}

function tell(why, advice) {
  view.stage = "";
  body.dataset.stage = "wait";
  say($("why"), why);
  say($("advice"), advice);
}

// A page that says what to do; nothing is tried again but by the person.
function stop(why, advice) {
  over = true;
  hang();
  say($("link"), "");
  view = {};
  const coded = !secret();
  tell(why || "Scan the QR code of a table, or type its code.", advice);
  document.title = "Quadrille";
  show($("retry"), !coded);
  show($("codeform"), coded);
  if (!coded) $("retry").focus();
}

function start() {
  over = false;
  tries = 0;
  show($("retry"), false);
  show($("codeform"), false);
  tell("One moment …", "");
  dial();
}

function wake(anew) {
  ticked = Date.now();
  if (over || document.hidden) return;
  tries = 0;
  if (anew || !line || !line.seen) return dial();
  line.asked = Date.now() - PATIENCE + 2000;
  send({ do: "here" });
}

function tick() {
  const time = Date.now(), gap = time - ticked;
  ticked = time;
  clocks();
  if (document.hidden) return;
  if (gap > NAP) return wake(true);
  if (!line || !line.seen) return;
  if (line.asked ? time - line.asked > PATIENCE : false) return lost();
  if (!line.asked && time - line.heard > SILENCE) { line.asked = time; send({ do: "here" }); }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hidden = Date.now();
  else wake(Date.now() - hidden > PATIENCE);
});
window.addEventListener("pageshow", event => { if (event.persisted) wake(true); });
window.addEventListener("online", () => wake(true));
window.addEventListener("hashchange", () => { typed = ""; refused = {}; start(); });
setInterval(tick, 500);

// ---- what the host tells ------------------------------------------------------------------------------------------

let view = {}, spots = {}, words = {}, layers = [], places = [], byName = {}, current = "", playing = null, sureOf = null, since = 0, tab = "moves";

function take(news, first) {
  const had = document.activeElement, at = view.at;
  if (first) {
    const log = view.log;
    view = { log: [], chat: [] };
    if (!news.log && log) showLog();
  }
  for (const part in news) {
    if (part === "log" || part === "chat") view[part] = (view[part] || []).slice(0, news[part].from).concat(news[part].lines);
    else view[part] = news[part];
  }
  if (news.seat) keep(news.seat);
  if (news.bye) return stop("The table has ended.", news.bye);
  if (news.rules) return openPage("Rules", news.rules);
  if (news.record) return save(news.record);
  if (playing) {
    if (view.at !== playing.at) playing = null;
    else if (first) send(playing);                       // sent, and never heard of: the same move once more
    else if (news.draft || (news.told && news.told.alarm)) playing = null;
  }
  if (news.players) since = Date.now();
  if (news.stage) show($("page"), false);
  body.dataset.stage = view.stage || "wait";
  if (news.stage === "door") showDoor();
  if (news.door) showDoor();
  if (news.head || first) showHead();
  if (news.room) showRoom();
  if (news.players || news.over !== undefined) showPlayers();
  if (news.board) showBoard();
  if (news.spots) showSpots(news.spots, !first && !news.board && at !== undefined && news.at !== undefined && news.at !== at);
  if (news.words_of) Object.assign(words, news.words_of);
  if (news.board || news.spots || news.words_of || news.marks || news.draft) showMarks();
  if (news.log) showLog();
  if (news.chat || news.room || first) showChat(!first);
  if (news.notes || first) fill($("notes"), view.notes || [], () => make("li"), say);
  if (news.signs || first) fill($("signs"), view.signs || [], () => make("li"), say);
  if (news.words || news.seat || first) showMenu();
  if (news.over !== undefined || news.words || first) showOver(first || !news.over);
  if (news.qr !== undefined || first) showQr();
  showBar(news);
  if (news.ring) buzz();
  if (had !== body && had !== document.activeElement || !seen(document.activeElement)) refocus(had);
}

const seen = node => node === body || node === document.documentElement || node.getClientRects().length > 0;

// The focus is never lost: the same place of a new board, else what is next to do.
function refocus(had) {
  const name = had.dataset && had.dataset.place;
  if (name && byName[name]) return byName[name].node.focus({ preventScroll: true });
  if (had === body || seen(had) && document.contains(had)) return;
  if (view.stage === "door") return $("name").focus();
  (seen($("play")) ? $("play") : $("title")).focus({ preventScroll: true });
}

function showDoor() {
  const door = view.door || {};
  say($("about"), door.about || "");
  say($("free"), door.free ? `${door.free} ${door.free === 1 ? "seat is" : "seats are"} free.` : "");
  say($("trust"), door.trust || "");
  if (!$("name").value) $("name").value = store.get("name") || "";
}

function showHead() {
  const head = view.head || {};
  say($("title"), head.title || head.game || "Quadrille");
  say($("whose"), head.turn || "");
  $("whose").className = head.mine ? "mine" : "";
  body.classList.toggle("mine", Boolean(head.mine));
  document.title = head.game ? (head.mine ? "Your turn - " : "") + head.game : "Quadrille";
}

function buzz() {
  if (navigator.vibrate) try { navigator.vibrate([80, 60, 80]); } catch (e) { /* it may be forbidden */ }
}

function showRoom() {
  const room = view.room || {}, chairs = (room.chairs || []).slice();
  say($("terms"), room.terms || "");
  while (chairs.length < (room.seats || 0)) chairs.push(null);
  fill($("chairs"), chairs, () => make("li"), (node, chair) => {
    say(node, chair ? `${chair.name}${chair.kind && chair.kind !== "person" ? `, ${chair.kind}` : ""}${chair.you ? " (you)" : ""}` : "free");
    node.className = chair ? (chair.you ? "you" : "") : "free";
  });
}

const badge = seat => {
  const drawing = draw("svg", { viewBox: "-21 -21 42 42", class: "badge", "aria-hidden": "true" });
  drawing.appendChild(draw("use", { href: "#seat" + seat }));
  return drawing;
};

function showPlayers() {
  fill($("players"), view.players || [], player => {
    const node = make("li"), who = make("span", "who");
    node.append(badge(player.seat), who);
    who.append(make("b"), make("small"));
    node.append(make("span", "figures"), make("span", "clock"));
    return node;
  }, (node, player) => {
    const [mark, who, figures] = node.children;
    mark.firstChild.setAttribute("href", "#seat" + player.seat);
    say(who.children[0], player.name + (player.you ? " (you)" : ""));
    const besides = [player.role, player.kind, player.place ? `place ${player.place}` : player.turn ? "to move" : "", player.left ? "has left" : ""];
    say(who.children[1], besides.filter(Boolean).join(", "));
    fill(figures, player.figures || [], () => { const one = make("span"); one.append(make("b"), make("small")); return one; }, (one, [name, number]) => {
      say(one.children[0], String(number));
      say(one.children[1], " " + name);
    });
    node.className = [player.turn ? "turn" : "", player.left ? "left" : "", player.place === 1 ? "first" : ""].join(" ");
  });
  say($("figures"), ((view.players || [])[0] || { figures: [] }).figures.map(([name]) => name).join(" · "));
  fit();
  clocks();
}

// Many players, or a narrow window: figures have their names but once.
function fit() {
  body.classList.toggle("many", view.stage === "table" && innerWidth < 360 || (view.players || []).length > 3);
  measure();
}

function clocks() {
  const players = view.players || [];
  players.forEach((player, at) => {
    const node = $("players").children[at], shown = node && node.lastElementChild;
    if (!shown || shown.className.indexOf("clock") < 0) return;
    if (player.clock === null || player.clock === undefined) return say(shown, "");
    const seconds = Math.max(0, Math.ceil((player.clock - (player.runs ? Date.now() - since : 0)) / 1000));
    say(shown, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    shown.className = player.runs && seconds <= 20 ? "clock short" : "clock";
  });
}

// ---- the board ----------------------------------------------------------------------------------------------------

function showBoard() {
  const given = view.board;
  spots = {};
  words = {};
  places = [];
  byName = {};
  $("symbols").innerHTML = board.innerHTML = "";
  if (!given) return;
  const [wide, high] = given.box, touch = draw("g", {});
  board.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  body.style.setProperty("--ratio", wide / high);
  $("symbols").innerHTML = given.defs;                   // drawn by the host's program, as all that follows
  const under = draw("g", { "aria-hidden": "true" });
  under.innerHTML = given.under;
  layers = [0, 1, 2, 3, 4, 5].map(() => draw("g", { "aria-hidden": "true" }));
  given.places.forEach(([name, x, y, w, h]) => {
    const node = draw("g", { class: "place", role: "button", tabindex: -1 });
    node.dataset.place = name;
    node.append(
      draw("rect", { class: "hit", x, y, width: w, height: h }),
      draw("rect", { class: "ring", x: x + 2, y: y + 2, width: w - 4, height: h - 4, rx: 5 }),
      draw("circle", { class: "dot", cx: x + w / 2, cy: y + h / 2, r: 3.2 }),
      draw("text", { class: "step", x: x + 8, y: y + 9 }),
    );
    touch.appendChild(node);
    places.push(byName[name] = { name, node, x: x + w / 2, y: y + h / 2, side: Math.min(w, h) });
  });
  board.append(under, ...layers, touch);
  if (!byName[current]) current = places.length ? places[0].name : "";
  measure();
}

function showSpots(given, moved) {
  for (const id in given) {
    if (spots[id]) spots[id].remove();
    delete spots[id];
    if (!given[id]) continue;
    const [x, y, layer, drawing] = given[id], node = spots[id] = draw("g", { transform: `translate(${x} ${y})` });
    node.innerHTML = `<g>${drawing}</g>`;
    if (moved) node.setAttribute("class", "new");
    layers[layer].appendChild(node);
  }
}

function showMarks() {
  const marks = view.marks || {}, path = marks.path || [], among = list => name => (list || []).indexOf(name) >= 0;
  const next = among(marks.nexts), fresh = among(marks.fresh), soft = among(marks.soft);
  for (const id in spots) spots[id].classList.toggle("soft", soft(id));
  board.classList.toggle("begun", Boolean(view.draft && view.draft.stage === "begun"));
  for (const { name, node } of places) {
    const step = path.lastIndexOf(name) + 1, many = path.length > 1;
    const states = { picked: step > 0, next: next(name), fresh: fresh(name) };
    node.setAttribute("class", "place " + Object.keys(states).filter(state => states[state]).join(" "));
    say(node.lastChild, step && many ? String(step) : "");
    node.setAttribute("aria-label", [`${name}: ${words[name] || "empty"}`, step ? "picked" + (many ? `, ${step} of ${path.length}` : "") : "",
      states.next ? "may be picked" : "", states.fresh ? "new" : ""].filter(Boolean).join(", "));
    node.setAttribute("tabindex", name === current ? 0 : -1);
  }
}

function aim(place, focus) {
  if (byName[current]) byName[current].node.setAttribute("tabindex", -1);
  current = place.name;
  place.node.setAttribute("tabindex", 0);
  if (focus) place.node.focus();
}

// The nearest place that way; one straight on is nearer than one aside.
function toward(from, dx, dy) {
  let best = null, least = Infinity;
  for (const place of places) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along > 1 && along + 4 * aside < least) { least = along + 4 * aside; best = place; }
  }
  return best;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
board.addEventListener("keydown", event => {
  const here = byName[event.target.dataset && event.target.dataset.place];
  if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
  const way = ARROWS[event.key];
  if (way) {
    const to = toward(here, way[0], way[1]);
    if (to) aim(to, true);
  } else if (event.key === "Enter" || event.key === " ") {
    pick(here);
  } else if (event.key === "Backspace") {
    send({ do: "drop" });
  } else return;
  event.preventDefault();
});
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  if (!$("page").hidden) closePage();
  else if (!$("sure").hidden) unsure();
  else if (view.stage === "table") send({ do: "line", line: "" });
});

function pick(place) {
  if (view.stage === "table" && !view.look && !playing) send({ do: "pick", place: place.name });
}

// ---- squares that are small for a finger: the first touch enlarges, the next ones pick -----------------------------

const SMALL = 24, EASY = 36, LARGE = 44;
let finger = 0;

const isLarge = () => $("boardbox").classList.contains("large");

function measure() {
  const least = Math.min(...places.map(place => place.side)), box = board.viewBox.baseVal;
  if (!places.length || !box) return;
  const drawn = board.getBoundingClientRect();
  const shown = isLarge() ? 0 : least * Math.min(drawn.width / box.width, drawn.height / box.height);
  show($("zoom"), shown < EASY);
  board.style.setProperty("--large", Math.ceil(box.width * LARGE / least) + "px");
}

function enlarge(large, place) {
  $("boardbox").classList.toggle("large", large);
  say($("zoom"), large ? "Whole board" : "Enlarge");
  if (large && place) place.node.scrollIntoView({ block: "center", inline: "center" });
  measure();
}

board.addEventListener("click", event => {
  const node = event.target.closest(".place"), place = node && byName[node.dataset.place];
  if (!place) return;
  aim(place, false);
  const side = node.firstChild.getBoundingClientRect();
  if (Date.now() - finger < 800 && !isLarge() && Math.min(side.width, side.height) < SMALL) return enlarge(true, place);
  place.node.focus({ preventScroll: true });
  pick(place);
});
$("zoom").onclick = () => enlarge(!isLarge(), byName[current]);
window.addEventListener("resize", fit);

// Two quick taps zoom a phone's page, whatever its style sheet says: the second one is made a plain click. Two fingers still zoom.
let tap = { time: 0, x: 0, y: 0 }, down = null;
document.addEventListener("touchstart", event => {
  finger = Date.now();
  down = event.touches.length === 1 ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
}, { passive: true });
document.addEventListener("touchend", event => {
  finger = Date.now();
  const point = event.changedTouches[0], x = point.clientX, y = point.clientY;
  const still = down && Math.hypot(x - down.x, y - down.y) < 10;
  const quick = finger - tap.time < 350 && Math.hypot(x - tap.x, y - tap.y) < 30;
  tap = { time: finger, x, y };
  if (!still || !quick || event.touches.length || !event.cancelable || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  const target = document.elementFromPoint(x, y);
  if (target) target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX: x, clientY: y }));
}, { passive: false });

// ---- what one can do ----------------------------------------------------------------------------------------------

function showBar(news) {
  const draft = view.draft || {}, told = view.told || {}, look = view.look, mine = Boolean(view.head && view.head.mine) && !view.over;
  if (news.told) {
    say($("told"), told.text || "");
    $("told").className = told.alarm ? "alarm" : "";
  }
  show($("ask"), Boolean(view.ask));
  say($("question"), view.ask ? view.ask.text : "");
  const line = draft.line || "", path = (view.marks && view.marks.path) || [];
  const legal = draft.stage === "legal", ready = legal && !draft.says && !playing;
  const says = playing ? `${playing.line} is being sent …` : draft.says || (legal ? "Play makes this move." : "");
  say($("draft"), look ? "" : line && !playing ? `${line}: ${says}` : says);
  $("draft").className = ready && line.length < 12 ? "unseen" : "";
  fill($("choices"), look || playing ? [] : draft.choices || [], button, (node, [name, full]) => {
    say(node, name);
    node.dataset.line = full;
    node.setAttribute("aria-pressed", String(full === line));
  });
  show($("acts"), !look && (mine || Boolean(line) || Boolean(playing)));
  say($("play"), legal && line.length < 12 ? `Play ${line}` : "Play");
  able($("play"), legal && !playing);
  able($("clear"), Boolean(line) && !playing);
  show($("drop"), path.length > 1);
  show($("looking"), Boolean(look));
  show($("steps"), Boolean(look));
  show($("lookback"), !look && view.at > 0);
  if (look) {
    say($("when"), `Looking back: after ${look.at} of ${look.of}.`);
    able($("first"), look.at > 0);
    able($("prev"), look.at > 0);
    able($("on"), look.at < look.of);
  }
}

const press = (id, act) => { $(id).onclick = () => { if (isAble($(id))) act(); }; };
press("play", () => {
  const draft = view.draft || {};
  if (draft.stage !== "legal" || playing) return;
  playing = { do: "play", at: view.at, line: draft.line };
  send(playing);
  showBar({});
});
press("clear", () => send({ do: "line", line: "" }));
press("drop", () => send({ do: "drop" }));
press("yes", () => send({ do: "answer", yes: true }));
press("no", () => send({ do: "answer", yes: false }));
press("first", () => send({ do: "look", at: 0 }));
press("prev", () => send({ do: "look", at: view.look.at - 1 }));
press("on", () => send({ do: "look", at: view.look.at + 1 }));
press("now", () => send({ do: "look", at: null }));
press("lookback", () => send({ do: "look", at: view.at - 1 }));
$("choices").onclick = event => {
  const chosen = event.target.closest("button");
  if (chosen) send({ do: "line", line: chosen.dataset.line });
};

// ---- log, chat, menu ----------------------------------------------------------------------------------------------

const seatOf = letter => { const found = (view.players || []).filter(player => player.letter === letter)[0]; return found ? found.seat : -1; };

function showLog() {
  const box = $("log");
  fill(box, view.log || [], () => { const node = make("li"); node.append(make("i"), make("span")); return node; }, (node, [letter, text]) => {
    if (node.dataset.text === `${letter} ${text}`) return;
    node.dataset.text = `${letter} ${text}`;
    const seat = letter ? seatOf(letter) : -1;
    node.firstChild.textContent = "";
    if (seat >= 0) node.firstChild.appendChild(badge(seat));
    say(node.lastChild, text);
  });
}

function showChat(live) {
  const lines = view.stage === "room" && !(view.chat || []).length ? (view.room && view.room.said) || [] : view.chat || [];
  const box = $("said"), before = box.children.length;
  fill(box, lines, () => make("li"), say);
  if (live && lines.length > before && tab !== "chat") $("tab-chat").classList.add("news");
}

// Words by which something is lost ask first.
const GRAVE = /^(resign|quit|leave|exit|stop|close)/;

function showMenu() {
  const always = view.stage === "table" ? [["rules", "Rules of the game", ""], ["record", "Save the record", ""]] : [];
  fill($("words"), (view.words || []).concat(always), button, (node, [word, name, needs]) => {
    say(node, name);
    node.dataset.word = word;
    node.dataset.needs = needs || "";
    node.className = GRAVE.test(word) ? "grave" : "";
  });
  say($("mine"), view.seat && view.seat.code ? `The code of your seat is ${view.seat.code}: with it another browser takes this seat over.` : "");
}

$("words").onclick = event => {
  const chosen = event.target.closest("button");
  if (!chosen) return;
  const { word, needs } = chosen.dataset;
  unsure();
  show($("more"), Boolean(needs));
  if (needs) {
    sureOf = chosen;
    say($("restlabel"), `${chosen.textContent}: ${needs.toLowerCase()}`);
    $("rest").value = "";
    $("rest").focus();
  } else if (GRAVE.test(word)) {
    sureOf = chosen;
    say($("really"), `${chosen.textContent}? This can't be taken back.`);
    say($("sureyes"), chosen.textContent);
    show($("sure"), true);
    $("stay").focus();
  } else wish(word, "");
};
function wish(word, rest) {
  send(word === "rules" || word === "record" ? { do: word } : { do: "word", word, rest });
}
function unsure() {
  const was = sureOf, within = $("sure").contains(document.activeElement) || $("more").contains(document.activeElement);
  show($("sure"), false);
  show($("more"), false);
  sureOf = null;
  if (within && was) was.focus();
}
press("again", () => wish("rematch", ""));
press("stay", unsure);
press("sureyes", () => { const word = sureOf && sureOf.dataset.word; unsure(); if (word) wish(word, ""); });
$("more").onsubmit = event => {
  event.preventDefault();
  const word = sureOf && sureOf.dataset.word, rest = $("rest").value.trim();
  unsure();
  if (word) wish(word, rest);
};
$("sayform").onsubmit = event => {
  event.preventDefault();
  const text = $("say").value.trim();
  if (text && send({ do: "say", text })) $("say").value = "";
};
$("sitform").onsubmit = event => {
  event.preventDefault();
  const name = $("name").value.trim();
  if (!name) return $("name").focus();
  store.set("name", name);
  send({ do: "sit", name });
};
$("codeform").onsubmit = event => {
  event.preventDefault();
  typed = plain($("code").value);
  refused = {};
  if (typed) start();
};
$("retry").onclick = start;

const TABS = ["moves", "chat", "menu"];
function turnTo(name, focus) {
  tab = name;
  for (const each of TABS) {
    const knob = $("tab-" + each), on = each === name;
    knob.setAttribute("aria-selected", String(on));
    knob.tabIndex = on ? 0 : -1;
    show($(each), on);
    if (on) knob.classList.remove("news");
    if (on && focus) knob.focus();
  }
}
$("tabs").onclick = event => { if (event.target.id.slice(0, 4) === "tab-") turnTo(event.target.id.slice(4), false); };
$("tabs").onkeydown = event => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) turnTo(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length], true);
};

let before = null;
function openPage(title, lines) {
  before = document.activeElement;
  say($("pagetitle"), title);
  fill($("text"), lines, () => make("p"), say);
  body.classList.add("reading");
  show($("page"), true);
  window.scrollTo(0, 0);
  $("pagetitle").focus();
}
function closePage() {
  show($("page"), false);
  body.classList.remove("reading");
  if (before) before.focus();
}
press("shut", closePage);

function save(record) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([record.text], { type: "text/plain" }));
  link.download = record.name;
  body.appendChild(link);
  link.click();
  body.removeChild(link);
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// ---- the end, and the code for others -------------------------------------------------------------------------------

function showOver(first) {
  const end = view.over, box = $("over");
  show(box, Boolean(end));
  if (!end) return;
  fill($("winners"), end.won || [], seat => badge(seat), (node, seat) => node.firstChild.setAttribute("href", "#seat" + seat));
  fill($("places"), end.lines, () => make("li"), say);
  const word = (view.words || []).filter(each => each[0] === "rematch")[0];
  show($("again"), Boolean(word));
  if (word) say($("again"), word[1]);
  box.classList.toggle("event", !first);
  if (!first) window.scrollTo(0, 0);
}

function showQr() {
  const qr = view.qr;
  show($("qr"), Boolean(qr));
  if (!qr) return;
  const size = qr.rows.length + 8;
  let path = "";
  qr.rows.forEach((row, y) => row.replace(/1+/g, (run, x) => { path += `M${x + 4} ${y + 4}h${run.length}v1h-${run.length}z`; return run; }));
  const drawing = draw("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of this table" });
  drawing.append(draw("rect", { width: size, height: size, class: "white" }), draw("path", { d: path, class: "black" }));
  $("code2").textContent = "";
  $("code2").appendChild(drawing);
  say($("address"), qr.address);
  say($("short"), qr.code ? `Code ${qr.code}` : "");
}

turnTo("moves", false);
start();
})();
