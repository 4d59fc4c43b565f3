"""The line editor: several lines, history, search, paste, completion, hints, wide characters."""

import re

import pytest
from support.terminal import Terminal


def test_an_expression_goes_on_until_its_parentheses_close(prompt):
    prompt.type("(list", "enter").wait_for(r"^ +\.\.$")
    prompt.type("1 2", "enter", "3)", "enter")
    prompt.wait_for_prompt(2)
    assert prompt.lines()[-5:] == [
        "[session-1] In[1]: (list",
        "                ..   1 2",
        "                ..   3)",
        "Out[1]: (1 2 3)",
        "[session-1] In[2]:",
    ]


def test_an_earlier_line_of_an_unfinished_expression_can_be_edited(prompt):
    prompt.type("(list 1", "enter", "3)")
    prompt.wait_for(r"3\)$")
    prompt.type("up", "end", " 2", "down", "enter")
    prompt.wait_for(r"Out\[1\]: \(1 2 3\)")


def test_alt_enter_begins_a_line_where_enter_would_end_the_input(prompt):
    prompt.type("(+ 1 2)", "alt-enter", "(+ 3 4)", "enter")
    prompt.wait_for_prompt(2)
    assert re.search(r"Out\[1\]: 3\n +7", prompt.text())


def test_the_arrow_recalls_an_expression_of_several_lines_as_a_whole(prompt):
    prompt.type("(list", "enter", "1", "enter", "2)", "enter").wait_for_prompt(2)
    prompt.enter("(+ 4 5)")
    prompt.type("up", "up").wait_for(r"In\[3\]: \(list\n +\.\. +1\n +\.\. +2\)$")
    prompt.type("enter")
    prompt.wait_for(r"Out\[3\]: \(1 2\)")


def test_ctrl_r_finds_an_earlier_input(prompt):
    prompt.enter("(+ 20 22)")
    prompt.enter("(+ 1 2)")
    prompt.type("ctrl-r", "20").wait_for(r"reverse-i-search.*20.*\(\+ 20 22\)")
    prompt.type("enter")
    prompt.wait_for(r"Out\[3\]: 42")
    prompt.wait_for_prompt(4)


def test_ctrl_r_can_be_given_up(prompt):
    prompt.enter("(+ 20 22)")
    prompt.type("ctrl-r", "20").wait_for("reverse-i-search")
    prompt.type("ctrl-c").wait_for_prompt(2)
    assert "Out[2]: 3" in prompt.enter("(+ 1 2)")


def test_a_paste_of_several_lines_is_one_text(prompt):
    prompt.type("\x1b[200~(list 1\n  2\n)\n(+ 3 4)\x1b[201~")
    prompt.wait_for(r"\(\+ 3 4\)$")
    assert "Out" not in prompt.text(), "something ran before Enter"
    prompt.type("enter")
    prompt.wait_for_prompt(2)
    assert re.search(r"Out\[1\]: \(1 2\)\n +7", prompt.text())


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_pasted_line_end_is_one_whatever_system_wrote_it(home, term):
    with Terminal(home, TERM=term) as t:
        for number, end in enumerate(("\r\n", "\r", "\n"), 1):
            pasted = f'"a{end}b"' if term == "dumb" else f'\x1b[200~"a{end}b"\x1b[201~'
            t.type(pasted, "enter").wait_for(rf'Out\[{number}\]: "a\\nb"').wait_for_prompt(number + 1)


def test_a_big_paste_arrives_whole(prompt):
    numbers = " ".join(str(i) for i in range(20_000))
    prompt.type(f"\x1b[200~(count (list {numbers}))\x1b[201~", "enter")
    prompt.wait_for(r"Out\[1\]: 20000")


def test_a_paste_of_a_mebibyte_arrives_whole_and_in_order(prompt):
    # Lines of a hundred numbers; as many as needed.
    lines, size, n = [], 0, 0
    while size < 1 << 20:
        lines.append(" ".join(map(str, range(n, n + 100))))
        size += len(lines[-1]) + 1
        n += 100
    prompt.type("\x1b[200~(def pasted (list\n" + "\n".join(lines) + "))\x1b[201~")
    prompt.wait_for(rf"{n - 1}\)\)$")
    prompt.type("enter")
    prompt.wait_for(r"Out\[1\]: pasted")
    prompt.wait_for_prompt(2)
    assert "Out[2]: true" in prompt.enter(f"(= pasted (range {n}))")


def test_what_follows_a_paste_at_once_is_not_lost(prompt):
    prompt.type("\x1b[200~(+ 1 2)\x1b[201~\r(+ 3 4)\r\x1b[200~(+ 5\n 6)\x1b[201~\r(+ 7")
    prompt.wait_for(r"Out\[3\]: 11")
    prompt.wait_for(r"In\[4\]: \(\+ 7$")
    prompt.type(" 8)", "enter").wait_for(r"Out\[4\]: 15")
    assert re.search(r"Out\[1\]: 3$[^$]*Out\[2\]: 7$", prompt.text(), re.M)


