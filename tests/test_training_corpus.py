"""Datasets as tensors: what a network gets is what a plain reading of the rows gives, every question once."""

from __future__ import annotations

import io
import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

import mereo
from kit import complaint, questions
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.ptr.recipe import PtrRecipe
from mereo.datasets.asked import load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.inspector import Inspector
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.store import open_dataset, read_table, record_file, write_manifest
from mereo.masks import box_of
from mereo.programs import parse_program
from mereo.world import Attribute, Entity, Vocabulary, World, make_world

torch = pytest.importorskip("torch")

from mereo.datasets.pictures import encode_png  # noqa: E402
from mereo.models.grammar import tokens_of  # noqa: E402
from mereo.training import corpus as corpus_module  # noqa: E402
from mereo.training import thing_reading  # noqa: E402
from mereo.training.augment import STILL, Change, draw_view, looked_at, recolored, repainted  # noqa: E402
from mereo.training.corpus import Corpus  # noqa: E402
from mereo.training.lexicon import Lexicon, prefix_tokens, split_words  # noqa: E402
from mereo.training.row import NEEDS  # noqa: E402
from mereo.training.scene_things import levels_of, things_of_row  # noqa: E402
from mereo.training.seeing import Level, Seeing, Seen  # noqa: E402
from mereo.training.sources import ProgramSource, QuestionSource, SceneSource  # noqa: E402
from mereo.training.things import boxes_of  # noqa: E402

CPU = torch.device("cpu")
PALETTE = Vocabulary.of([Attribute("color", ("red", "blue")), Attribute("mood", None, multiple=True)])


