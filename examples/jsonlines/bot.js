// A bot in JavaScript: plays any game of Quadrille by the list of its moves. Node 18 or later, no packages.
//
//     quadrille bot check "node examples/jsonlines/bot.js"
//     quadrille play maze --against "node examples/jsonlines/bot.js"
//
// It draws a few moves, has random games played after each of them, and makes the one that they went best with.
// The lines that it reads and writes are specified in docs/protocols/bots.md. Text for people goes to console.error.

"use strict";

const readline = require("node:readline");

const CANDIDATES = 8; // so many moves are looked at
const GAMES = 4; // and so many random games are played after each

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function read() {
  const { value, done } = await lines.next();
  return done ? null : JSON.parse(value);
}

function write(answer) {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

function reply(told) {
  write({ offer: told.number, agree: told.offer !== "draw" });
}

// What came while we waited for an answer, and is not for then: the end of the game, or of it all.
let kept = null;

// The table's answer; null when something ended the turn before it came.
async function ask(question) {
  write(question);
  for (;;) {
    const told = await read();
    if (told === null || told.do === "answer") return told;
    if (told.do === "offer") {
      reply(told);
    } else {
      kept = told;
      return null;
    }
  }
}

// Dice that fall the same for the same seed (mulberry32).
function dice(seed) {
  let state = 0;
  for (const letter of seed) state = (Math.imul(state, 31) + letter.codePointAt(0)) | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below | 0;
  };
}

let game = null; // the "start" of the game in progress
let roll = null;

async function choose(turn) {
  const end = Date.now() + turn.budget / 2;
  let moves = turn.moves;
  for (let more = turn.more; more && Date.now() < end; ) {
    const answer = await ask({ ask: "moves" });
    if (answer === null) return null;
    moves = moves.concat(answer.moves ?? []);
    more = answer.more;
  }
  for (let at = 0; at < Math.min(CANDIDATES, moves.length); at++) {
    const other = at + roll(moves.length - at);
    [moves[at], moves[other]] = [moves[other], moves[at]];
  }
  let best = { move: moves[0], worth: -Infinity };
  for (const move of moves.slice(0, CANDIDATES)) {
    if (moves.length === 1 || Date.now() >= end) break;
    const seed = String(roll(1000000));
    const answer = await ask({ ask: "play out", moves: [move], games: GAMES, seed });
    if (answer === null) return null;
    const worth = (answer.payoffs ?? []).reduce((sum, row) => sum + row[game.seat], 0);
    if (worth > best.worth) best = { move, worth };
  }
  return best.move;
}

async function main() {
  for (;;) {
    const told = kept ?? (await read());
    kept = null;
    if (told === null || told.do === "quit") break;
    if (told.do === "hello") write({ hello: "bot.js", protocol: 1, version: "1", omit: ["view", "text"] });
    if (told.do === "start") {
      game = told;
      roll = dice(told.seed + told.seat);
      write({ ready: true });
    }
    if (told.do === "turn") {
      const move = await choose(told);
      if (move !== null) write({ turn: told.turn, move });
    }
    if (told.do === "offer") reply(told);
  }
  process.exit(0);
}

main();
