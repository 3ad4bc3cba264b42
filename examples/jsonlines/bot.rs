//! A bot in Rust, in one file and without crates: it makes the move that random games went best after.
//!
//!     rustc -O -o bot examples/jsonlines/bot.rs && quadrille bot check ./bot
//!     quadrille play maze --against ./bot
//!
//! It knows no rules: the table tells the legal moves, and plays the random games for it. The lines that it reads and
//! writes are specified in docs/protocols/bots.md. Text for people goes to stderr.

use std::io::{self, Write};
use std::time::{Duration, Instant};

const CANDIDATES: usize = 8; // so many moves are looked at
const GAMES: usize = 4; // and so many random games are played after each

// ---- JSON

enum Json {
    Other, // null, true, false
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(members) => {
                members.iter().find(|(key, _)| key == name).map_or(&Json::Other, |(_, value)| value)
            }
            _ => &Json::Other,
        }
    }

    fn text(&self) -> &str {
        if let Json::Text(text) = self {
            text
        } else {
            ""
        }
    }

    fn number(&self) -> f64 {
        if let Json::Number(number) = self {
            *number
        } else {
            0.0
        }
    }

    fn list(&self) -> &[Json] {
        if let Json::List(items) = self {
            items
        } else {
            &[]
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Whether the next character, after blanks, is this one, which is passed then.
    fn next_is(&mut self, wanted: char) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn value(&mut self) -> Option<Json> {
        if self.next_is('{') {
            let mut members = Vec::new();
            while !self.next_is('}') {
                if !(members.is_empty() || self.next_is(',')) || !self.next_is('"') {
                    return None;
                }
                let name = self.string()?;
                if !self.next_is(':') {
                    return None;
                }
                members.push((name, self.value()?));
            }
            return Some(Json::Object(members));
        }
        if self.next_is('[') {
            let mut items = Vec::new();
            while !self.next_is(']') {
                if !(items.is_empty() || self.next_is(',')) {
                    return None;
                }
                items.push(self.value()?);
            }
            return Some(Json::List(items));
        }
        if self.next_is('"') {
            return self.string().map(Json::Text);
        }
        let end = self.rest().find([',', ']', '}', ' ']).unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_string();
        self.at += end;
        match word.as_str() {
            "null" | "true" | "false" => Some(Json::Other),
            _ => word.parse().ok().map(Json::Number),
        }
    }

    /// The rest of a string whose first quote has been passed.
    fn string(&mut self) -> Option<String> {
        let mut units: Vec<u16> = Vec::new(); // UTF-16, as \u escapes are: two of them can be one character
        loop {
            let next = self.rest().chars().next()?;
            self.at += next.len_utf8();
            match next {
                '"' => return String::from_utf16(&units).ok(),
                '\\' => {
                    let escape = self.rest().chars().next()?;
                    self.at += escape.len_utf8();
                    let plain = match escape {
                        'b' => 8,
                        'f' => 12,
                        'n' => 10,
                        'r' => 13,
                        't' => 9,
                        'u' => {
                            self.at += 4;
                            u16::from_str_radix(self.text.get(self.at - 4..self.at)?, 16).ok()?
                        }
                        other => other as u16, // a quote, a slash, a backslash
                    };
                    units.push(plain);
                }
                other => units.extend_from_slice(other.encode_utf16(&mut [0; 2])),
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|one| match one {
        '"' | '\\' => format!("\\{one}"),
        one if one < ' ' => format!("\\u{:04x}", one as u32),
        one => one.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

// ---- Play

struct Bot {
    lines: io::Lines<io::StdinLock<'static>>,
    /// A line that came while we waited for an answer, and that is not for then.
    kept: Option<Json>,
    seat: usize,
    dice: u64,
}

impl Bot {
    /// The next line of the table; None when it is gone.
    fn read(&mut self) -> Option<Json> {
        if let Some(kept) = self.kept.take() {
            return Some(kept);
        }
        let line = self.lines.next()?.ok()?;
        Parser { text: &line, at: 0 }.value()
    }

    fn write(&self, line: &str) {
        let mut out = io::stdout().lock();
        if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
            std::process::exit(0); // the table is gone
        }
    }

    /// The table's answer; None when something ended the turn before it came.
    fn ask(&mut self, question: &str) -> Option<Json> {
        self.write(question);
        loop {
            let told = self.read()?;
            match told.get("do").text() {
                "answer" => return Some(told),
                "offer" => self.reply(&told),
                _ => {
                    self.kept = Some(told);
                    return None;
                }
            }
        }
    }

    fn reply(&self, told: &Json) {
        let agree = told.get("offer").text() != "draw";
        self.write(&format!("{{\"offer\": {}, \"agree\": {agree}}}", told.get("number").number()));
    }

    /// A number below `count`, by dice that fall the same for the same seed (xorshift64).
    fn below(&mut self, count: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice % count as u64) as usize
    }

    fn choose(&mut self, turn: &Json) -> Option<String> {
        let end = Instant::now() + Duration::from_millis(turn.get("budget").number() as u64 / 2);
        let mut moves: Vec<String> = turn.get("moves").list().iter().map(|one| one.text().to_string()).collect();
        let looked_at = CANDIDATES.min(moves.len());
        for at in 0..looked_at {
            let other = at + self.below(moves.len() - at);
            moves.swap(at, other);
        }
        let (mut best, mut most) = (moves.first()?.clone(), f64::NEG_INFINITY);
        for one in &moves[..looked_at] {
            if moves.len() == 1 || Instant::now() >= end {
                break;
            }
            let (told, seed) = (quoted(one), self.below(1_000_000));
            let answer = self.ask(&format!(
                "{{\"ask\": \"play out\", \"moves\": [{told}], \"games\": {GAMES}, \"seed\": \"{seed}\"}}"
            ))?;
            let rows = answer.get("payoffs").list().iter();
            let worth = rows.map(|row| row.list().get(self.seat).map_or(0.0, Json::number)).sum::<f64>();
            if worth > most {
                (best, most) = (one.clone(), worth);
            }
        }
        Some(best)
    }

    fn play(&mut self) {
        while let Some(told) = self.read() {
            match told.get("do").text() {
                "hello" => {
                    self.write(r#"{"hello": "bot.rs", "protocol": 1, "version": "1", "omit": ["view", "text"]}"#)
                }
                "start" => {
                    self.seat = told.get("seat").number() as usize;
                    let seed = told.get("seed").text().bytes();
                    self.dice =
                        seed.fold(1 + self.seat as u64, |sum, one| sum.wrapping_mul(31).wrapping_add(one.into())) | 1;
                    self.write(r#"{"ready": true}"#);
                }
                "turn" => {
                    if let Some(chosen) = self.choose(&told) {
                        self.write(&format!(
                            "{{\"turn\": {}, \"move\": {}}}",
                            told.get("turn").number(),
                            quoted(&chosen)
                        ));
                    }
                }
                "offer" => self.reply(&told),
                "quit" => return,
                _ => {} // "over", and whatever a later version tells
            }
        }
    }
}

fn main() {
    Bot { lines: io::stdin().lines(), kept: None, seat: 0, dice: 1 }.play();
}