class Placing(Seeing):
    """Sees categories, and where objects stand."""

    levels: Mapping[str, Level] = {
        "object": Level({"category": ("bed", "chair")}, numbers={"place": 3}),
        "part": Level({"color": ("red", "gray")}, numbers={"place": 3}),
    }

    def numbers(self, row: Mapping[str, Any], world: World) -> Mapping[str, NDArray[np.float32]]:
        told = [entity.numbers.get("position", [np.nan] * 3) for entity in world.entities]
        return {"place": np.array(told, np.float32)}

    def world(self, seen: Seen) -> World:
        raise NotImplementedError


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three small rooms, each in a shard of its own."""
    folder = tmp_path_factory.mktemp("corpus") / "rooms"
    view = PictureSettings(width=96, height=64, samples=8)
    recipe = PtrRecipe(seed=0, view=view, pictures=True, questions_per_scene=7)
    build_dataset(recipe, folder, splits={"train": 2, "test": 1}, shard_size=1)
    return folder


@pytest.fixture(scope="module")
def corpus(rooms: Path) -> Corpus:
    return opened(rooms)


@pytest.fixture(scope="module")
def lexicon(corpus: Corpus) -> Lexicon:
    return corpus.lexicon()


def opened(folder: Path, **settings: Any) -> Corpus:
    inspector = inspector_of(open_dataset(folder))
    assert inspector is not None
    return Corpus(folder, inspector, CPU, **settings)


def rows_of(folder: Path, kind: str, split: str) -> list[dict[str, Any]]:
    files = sorted((folder / kind).glob(f"{split}-*.parquet"))
    return [row for file in files for row in read_table(file).to_pylist()]


def opened_picture(row: Mapping[str, Any]) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(row["image"]["bytes"])).convert("RGB")


def changed_picture(folder: Path, out: Path, size: tuple[int, int]) -> Path:
    """The same dataset with the picture of its second scene at another size."""
    shutil.copytree(folder, out)
    path = out / "scenes" / "train-00001.parquet"
    table = pq.read_table(path)
    kept = io.BytesIO()
    opened_picture(table.to_pylist()[0]).resize(size).save(kept, "PNG")
    column = table.schema.get_field_index("image")
    image = [{"bytes": kept.getvalue(), "path": "other.png"}]
    pq.write_table(table.set_column(column, table.schema.field(column), [image]), path)
    manifest = open_dataset(out)
    files = {**manifest.files, "scenes/train-00001.parquet": record_file(path)}
    write_manifest(out, msgspec.structs.replace(manifest, files=files))
    return out


# Pictures


def test_pictures_are_those_of_the_rows_in_their_order(corpus: Corpus, rooms: Path) -> None:
    for split, count in (("train", 2), ("test", 1)):
        rows, pictures = rows_of(rooms, "scenes", split), corpus.pictures(split)
        assert pictures.shape == (count, 3, 64, 96)
        assert pictures.dtype == torch.uint8
        assert corpus.scene_ids(split) == [row["scene_id"] for row in rows]
        assert [row["scene"] for row in corpus.rows(split)] == [row["scene"] for row in rows]
        for own, row in zip(pictures, rows, strict=True):
            assert np.array_equal(own.permute(1, 2, 0).numpy(), np.asarray(opened_picture(row)))
    assert corpus.pictures("train") is corpus.pictures("train")


def test_wide_pictures_are_shrunk_and_their_ids_are_taken_from_the_same_places(rooms: Path) -> None:
    small = opened(rooms, widest=40)
    assert small.size == (27, 40)
    assert small.pictures("train").shape == (2, 3, 27, 40)
    whole, shrunk = opened(rooms).things("train", "object").ids, small.things("train", "object").ids
    for scene in range(2):
        for y in range(27):
            for x in range(40):
                there = int(whole[scene, int((y + 0.5) * 64 / 27), int((x + 0.5) * 96 / 40)])
                assert int(shrunk[scene, y, x]) == there
    mean = opened(rooms).pictures("train").float().mean((2, 3))
    assert torch.allclose(small.pictures("train").float().mean((2, 3)), mean, atol=4)


def test_pictures_of_the_same_proportions_come_to_one_size_and_others_are_told(rooms: Path, tmp_path: Path) -> None:
    larger = opened(changed_picture(rooms, tmp_path / "larger", (192, 128)))
    assert larger.pictures("train").shape == (2, 3, 64, 96)
    square = opened(changed_picture(rooms, tmp_path / "square", (64, 64)))
    said = str(complaint(lambda: square.pictures("train")))
    assert "scene 'train-000001'" in said
    assert "is 64x64, of other proportions than the 96x64 of the others" in said


def test_what_would_not_fit_is_told_before_it_is_decoded(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "free_memory", lambda device: 20_000)
    monkeypatch.setattr(corpus_module, "decode_pictures", None)
    said = str(complaint(lambda: opened(rooms).pictures("train")))
    assert "the pictures of train take 0.0 GB and 0.0 GB are free on cpu" in said


def test_progress_is_told(rooms: Path) -> None:
    told: list[tuple[str, int, int]] = []
    corpus = opened(rooms, progress=lambda *said: told.append(said))
    corpus.pictures("train")
    corpus.things("train", "part")
    assert told == [("pictures of train", 2, 2), ("things of train", 1, 2), ("things of train", 2, 2)]


# Things


def test_things_are_the_entities_that_pictures_show(corpus: Corpus, rooms: Path) -> None:
    for level in ("object", "part"):
        things = corpus.things("train", level)
        assert things.present.any(1).all()
        for place, row in enumerate(rows_of(rooms, "scenes", "train")):
            check_scene(corpus.inspector, row, corpus.levels[level], level, things, place)


def check_scene(inspector: Inspector, row: Any, told: Level, level: str, things: Any, place: int) -> None:
    """A scene's things against masks and worlds, one by one."""
    world = inspector.world(row)
    masks = inspector.masks(row, world)
    shown = [k for k, entity in enumerate(world.entities) if entity.kind == level and k in masks]
    objects = [k for k, entity in enumerate(world.entities) if entity.kind == "object" and k in masks]
    assert things.entity[place].tolist() == shown + [-1] * (things.entity.shape[1] - len(shown))
    assert things.present[place].tolist() == [k < len(shown) for k in range(things.present.shape[1])]
    ids, within = things.ids[place].numpy(), things.within[place].tolist()
    areas = [masks[entity].sum() for entity in shown]
    for y, x in np.ndindex(*ids.shape):
        there = [k for k, entity in enumerate(shown) if masks[entity][y, x]]
        assert ids[y, x] == (min(there, key=areas.__getitem__) + 1 if there else 0)
    for k, entity in enumerate(shown):
        inside = [k + 1, *(j + 1 for j, around in enumerate(within) if around == k)]
        assert np.array_equal(np.isin(ids, inside), masks[entity])
        assert tuple(things.boxes[place, k].tolist()) == box_of(masks[entity])
        own = world.entities[entity]
        for name, values in told.words.items():
            number = int(things.words[name][place, k])
            assert (values[number] if number >= 0 else None) == own.attributes.get(name)
        for name, values in told.several.items():
            chosen = [value for value, has in zip(values, things.several[name][place, k], strict=True) if has]
            assert sorted(chosen) == sorted(own.attributes.get(name, ()))
        whole = int(things.whole[place, k])
        assert (world.entities[objects[whole]].id if whole >= 0 else None) == own.part_of


