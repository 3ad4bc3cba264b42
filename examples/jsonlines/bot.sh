#!/usr/bin/env bash
# A bot for the shell (bash): it asks the table which of some moves random games go best after.
#
#     quadrille bot check "bash examples/jsonlines/bot.sh"
#     quadrille play maze --against "bash examples/jsonlines/bot.sh"
#
# Moves contain no quotes and no backslashes, so patterns find them without a parser: a name that stands in a text of
# somebody else has its quotes escaped there. The lines are specified in docs/protocols/bots.md. Text for people goes
# to standard error (>&2).
set -u
LC_ALL=C
CANDIDATES=6 GAMES=2

# The value of a field of $line: a whole number, or a text without its quotes; nothing when there is none.
field() {
    local pattern="[{,] ?\"$1\": ?(-?[0-9]+|\"([^\"\\]*)\")"
    value=
    if [[ $line =~ $pattern ]]; then value=${BASH_REMATCH[1]//\"/}; fi
}

reply() {
    field number; local number=$value agree=true
    field offer; [[ $value == draw ]] && agree=false
    printf '{"offer": %s, "agree": %s}\n' "$number" "$agree"
}

# Reads the answer to an ask into $line. It fails when something else ended the turn, and keeps that for the main loop.
answered() {
    while IFS= read -r line; do
        field do
        case $value in
            answer) return 0 ;;
            offer) reply ;;
            *) kept=$line; return 1 ;;
        esac
    done
    return 1
}

# The sum of what this seat got in the random games of $line.
payoff() {
    local rows=${line#*\"payoffs\":} row cells
    worth=0
    [[ $rows == "$line" ]] && return
    while [[ $rows =~ \[([-0-9, ]+)\](.*) ]]; do
        IFS=', ' read -ra cells <<<"${BASH_REMATCH[1]}"
        rows=${BASH_REMATCH[2]}
        worth=$((worth + cells[seat]))
    done
}

turn() {
    local number list moves=() count at other best most=-1000000
    field turn; number=$value
    [[ $line =~ \"moves\":\ ?\[([^]]*)\] ]] || return 0
    list=${BASH_REMATCH[1]}
    while [[ $list == *\"*\"* ]]; do
        list=${list#*\"}
        moves+=("${list%%\"*}")
        list=${list#*\"}
    done
    count=${#moves[@]}
    for ((at = 0; at < count && at < CANDIDATES; at++)); do
        other=$((at + RANDOM % (count - at)))
        best=${moves[other]} moves[other]=${moves[at]} moves[at]=$best
    done
    best=${moves[0]}
    for ((at = 0; count > 1 && at < count && at < CANDIDATES; at++)); do
        printf '{"ask": "play out", "moves": ["%s"], "games": %d, "seed": "%d"}\n' "${moves[at]}" "$GAMES" "$RANDOM"
        answered || return 0
        payoff
        if ((worth > most)); then most=$worth best=${moves[at]}; fi
    done
    printf '{"turn": %s, "move": "%s"}\n' "$number" "$best"
}

kept= seat=0
while [[ -n $kept ]] || IFS= read -r line; do
    [[ -n $kept ]] && line=$kept kept=
    field do
    case $value in
        hello) echo '{"hello": "bot.sh", "protocol": 1, "version": "1", "omit": ["view", "text"]}' ;;
        start)
            field seed; RANDOM=$(($(printf '%s' "$value" | cksum | cut -d' ' -f1) % 32768))
            field seat; seat=$value
            echo '{"ready": true}'
            ;;
        turn) turn ;;
        offer) reply ;;
        quit) break ;;
    esac
done
