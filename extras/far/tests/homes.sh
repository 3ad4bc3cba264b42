#!/bin/bash
# homes.sh: two homes behind routers with NAT, and machines of the internet between them, as network namespaces.
#   ./homes.sh [N] CMD...    N machines on the internet (default 2): r1 at 203.0.113.11, r2 at 203.0.113.12, …
# The homes are h1 and h2, both 192.168.1.5/24 behind their routers g1 (203.0.113.1) and g2 (203.0.113.2), which let
# nothing in. Everything lives in one throw-away user+net+mount namespace, as in lan.sh.
set -eu
N=2; [[ ${1:-} =~ ^[0-9]+$ ]] && { N=$1; shift; }
exec unshare --user --map-root-user --net --mount --pid --fork --kill-child bash -c '
set -eu; N=$1; shift
mount -t proc proc /proc
mount -t tmpfs tmpfs /run; mkdir -p /run/netns
ip link set lo up
ip link add br0 type bridge stp_state 0 forward_delay 0 mcast_snooping 0; ip link set br0 up
outside() {
  ip netns add $1
  ip link add v$1 type veth peer name eth0 netns $1
  ip link set v$1 master br0 up
  ip -n $1 link set lo up
  ip -n $1 addr add $2/24 brd 203.0.113.255 dev eth0
  ip -n $1 link set eth0 up
}
RELAYS=""
for i in $(seq 1 $N); do outside r$i 203.0.113.$((10 + i)); RELAYS="$RELAYS r$i"; done
for i in 1 2; do
  outside g$i 203.0.113.$i
  ip netns add h$i
  ip -n g$i link add lan type veth peer name eth0 netns h$i
  ip -n g$i addr add 192.168.1.1/24 dev lan
  ip -n g$i link set lan up
  ip -n h$i link set lo up
  ip -n h$i addr add 192.168.1.5/24 brd 192.168.1.255 dev eth0
  ip -n h$i link set eth0 up
  ip -n h$i route add default via 192.168.1.1
  ip netns exec g$i sysctl -q -w net.ipv4.ip_forward=1
  ip netns exec g$i nft -f - <<RULES
table ip home {
  chain nat { type nat hook postrouting priority srcnat; oifname "eth0" masquerade; }
  chain in { type filter hook forward priority filter; policy drop; iifname "lan" accept; ct state established,related accept; }
  chain own { type filter hook input priority filter; policy drop; iifname "lan" accept; ct state established,related accept; }
}
RULES
done
export RELAYS N
"$@"
' homes "$N" "$@"
