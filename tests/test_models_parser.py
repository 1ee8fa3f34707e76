"""Programs as tokens, the grammar that holds them, the parser that writes them, and pairs that are made of pairs."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from furnished import furnished
from kit import CommandLine, complaint, questions
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.clevr.language import LANGUAGE as CLEVR
from mereo.benchmarks.cric.language import LANGUAGE as CRIC
from mereo.benchmarks.ptr.language import LANGUAGE as PTR
from mereo.benchmarks.ptr.questions import RULES, ptr_questions
from mereo.benchmarks.ptr.world import ptr_world
from mereo.benchmarks.refer.language import LANGUAGE as REFER
from mereo.benchmarks.shop.language import LANGUAGE as SHOP
from mereo.datasets.store import open_dataset
from mereo.models.grammar import END, Grammar, program_of, tokens_of
from mereo.models.parser import KINDS, Parser
from mereo.models.rewarded import Rewarded
from mereo.programs import compile_program, parse_program
from mereo.questions.generate import Asker
from mereo.training.alignment import Pair, spoken
from mereo.training.corpus import Corpus
from mereo.training.exchange import exchanged
from mereo.training.loop import fit
from mereo.training.pair_source import PairSource
from mereo.training.parsing import executable, judge_parses
from mereo.training.row import Pace
from mereo.training.sources import ProgramSource

torch.set_num_threads(1)
FEW = {
    "refer": [
        "filter_ordinal[second, left](filter_color[red](scene()))",
        "$1 = unique(filter_shape[cube](scene())); intersect(same_color($1), relate[front]($1))",
        "union(filter_visible[fully](scene()), same_size(unique(filter_material[metal](scene()))))",
    ],
    "shop": [
        "exist(filter_attribute[oven safe](filter_name[mug](filter_color[red](scene()))))",
        "hinders(unique(filter_name[mug](scene())), unique(filter_name[bowl](scene())))",
        "query_weight(unique(filter_name[scissors](filter_color[black](scene()))))",
    ],
    "cric": [
        "find_kg[<blank>, UsedFor, cutting paper](initial())",
        "and(find[white](initial()), relate_reverse[on](find[plate](initial())))",
        "recognition[color](find[bread](initial()))",
    ],
}
LANGUAGES = {"clevr": CLEVR, "ptr": PTR, "refer": REFER, "shop": SHOP, "cric": CRIC}


@cache
def asked(name: str) -> list[tuple[str, str]]:
    """Questions of a language with their programs, real ones where they are quickly made."""
    if name == "clevr":
        return [(one.question.text, str(one.question.program)) for one in questions("our", 30)]
    if name == "ptr":
        asker = Asker(ptr_questions(), PTR, RULES, "train")
        return [
            (question.text, str(question.program))
            for seed in range(25)
            for question in asker.ask(ptr_world(furnished(seed)), 10, chance=random.Random(seed))
        ]
    return [("", program) for program in FEW[name]]


def token_list(programs: Sequence[str]) -> list[str]:
    return ["", "<begin>", "<end>", *sorted({token for program in programs for token in tokens_of(program)})]


def pairs_of(name: str) -> list[Pair]:
    return [Pair(tuple(re.findall(r"\w+", text.lower())), tuple(tokens_of(line))) for text, line in asked(name)]


def numbers(sequences: Sequence[Sequence[str]], known: Sequence[str]) -> torch.Tensor:
    """(b, longest) int64, filled up with 0."""
    place = {word: number for number, word in enumerate(known)}
    longest = max(map(len, sequences))
    return torch.tensor([[*[place[word] for word in some], *[0] * (longest - len(some))] for some in sequences])


# Tokens


@pytest.mark.parametrize("name", LANGUAGES)
def test_tokens_are_read_back_as_the_program_they_were_made_of(name: str) -> None:
    for _, line in asked(name):
        tokens = tokens_of(line)
        read = program_of(tokens, LANGUAGES[name])
        compile_program(read, LANGUAGES[name])
        assert read == read.canonical()
        assert tokens_of(read) == tokens
        if "$" not in line:
            assert str(read) == line


def test_a_shared_step_is_written_out_and_answers_the_same() -> None:
    line = "$1 = own_parts(unique(scene())); exist_part(intersect_parts($1, $1))"
    tokens = tokens_of(line)
    assert tokens.count("unique") == 2
    read = program_of(tokens, PTR)
    assert len(read) > len(parse_program(line))
    for _, shared in [one for one in asked("ptr") if "$" in one[1]][:3]:
        for seed in range(25):
            world = ptr_world(furnished(seed))
            one, other = (compile_program(p, PTR).attempt(world) for p in (shared, program_of(tokens_of(shared), PTR)))
            assert str(getattr(one, "answer", one)) == str(getattr(other, "answer", other))


def test_values_keep_their_kind() -> None:
    assert tokens_of("filter_part_count[7](count_part(surface[back wall]()))")[:2] == ["filter_part_count", "[7]"]
    read = program_of(["find", '["7"]', "initial"], CRIC)
    assert read.steps[-1].values == ("7",)


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["count"], "'count' takes 1 inputs and 0 follow"),
        (["scene", "scene"], "not one program"),
        (["[red]", "scene"], "not one program"),
        (["cuont", "scene"], "count"),
    ],
)
def test_what_is_no_program_is_told(tokens: list[str], says: str) -> None:
    assert says in (complaint(lambda: program_of(tokens, CLEVR)) or "")


def test_a_program_that_doubles_again_and_again_is_refused() -> None:
    line = "$1 = scene(); " + "".join(f"${k + 1} = union(${k}, ${k}); " for k in range(1, 60)) + "count($60)"
    assert "longer than 10,000 tokens" in (complaint(lambda: tokens_of(line)) or "")


# Grammar


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("longest", [4, 15, 60])
def test_whatever_the_grammar_allows_ends_in_time_and_is_a_program(name: str, longest: int) -> None:
    language, chance = LANGUAGES[name], torch.Generator().manual_seed(longest)
    grammar = Grammar(language, token_list([line for _, line in asked(name)]), longest=longest)
    reading = grammar.start(200)
    written = []
    for _ in range(longest + 1):
        token = torch.multinomial(grammar.allowed(reading).float(), 1, generator=chance)[:, 0]
        reading = grammar.read(reading, token)
        written.append(token)
    lengths = set()
    for row in torch.stack(written, 1).tolist():
        tokens = grammar.spell(row[: row.index(END)])
        assert row[len(tokens) :] == [END] * (longest + 1 - len(tokens))
        compile_program(program_of(tokens, language), language)
        lengths.add(len(tokens))
    assert longest / 2 < max(lengths) <= longest


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_grammar_admits_every_real_program(name: str) -> None:
    lines = [line for _, line in asked(name)]
    known = token_list(lines)
    program = numbers([tokens_of(line) for line in lines], known)
    grammar = Grammar(LANGUAGES[name], known, longest=program.shape[1])
    reading = grammar.start(len(program))
    walked = grammar.walk(program)
    for place, token in enumerate(program.unbind(1)):
        token = torch.where(token == 0, END, token)
        assert torch.equal(grammar.wanted(reading), walked[:, place])
        assert grammar.allowed(reading).gather(1, token[:, None]).all()
        reading = grammar.read(reading, token)


def test_what_cannot_be_finished_is_not_begun() -> None:
    grammar = Grammar(CLEVR, ["", "b", "e", "scene", "count", "filter_color", "relate", "unique", "[left]"], longest=9)
    allowed = grammar.spell(grammar.allowed(grammar.start(1))[0].nonzero()[:, 0].tolist())
    assert allowed == ["scene", "count", "relate", "unique"], "there is no color, so nothing is filtered by one"


# Parser


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LANGUAGES)
def test_an_untrained_parser_writes_programs_of_the_language(name: str, kind: str) -> None:
    torch.manual_seed(0)
    grammar = Grammar(LANGUAGES[name], token_list([line for _, line in asked(name)]), longest=20)
    parser = Parser(50, grammar, kind=kind, width=32, layers=2).eval()
    question = torch.randint(1, 50, (60, 12)) * (torch.arange(12) < torch.randint(1, 13, (60, 1)))
    for tokens in parser.parse(question):
        assert len(tokens) <= 20
        assert executable(grammar.spell(tokens), LANGUAGES[name]) is not None
    free = parser.parse(question, masked=False)
    assert any(executable(grammar.spell(tokens), LANGUAGES[name]) is None for tokens in free)


@pytest.mark.parametrize("kind", KINDS)
def test_writing_step_by_step_is_writing_at_once(kind: str) -> None:
    torch.manual_seed(0)
    grammar = Grammar(PTR, token_list([line for _, line in asked("ptr")]), longest=20)
    parser = Parser(50, grammar, kind=kind, width=32, layers=2).eval()
    question, tokens = parser._read(torch.randint(1, 50, (4, 9))), torch.randn(4, 7, 32)
    memory, steps = parser.writer.start(question), []
    for token in tokens.unbind(1):
        found, memory = parser.writer.step(memory, token)
        steps.append(found)
    assert torch.allclose(torch.stack(steps, 1), parser.writer(question, tokens), atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_nothing(kind: str) -> None:
    torch.manual_seed(0)
    pairs = pairs_of("clevr")[:8]
    known = token_list([line for _, line in asked("clevr")])
    words = ["", *sorted({word for pair in pairs for word in pair.words})]
    parser = Parser(len(words), Grammar(CLEVR, known, longest=40), kind=kind, width=32, layers=2).eval()
    question, program = numbers([pair.words for pair in pairs], words), numbers([pair.tokens for pair in pairs], known)
    loss = parser.lesson({"question": question, "program": program}).losses["program"]
    wider = {
        name: torch.nn.functional.pad(some, (0, 5)) for name, some in {"question": question, "program": program}.items()
    }
    assert torch.allclose(loss, parser.lesson(wider).losses["program"], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_parser_learns_32_pairs_by_heart(kind: str) -> None:
    torch.manual_seed(0)
    pairs = [pair for pair in pairs_of("clevr") if len(pair.tokens) < 15][:32]
    known = ["", "<begin>", "<end>", *sorted({token for pair in pairs for token in pair.tokens})]
    words = ["", *sorted({word for pair in pairs for word in pair.words})]
    batch = {
        "question": numbers([pair.words for pair in pairs], words),
        "program": numbers([pair.tokens for pair in pairs], known),
    }
    parser = Parser(len(words), Grammar(CLEVR, known, longest=20), kind=kind, width=64, layers=1, dropout=0.0)
    optimizer = torch.optim.AdamW(parser.parameters(), lr=5e-3)
    for _ in range(150):
        lesson = parser.lesson(batch)
        optimizer.zero_grad()
        lesson.losses["program"].backward()
        optimizer.step()
        if lesson.losses["program"] < 0.01:
            break
    parser.eval()
    parses = [parser.grammar.spell(tokens) for tokens in parser.parse(batch["question"])]
    assert [tuple(parse) for parse in parses] == [pair.tokens for pair in pairs]


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_without_words_is_parsed_like_any_other(kind: str) -> None:
    grammar = Grammar(CLEVR, token_list([line for _, line in asked("clevr")]), longest=9)
    parser = Parser(9, grammar, kind=kind, width=32, layers=1).eval()
    (parse,) = parser.parse(torch.zeros(1, 4, dtype=torch.int64))
    assert executable(grammar.spell(parse), CLEVR) is not None


def test_a_kind_that_there_is_not_is_told() -> None:
    grammar = Grammar(CLEVR, token_list([line for _, line in asked("clevr")]), longest=9)
    assert "lstm" in (complaint(lambda: Parser(9, grammar, kind="ltsm")) or "")


COLORS = ("red", "green", "blue")


class ToyRewards:
    """ "C things" and "C how many": colors that were never told, which only rewards teach."""

    tokens = ("", "<begin>", "<end>", "count", "exist", "filter_color", "scene", *(f"[{color}]" for color in COLORS))

    def __init__(self) -> None:
        self.asked = [(2 + color, 5 + kind) for color in range(3) for kind in range(2)]
        self.meant = [
            [3 + kind, 5, 7 + color, 6] for color in range(len(COLORS)) for kind in range(2)
        ]  # count or exist, filter_color, the color, scene

    def __len__(self) -> int:
        return 64

    def name(self, place: int) -> str:
        return str(place)

    def batch(self, places: torch.Tensor, *, chance: torch.Generator | None = None) -> dict[str, torch.Tensor]:
        number = places % len(self.asked)
        return {"question": torch.tensor(self.asked)[number], "number": number}

    def worth(self, numbers: Sequence[int], programs: Sequence[Sequence[int]]) -> list[float]:
        return [float([*program] == self.meant[number]) for number, program in zip(numbers, programs, strict=True)]


def test_rewards_teach_what_no_pair_has_told() -> None:
    torch.manual_seed(0)
    toy = ToyRewards()
    parser = Parser(7, Grammar(CLEVR, toy.tokens, longest=6), width=32, dropout=0.0)
    told = [0, 3]  # count of red, exist of green
    pairs = {"question": torch.tensor(toy.asked)[told], "program": torch.tensor(toy.meant)[told]}
    optimizer = torch.optim.AdamW(parser.parameters(), lr=5e-3)
    for _ in range(15):  # longer, and it would be too sure to try anything else
        optimizer.zero_grad()
        parser.lesson(pairs).losses["program"].backward()
        optimizer.step()
    network, every = Rewarded(parser, toy.worth), toy.batch(torch.arange(6))
    before = float(network.eval().lesson(every).marks["right"])
    fit(network, toy, pace=Pace(batch=32, rate=5e-3), steps=120, seed=0, device=torch.device("cpu"))
    after = float(network.eval().lesson(every).marks["right"])
    assert before < 0.7
    assert after == 1.0
    assert network.parse(every["question"]) == toy.meant


def test_programs_are_drawn_as_often_as_they_are_likely() -> None:
    torch.manual_seed(0)
    toy = ToyRewards()
    parser = Parser(7, Grammar(CLEVR, toy.tokens, longest=4), width=16, dropout=0.0).eval()
    question = torch.tensor([[2, 5]]).expand(4000, 2)
    drawn = [tuple(tokens) for tokens in parser.parse(question, drawn=True)]
    likely = {tokens: drawn.count(tokens) / len(drawn) for tokens in set(drawn)}
    best = sorted(likely, key=lambda tokens: -likely[tokens])[:3]
    assert likely[best[0]] < 0.9
    for tokens in best:
        with torch.no_grad():
            chance = parser.likelihoods(question[:1], torch.tensor([[*tokens, *[0] * (4 - len(tokens))]])).exp()
        assert float(chance) <= likely[tokens] + 0.03, "what would become too long is drawn less, and all else more"


# Measure


def test_parses_are_judged_by_type_and_by_whether_they_run() -> None:
    lines = ["count(scene())", "$1 = unique(scene()); equal_object($1, $1)", "count(filter_color[red](scene()))"]
    parses = [tokens_of(lines[0]), tokens_of(lines[1]), ["count", "filter_color", "scene"]]
    world = next(one.world for one in questions("our", 30))
    judged = judge_parses(parses, lines, CLEVR, types=["b", "a", "a"], worlds=[world] * 3)
    assert list(judged) == ["all", "a", "b"]
    assert judged["b"] == (1, 1.0, 1.0, 1.0, 1.0)
    assert judged["a"] == (2, 0.5, 0.5, 0.0, 0.5), "one has no answer with several objects, and one is no program"
    assert judge_parses(parses, lines, CLEVR)["all"].running is None


# Exchange


@pytest.mark.parametrize("name", ["clevr", "ptr"])
def test_exchanged_pairs_are_new_programs_of_the_language(name: str) -> None:
    pairs = pairs_of(name)
    made = exchanged(pairs, LANGUAGES[name], times=2, rng=np.random.default_rng(0))
    assert len(made) > len(pairs)
    assert all(executable(pair.tokens, LANGUAGES[name]) is not None for pair in made)
    assert max(len(pair.tokens) for pair in made) <= max(len(pair.tokens) for pair in pairs)
    assert len({pair.tokens for pair in made} - {pair.tokens for pair in pairs}) > len(pairs) / 2
    assert made == exchanged(pairs, LANGUAGES[name], times=2, rng=np.random.default_rng(0))


def test_what_is_said_goes_with_what_is_meant() -> None:
    """CLEVR's colors are said by their own names, and by nothing else."""
    colors = {f"[{color}]": color for color in CLEVR.vocabulary.words("color")}
    pairs = pairs_of("clevr")
    for pair in exchanged(pairs, CLEVR, times=3, rng=np.random.default_rng(1)):
        assert {colors[token] for token in pair.tokens if token in colors} == set(pair.words) & set(colors.values())


