"""`derive grade`: the answers of a whole course."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import click

from derive.cli import options
from derive.cli.output import Output


@click.command()
@click.argument("key", metavar="KEY", type=click.Path())
@click.argument("submissions", metavar="SUBMISSIONS", type=click.Path())
@click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that judge; 0: this one alone, without a deadline.",
)
@click.option(
    "--executor",
    metavar="module:factory",
    help="A function that makes a concurrent.futures.Executor, for a cluster.",
)
@click.option("--resume", is_flag=True, help="Go on where a run in this folder stopped.")
@click.option(
    "--deadline",
    type=click.IntRange(1, 86_400),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="For one answer; after it the answer is undecided.",
)
@options.output("text", "json", folder=True)
def command(
    key: str,
    submissions: str,
    jobs: int,
    executor: str | None,
    resume: bool,
    deadline: int,
    output: Output,
) -> None:
    """Mark all answers in SUBMISSIONS by KEY; results and a summary go to the folder of -o.

    KEY is TOML: `model`, and for each question its cell (or `count`, or `property`), points and
    policy; `derive exercise` writes one. SUBMISSIONS is CSV with a header student,cell,answer
    (question instead of cell for ids), JSON Lines with the same fields, a folder of such files,
    or -. Columns may be cut by , ; or tabs; a column `time` is for deadlines.

    \b
    Which rows count:
      duplicates   the last row of a student for a question; with times, the latest
      empty        no answer, no points; never replaces an answer
      late         marked, no points: time after the key's `deadline`
      unknown      a student the key has no table for (if it has any), a question it
                   doesn't have: invalid, no points
      unreadable   named on stderr and in the summary, all others are marked; exit code 2
    An undecided answer gives no points and stands in the summary's queue.

    \b
    Written: results.jsonl, results.csv (a ' before = + - @ keeps spreadsheets from
    calculating; derive reads it back), summary.txt, summary.json, summary.tex.
    Files are the same for any number of workers. What was judged is kept at once:
    after a crash, a full disk or Ctrl-C, --resume goes on.

    \b
    Examples:
      derive grade key.toml answers.csv -o marks --jobs 4
      derive grade key.toml answers/ -o marks --executor cluster:executor --resume
    """
    from derive.answers.grade import grade
    from derive.answers.grade_run import factory_of
    from derive.render.escape import dumps, terminal

    if output.path in ("", "-"):
        raise click.UsageError("-o FOLDER is needed: where the results go")
    done = grade(
        key,
        submissions,
        output.path,
        jobs=jobs,
        executor=factory_of(executor) if executor else None,
        resume=resume,
        deadline=deadline,
        progress=_Progress(output),
    )
    if done.aside:
        output.say(
            "an unfinished run was put aside as .journal.jsonl.old; --resume goes on with it"
        )
    for name in done.skipped:
        output.say(f"skipped {terminal(name)}")
    for row in done.unread:
        click.echo(f"derive: {terminal(row.place)}: {terminal(row.reason)}", err=True)
    if output.format == "json":
        replace(output, path="-").write(dumps(done.data()))
    else:
        totals = done.summary.totals()
        output.say(
            f"{totals['rows']} rows, {done.distinct} different answers, {done.judged} judged now; "
            f"wrote {len(done.data()['files'])} files to {output.path}"
        )
    click.get_current_context().exit(2 if done.unread else 0)


class _Progress:
    """One line on a terminal: how many, how fast, how long still."""

    def __init__(self, output: Output) -> None:
        quiet = output.quiet or sys.stderr is None
        self.shown = not quiet and sys.stderr.isatty()
        self.start = self.last = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done == 0:
            self.start = now
        if not self.shown or (now - self.last < 1 / 5 and done < total):
            return
        self.last = now
        rate = int(done / max(now - self.start, 1 / 1000))
        left = f", {(total - done) // rate} s left" if rate and done < total else ""
        click.echo(f"\r{progress_line(done, total, rate, left)}", err=True, nl=done == total)


def progress_line(done: int, total: int, rate: int, left: str) -> str:
    """A line as wide as the one before.

    >>> progress_line(5, 10, 2, ", 2 s left").rstrip()
    '5/10 answers, 2 a second, 2 s left'
    """
    return f"{done}/{total} answers, {rate} a second{left}".ljust(60)
