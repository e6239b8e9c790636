"""The bundled models hold the numbers of their sources, exactly."""

from __future__ import annotations

import pytest

from derive.errors import ModelError
from derive.model import Model, bundled, bundled_names, bundled_text, load, loads
from tests.model.helpers import rows, values

CATS = {
    "E": "-1 -1 -1 1; -1 1 -1 1; 1 1 1 1; 1 1 -1 -1; 1 1 -1 1; -1 -1 1 1",
    "W_Q": "0 -1/2; 0 0; 0 1/2; -1 0",
    "W_K": "-1/2 -1; 0 0; -1/2 1/2; 0 0",
    "W_V": "0 0; 1 0; -1/2 1/2; 0 1",
    "W_O": "1 0 0 1/2; 0 1 1/2 0",
    "W_up": "0 0 0 1 -1 0 0 -1; 1 0 0 -1 0 -1 0 1; 0 -1 0 0 1 0 1 0; -1 0 -1 0 0 1 1 0",
    "W_down": "0 1/2 0 0; 0 0 -1/2 0; 0 0 0 -1/2; 0 0 0 -1/2; "
    "1/2 0 0 0; 0 1/2 0 0; 0 0 1/2 0; -1/2 0 0 0",
}
SECOND = {
    "W_Q": "0 0; 0 0; 1/2 -1/2; 0 0",
    "W_K": "-1 -1/2; 0 1/2; -1/2 0; 1/2 0",
    "W_V": "0 1; 1 0; -1 0; 0 0",
    "W_O": "0 1 0 1/2; 1 0 -1/2 0",
    "W_up": "0 0 1 0 0 1 0 -1; 1 -1 -1 0 -1 0 0 0; 0 1 1 1 1 0 0 0; 0 0 -1 -1 1 0 -1 0",
    "W_down": "1/2 0 0 0; 0 -1/2 0 0; 0 0 -1/2 0; 0 0 0 1/2; "
    "-1/2 0 0 0; 0 1/2 0 0; 0 0 -1/2 0; 0 0 0 1/2",
}
NEXT = {  # drawn by the source's own program
    "X": """1006100145/2147483648 -375813005/1073741824 -922146421/2147483648 5094255/67108864;
        1611849459/2147483648 561924925/2147483648 -3429215/2147483648 -613129535/2147483648;
        1209415141/2147483648 -414430281/536870912 1227789371/2147483648 -1281852955/2147483648;
        -325448281/2147483648 1438803081/2147483648 349268499/2147483648 -192733061/268435456;
        184927579/536870912 -35782911/134217728 126597771/134217728 -1979116085/2147483648""",
    "W_Q": """891630457/1073741824 -1880409315/2147483648 -1597622719/2147483648 \
            -661567511/1073741824;
        -529241371/536870912 236278229/268435456 -205838983/2147483648 9036355/33554432;
        2097706695/2147483648 -1147618011/2147483648 -34399431/536870912 -651797463/2147483648;
        -1921413349/2147483648 11392311/268435456 -1737901567/2147483648 -949578319/1073741824""",
    "W_K": """1976942307/2147483648 1310079683/2147483648 -1072397239/1073741824 \
            2070514943/2147483648;
        -918009643/1073741824 507206687/536870912 58822135/1073741824 -1311002047/2147483648;
        764040713/2147483648 -1926384719/2147483648 298469417/536870912 55242355/67108864;
        1405014509/2147483648 -116674479/1073741824 1927746567/2147483648 -1841905261/2147483648""",
    "W_V": """919539667/2147483648 2061711663/2147483648 727732827/1073741824 152026199/536870912;
        104882845/2147483648 -1002583905/1073741824 1497975939/2147483648 1455274571/2147483648;
        103047081/1073741824 -50331011/134217728 1729057815/2147483648 1839778263/2147483648;
        -28479303/268435456 -647385201/2147483648 -2068249793/2147483648 242843173/268435456""",
}


def check_block(model: Model, block: int, expected: dict[str, str]) -> None:
    attention, ffn = model.blocks[block]["attention"], model.blocks[block]["ffn"]
    for name in ("W_Q", "W_K", "W_V"):
        assert len(attention[name]) == 1
        assert values(attention[name][0]) == rows(expected[name])
    assert values(attention["W_O"]) == rows(expected["W_O"])
    assert values(ffn["W_up"]) == rows(expected["W_up"])
    assert values(ffn["W_down"]) == rows(expected["W_down"])
    assert ffn["activation"] == "relu"
    assert attention["mask"] == "causal"


def test_cats() -> None:
    model = load("cats")
    assert values(model.embedding["E"]) == rows(CATS["E"])
    assert model.tokens == ("I", "like", "cats", "too")
    assert model.ids == (0, 2, 3, 5)
    assert model.position["kind"] == "rope"
    assert [str(x.p) for x in model.position["angles"]] == ["1"]
    check_block(model, 0, CATS)
    block = model.blocks[0]
    assert block["norm1"]["kind"] == "none"
    assert block["norm2"]["kind"] == "rmsnorm"
    assert (block["norm2"]["eps"].p, block["norm2"]["eps"].q) == (1, 1_000_000)
    assert block["residual"] == (True, True)
    assert dict(block["sizes"]) == {
        "n": 4, "m": 4, "d": 4, "k": 2, "v": 2, "f": 8, "h": 1, "g": 1, "V": 6
    }  # fmt: skip


def test_cats_two_blocks_adds_one_block() -> None:
    one, two = load("cats"), load("cats-two-blocks")
    assert two.blocks[0] == one.blocks[0]
    assert (two.embedding, two.position, two.ids) == (one.embedding, one.position, one.ids)
    check_block(two, 1, SECOND)
    for norm in ("norm1", "norm2"):
        assert two.blocks[1][norm]["kind"] == "rmsnorm"
        assert two.blocks[1][norm]["eps"].q == 1_000_000
    assert two.title != one.title


def test_next_is_drawn() -> None:
    model = load("next")
    attention = model.blocks[0]["attention"]
    assert values(model.embedding["X"]) == rows(NEXT["X"])
    for name in ("W_Q", "W_K", "W_V"):
        assert values(attention[name][0]) == rows(NEXT[name])
    assert model.blocks[0]["residual"] == (False, False)
    assert model.blocks[0]["ffn"] is None
    assert "W_O" not in attention
    assert model.position["kind"] == "none"
    assert "2147483648" not in bundled_text("next")


def test_list() -> None:
    listed = bundled()
    assert [one.name for one in listed] == list(bundled_names()) == sorted(bundled_names())
    assert all(one.title for one in listed)
    sources = {one.name: one.source for one in listed}
    assert sources["cats"] == sources["cats-gqa"] != ""


@pytest.mark.parametrize("name", bundled_names())
def test_text_is_the_model(name: str) -> None:
    assert loads(bundled_text(name), name) == load(name)
    assert hash(load(name)) == hash(load(name))


def test_mistyped_name() -> None:
    with pytest.raises(ModelError, match="nearest: cats-two-blocks"):
        bundled_text("cats-two-block")
    with pytest.raises(ModelError, match="nearest: next"):
        load("nxt")
