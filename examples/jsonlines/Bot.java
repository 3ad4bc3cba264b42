/*
 * A bot in Java 17, in one file and without a library: it makes the move that random games went best after.
 *
 *     javac -d classes examples/jsonlines/Bot.java && quadrille bot check "java -cp classes Bot"
 *     quadrille play maze --against "java -cp classes Bot"
 *
 * It knows no rules: the table tells the legal moves, and plays the random games for it. The lines that it reads and
 * writes are specified in docs/protocols/bots.md. Text for people goes to System.err.
 */

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

final class Bot { // not public: so it may stand in a file of any name
    private static final int CANDIDATES = 8; // so many moves are looked at
    private static final int GAMES = 4; // and so many random games are played after each

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private Map<String, Object> kept; // a line that came while we waited for an answer, and that is not for then
    private int seat;
    private Random dice = new Random(1);

    /** A value of JSON as a Map, a List, a String, a Double, a Boolean or null. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        private char peek() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return text.charAt(at);
        }

        private boolean passes(char wanted) {
            boolean found = peek() == wanted;
            if (found) at++;
            return found;
        }

        Object value() {
            switch (peek()) {
                case '{': return object();
                case '[': return list();
                case '"': return string();
                default:
                    int from = at;
                    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(from, at);
                    if (word.equals("null")) return null;
                    if (word.equals("true") || word.equals("false")) return word.equals("true");
                    return Double.valueOf(word);
            }
        }

        private Map<String, Object> object() {
            Map<String, Object> members = new HashMap<>();
            for (at++; !passes('}'); passes(',')) {
                peek();
                String name = string();
                passes(':');
                members.put(name, value());
            }
            return members;
        }

        private List<Object> list() {
            List<Object> items = new ArrayList<>();
            for (at++; !passes(']'); passes(',')) items.add(value());
            return items;
        }

        private String string() {
            StringBuilder read = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char next = text.charAt(at);
                if (next == '\\') {
                    next = text.charAt(++at);
                    int plain = "bfnrt".indexOf(next);
                    if (plain >= 0) next = "\b\f\n\r\t".charAt(plain);
                    if (next == 'u') {
                        next = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    }
                }
                read.append(next);
            }
            at++;
            return read.toString();
        }
    }

    private static String quoted(String text) {
        StringBuilder written = new StringBuilder("\"");
        for (char next : text.toCharArray()) {
            if (next == '"' || next == '\\') written.append('\\');
            if (next < ' ') written.append(String.format("\\u%04x", (int) next));
            else written.append(next);
        }
        return written.append('"').toString();
    }

    private static int number(Map<String, Object> told, String name) {
        return told.get(name) instanceof Double value ? value.intValue() : 0;
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> items ? items : List.of();
    }

    /** The next line of the table; null when it is gone. */
    @SuppressWarnings("unchecked")
    private Map<String, Object> read() throws IOException {
        Map<String, Object> told = kept;
        kept = null;
        if (told != null) return told;
        String line = in.readLine();
        return line == null ? null : (Map<String, Object>) new Json(line).value();
    }

    private void write(String line) {
        out.print(line + "\n"); // println would end a line with \r\n on Windows: right as well, and longer
        out.flush();
    }

    /** The table's answer; null when something ended the turn before it came. */
    private Map<String, Object> ask(String question) throws IOException {
        write(question);
        for (;;) {
            Map<String, Object> told = read();
            if (told == null || "answer".equals(told.get("do"))) return told;
            if (!"offer".equals(told.get("do"))) {
                kept = told;
                return null;
            }
            reply(told);
        }
    }

    private void reply(Map<String, Object> told) {
        write("{\"offer\": " + number(told, "number") + ", \"agree\": " + !"draw".equals(told.get("offer")) + "}");
    }

    /** A move; null when something ended the turn. */
    private String choose(Map<String, Object> turn) throws IOException {
        long end = System.currentTimeMillis() + number(turn, "budget") / 2;
        List<Object> moves = new ArrayList<>(list(turn.get("moves")));
        Collections.shuffle(moves, dice);
        String best = (String) moves.get(0);
        double most = Double.NEGATIVE_INFINITY;
        for (Object move : moves.subList(0, Math.min(CANDIDATES, moves.size()))) {
            if (moves.size() == 1 || System.currentTimeMillis() >= end) break;
            String told = "[" + quoted((String) move) + "], \"games\": " + GAMES;
            Map<String, Object> answer =
                    ask("{\"ask\": \"play out\", \"moves\": " + told + ", \"seed\": \"" + dice.nextInt(1000000) + "\"}");
            if (answer == null) return null;
            double worth = 0;
            for (Object row : list(answer.get("payoffs"))) worth += (Double) list(row).get(seat);
            if (worth > most) {
                most = worth;
                best = (String) move;
            }
        }
        return best;
    }

    private void play() throws IOException {
        for (Map<String, Object> told = read(); told != null; told = read()) {
            switch (String.valueOf(told.get("do"))) {
                case "hello" -> write(
                        "{\"hello\": \"Bot.java\", \"protocol\": 1, \"version\": \"1\", \"omit\": [\"view\", \"text\"]}");
                case "start" -> {
                    seat = number(told, "seat");
                    dice = new Random(told.get("seed").hashCode() + seat); // they fall the same for the same seed
                    write("{\"ready\": true}");
                }
                case "turn" -> {
                    String move = choose(told);
                    if (move != null) write("{\"turn\": " + number(told, "turn") + ", \"move\": " + quoted(move) + "}");
                }
                case "offer" -> reply(told);
                case "quit" -> {
                    return;
                }
                default -> { } // "over", and whatever a later version tells, needs no answer
            }
        }
    }

    public static void main(String[] words) throws IOException {
        new Bot().play();
    }
}
