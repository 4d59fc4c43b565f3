"""Without a terminal: input from standard input, values to standard output, errors to standard error."""

import os
import subprocess

import pytest
from support.program import BINARY, PATIENCE, little_memory, pipe, run_script


def test_values_come_out_without_prompts(home):
    done = run_script(home, "(+ 1 2)\n(note c4 :q)\n")
    assert done.returncode == 0
    assert done.stdout.decode() == "3\n(note c4 :q)\n"
    assert done.stderr == b""


def test_expressions_may_take_several_lines(home):
    done = run_script(home, "(list 1\n  2\n\n  3)\n")
    assert (done.stdout, done.returncode) == (b"(1 2 3)\n", 0)


def test_the_last_line_needs_no_newline(home):
    assert run_script(home, "(+ 1 2)").stdout == b"3\n"


def test_lines_may_end_as_on_windows(home):
    assert run_script(home, "(+ 1\r\n2)\r\n").stdout == b"3\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_end_is_one_whatever_system_wrote_it(home, end):
    done = run_script(home, end.join(['(def x 1) ; one', '"a', 'b"', ':set timing on', '(nte)', '']))
    assert done.stdout.decode() == 'x\n"a\\nb"\ntiming = on\n'
    assert done.stderr.decode().startswith("line:5:2: unknown-form: "), done.stderr


def test_a_line_end_in_two_pieces_is_one(home):
    run = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=home.environment())
    for piece in (b"(+ 1 2)\r", b"\n(nte)\r"):  # the first is answered before the second is sent
        run.stdin.write(piece)
        run.stdin.flush()
        if piece.startswith(b"("):
            assert run.stdout.readline() == b"3\n"
    out, error = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (1, b"")
    assert error.startswith(b"line:2:2: unknown-form: "), error


# What the reader skips before an expression: Unicode white space, the byte order mark.
BLANKS = [" ", "\t", "\u00a0", "\u2003", "\u200b", "\u3000", "\ufeff"]


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_what_may_stand_before_an_expression_may_stand_before_all_else(home, blank):
    done = run_script(home, f"{blank}:session new etude\n{blank}// one\n{blank}(note c4 :q)\n{blank}:history\n")
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode()
    assert "one" in shown and "In[" in shown and ":history" not in shown
    assert (home.session("etude") / "history.jsonl").read_text().count('"one"') == 1
    assert "note c4" not in (home.session() / "history.jsonl").read_text()


def test_what_cannot_be_read_is_not_the_end(home):
    for words in ([], ["repl"]):
        folder = os.open(home.path, os.O_RDONLY)
        done = subprocess.run([BINARY, *words], stdin=folder, capture_output=True, timeout=PATIENCE,
                              env=home.environment(), check=False)
        os.close(folder)
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr == b"cannot read standard input: Is a directory\n"


@pytest.mark.parametrize("before", [b"", b"(+ 1 2)\n", b'(+ 1 2)\n(list "\n'])
def test_a_line_without_end_is_refused_as_soon_as_it_is_too_long(home, before):
    run = subprocess.Popen(["sh", "-c", f"cat - /dev/zero | exec {BINARY}"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=home.environment(),
                           preexec_fn=little_memory())
    out, error = run.communicate(before, timeout=PATIENCE)
    assert run.returncode == 1
    assert out == (b"3\n" if before else b"")
    line = 1 + (1 if before else 0)
    assert error.decode().startswith(f"line:{line}: input-too-large: the input exceeds the limit of 67108864 bytes")
    assert len(error.splitlines()) == 1


def test_an_expression_over_many_lines_is_no_way_around_that(home):
    run = subprocess.run(["sh", "-c", f"(echo '\"'; yes {'x' * 9999}) | exec {BINARY}"], capture_output=True,
                         timeout=PATIENCE, env=home.environment(), check=False, preexec_fn=little_memory())
    assert run.returncode == 1 and run.stderr.startswith(b"line:1: input-too-large: "), run.stderr[:300]


def test_an_error_names_its_line_and_the_rest_goes_on(home):
    done = run_script(home, "(+ 1 2)\n\n(list 1\n  (nte c4))\n(+ 3 4)\n")
    assert done.returncode == 1
    assert done.stdout == b"3\n7\n"
    error = done.stderr.decode()
    assert error.startswith("line:4:4: unknown-form: ")
    assert "   (nte c4))\n" in error and "^^^" in error


def test_input_that_ends_inside_a_form_fails(home):
    done = run_script(home, "(+ 1 2)\n(note c4\n")
    assert done.returncode == 1
    assert done.stdout == b"3\n"
    assert "unclosed-delimiter" in done.stderr.decode()
    assert "line:2:" in done.stderr.decode()


def test_commands_work_and_wrong_ones_fail(home):
    done = run_script(home, "(def x 1)\n:history\n:histroy\n")
    assert "In[1]: (def x 1)" in done.stdout.decode()
    assert done.returncode == 1
    assert "line:3: " in done.stderr.decode()


def test_quit_ends_the_script(home):
    done = run_script(home, "(+ 1 2)\n:quit\n(nte)\n")
    assert (done.stdout, done.returncode) == (b"3\n", 0)


def test_nothing_in_nothing_out(home):
    for text in ("", "\n\n", "; a comment\n"):
        done = run_script(home, text)
        assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)


