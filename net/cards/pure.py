"""ristretto255 in plain Python (RFC 9496), for machines without libsodium.

Decoded and encoded points are cached, so that 32 bytes are decoded once, and a point that is multiplied often gets a
table. Computation is not constant-time: somebody who can time this program to the microsecond may learn a secret.
Results are the same bytes as those of sodium.py.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from quadrille.net.core.errors import PeerError

#: Number of points, a prime: L of RFC 9496.
ORDER: Final = (1 << 252) + 27742317777372353535851937790883648493
IDENTITY: Final = bytes(32)
#: The base point G.
BASE: Final = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")

# The field, and the constants of RFC 9496, section 4.1.
FIELD: Final = (1 << 255) - 19
_P: Final = FIELD
_LOW: Final = (1 << 255) - 1
_D: Final = 37095705934669439343138083508754565189542113879843219016388785533085940283555
_TWO_D: Final = 2 * _D % _P
_ROOT_OF_MINUS_1: Final = 19681161376707505956807079304988542015446066515923890162744021073123829784752
_INVERSE_ROOT_OF_A_LESS_D: Final = 54469307008909316920995813868745141605393597292927456921205312896311721017578
_ROOT_OF_AD_LESS_1: Final = 25063068953384623474111414158702152701244531502492656460079210482610430750235
_ONE_LESS_D_SQUARED: Final = (1 - _D * _D) % _P
_D_LESS_1_SQUARED: Final = (_D - 1) ** 2 % _P

#: Extended coordinates X, Y, Z, T of the twisted Edwards curve: x = X/Z, y = Y/Z, xy = T/Z.
Coordinates: TypeAlias = tuple[int, int, int, int]
#: A point prepared for addition: Y+X, Y-X, 2Z, 2dT.
Addend: TypeAlias = tuple[int, int, int, int]

_NOUGHT: Final = (0, 1, 1, 0)
#: Bits of a digit: in a table, and in a sum without tables, for long scalars and for short ones.
_TABLE_BITS: Final = 6
_LONG_BITS: Final = 5
_SHORT_BITS: Final = 4
_SHORT: Final = 1 << 140
#: Maximum cached points.
_MOST_KNOWN: Final = 8192
#: Multiplications after which a point gets a table, and maximum points with a table.
_OFTEN: Final = 6
_MOST_TABLES: Final = 32


class Pure:
    """Plain Python's arithmetic. Its caches may be dropped at any moment, so threads may share it."""

    name: Final = "pure Python"

    def __init__(self) -> None:
        self._known: dict[bytes, Coordinates] = {}
        self._uses: dict[bytes, int] = {BASE: _OFTEN}
        self._tables: dict[bytes, list[list[Addend]]] = {}

    def base(self, scalar: int) -> bytes:
        """The base point times a scalar."""
        return self.total((scalar,), (BASE,))

    def times(self, scalar: int, point: bytes) -> bytes:
        """A point times a scalar."""
        return self.total((scalar,), (point,))

    def plus(self, one: bytes, other: bytes) -> bytes:
        """The sum of two points."""
        return self._encoded(_sum(self._decoded(one), (_ready(self._decoded(other)),)))

    def minus(self, one: bytes, other: bytes) -> bytes:
        """The difference of two points."""
        return self._encoded(_sum(self._decoded(one), (_negative(_ready(self._decoded(other))),)))

    def total(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """The sum of each scalar times its point: by tables where they exist, the rest at once (Straus).

        A scalar above half the order counts as negative, so that a short one stays short whatever its sign.
        """
        terms = gathered(scalars, points)
        alone = len(terms) <= 2
        ready: list[Addend] = []
        rows: list[list[Addend]] = []
        for point, scalar in terms.items():
            coordinates = self._decoded(point)
            if scalar > ORDER // 2:
                scalar -= ORDER
            if scalar == 1:
                ready.append(_ready(coordinates))
            elif scalar == -1:
                ready.append(_negative(_ready(coordinates)))
            elif -_SHORT < scalar < _SHORT:
                _spread(rows, coordinates, scalar, _SHORT_BITS)
            elif table := self._table(point, coordinates, alone=alone):
                ready += _digits(table, scalar)
            else:
                _spread(rows, coordinates, scalar, _LONG_BITS)
        return self._encoded(_sum(_doubled_and_added(rows), ready))

    def from_hash(self, data: bytes) -> bytes:
        """Map 64 bytes to a point: RFC 9496, section 4.3.4."""
        if len(data) != 64:
            raise ValueError(f"{len(data)} bytes were given to be mapped to a point, which takes 64")
        halves = (int.from_bytes(half, "little") & _LOW for half in (data[:32], data[32:]))
        one, other = (_mapped(half % _P) for half in halves)
        return self._encoded(_sum(one, (_ready(other),)))

    def is_point(self, data: bytes) -> bool:
        """Whether these bytes are the canonical encoding of a point other than the identity."""
        if data == IDENTITY:
            return False
        try:
            self._decoded(data)
        except PeerError:
            return False
        return True

    def _decoded(self, data: bytes) -> Coordinates:
        found = self._known.get(data)
        if found is None:
            found = _decode(data)
            self._remember(data, found)
        return found

    def _encoded(self, coordinates: Coordinates) -> bytes:
        data = _encode(coordinates)
        self._remember(data, coordinates)
        return data

    def _remember(self, data: bytes, coordinates: Coordinates) -> None:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[data] = coordinates

    def _table(self, point: bytes, coordinates: Coordinates, *, alone: bool) -> list[list[Addend]] | None:
        """The table of a point, if it has one or is due to get one."""
        table = self._tables.get(point)
        if table is None and alone:
            if len(self._uses) >= _MOST_KNOWN:
                self._uses = {BASE: _OFTEN}
            uses = self._uses[point] = self._uses.get(point, 0) + 1
            if uses >= _OFTEN:
                if len(self._tables) >= _MOST_TABLES:
                    self._tables.clear()
                table = self._tables[point] = _new_table(coordinates)
        return table


def gathered(scalars: Sequence[int], points: Sequence[bytes]) -> dict[bytes, int]:
    """The total scalar of each point, because points may repeat."""
    terms: dict[bytes, int] = {}
    for scalar, point in zip(scalars, points, strict=True):
        terms[point] = (terms.get(point, 0) + scalar) % ORDER
    return terms


def _ready(point: Coordinates) -> Addend:
    x, y, z, t = point
    return y + x, y - x, 2 * z, t * _TWO_D % _P


def _negative(addend: Addend) -> Addend:
    return addend[1], addend[0], addend[2], -addend[3]


# Below, a product is reduced to less than 2**263 by adding its upper bits 19 times to its lower ones, which takes
# half as long as a remainder. A product of two such numbers is reduced by a remainder.


def _sum(point: Coordinates, addends: Iterable[Addend]) -> Coordinates:
    """The sum of a point and all these."""
    x, y, z, t = point
    for plus, minus, twice_z, scaled_t in addends:
        a = (y - x) * minus
        b = (y + x) * plus
        c = t * scaled_t
        d = z * twice_z
        a = (a & _LOW) + 19 * (a >> 255)
        b = (b & _LOW) + 19 * (b >> 255)
        c = (c & _LOW) + 19 * (c >> 255)
        d = (d & _LOW) + 19 * (d >> 255)
        e, f, g, h = b - a, d - c, d + c, b + a
        x, y, z, t = e * f % _P, g * h % _P, f * g % _P, e * h % _P
    return x, y, z, t


def _double(point: Coordinates) -> Coordinates:
    x, y, z, _ = point
    a, b, c, d = x * x, y * y, z * z, (x + y) ** 2
    a = (a & _LOW) + 19 * (a >> 255)
    b = (b & _LOW) + 19 * (b >> 255)
    c = (c & _LOW) + 19 * (c >> 255)
    d = (d & _LOW) + 19 * (d >> 255)
    h, g = a + b, a - b
    e, f = h - d, 2 * c + g
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _doubled_and_added(rows: list[list[Addend]]) -> Coordinates:
    """The sum of rows, where row i counts 2**i times."""
    point: Coordinates = _NOUGHT
    for row in reversed(rows):
        if point is not _NOUGHT:
            point = _double(point)
        if row:
            point = _sum(point, row)
    return point


def _spread(rows: list[list[Addend]], point: Coordinates, scalar: int, bits: int) -> None:
    """Put a multiple of a point into the rows as signed odd digits of `bits` bits, with zeros between."""
    if not rows:
        rows += ([] for _ in range(ORDER.bit_length() + 1))
    odd = [_ready(point)]
    twice = _ready(_double(point))
    for _ in range((1 << (bits - 2)) - 1):
        point = _sum(point, (twice,))
        odd.append(_ready(point))
    half, whole = 1 << (bits - 1), 1 << bits
    place = 0
    while scalar:
        noughts = (scalar & -scalar).bit_length() - 1
        place += noughts
        scalar >>= noughts
        digit = scalar & (whole - 1)
        if digit < half:
            rows[place].append(odd[digit >> 1])
        else:
            digit -= whole
            rows[place].append(_negative(odd[-digit >> 1]))
        scalar -= digit


def _new_table(point: Coordinates) -> list[list[Addend]]:
    """For each digit of a scalar, lowest first, the point times 1 to 32 times the digit's weight."""
    table = []
    for _ in range(0, ORDER.bit_length() + 1, _TABLE_BITS):
        step = _ready(point)
        row = [step]
        for _ in range((1 << (_TABLE_BITS - 1)) - 1):
            point = _sum(point, (step,))
            row.append(_ready(point))
        table.append(row)
        point = _double(point)
    return table


def _digits(table: list[list[Addend]], scalar: int) -> list[Addend]:
    """The addends for a multiple of the table's point: digits from -31 to 32."""
    addends = []
    half, whole = 1 << (_TABLE_BITS - 1), 1 << _TABLE_BITS
    for row in table:
        digit = scalar & (whole - 1)
        scalar >>= _TABLE_BITS
        if digit > half:
            digit -= whole
            scalar += 1
        if digit > 0:
            addends.append(row[digit - 1])
        elif digit < 0:
            addends.append(_negative(row[-digit - 1]))
    return addends


def _power(base: int) -> int:
    """`base` to (P - 5) / 8 = 2**252 - 3: powers to 2**n - 1 for n = 1, 2, 4, 5, 10, 20, 40, 50, 100, 200, 250."""
    p2 = _squared(base, 1) * base % _P
    p4 = _squared(p2, 2) * p2 % _P
    p5 = _squared(p4, 1) * base % _P
    p10 = _squared(p5, 5) * p5 % _P
    p20 = _squared(p10, 10) * p10 % _P
    p40 = _squared(p20, 20) * p20 % _P
    p50 = _squared(p40, 10) * p10 % _P
    p100 = _squared(p50, 50) * p50 % _P
    p200 = _squared(p100, 100) * p100 % _P
    p250 = _squared(p200, 50) * p50 % _P
    return _squared(p250, 2) * base % _P


def _squared(number: int, times: int) -> int:
    for _ in range(times >> 1):
        number *= number
        number = (number & _LOW) + 19 * (number >> 255)
        number = number * number % _P
    return number * number % _P if times & 1 else number


def _root_of_ratio(u: int, v: int) -> tuple[bool, int]:
    """Whether u/v is a square, and the even root of it, else of it times the root of -1: section 4.2."""
    v3 = v * v * v % _P
    root = u * v3 * _power(u * v3 * v3 * v % _P) % _P
    check = v * root * root % _P
    is_square = check in (u % _P, -u % _P)
    if check in (-u % _P, -u * _ROOT_OF_MINUS_1 % _P):
        root = root * _ROOT_OF_MINUS_1 % _P
    return is_square, _even(root)


def _even(number: int) -> int:
    """The number or its negative, whichever is even; RFC 9496 calls that one non-negative."""
    return _P - number if number & 1 else number


def _decode(data: bytes) -> Coordinates:
    """Section 4.3.1."""
    s = int.from_bytes(data, "little")
    if len(data) == 32 and s < _P and not s & 1:
        square = s * s % _P
        u1, u2 = 1 - square, 1 + square
        u2_squared = u2 * u2 % _P
        v = (-_D * u1 * u1 - u2_squared) % _P
        is_square, inverse = _root_of_ratio(1, v * u2_squared % _P)
        den_x = inverse * u2 % _P
        x = _even(2 * s * den_x % _P)
        y = u1 * inverse * den_x * v % _P
        t = x * y % _P
        if is_square and y and not t & 1:
            return x, y, 1, t
    raise PeerError("these bytes are not a point: it needs the canonical 32 bytes of one")


def _encode(point: Coordinates) -> bytes:
    """Section 4.3.2."""
    x, y, z, t = point
    u1 = (z + y) * (z - y) % _P
    u2 = x * y % _P
    _, inverse = _root_of_ratio(1, u1 * u2 * u2 % _P)
    den1, den2 = inverse * u1 % _P, inverse * u2 % _P
    inverse_z = den1 * den2 * t % _P
    if t * inverse_z % _P & 1:
        x, y = y * _ROOT_OF_MINUS_1 % _P, x * _ROOT_OF_MINUS_1 % _P
        den2 = den1 * _INVERSE_ROOT_OF_A_LESS_D % _P
    if x * inverse_z % _P & 1:
        y = -y
    return _even(den2 * (z - y) % _P).to_bytes(32, "little")


def _mapped(t: int) -> Coordinates:
    """Map a field element to a point: MAP of section 4.3.4."""
    r = _ROOT_OF_MINUS_1 * t * t % _P
    u = (r + 1) * _ONE_LESS_D_SQUARED % _P
    v = (-1 - r * _D) * (r + _D) % _P
    is_square, s = _root_of_ratio(u, v)
    c = -1
    if not is_square:
        s, c = -_even(s * t % _P) % _P, r
    n = (c * (r - 1) * _D_LESS_1_SQUARED - v) % _P
    w0, w1, w2, w3 = 2 * s * v % _P, n * _ROOT_OF_AD_LESS_1 % _P, (1 - s * s) % _P, (1 + s * s) % _P
    return w0 * w3 % _P, w2 * w1 % _P, w1 * w3 % _P, w0 * w2 % _P