def test_levels_are_what_the_scenes_tell_where_nobody_says_otherwise(corpus: Corpus) -> None:
    assert set(corpus.levels) == {"object", "part"}
    assert {"category"} <= set(corpus.levels["object"].words) <= {"category", "stability"}
    assert set(corpus.levels["part"].words) == {"part", "color", "geometry"}
    assert "there is no level of things 'parts'" in str(complaint(lambda: corpus.things("train", "parts")))


def test_a_seeing_says_which_words_and_numbers_are_told(rooms: Path) -> None:
    corpus = opened(rooms, seeing=Placing())
    objects, parts = corpus.things("train", "object"), corpus.things("train", "part")
    assert set(objects.words) == {"category"}
    assert parts.numbers["place"].isnan().all()
    for scene, row in enumerate(corpus.rows("train")):
        entities = corpus.inspector.world(row).entities
        for k, entity in enumerate(objects.entity[scene].tolist()):
            place = objects.numbers["place"][scene, k]
            if entity < 0:
                assert place.isnan().all()
                continue
            assert np.allclose(place, entities[entity].numbers["position"])
            category = entities[entity].attributes["category"]
            word = {"bed": 0, "chair": 1}.get(str(category), -1)
            assert int(objects.words["category"][scene, k]) == word


def test_several_processes_read_the_same(rooms: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thing_reading, "_FEW", 1)
    beside = opened(rooms, workers=2)
    for level in ("object", "part"):
        ours, theirs = corpus.things("train", level), beside.things("train", level)
        assert torch.equal(ours.ids, theirs.ids)
        assert torch.equal(ours.within, theirs.within)
        assert torch.equal(ours.entity, theirs.entity)
        assert torch.equal(ours.boxes, theirs.boxes)
        assert ours.words.keys() == theirs.words.keys()
        assert all(torch.equal(ours.words[name], theirs.words[name]) for name in ours.words)


def test_who_cannot_be_sent_to_other_processes_looks_here(corpus: Corpus, tmp_path: Path) -> None:
    refer = opened(mereo.build("refer", tmp_path / "refer", split="train=1", symbolic=True).folder)
    for own, sent in ((corpus, True), (refer, False)):
        assert thing_reading._can_be_sent(thing_reading.Looking(own.inspector, own.levels, (2, 2))) == sent


class Drawn(Inspector):
    """Rows whose world is given with them."""

    language = LANGUAGE

    def world(self, row: Mapping[str, Any]) -> World:
        found: World = row["world"]
        return found

    def instances(self, row: Mapping[str, Any], world: World) -> Any:
        return row["shown"]


def drawn_row(entities: list[Entity], shown: list[list[int]], ids: list[list[int]]) -> dict[str, Any]:
    stored = {"bytes": encode_png(np.array(ids, np.uint16))}
    return {"scene_id": "s", "world": make_world(entities, PALETTE), "shown": shown, "instances": stored}