def test_a_parser_learns_from_made_pairs_beside_those_of_a_dataset(tmp_path: Path, mereo: CommandLine) -> None:
    mereo("build", "clevr", tmp_path / "set", "--split", "train=12", "--symbolic")
    inspector = inspector_of(open_dataset(tmp_path / "set"))
    assert inspector is not None
    corpus = Corpus(tmp_path / "set", inspector, torch.device("cpu"))
    lexicon = corpus.lexicon()
    own = ProgramSource(corpus, "train", lexicon, pairs=60)
    more = PairSource(corpus, "train", lexicon, CLEVR, pairs=60, times=4)
    assert len(own) == 60
    assert len(more) > 120
    places = torch.arange(60)
    for name in ("question", "program"):
        given, kept = own.batch(places)[name], more.batch(places)[name]
        width = min(given.shape[1], kept.shape[1])
        assert torch.equal(given[:, :width], kept[:, :width])
    assert [more.name(place) for place in range(60)] == [own.name(place) for place in range(60)]
    for row in more.batch(torch.arange(60, len(more)))["program"].tolist():
        assert executable([lexicon.tokens[number] for number in row if number], CLEVR) is not None


def test_synonyms_are_found_in_the_pairs() -> None:
    told = {
        (piece.words, piece.token) for one in spoken(pairs_of("clevr"), CLEVR) for piece in one.pieces if piece.type
    }
    assert {(("ball",), "[sphere]"), (("sphere",), "[sphere]"), (("shiny",), "[metal]"), (("tiny",), "[small]")} <= told
