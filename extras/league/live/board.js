"use strict";
// The page for a wall: boards that are being played, standing or bracket, last faults, and how far the run is. All of it
// comes from the report's live page (site.py); after the end it says who won, and stays.
(() => {
  const EVERY = 1000, ROWS = 16, SERIES = 12, FAULTS = 4;
  const at = (name) => document.querySelector(name);
  let version = "", shown = "";

  const page = (text) => new DOMParser().parseFromString(text, "text/html");
  const text = (node) => node?.textContent.trim() ?? "";

  function table(into, rows, named) {
    into.replaceChildren(...rows.map((cells) => {
      const row = document.createElement("tr");
      row.append(...cells.map((cell, place) => {
        const made = document.createElement("td");
        made.textContent = cell;
        if (place === named) made.className = "name";
        return made;
      }));
      return row;
    }));
  }

  function report(fresh) {
    at("h1").textContent = text(fresh.querySelector("h1"));
    document.title = at("h1").textContent;
    const cells = (row) => [...row.cells].map(text);
    const standing = [...fresh.querySelectorAll("#on-standing tbody tr, #on-standing thead ~ tr")].map(cells);
    const usual = standing.filter((row) => row.length > 9).slice(0, ROWS);
    table(at("#standing table"), usual.map((row) => [row[0], row[1], row[5], row[7]]), 1);
    const series = [...fresh.querySelectorAll("#on-bracket table tr")].map(cells).filter((row) => row.length === 2);
    at("#bracket").hidden = !series.length;
    table(at("#bracket table"), series.slice(-SERIES), 1);
    const faults = [...fresh.querySelectorAll("#on-faults .tall tr")].map(cells).filter((row) => row.length === 3);
    at("#faults").hidden = !faults.length;
    at("#faults ul").replaceChildren(...faults.slice(-FAULTS).reverse().map(([game, who, why]) => {
      const row = document.createElement("li");
      row.textContent = `${who} (game ${game}): ${why}`;
      return row;
    }));
    at("#boards").dataset.said = text(fresh.querySelector(".said"));
  }

  function play(part) {
    if (part === shown) return;
    shown = part;
    const fresh = page(part);
    at("#far").textContent = text(fresh.querySelector("#run"));
    const boards = fresh.querySelector(".boards");
    if (boards) return at("#boards").replaceChildren(document.importNode(boards, true));
    if (!fresh.querySelector("#run[data-over]")) return at("#boards").replaceChildren();
    const said = document.createElement("p");
    said.className = "said";
    said.textContent = at("#boards").dataset.said ?? "";
    at("#boards").replaceChildren(said);
  }

  async function ask(path) {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    return answer.text();
  }

  async function follow() {
    try {
      const [, now, part] = /^(.*)\n([^]*)$/.exec(await ask("/now"));
      if (now !== version) { report(page(await ask("/"))); version = now; shown = ""; }
      play(part);
      at("#gone").hidden = true;
    } catch {
      at("#gone").hidden = false;
    }
    setTimeout(follow, EVERY);
  }
  follow();
})();