def test_a_part_of_a_part_has_its_pixels_and_what_is_not_seen_is_no_thing() -> None:
    entities = [
        Entity("cupboard", "object", {"color": "red", "mood": ("wild", "calm")}),
        Entity("unseen", "object"),
        Entity("door", "part", {}, "cupboard"),
        Entity("knob", "part", {"color": "blue", "mood": ("calm",)}, "door"),
    ]
    row = drawn_row(entities, [[1, 2, 9], [3], [2, 9], [9]], [[0, 1, 2], [0, 1, 9]])
    found = things_of_row(row, Drawn(), levels_of([row["world"]]), (2, 3))
    objects, parts = found["object"], found["part"]
    assert objects.ids.tolist() == [[0, 1, 1], [0, 1, 1]]
    assert objects.entity.tolist() == [0]
    assert parts.ids.tolist() == [[0, 0, 1], [0, 0, 2]]
    assert parts.within.tolist() == [-1, 0]
    assert parts.whole.tolist() == [0, 0]
    assert parts.boxes.tolist() == [[2, 0, 1, 2], [2, 1, 1, 1]]
    assert parts.words["color"].tolist() == [-1, 1]
    assert objects.several["mood"].tolist() == [[True, True]]
    assert parts.several["mood"].tolist() == [[False], [True]]


def test_what_is_seen_only_by_what_lies_within_it_is_there_all_the_same() -> None:
    entities = [Entity(name, "part") for name in ("back", "bar", "arm", "its only bar")]
    row = drawn_row(entities, [[1, 2, 3], [2], [4], [4]], [[2, 2, 0, 4]])
    (parts,) = things_of_row(row, Drawn(), {"part": Level({})}, (1, 4)).values()
    assert parts.entity.tolist() == [0, 1, 2, 3]
    assert parts.ids.tolist() == [[2, 2, 0, 4]]
    assert parts.within.tolist() == [-1, 0, -1, 2]
    assert parts.boxes[:, 2].tolist() == [2, 2, 1, 1]


def test_more_things_than_a_byte_tells_apart_are_one_sentence() -> None:
    for count in (255, 256):
        entities = [Entity(str(k), "object") for k in range(count)]
        row = drawn_row(entities, [[k + 1] for k in range(count)], [[*range(1, count + 1)]])

        def read(row: Any = row, count: int = count) -> Any:
            return things_of_row(row, Drawn(), {"object": Level({})}, (1, count))

        if count == 255:
            assert read()["object"].ids.tolist() == [[*range(1, 256)]]
        else:
            assert "scene 's': shows 256 things of the level 'object', more than the 255" in str(complaint(read))


# Words


def test_a_lexicon_is_ranked_by_frequency_and_then_by_alphabet() -> None:
    found = Lexicon.of_texts(["b a?", "A c: b"], ["yes", "a, b", "yes"], ["count(scene())", "scene()"])
    assert found.words == ("", "<unknown>", "a", "b", "c")
    assert found.answers == ("yes", "a, b")
    assert found.tokens == ("", "<begin>", "<end>", "scene", "count")
    assert found.read("c d, a") == [4, 1, 2]
    assert (found.answer("a, b"), found.answer("a")) == (1, -1)
    assert found.program("count(scene())") == [4, 3]
    assert found.program("exist(scene())") is None
    assert msgspec.json.decode(msgspec.json.encode(found), type=Lexicon) == found


def test_a_lexicon_guesses_what_is_answered_most_often_to_questions_of_a_type() -> None:
    types = [("count", "object"), ("count", "part"), ("count", "object"), ("exist", "object"), ("exist", "object")]
    found = Lexicon.of_texts([""] * 5, ["2", "4", "2", "yes", "no"], [], types)
    assert found.usual == (("count", "object", "2"), ("count", "part", "4"), ("exist", "object", "no"))
    assert [found.guess(type) for type in [("count", "part"), ("exist", "object"), ("where", "")]] == ["4", "no", "2"]
    assert msgspec.json.decode(msgspec.json.encode(found), type=Lexicon) == found


def test_words_keep_what_stands_within_them() -> None:
    assert split_words("What's the T-shirt's size; 2 m?") == ["what's", "the", "t-shirt's", "size", "2", "m"]


def naive_tokens(line: str) -> list[str]:
    program = parse_program(line)

    def written(position: int) -> list[str]:
        step = program.steps[position]
        values = [f"[{v}]" if isinstance(v, str) and " (" not in v else f"[{json.dumps(v)}]" for v in step.values]
        return [step.function, *values, *(token for i in step.inputs for token in written(i))]

    return written(len(program.steps) - 1)


