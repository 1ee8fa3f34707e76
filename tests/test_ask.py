"""`mereo ask` against a real server: nothing lost, nothing doubled, nothing told, whatever the server does."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from chat_server import MISDEEDS, Oracle, build_postcards, is_wrong, question_rows, serving
from kit import THOROUGH, CommandLine, complaint, mereo_process
from mereo.datasets.asked import Selection
from mereo.datasets.predictions import Header, Prediction
from mereo.evaluation.asking import Patience
from mereo.evaluation.chat import seconds_to_wait
from mereo.evaluation.extract import extract
from mereo.evaluation.journal import Journal

SECRET = "sk-this-must-not-be-seen-1234"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_postcards(tmp_path_factory.mktemp("asked") / "cards", scenes=12)


@pytest.fixture
def cards(built: Path, tmp_path: Path) -> Path:
    """A fresh copy, since runs are kept beside the dataset."""
    return Path(shutil.copytree(built, tmp_path / "cards"))


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name in ("http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def lines(dataset: Path, run: str) -> list[dict[str, Any]]:
    text = (dataset / "runs" / run / "predictions.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()][1:]


def result(dataset: Path, run: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((dataset / "runs" / run / "result.json").read_text())
    return found


def known_accuracy(dataset: Path, one_in: int) -> float:
    wrong = [is_wrong(row["question_id"], one_in) for row in question_rows(dataset)]
    assert any(wrong)
    return 1 - sum(wrong) / len(wrong)


def test_the_measured_accuracy_is_the_known_one_however_the_server_behaves(cards: Path, mereo: CommandLine) -> None:
    oracle = Oracle(cards, wrong_one_in=7, misbehave=True)
    with serving(oracle) as url:
        mereo(
            *("ask", cards, "--endpoint", url, "--model", "oracle", "--concurrency", "16"),
            *("--wait", "0.01", "--timeout", "0.8"),
        )
    questions = question_rows(cards)
    assert set(oracle.misdeeds) == set(MISDEEDS)
    ids = [line["question_id"] for line in lines(cards, "oracle")]
    assert sorted(ids) == sorted(question["question_id"] for question in questions)
    judged = result(cards, "oracle")
    assert judged["overall"]["questions"] == len(questions) == len(lines(cards, "oracle"))
    assert judged["overall"]["scores"]["accuracy"]["value"] == pytest.approx(known_accuracy(cards, 7), abs=1e-12)
    assert judged["tokens"] == [100 * len(questions), 3 * len(questions)]
    assert max(oracle.answered.values()) == 1


def test_many_questions_sixty_four_at_a_time(tmp_path: Path, mereo: CommandLine) -> None:
    scenes = 200 if THOROUGH else 60
    cards = build_postcards(tmp_path / "many", scenes=scenes)
    oracle = Oracle(cards, wrong_one_in=5, together=64)
    with serving(oracle) as url:
        mereo("ask", cards, "--endpoint", url, "--model", "oracle", "--concurrency", "64")
    asked = sorted(row["question_id"] for row in question_rows(cards))
    assert len(asked) == 10 * scenes
    assert sorted(line["question_id"] for line in lines(cards, "oracle")) == asked
    assert sorted(oracle.answered.elements()) == asked
    assert oracle.most_under_way == 64
    value = result(cards, "oracle")["overall"]["scores"]["accuracy"]["value"]
    assert value == pytest.approx(known_accuracy(cards, 5), abs=1e-12)


def test_a_kill_loses_nothing_and_repeats_nothing(cards: Path, mereo: CommandLine) -> None:
    oracle = Oracle(cards, delay=0.05)
    journal = cards / "runs" / "oracle" / "predictions.jsonl"
    with serving(oracle) as url:
        command = ("ask", cards, "--endpoint", url, "--model", "oracle", "--concurrency", "4")
        process = mereo_process(*command, cwd=cards.parent)
        while not journal.exists() or journal.read_bytes().count(b"\n") < 30:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        kept = lines(cards, "oracle")
        with journal.open("ab") as file:
            file.write(b'{"question_id":"test-0000')  # as if the kill had come in the middle of a line
        before = dict(oracle.answered)
        assert 29 <= len(kept) < 120
        mereo(*command)
    after = lines(cards, "oracle")
    assert after[: len(kept)] == kept
    ids = [line["question_id"] for line in after]
    assert len(ids) == len(set(ids)) == 120
    assert all(oracle.answered[line["question_id"]] == before[line["question_id"]] == 1 for line in kept)
    again = {question for question, count in oracle.answered.items() if count > 1}
    assert len(again) <= 4  # at most those that were under way when the kill came
    assert result(cards, "oracle")["overall"]["scores"]["accuracy"]["value"] == 1.0


def test_ctrl_c_stops_at_once_and_keeps_what_came(cards: Path) -> None:
    oracle = Oracle(cards, delay=0.3)
    journal = cards / "runs" / "oracle" / "predictions.jsonl"
    with serving(oracle) as url:
        process = mereo_process("ask", cards, "--endpoint", url, "--model", "oracle", cwd=cards.parent)
        while not journal.exists() or journal.read_bytes().count(b"\n") < 9:
            time.sleep(0.01)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert time.monotonic() - started < 5
    assert (process.returncode, err) == (130, "mereo: stopped\n")
    assert len(lines(cards, "oracle")) >= 8


def test_nothing_more_is_asked_when_nothing_can_be_written(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(journal: Journal, predictions: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Journal, "append", full)
    oracle = Oracle(cards, delay=0.1)
    with serving(oracle) as url:
        done = mereo("ask", cards, "--endpoint", url, "--model", "oracle", "--concurrency", "2", code=2)
    assert done.err == "mereo: No space left on device\n"
    assert oracle.answered.total() < 12  # of 120


def test_the_key_is_sent_and_never_told(cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    oracle = Oracle(cards)
    with serving(oracle) as url:
        done = mereo(
            *("ask", cards, "--endpoint", url + "?token=" + SECRET, "--model", "oracle", "--limit", "20"),
            *("--key-env", "MY_KEY", "--price", "1,10"),
        )
        assert oracle.seen_keys == {f"Bearer {SECRET}"}
        oracle.status = 401
        refused = mereo(
            "ask", cards, "--endpoint", url, "--model", "other", "--limit", "20", "--key-env", "MY_KEY", code=2
        )
    assert "the server says 401: no, not with Bearer …" in refused.err
    assert "cost: $0.0026" in done.out
    stored = b"".join(path.read_bytes() for path in cards.rglob("*") if path.is_file())
    assert SECRET.encode() not in stored
    assert SECRET not in done.out + done.err + refused.out + refused.err


def test_boxes_come_with_the_answer(cards: Path, mereo: CommandLine) -> None:
    with serving(Oracle(cards)) as url:
        mereo("ask", cards, "--endpoint", url, "--model", "oracle", "--limit", "10", "--boxes")
    found = lines(cards, "oracle")
    assert [line["boxes"] for line in found] == [[[1, 2, 3, 4]]] * 10
    assert {line["rule"] for line in found} == {"json"}
    assert result(cards, "oracle")["overall"]["scores"]["accuracy"]["value"] == 1.0


def test_a_longer_run_asks_only_what_is_new(cards: Path, mereo: CommandLine) -> None:
    oracle = Oracle(cards)
    with serving(oracle) as url:
        command = ("ask", cards, "--endpoint", url, "--model", "oracle")
        mereo(*command, "--limit", "10")
        mereo(*command, "--limit", "25")
        mereo(*command, "--limit", "15")
        assert oracle.answered.total() == len(oracle.answered) == 25
        assert result(cards, "oracle")["overall"]["questions"] == 25
        other = mereo(*command, "--limit", "30", "--prompt", "closed", code=2)
        assert "the run was begun with prompt.name: short, not closed; " in other.err
    assert oracle.answered.total() == 25


def test_what_cannot_be_asked_is_told_and_tried_again_later(cards: Path, mereo: CommandLine) -> None:
    oracle = Oracle(cards, status=400)
    with serving(oracle) as url:
        command = ("ask", cards, "--endpoint", url, "--model", "oracle", "--limit", "8", "--wait", "0.01")
        done = mereo(*command, code=1)
        assert "is left out: the server says 400: no, not with None" in done.err
        assert "nothing was answered" in done.err
        everything = mereo(*("ask", cards, "--endpoint", url, "--model", "all"), code=2)
        assert "20 questions one after the other could not be asked" in everything.err
        oracle.status = None
        mereo(*command)
    assert result(cards, "oracle")["overall"]["unanswered"] == 0
    assert json.loads((cards / "runs" / "oracle" / "failures.json").read_text()) == []


def test_a_server_that_is_not_there(cards: Path, mereo: CommandLine) -> None:
    command = ("ask", cards, "--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--limit", "2", "--retries", "1")
    done = mereo(*command, "--wait", "0.01", code=1)
    assert "is left out: the connection failed" in done.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--endpoint", "localhost:8000"], "must be an address as https://host/v1"),
        (["--endpoint", "https://me:secret@host/v1"], "the address must not hold a password"),
        (["--key-env", "NO_SUCH_KEY"], "the environment has no NO_SUCH_KEY"),
        (["--price", "cheap"], "'cheap' must be two numbers, as 0.15,0.60"),
        (["--prompt", "shortt"], "there is no prompt 'shortt' (did you mean 'short'?)"),
        (["--split", "val"], "there is no split 'val'"),
        (["--name", "../up"], "'../up' cannot be the name of a run"),
    ],
)
def test_what_is_asked_wrongly(cards: Path, mereo: CommandLine, arguments: list[str], sentence: str) -> None:
    defaults = {"--endpoint": "http://127.0.0.1:9/v1", "--model": "m"}
    options = {**defaults, **dict([arguments])}
    done = mereo("ask", cards, *(word for pair in options.items() for word in pair), code=2)
    assert sentence in done.err
    assert not (cards / "runs").exists()


def test_without_pictures_there_is_nothing_to_ask(tmp_path: Path, mereo: CommandLine) -> None:
    mereo("build", "clevr", tmp_path / "blind", "--symbolic", "--scenes", "2")
    done = mereo("ask", tmp_path / "blind", "--endpoint", "http://127.0.0.1:9/v1", "--model", "m", code=2)
    assert "has no pictures to show to a model" in done.err
    assert not (tmp_path / "blind" / "runs").exists()


def test_waiting_grows_and_honors_the_server() -> None:
    patience = Patience(first=1.0, longest=8.0)
    waits = [patience.seconds("q", attempt, None) for attempt in range(6)]
    assert all(0.5 * 2**k <= wait <= 1.5 * 2**k for k, wait in enumerate(waits[:4]))
    assert all(4 <= wait <= 12 for wait in waits[4:])
    assert waits == [patience.seconds("q", attempt, None) for attempt in range(6)]
    assert patience.seconds("q", 0, 33.0) == 33.0


def test_retry_after_is_seconds_or_a_date() -> None:
    assert seconds_to_wait("2.5") == 2.5
    assert seconds_to_wait(None) is None
    assert seconds_to_wait("soon") is None
    assert seconds_to_wait("-3") == 0.0
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    wait = seconds_to_wait(soon)
    assert wait is not None
    assert 85 < wait <= 90


KNOWN = frozenset({"yes", "no", "red", "2", "cube", "large", "central support"})


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        ("Red", "Red", "whole"),
        ("two.", "two.", "whole"),
        ('{"answer": "red"}', "red", "json"),
        ('Sure!\n```json\n{"answer": true, "boxes": []}\n```', "yes", "json"),
        ('{"answer": 2.0}', "2", "json"),
        ("Let me see.\nAnswer: red", "red", "labeled"),
        ("The answer is **large**.", "large**.", "labeled"),
        ("The answer is a large thing", "large", "labeled"),
        ("Yes, there is a red cube.", "Yes", "leading"),
        ("It must be the central support.", "central support", "only"),
        ("It is not a cube but red", "red", "last"),
        ("<think>no no</think> red", "red", "whole"),
        ("I cannot tell.\nSorry.", "I cannot tell.", "first line"),
        ("  ", None, "empty"),
    ],
)
def test_answers_are_taken_out_of_what_is_said(text: str, answer: str | None, rule: str) -> None:
    assert extract(text, KNOWN)[:2] == (answer, rule)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 3000 + "}" * 3000,
        '{"a":' * 1000 + "}" * 1000,
        '{"answer":' * 1000 + "}" * 10_000,
        '{"answer":"' * 6000,
        '{"answer":[' + "1," * 20_000 + '{"answer":[' * 2000,
        "<think>" * 9000,
        '{"answer": ' + "9" * 6000 + "}",
    ],
    ids=lambda text: text[:12],
)
def test_a_reply_that_is_all_braces_holds_nobody_up(text: str) -> None:
    started = time.process_time()
    assert extract(text, KNOWN).rule in ("labeled", "first line")
    assert time.process_time() - started < 1  # it took minutes when every end was tried for every beginning


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        ('{"answer": {"answer": "red"}}', "red", "json"),
        ('{"boxes": [{"x": 1}, {"x": 2}], "answer": "red"} as in {a} and {"b": 1}', "red", "json"),
        ('{"answer": "red"} or rather {"answer": "no"}, as "answer": {2}', "no", "json"),
        ('{"oops {"answer": "red"}', "red", "json"),
        ('{"answer": "{2}"}', "{2}", "json"),
        ('{"answer": "\\ud800"} red', "red", "labeled"),
        ('{"answer": NaN}', '": NaN}', "labeled"),
        ("<think>red</think>no<think>2", "no", "leading"),
        ("</think> red", "red", "only"),
    ],
)
def test_the_last_object_with_an_answer_counts(text: str, answer: str, rule: str) -> None:
    found = extract(text, KNOWN)
    assert (found.answer, found.rule) == (answer, rule)


def header(**settings: Any) -> Header:
    return Header(
        dataset="d", model="m", selection=Selection(("test",), settings.pop("limit", None)), settings=settings
    )


def test_one_process_at_a_time_adds_to_a_run(tmp_path: Path) -> None:
    path = tmp_path / "run" / "predictions.jsonl"
    with Journal(path, header()):
        said = complaint(lambda: Journal(path, header()))
        assert said == f"{path.parent}: another mereo is writing here"
    with Journal(path, header()) as journal:
        assert journal.given == {}


def test_a_cut_in_any_place_costs_at_most_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    with Journal(path, header()) as journal:
        journal.append([Prediction(f"q{k}", "yes") for k in range(3)])
        journal.append([Prediction("q1", "no"), Prediction("q3", 4)])
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        with Journal(path, header()) as journal:
            assert len(journal.given) == max(0, whole[:length].count(b"\n") - 1)
            journal.append([Prediction("q9", "red")])
        records = [json.loads(line) for line in path.read_text().splitlines()]
        assert records[0]["predictions"] == 1
        assert records[-1] == {"question_id": "q9", "answer": "red"}
        assert [record["question_id"] for record in records[1:-1]] == ["q0", "q1", "q2", "q3"][: len(records) - 2]
    assert first < len(whole)


def test_answers_from_many_threads_are_each_a_line(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    with Journal(path, header()) as journal:
        lock = threading.Lock()

        def work(start: int) -> None:
            for k in range(start, start + 25):
                with lock:
                    journal.append([Prediction(f"q{k}", k)])

        threads = [threading.Thread(target=work, args=(25 * n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    ids = [json.loads(line)["question_id"] for line in path.read_text().splitlines()[1:]]
    assert sorted(ids) == sorted(f"q{k}" for k in range(100))
