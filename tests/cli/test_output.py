"""How bytes leave: whole files, UTF-8, `\\n`, colour only where it is wanted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from derive.cli.output import Output, wants_color, write_file
from derive.errors import OutputError


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("before")
    Output("text", str(path)).write("−∞ ½\n")
    assert path.read_bytes() == "−∞ ½\n".encode()
    assert os.listdir(tmp_path) == ["x.txt"]  # noqa: PTH208 - hidden files too


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    path.write_text("before")

    def full(self: Path, data: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="No space left"):
        write_file(path, b"after")
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["x.txt"]  # noqa: PTH208 - hidden files too


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_file(tmp_path / "link", b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"x"


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    write_file(tmp_path / "x", b"")
    (tmp_path / "y").write_bytes(b"")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "y").stat().st_mode


@pytest.mark.parametrize("name", ["missing/x.txt", "."])
def test_what_can_not_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match=str(tmp_path)):
        write_file(tmp_path / name, b"")


def test_a_device_is_written_to() -> None:
    write_file(Path(os.devnull), b"x")
    assert not Path(os.devnull).is_file()


def test_an_unpaired_surrogate_is_shown(tmp_path: Path) -> None:
    Output("text", str(tmp_path / "x")).write("a\ud83d")
    assert (tmp_path / "x").read_bytes() == rb"a\ud83d"


@pytest.mark.parametrize(
    ("choice", "environment", "wanted"),
    [
        ("auto", {}, False),  # not a terminal
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(
    choice: str, environment: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_color(choice, "-") is wanted


def test_the_ending_of_the_file_chooses_the_format(run, tmp_path) -> None:
    for name, begin in (("a.json", "{"), ("a.tex", "\\documentclass"), ("a.txt", "A[2,0]")):
        path = tmp_path / name
        assert run("cell", "cats", "A[2,0]", "-o", str(path)).exit_code == 0
        assert path.read_text(encoding="utf-8").lstrip().startswith(begin)
    path = tmp_path / "b.json"
    assert run("cell", "cats", "A[2,0]", "--to", "text", "-o", str(path)).exit_code == 0
    assert path.read_text(encoding="utf-8").startswith("A[2,0]")