def test_tokens_are_a_walk_through_the_tree(rooms: Path) -> None:
    lines = [str(one.question.program) for one in questions("our", 3)] + load_questions(rooms).words("program")
    lines += [
        "$1 = a[x y, 2](b()); $2 = c($1); d($2, e($1, b()), $2)",
        'a["x, (y", z]($1 = 3)'.replace("$1 = 3", 'b["; $1 ("]()'),
    ]
    for line in lines:
        assert prefix_tokens(line) == naive_tokens(line) == tokens_of(line)


def test_the_lexicon_knows_the_training_splits_alone(rooms: Path, lexicon: Lexicon) -> None:
    train, test = rows_of(rooms, "questions", "train"), rows_of(rooms, "questions", "test")
    assert set(lexicon.words[2:]) == {word for row in train for word in split_words(row["question"])}
    assert set(lexicon.answers) == {row["answer"] for row in train}
    strange = {word for row in test for word in split_words(row["question"])} - set(lexicon.words)
    assert all(lexicon.read(word) == [1] for word in strange)


def test_questions_are_those_of_the_rows(corpus: Corpus, rooms: Path, lexicon: Lexicon) -> None:
    for split in ("train", "test"):
        rows, found = rows_of(rooms, "questions", split), corpus.questions(split, lexicon)
        assert found.ids == [row["question_id"] for row in rows]
        assert found.types == [(row["type"], row["subtype"]) for row in rows]
        assert found.programs == [row["program"] for row in rows]
        for k, row in enumerate(rows):
            assert corpus.scene_ids(split)[int(found.scene[k])] == row["scene_id"]
            words = [number for number in found.words[k].tolist() if number]
            known = [word if word in lexicon.words else "<unknown>" for word in split_words(row["question"])]
            assert [lexicon.words[number] for number in words] == known
            answer = int(found.answer[k])
            assert (lexicon.answers[answer] if answer >= 0 else None) == (
                row["answer"] if row["answer"] in lexicon.answers else None
            )


# What a dataset has


def test_what_is_lacking_is_found_without_reading_pictures(corpus: Corpus, tmp_path: Path) -> None:
    assert corpus.lacking([*NEEDS]) == ["points", "knowledge", "targets"]
    bare = opened(mereo.build("clevr", tmp_path / "bare", split="train=1", symbolic=True).folder)
    assert bare.lacking([*NEEDS]) == ["pictures", "masks", "points", "boxes", "knowledge", "targets"]
    refer = opened(mereo.build("refer", tmp_path / "refer", split="train=1", symbolic=True).folder)
    assert refer.lacking([*NEEDS]) == ["pictures", "answers", "masks", "points", "boxes", "knowledge", "targets"]
    assert "has no pictures" in str(complaint(lambda: bare.pictures("train")))
    assert "has no masks of what its pictures show" in str(complaint(lambda: bare.things("train", "object")))
    assert "there is no need 'mask' (did you mean 'masks'?)" in str(complaint(lambda: bare.lacking(["mask"])))
    assert "there is no split 'trian'" in str(complaint(lambda: bare.rows("trian")))


# Batches


@pytest.mark.parametrize("together", [1, 3, 7, 20])
def test_every_question_is_asked_about_its_own_picture(corpus: Corpus, lexicon: Lexicon, together: int) -> None:
    source = QuestionSource(corpus, "train", lexicon, together=together)
    found, stored = corpus.questions("train", lexicon), corpus.pictures("train")
    batch = source.batch(torch.arange(len(source)))
    assert len(batch["question"]) == together * len(source)
    assert len(batch["picture"]) == len(source)
    place = batch["place"]
    assert set(place.tolist()) == set(range(len(found.ids)))
    assert together > 1 or sorted(place.tolist()) == [*range(len(found.ids))]
    assert torch.equal(batch["question"], found.words[place])
    assert torch.equal(batch["answer"], found.answer[place])
    assert torch.equal(found.scene[place], batch["scene"][batch["scene_of"]])
    for row, scene in zip(batch["picture"], batch["scene"], strict=True):
        assert torch.equal((row * 255).round().byte(), stored[scene])
    names = {source.name(k) for k in range(len(source))}
    assert names == set(found.ids if together == 1 else corpus.scene_ids("train"))


