"""Write the golden screens anew: python -m tests.client.screen.network.make."""

from tests.client.bare_lobby import bare_lobby
from tests.client.screen.network.test_lobby_screens import CASES, FOLDER, name_of, page


def main() -> None:
    """All of them; files of screens that are no more go."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for name, rows, columns, plain in CASES:
        (FOLDER / name_of(name, rows, columns, plain=plain)).write_text(page(name, rows, columns, plain=plain), "utf-8")


if __name__ == "__main__":
    with bare_lobby():
        main()