def test_several_prompts_write_into_the_shared_history_at_once(home):
    prompts = [Terminal(home, "--session", f"s{i}") for i in range(4)]
    try:
        for i, t in enumerate(prompts):
            t.type("".join(f"(list {i} {n})\r" for n in range(25)))
        for i, t in enumerate(prompts):
            t.wait_for(rf"Out\[\d+\]: \({i} 24\)")
    finally:
        for t in prompts:
            t.__exit__()
    lines = (home.folder / "history").read_text().splitlines()
    assert sorted(lines) == sorted(f"(list {i} {n})" for i in range(4) for n in range(25))
    for i in range(4):  # and those of one session in the order in which they were typed
        assert [x for x in lines if x.startswith(f"(list {i} ")] == [f"(list {i} {n})" for n in range(25)]


def test_tab_completes_forms_commands_names_and_options(prompt):
    prompt.type("(tupl", "tab").wait_for(r"\(tuplet$")
    prompt.type("ctrl-c").wait_for_prompt()
    prompt.type(":hist", "tab").wait_for(r":history$")
    prompt.type("ctrl-c").wait_for_prompt()
    prompt.enter("(def leitmotif 7)")
    prompt.type("leitm", "tab").wait_for(r"leitmotif$")
    prompt.type("ctrl-c").wait_for_prompt()
    prompt.type("(note c4 :q :stacca", "tab").wait_for(r":staccat")


def test_tab_completes_sessions(prompt):
    prompt.enter(":session new Zauberberg")
    prompt.enter(":session switch session-1")
    prompt.type(":session switch zau", "tab").wait_for(r":session switch zauberberg$")


def test_a_second_tab_lists_what_fits_and_keeps_the_line(prompt):
    prompt.type(":session ", "tab", "tab")
    prompt.wait_for(r"In\[1\]: :session\n.*info +list\n(.*\n)*.*In\[1\]: :session$")
    prompt.type("list", "enter")
    prompt.wait_for_prompt(2)


def test_alt_h_shows_the_signature_and_leaves_no_trace(prompt):
    prompt.type("(note ", "alt-h").wait_for(r"\(note PITCH")
    prompt.type("c4 :q)", "enter")
    prompt.wait_for_prompt(2)
    assert "PITCH" not in prompt.text()


def test_wide_and_combining_characters_keep_the_cursor_where_it_is(prompt):
    prompt.type('"音楽 é"', "left", "left", "left", "x")
    prompt.wait_for("楽x")
    prompt.type("enter")
    prompt.wait_for_prompt(2)
    # pyte leaves an empty cell after a wide character.
    assert 'Out[1]: "音楽x é"' in prompt.text()


def test_control_characters_typed_into_a_line_are_shown_not_obeyed(prompt):
    prompt.type('"a', "\x16\x1b", '[2J"')
    prompt.wait_for(re.escape('"a^[[2J"'))
    assert "In[1]" in prompt.text()


def test_a_line_longer_than_the_terminal_wraps_and_can_be_edited(prompt):
    line = "(list " + " ".join(str(i) for i in range(60)) + ")"
    prompt.type(line)
    prompt.wait_for(r"59\)$")
    prompt.type("home", "(count ", "end", ")", "enter")
    prompt.wait_for(r"Out\[1\]: 60")


def test_vi_users_find_their_keys(home):
    inputrc = home.path / "inputrc"
    inputrc.write_text("$if Fermata\nset editing-mode vi\n$endif\n")
    with Terminal(home, INPUTRC=str(inputrc)) as t:
        t.type("(+ 1 9)")
        t.wait_for(r"9\)$")
        t.type("escape")
        t.read(1.0)  # only time distinguishes Escape from the start of a key sequence
        t.type("hr2")
        t.wait_for(r"\(\+ 1 2\)")
        t.type("enter")
        t.wait_for(r"Out\[1\]: 3")


def test_inputs_are_remembered_for_the_next_time(home):
    with Terminal(home) as t:
        t.type("(list", "enter", "1 2)", "enter").wait_for_prompt(2)
        t.type("ctrl-d")
        t.wait_for_end()
    assert (home.folder / "history").read_text() == "(list\\n  1 2)\n"
    with Terminal(home) as t:
        t.type("up").wait_for(r"\(list\n +\.\. +1 2\)$")


def test_two_prompts_share_the_history_file(home):
    with Terminal(home) as first, Terminal(home, "--session", "other") as second:
        first.enter("(+ 1 1)")
        second.enter("(+ 2 2)")
        first.enter("(+ 3 3)")
    lines = (home.folder / "history").read_text().splitlines()
    assert sorted(lines) == ["(+ 1 1)", "(+ 2 2)", "(+ 3 3)"]


def test_what_is_typed_while_something_runs_is_there_for_the_next_line(prompt):
    prompt.type("(reduce + 0 (range 3000))", "enter", "(+ 1 2)", "enter")
    prompt.wait_for(r"Out\[1\]: 4498500")  # n(n-1)/2
    prompt.wait_for(r"Out\[2\]: 3")