def test_with_chance_other_questions_of_the_same_scene_are_drawn(corpus: Corpus, lexicon: Lexicon) -> None:
    source = QuestionSource(corpus, "train", lexicon, together=4, pictures=False)
    found, drawn = corpus.questions("train", lexicon), Counter[int]()
    for seed in range(60):
        batch = source.batch(torch.arange(len(source)), chance=torch.Generator().manual_seed(seed))
        again = source.batch(torch.arange(len(source)), chance=torch.Generator().manual_seed(seed))
        assert torch.equal(batch["place"], again["place"])
        assert torch.equal(found.scene[batch["place"]], batch["scene"][batch["scene_of"]])
        for some in batch["place"].view(-1, 4).tolist():
            assert len(set(some)) == 4
            drawn.update(some)
    assert len(drawn) == len(found.ids)
    assert max(drawn.values()) < 2 * min(drawn.values())
    assert "picture" not in batch


def test_scenes_bring_their_things(corpus: Corpus) -> None:
    source = SceneSource(corpus, "train")
    batch = source.batch(torch.tensor([1, 0, 1]))
    parts = corpus.things("train", "part")
    assert [source.name(k) for k in range(len(source))] == corpus.scene_ids("train")
    assert torch.equal(batch["part_ids"], parts.ids[[1, 0, 1]].long())
    assert torch.equal(batch["part_words_color"], parts.words["color"][[1, 0, 1]])
    assert torch.equal(batch["part_boxes"], parts.boxes[[1, 0, 1]])
    assert torch.equal(batch["part_within"], parts.within[[1, 0, 1]])
    assert (batch["part_within"] >= 0).any()
    assert not (batch["object_within"] >= 0).any()
    assert not [name for name in SceneSource(corpus, "train", levels=()).batch(torch.tensor([0])) if "_" in name]


def test_pairs_are_drawn_evenly_from_all_templates(corpus: Corpus, lexicon: Lexicon) -> None:
    found = corpus.questions("train", lexicon)
    every = Counter(found.templates)
    held: set[int] = set()
    for count in (3, len(every), len(every) + 2):
        source = ProgramSource(corpus, "train", lexicon, pairs=count, seed=4)
        batch = source.batch(torch.arange(len(source)))
        places = batch["place"].tolist()
        assert len(source) == len(set(places)) == count
        assert held < set(places)
        held = set(places)
        drawn = Counter(found.templates[place] for place in places)
        assert all(drawn[name] >= min(every[name], max(drawn.values()) - 1) for name in every)
        for k, place in enumerate(places):
            tokens = [lexicon.tokens[number] for number in batch["program"][k].tolist() if number]
            assert tokens == prefix_tokens(found.programs[place])
            assert source.name(k) == found.ids[place]
    assert len(ProgramSource(corpus, "train", lexicon)) == len(found.ids)


def test_programs_that_the_lexicon_cannot_say_are_left_out(corpus: Corpus, lexicon: Lexicon) -> None:
    known = msgspec.structs.replace(lexicon, tokens=lexicon.tokens[:-1])
    rare = sum(lexicon.tokens[-1] in prefix_tokens(line) for line in corpus.questions("train", known).programs)
    assert len(ProgramSource(corpus, "train", known)) == len(corpus.questions("train", known).ids) - rare < 14


# Pictures changed a little


