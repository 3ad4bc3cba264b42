"use strict";
// Keeps a report up to date while its tournament goes on (extras/league/live/site.py). A part that has not changed
// keeps its place, its focus and whether it is open; the film takes its new games by itself (client/picture/page.js).
// The game that is being played comes apart from the page, in each answer after the page's version.
(() => {
  const EVERY = 1000;
  const state = document.getElementById("live"), time = state.querySelector("time");
  let version = state.dataset.version, shown = "";

  function morph(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeName !== fresh.nodeName) return old.replaceWith(document.importNode(fresh, true));
    if (old.nodeType !== Node.ELEMENT_NODE) { old.nodeValue = fresh.nodeValue; return; }
    if (old.hasAttribute("data-keys") || old.id === "on-now") return;
    for (const { name } of [...old.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    const now = [...old.childNodes], next = [...fresh.childNodes];
    next.forEach((child, place) => (now[place] ? morph(now[place], child) : old.append(document.importNode(child, true))));
    now.slice(next.length).forEach((child) => child.remove());
  }

  async function renew() {
    const fresh = new DOMParser().parseFromString(await (await ask("/")).text(), "text/html");
    const [data, later] = [document, fresh].map((page) => page.getElementById("data"));
    if (!data !== !later) return location.reload();
    for (const part of ["svg.symbols", "main"]) {
      const [old, now] = [document, fresh].map((page) => page.querySelector(part));
      if (old && now) morph(old, now);
    }
    version = state.dataset.version;
    if (data && data.textContent !== later.textContent) {
      data.textContent = later.textContent;
      document.dispatchEvent(new Event("renewed"));
    }
  }

  async function ask(path) {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    return answer;
  }

  function play(part) {
    if (part === shown) return;
    shown = part;
    const fresh = new DOMParser().parseFromString(part, "text/html").body;
    document.getElementById("on-now").replaceChildren(...fresh.childNodes);
  }

  // After the last state of a run nothing comes any more: the page stays as it is, and asks nobody.
  async function follow() {
    try {
      if (!document.hidden) {
        const [, now, part] = /^(.*)\n([^]*)$/.exec(await (await ask("/now")).text());
        play(part);
        if (now !== version) await renew();
        time.textContent = new Date().toLocaleTimeString();
        if (document.querySelector("#run[data-over=last]")) return;
      }
      state.hidden = true;
    } catch {
      state.hidden = false;
    }
    setTimeout(follow, EVERY);
  }
  follow();
})();