def test_what_a_script_did_is_there_afterwards(home):
    assert run_script(home, "(def x 42)\n").returncode == 0
    assert run_script(home, "x\n").stdout == b"42\n"


def test_a_session_can_be_named(home):
    assert run_script(home, "(def x 1)\n", "--session", "Etude 1").returncode == 0
    assert run_script(home, "x\n", "--session", "etude-1").stdout == b"1\n"
    assert run_script(home, "x\n", "--session", "other").returncode == 1


def test_a_reader_that_goes_away_does_not_hurt(home):
    run = subprocess.Popen(
        [BINARY, "--session", "session-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=home.environment(),
    )
    run.stdout.close()
    try:
        run.stdin.write(b"(def x 5)\nx\nx\n")
        run.stdin.close()
    except BrokenPipeError:
        pass
    assert run.wait(PATIENCE) in (0, 1)
    run.stderr.close()
    assert run_script(home, "x\n").stdout == b"5\n"


def test_a_list_in_json_without_an_entry_is_no_line_at_all(home):
    for options in ("--errors", "--chat", "--grep zzz --errors", "--since 1h --ai"):
        done = run_script(home, f":history --json {options}\n(+ 1 2)\n", "--session", "list")
        assert (done.returncode, done.stdout, done.stderr) == (0, b"3\n", b"")


def test_every_example_runs_in_a_session_of_its_own(home):
    listed = run_script(home, ":examples\n").stdout.decode().splitlines()
    names = [line.split()[0] for line in listed if line.startswith("  ")]
    assert len(names) >= 7
    for name in names:
        shown = run_script(home, f":examples {name}\n", "--session", "look")
        ran = run_script(home, f":examples {name} --run\n", "--session", name)
        assert ran.returncode == 0 and ran.stdout and not ran.stderr, name
        # It shows what the user would type, and shows it first.
        typed = run_script(home, shown.stdout, "--session", "typed " + name)
        assert ran.stdout == shown.stdout + typed.stdout


def test_a_pipe_leaves_nothing_behind_and_touches_no_session(home):
    run_script(home, "(note c4 :q)\n", "--session", "session-1")
    before = {p: p.read_bytes() for p in home.folder.rglob("*") if p.is_file()}
    done = pipe(home, "(note d4 :q)\n(def x 1)\n:score\n")
    assert (done.returncode, done.stderr) == (0, b""), done
    assert b"d4" in done.stdout and b"c4" not in done.stdout
    assert {p: p.read_bytes() for p in home.folder.rglob("*") if p.is_file()} == before


def test_a_pipe_in_a_new_home_makes_no_home(home):
    assert pipe(home, "(+ 1 2)\n").stdout == b"3\n"
    assert not home.folder.exists()


def test_a_session_that_is_made_in_a_pipe_is_said_not_to_be_kept(home):
    done = pipe(home, ":session new Waltz\n(note c4 :q)\n")
    assert done.returncode == 0 and b"nothing in this session is saved" in done.stderr and b"--session NAME" in done.stderr
    assert not home.session("waltz").exists()


def test_a_pipe_that_names_a_session_says_which_it_is(home):
    done = pipe(home, "(def x 5)\n", "--session", "Etude 1")
    assert done.stderr == b"fermata: session etude-1\n"
    assert pipe(home, "x\n", "--session", "etude-1").stdout == b"5\n"