def test_ids_and_boxes_move_with_their_pictures(corpus: Corpus) -> None:
    change = Change(shift=0.2, zoom=0.2, light=0, contrast=0, tint=0)
    source = SceneSource(corpus, "train", change=change)
    batch = source.batch(torch.tensor([0, 1] * 4), chance=torch.Generator().manual_seed(3))
    still = source.batch(torch.tensor([0, 1] * 4))
    assert not torch.equal(batch["picture"], still["picture"])
    for level in ("object", "part"):
        for k, ids in enumerate(batch[f"{level}_ids"].numpy()):
            within = batch[f"{level}_within"][k].tolist()
            for number, (box, present) in enumerate(
                zip(batch[f"{level}_boxes"][k].tolist(), batch[f"{level}_present"][k].tolist(), strict=True)
            ):
                own = [number + 1, *(j + 1 for j, around in enumerate(within) if around == number)]
                plain = box_of(np.isin(ids, own))
                assert present == (plain is not None)
                assert tuple(box) == (plain or (0, 0, 0, 0))
    assert (batch["object_present"] <= still["object_present"]).all()
    stored = corpus.pictures("train")
    view = draw_view(8, (64, 96), change, torch.Generator().manual_seed(3), CPU)
    ids = looked_at(corpus.things("train", "part").ids, torch.tensor([0, 1] * 4), view)
    assert torch.equal(ids.long(), batch["part_ids"])
    for k in range(8):
        for y, x in ((0, 0), (20, 30), (63, 95)):
            there = stored[k % 2, :, view.rows[k, y], view.columns[k, x]]
            assert torch.allclose(batch["picture"][k, :, y, x] * 255, there.float(), atol=0.01)


def test_nothing_is_mirrored_and_little_is_moved() -> None:
    view = draw_view(500, (64, 96), Change(), torch.Generator().manual_seed(0), CPU)
    for places, extent in ((view.rows, 64), (view.columns, 96)):
        assert (places.diff(dim=1) >= 0).all()
        assert ((places - torch.arange(extent)).abs() <= 0.02 * 96 + 0.03 * extent / 2 + 1.5).all()
        assert places.float().std(0).min() > 0
    still = draw_view(3, (64, 96), STILL, torch.Generator().manual_seed(0), CPU)
    assert (still.columns == torch.arange(96)).all()


def test_light_changes_a_little_and_each_scene_by_itself() -> None:
    picture = torch.rand(64, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    found = recolored(picture, Change(), torch.Generator().manual_seed(0))
    assert 0 <= float(found.min()) <= float(found.max()) <= 1
    assert float((found - picture).abs().max()) < 0.2
    assert len({round(float(one), 4) for one in (found - picture).mean((1, 2, 3))}) > 60
    assert torch.allclose(recolored(picture, Change(0, 0, 0, 0, 0), torch.Generator().manual_seed(0)), picture)


def test_every_other_ground_has_another_color_and_things_keep_theirs() -> None:
    picture = torch.rand(400, 3, 4, 6, generator=torch.Generator().manual_seed(1))
    behind = torch.zeros(400, 4, 6, dtype=torch.bool)
    behind[:, :, :3] = True
    found = repainted(picture, behind, Change(ground=0.5), torch.Generator().manual_seed(0))
    assert torch.equal(found[..., 3:], picture[..., 3:])
    assert 0 <= float(found.min()) <= float(found.max()) <= 1
    ratio = (found / picture)[:, :, 0, 0].where(found[:, :, 0, 0] < 1, 1.0)
    other = (found != picture).flatten(1).any(1)
    assert 0.4 < float(other.float().mean()) < 0.6
    assert 0.5 <= float(ratio.min()) < 0.6
    assert float(ratio.max()) <= 2.001
    assert float(ratio[other].std(1).mean()) > 0.1, "red, green and blue change each by themselves"


def test_boxes_on_the_device_are_those_of_a_loop() -> None:
    ids = torch.randint(0, 6, (5, 9, 7), generator=torch.Generator().manual_seed(2))
    ids[0][ids[0] == 2] = 0
    boxes, seen = boxes_of([ids], 6)
    both, _ = boxes_of([ids, ids.flip(2)], 6)
    assert torch.equal(both[..., 0] * 2 + both[..., 2], 7.0 * seen)
    for scene in range(5):
        for number in range(1, 7):
            plain = box_of((ids[scene] == number).numpy())
            assert bool(seen[scene, number - 1]) == (plain is not None)
            assert tuple(boxes[scene, number - 1].tolist()) == (plain or (0, 0, 0, 0))
