"""The parts of a report that are about the dataset."""

from __future__ import annotations

from collections import Counter
from html import escape

from mereo.evaluation.charts import bars, columns
from mereo.evaluation.page import Section, figure, scene
from mereo.evaluation.reported import Drawn, Report

__all__ = ["audit_section", "data_section", "gallery_section"]

_COMPLAINTS = 8


def gallery_section(report: Report, drawn: Drawn) -> Section | None:
    """Some scenes with a question each, of as many kinds as there are."""
    first = [name for name in drawn.first if name in drawn.drawings]
    if not first:
        return None
    asked = report.asked
    kinds, by_scene = asked.words("subtype"), dict[str, list[int]]()
    for place, name in enumerate(asked.words("scene_id")):
        if name in drawn.drawings:
            by_scene.setdefault(name, []).append(place)
    shown: Counter[str] = Counter()
    chosen = []
    for name in first:
        place = min(by_scene[name], key=lambda place: (shown[kinds[place]], place))
        shown[kinds[place]] += 1
        chosen.append(place)
    some = asked.take(chosen).with_columns("question")
    figures = [
        f"<figure>{scene(drawn.drawings[name], name)}<figcaption>{escape(question)} "
        f"<b>{escape(answer)}</b></figcaption></figure>"
        for name, question, answer in zip(first, some.words("question"), some.words("answer"), strict=True)
    ]
    about = "The dataset has no pictures; these maps are drawn from the relations of its worlds."
    title = "Pictures" if drawn.pictures else "Scenes"
    content = f'<div class="gallery">{"".join(figures)}</div>'
    return Section.of("pictures", title, content, about="" if drawn.pictures else about)


def audit_section(report: Report) -> Section:
    """Whether the dataset keeps its word."""
    audit = report.audit
    if audit is None:
        return Section.of("audit", "Audit", about="Not audited here: run <code>mereo audit</code> for that.")
    verdict = '<span class="ok">Nothing is wrong</span>'
    if audit.complaints:
        verdict = f'<span class="not-ok">{len(audit.complaints):,} complaints</span>'
    items = "".join(f"<li>{escape(complaint)}</li>" for complaint in audit.complaints[:_COMPLAINTS])
    about = (
        f"{verdict} with {audit.scenes:,} scenes and {audit.questions:,} questions: checksums, programs run again, "
        "answers, referents, doubles, splits, and how flat answers are. Pictures are checked by "
        "<code>mereo audit</code> only."
    )
    return Section.of("audit", "Audit", f'<ul class="plain">{items}</ul>' if items else "", about=about)


def data_section(report: Report) -> Section:
    """How questions and answers are distributed."""
    asked = report.asked
    lengths = asked.coded("length")
    steps = Counter(int(lengths.names[code]) for code in lengths.codes.tolist())
    words = Counter(len(text.split()) for text in asked.with_columns("question").words("question"))
    per_scene = Counter(Counter(asked.scenes.tolist()).values())
    figures = [
        figure("Steps of programs", columns(_filled(steps), label="program lengths", axis="steps")),
        figure("Words of questions", columns(_filled(words), label="question lengths", axis="words", color=1)),
    ]
    if len(per_scene) > 1:
        content = columns(_filled(per_scene), label="questions per scene", axis="questions per scene", color=2)
        figures.append(figure("Questions per scene", content))
    by_type: dict[str, Counter[str]] = {}
    for type, answer in zip(asked.words("type"), asked.words("answer"), strict=True):
        by_type.setdefault(type, Counter())[answer] += 1
    for number, (type, answers) in enumerate(sorted(by_type.items())):
        common = answers.most_common(12)
        rest = answers.total() - sum(count for _, count in common)
        content = bars([*common, ("others", rest)] if rest else common, label=f"answers of {type}", color=number % 10)
        figures.append(figure(f"Answers: {type.replace('_', ' ')}", content, f"{answers.total():,} questions"))
    return Section.of("data", "What is asked", f'<div class="grid2">{"".join(figures)}</div>')


def _filled(counts: Counter[int]) -> list[tuple[str, int]]:
    return [(str(k), counts[k]) for k in range(min(counts), max(counts) + 1)]
