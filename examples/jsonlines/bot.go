// A bot in Go, in one file and of the standard library: it makes the move that random games went best after.
//
//	go build -o bot examples/jsonlines/bot.go && quadrille bot check ./bot
//	quadrille play maze --against ./bot
//
// It knows no rules: the table tells the legal moves, and plays the random games for it. The lines that it reads and
// writes are specified in docs/protocols/bots.md. Text for people goes to stderr.
package main

import (
	"bufio"
	"encoding/json"
	"hash/fnv"
	"io"
	"math"
	"math/rand"
	"os"
	"time"
)

const (
	candidates = 8 // so many moves are looked at
	games      = 4 // and so many random games are played after each
)

// told is a line of the table: all fields of all lines that this bot understands.
type told struct {
	Do      string      `json:"do"`
	Seat    int         `json:"seat"`
	Seed    string      `json:"seed"`
	Turn    int         `json:"turn"`
	Budget  float64     `json:"budget"`
	Moves   []string    `json:"moves"`
	Offer   string      `json:"offer"`
	Number  int         `json:"number"`
	Payoffs [][]float64 `json:"payoffs"`
}

type object map[string]any

type bot struct {
	in   *bufio.Reader
	out  *json.Encoder
	kept *told // a line that came while we waited for an answer, and that is not for then
	seat int
	dice *rand.Rand
}

// read returns the next line of the table; nil when it is gone.
func (b *bot) read() *told {
	if line := b.kept; line != nil {
		b.kept = nil
		return line
	}
	text, err := b.in.ReadBytes('\n') // a Scanner would give up on a long line
	if err != nil && (err != io.EOF || len(text) == 0) {
		return nil
	}
	line := new(told)
	if json.Unmarshal(text, line) != nil {
		return nil
	}
	return line
}

func (b *bot) write(answer object) {
	if b.out.Encode(answer) != nil { // a line each; os.Stdout keeps nothing back
		os.Exit(0) // the table is gone
	}
}

// ask returns the table's answer; nil when something ended the turn before it came.
func (b *bot) ask(question object) *told {
	b.write(question)
	for {
		line := b.read()
		if line == nil || line.Do == "answer" {
			return line
		}
		if line.Do != "offer" {
			b.kept = line
			return nil
		}
		b.reply(line)
	}
}

func (b *bot) reply(line *told) {
	b.write(object{"offer": line.Number, "agree": line.Offer != "draw"})
}

// choose returns a move; "" when something ended the turn.
func (b *bot) choose(turn *told) string {
	end := time.Now().Add(time.Duration(turn.Budget/2) * time.Millisecond)
	moves := turn.Moves
	b.dice.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	best, most := moves[0], math.Inf(-1)
	for i, move := range moves {
		if len(moves) == 1 || i == candidates || time.Now().After(end) {
			break
		}
		question := object{"ask": "play out", "moves": []string{move}, "games": games, "seed": move + turn.Seed}
		answer := b.ask(question)
		if answer == nil {
			return ""
		}
		worth := 0.0
		for _, row := range answer.Payoffs {
			worth += row[b.seat]
		}
		if worth > most {
			best, most = move, worth
		}
	}
	return best
}

func (b *bot) play() {
	for line := b.read(); line != nil; line = b.read() {
		switch line.Do {
		case "hello":
			b.write(object{"hello": "bot.go", "protocol": 1, "version": "1", "omit": []string{"view", "text"}})
		case "start":
			seed := fnv.New64a()
			seed.Write([]byte(line.Seed))
			b.seat, b.dice = line.Seat, rand.New(rand.NewSource(int64(seed.Sum64())+int64(line.Seat)))
			b.write(object{"ready": true})
		case "turn":
			if move := b.choose(line); move != "" {
				b.write(object{"turn": line.Turn, "move": move})
			}
		case "offer":
			b.reply(line)
		case "quit":
			return
		} // "over", and whatever a later version tells, needs no answer
	}
}

func main() {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	(&bot{in: bufio.NewReader(os.Stdin), out: out, dice: rand.New(rand.NewSource(1))}).play()
}
