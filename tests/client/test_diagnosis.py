"""What doctor says in the end: what it has seen, and what it can't know (N9)."""

import pytest

from quadrille.client.presence.diagnosis import Diagnosis, Reach, verdict


@pytest.mark.parametrize(
    ("shown", "says", "never"),
    [
        ([Reach.LOOPBACK], "it is on no network: only programs on it can meet", "take two machines"),
        ([], "Whether other machines can be reached it can't tell: none was heard. To find out, take two", "were met"),
        ([Reach.HALFWAY], "those who are heard were not met", "none was heard"),
        ([Reach.HALFWAY, Reach.OTHERS], "programs on other machines were met", "can't tell"),
    ],
)
def test_n9_doctor_says_what_it_can_t_know(shown: list[Reach], says: str, never: str) -> None:
    said = verdict([Diagnosis("one"), *(Diagnosis("two", shows=reach) for reach in shown)])
    assert says in said and never not in said
    assert said != "Nothing is in the way."


def test_n9_what_is_blocked_comes_first() -> None:
    assert verdict([Diagnosis("x", fine=False), Diagnosis("y", shows=Reach.OTHERS)]).startswith(
        "Something is in the way"
    )
