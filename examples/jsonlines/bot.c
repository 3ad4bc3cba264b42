/* A bot in C99, in one file: plays any game of Quadrille by the list of its moves, at random but the same for a seed.

       cc -std=c99 -O2 -o bot examples/jsonlines/bot.c && quadrille bot check ./bot
       quadrille play maze --against ./bot

   The lines that it reads and writes are specified in docs/protocols/bots.md. A longer list of moves than comes with
   the turn is asked for piece by piece, some of it where it is very long, and one of these moves is drawn. Text for
   people goes to stderr. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum pieces of a list that are asked for, of 1000 moves each: some turns of Coin Isolation have millions. */
enum { MOST_ASKS = 8 };

/* ---- A line, however long it is */

static char *line;
static size_t room;

static int read_line(void) {
    size_t length = 0;
    for (;;) {
        int c = getchar();
        if (length + 2 > room) {
            room = room ? 2 * room : 4096;
            line = realloc(line, room);
            if (line == NULL) exit(2);
        }
        if (c == EOF || c == '\n') {
            line[length] = '\0';
            return c == '\n' || length > 0;
        }
        line[length++] = (char)c;
    }
}

/* ---- JSON, as far as it is needed: to find a value in an object, to walk through a list. What comes is right JSON:
   the table writes it. A value is the place where its text begins. */

static const char *blanks(const char *at) {
    return at + strspn(at, " \t\r\n");
}

static const char *after_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* The place after a value. */
static const char *after(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            at = after_string(at);
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        if (depth == 0 && *at != '}' && *at != ']') return at + strcspn(at, ",]} \t\r\n");
        if (*at) at++;
    } while (*at && depth > 0);
    return at;
}

/* The value of that name in an object, NULL when there is none. */
static const char *member(const char *object, const char *name) {
    size_t length = strlen(name);
    const char *at = blanks(object + 1);
    while (*at == '"') {
        const char *value = blanks(after_string(at));
        value = blanks(value + 1); /* the colon */
        if (strncmp(at + 1, name, length) == 0 && at[length + 1] == '"') return value;
        at = blanks(after(value));
        if (*at == ',') at = blanks(at + 1);
    }
    return NULL;
}

static int is(const char *value, const char *text) {
    return value != NULL && strncmp(value, text, strlen(text)) == 0;
}

static long number(const char *value) {
    return value == NULL ? 0 : strtol(value, NULL, 10);
}

/* ---- Dice */

static uint32_t state = 1;

static void seed(const char *from, const char *to) {
    state = 2166136261u;
    for (; from < to; from++) state = (state ^ (unsigned char)*from) * 16777619u;
    if (state == 0) state = 1;
}

static uint32_t below(uint32_t count) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (uint32_t)((uint64_t)state * count >> 32);
}

/* ---- Play */

static char *chosen; /* a move as it stands in the line, quotes and all */
static uint32_t seen;

/* Of all the moves that have been listed, each is kept with the same chance: the nth takes the place of the one before
   with a chance of one in n. */
static void draw_from(const char *list) {
    if (list == NULL) return;
    const char *at = blanks(list + 1);
    while (*at == '"') {
        const char *end = after_string(at);
        if (below(++seen) == 0) {
            size_t length = (size_t)(end - at);
            chosen = realloc(chosen, length + 1);
            if (chosen == NULL) exit(2);
            memcpy(chosen, at, length);
            chosen[length] = '\0';
        }
        at = blanks(end);
        if (*at == ',') at = blanks(at + 1);
    }
}

static void reply(void) {
    int agree = !is(member(line, "offer"), "\"draw\"");
    printf("{\"offer\": %ld, \"agree\": %s}\n", number(member(line, "number")), agree ? "true" : "false");
    fflush(stdout);
}

/* Answers with a move. While we ask, the game may end, or the table go: then this is 0, and the line that says so is
   still to be obeyed. */
static int turn(void) {
    long which = number(member(line, "turn"));
    int more = is(member(line, "more"), "true");
    seen = 0;
    draw_from(member(line, "moves"));
    for (int asked = 0; more && asked < MOST_ASKS; asked++) {
        printf("{\"ask\": \"moves\"}\n");
        fflush(stdout);
        for (;;) {
            if (!read_line()) exit(0);
            if (is(member(line, "do"), "\"answer\"")) break;
            if (!is(member(line, "do"), "\"offer\"")) return 0;
            reply();
        }
        more = is(member(line, "more"), "true");
        draw_from(member(line, "moves"));
    }
    printf("{\"turn\": %ld, \"move\": %s}\n", which, chosen);
    fflush(stdout);
    return 1;
}

int main(void) {
    int kept = 0;
    while (kept || read_line()) {
        kept = 0;
        const char *todo = member(line, "do");
        if (is(todo, "\"quit\"")) break;
        if (is(todo, "\"hello\"")) {
            puts("{\"hello\": \"bot.c\", \"protocol\": 1, \"version\": \"1\", \"omit\": [\"view\", \"text\"]}");
        } else if (is(todo, "\"start\"")) {
            const char *dice = member(line, "seed");
            if (dice != NULL) seed(dice, after(dice));
            puts("{\"ready\": true}");
        } else if (is(todo, "\"offer\"")) {
            reply();
        } else if (is(todo, "\"turn\"")) {
            kept = !turn();
        }
        fflush(stdout);
    }
    free(line);
    free(chosen);
    return 0;
}
