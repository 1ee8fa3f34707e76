"""What "what" and "which" ask: for a name, or for what is to be shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.asking import BARE
from mereo.questions.free.lexicon import Attribute, Form, Relation
from mereo.questions.free.marking import having, opposite, whose
from mereo.questions.free.meaning import Alike, Asked, At, Both, Either, Is, Mark, Of, Phrase, Ranked
from mereo.questions.free.noting import FOREIGN
from mereo.questions.free.posting import NOTHING, ONES, of_kind, ones, question_of, with_it, with_mark
from mereo.questions.free.pronouns import Pronouns
from mereo.questions.free.querying import query_of
from mereo.questions.free.rules import agreeing
from mereo.questions.free.showing import RATHER

__all__ = ["Naming"]


_ALL = 0.25
"""How much rather all parts are shown than the name told that they share, where somebody asks for several."""


class Naming(Pronouns):
    """Meanings of rules by their names, of questions for what something is."""

    def _named(self, phrase: Phrase | None) -> Asked | None:
        """What something is."""
        if phrase is None:
            return None
        word = self.part if phrase.kind == "part" else self.noun
        return question_of("query", replace(phrase, definite=True), word=word or "")

    def what_inverse(self, *said: Any) -> Any:
        return self.what_where(self.at_inverse(*said))

    def which_inverse(self, phrase: Phrase, *said: Any) -> Any:
        return self.which(phrase, self.at_inverse(*said))

    def query(self, *said: Any) -> Any:
        """ "the category of the red part" is which part it is; "the parts of the chair" are rather all of them."""
        made = query_of(*said)
        if made is None or made.word not in (self.noun, self.part):
            return made
        phrase = made.phrases[0]
        if made.word == self.part and phrase.kind == "object" and phrase.one_known:
            return [(made, 0.0), (question_of("refer", self.all_parts(phrase)), _ALL)]
        if made.word != self.noun:
            return made
        named = any(isinstance(mark, Is) and mark.attribute == self.part for mark in phrase.marks)
        return replace(made, word=self.part or "") if phrase.kind == "part" and phrase.definite and not named else made

    def at_what(self, relation: Relation, *phrases: Phrase) -> Any:
        """ "Behind what is the chair?", "On which piece of furniture does it stand?"."""
        *kind, other = phrases
        return self.which_inverse(kind[0], relation, other) if kind else self.what_inverse(relation, other)

    def at_what_sort(self, relation: Relation, name: Attribute, other: Phrase) -> Any:
        """ "On what kind of furniture is the chair?"."""
        return self.what_inverse(relation, other) if name.name == self.noun else None

    def which_borne(self, kind: Phrase, other: Phrase, relation: Relation) -> Any:
        """ "Which object does the chair stand on?": never what the chair has."""
        made = self.which_inverse(kind, relation, other)
        ways = made if isinstance(made, list) else [(made, 0.0)]
        return [(asked, cost - 1.0 - RATHER) for asked, cost in ways if asked is not None]

    def sort_borne(self, name: Attribute, other: Phrase, relation: Relation) -> Any:
        """ "Which kind of furniture does the chair stand on?"."""
        return self.which_borne(Phrase(), other, relation) if name.name == self.noun else None

    def what_made(self, phrase: Phrase) -> Asked | None:
        return question_of("query", phrase, word=self.material) if self.material else None

    def what_made_such(self, phrase: Phrase, mark: Any) -> Any:
        """ "Of what is the cube made that is behind the ball?"."""
        such = with_mark(phrase, mark) if phrase.definite else None
        return None if such is None else self.what_made(such)

    def which_noun(self, one: Phrase, other: Phrase, mark: Any) -> Any:
        """ "Is it a cube or a ball that is behind the cylinder?"."""
        heads = [phrase.head for phrase in (one, other) if phrase.marks == (phrase.head,) and not phrase.definite]
        named = [head for head in heads if isinstance(head, Is) and head.attribute == self.noun]
        return self._named(with_mark(Phrase(), mark)) if len(named) == len((one, other)) else None

    def what_is(self, phrase: Phrase) -> Any:
        """What it is, or which it is where that is said already."""
        return self._named_or_shown(phrase)

    def _named_or_shown(self, phrase: Phrase | None) -> Any:
        """One thing is named; several are shown, and what has a name already is."""
        if phrase is None:
            return None
        word = self.part if phrase.kind == "part" else self.noun
        named = self.finds or any(isinstance(mark, Is | Alike) and mark.attribute == word for mark in phrase.marks)
        return [(self._named(phrase), 1.0 if named else 0.0), (question_of("refer", phrase), 0.0 if named else 1.0)]

    def what_there(self, *said: Any) -> Any:
        """ "What is that on the table?"."""
        return self.what_where(said[-1])

    def shown_what(self, phrase: Phrase) -> Any:
        """ "Show me what the leftmost thing is": where nothing is to be found, what it is."""
        return question_of("refer", phrase) if self.finds else self.what_is(phrase)

    def what_where(self, mark: Any) -> Any:
        return self._named_or_shown(with_mark(Phrase(), mark))

    def what_is_where(self, mark: Any) -> Any:
        """ "What is behind it?", unless that is to be found: "the ball and what is behind it"."""
        return None if self.finds else self.what_where(mark)

    def what_had(self, mark: Any) -> Any:
        """ "What have behind it?": as languages say it that have no other word for "there is"."""
        ways = self._named_or_shown(with_mark(Phrase(), mark)) if isinstance(mark, At) else None
        return None if ways is None else [(asked, cost + FOREIGN) for asked, cost in ways]

    def looked_from(self, given: Phrase, where: Any) -> Any:
        """ "Take the red ball. Look behind it: what is there?"."""
        return self.what_where(with_it(where, replace(given, definite=True)))

    def named_if_any(self, phrase: Phrase, *said: Any) -> Any:
        """ "Is there something behind the ball, and if so, what?"."""
        mark = next((one for one in said if not isinstance(one, Phrase)), None)
        return self._named_or_shown(phrase if mark is None else with_mark(phrase, mark))

    def named_if_any_such(self, phrase: Phrase, *said: Any) -> Any:
        """ "Are there cubes behind the ball, and if so, which ones?"."""
        *marks, kind = said
        return None if kind.marks and kind != phrase and kind.marks != (ONES,) else self.named_if_any(phrase, *marks)

    def named_there(self, *said: Any) -> Any:
        """ "Below the chair there is something. What?", "Something is below the chair. What?"."""
        phrase, mark = sorted(said, key=lambda one: not isinstance(one, Phrase))
        return None if phrase.definite else self.named_if_any(phrase, mark)

    def which(self, phrase: Phrase, mark: Any) -> Any:
        """Which chair has wheels: that one is to be found. Which thing is left of it: what is it?"""
        if phrase.either and phrase.definite:
            return self.which_of(mark, phrase)
        if isinstance(mark, Ranked) and not phrase.others:  # "which of the cubes is the leftmost": one of them
            phrase = replace(phrase, several=None)
        such = with_mark(phrase, mark)
        if such is None:
            return None
        sort = isinstance(phrase.head, Is) and phrase.kind == "object" and phrase.head.attribute != self.noun
        told = any(isinstance(one, Is) and one.attribute == self.part for one in phrase.marks)
        named = sort or (phrase.kind == "part" and not told)
        placed = phrase.head is None and all(isinstance(one, At) for one in phrase.marks)
        unnamed = phrase.head is None and ONES not in phrase.marks and not phrase.several and not self.finds
        if ((phrase.marks and not placed) or phrase.several) and not (named or unnamed):
            return question_of("refer", such)
        if phrase.kind == "part" and phrase.several:
            return [(question_of("refer", such), -_ALL), (self._named(such), 1.0)]
        return self._named_or_shown(such)

    @agreeing
    def which_agreed(self, phrase: Phrase, *said: Any) -> Any:
        """ "Which of these things has wheels?" is about one, whatever is said of these."""
        form = next((one for one in said if isinstance(one, Form)), None)
        mark = next((one for one in said if not isinstance(one, Form)), None)
        bare = phrase.head is None and not phrase.others and (not phrase.marks or phrase.kind == "part")
        return self.which(phrase if form is None or not bare else replace(phrase, several=form.several), mark)

    def which_most(self, phrase: Phrase, mark: Is | Ranked) -> Any:
        """ "Which ball is the biggest?": where things are either big or small."""
        return self.which(phrase, mark) if isinstance(mark, Ranked) or mark.attribute in self.opposed else None

    def which_not(self, phrase: Phrase, mark: Any) -> Any:
        return self.which(phrase, opposite(mark))

    def which_of(self, *said: Any) -> Any:
        """ "Which is bigger, the cube or the ball?": told by what they differ in."""
        *_, either = (Phrase(), *(one for one in said if isinstance(one, Phrase) and one.marks != (ONES,)))
        mark = next((one for one in said if isinstance(one, Mark)), None)
        if mark is None or not either.either or len(either.others) != 1 or not either.definite:
            return None
        two = replace(either, others=(), either=False), of_kind(either.others[0], either)
        ways = tuple(one.marks[0] if len(one.marks) == 1 else Both(one.marks) for one in two)
        one = Phrase((Either(ways), mark), definite=True)
        values = [{m.attribute: m.value for m in each.marks if isinstance(m, Is)} for each in two]
        told = [name for name in (self.noun, *values[0]) if values[0].get(name, "") != values[1].get(name, "")]
        if self.finds or not told:
            return question_of("refer", one)
        return question_of("query", one, word=told[0])

    def what_called(self, phrase: Phrase, mark: Any) -> Any:
        """ "What is the thing called that has wheels?"."""
        return self._named_or_shown(with_mark(phrase, mark))

    def what_beside(self, phrase: Phrase, relation: Relation) -> Any:
        """ "What does the table have on its left?"."""
        return self.what_where(At(relation.name, phrase)) if not phrase.others else None

    def which_whose(self, parts: Phrase, mark: Any) -> Any:
        """ "Whose legs are red?"."""
        owned = whose(parts, mark)
        return None if owned is None else self.which_at_all(owned)

    def which_owner(self, kind: Phrase, parts: Phrase, mark: Any) -> Any:
        """ "Which chair's legs are red?"."""
        owned = whose(parts, mark)
        return None if owned is None or kind.kind != "object" else self.which(kind, owned)

    def which_belonged(self, kind: Phrase, part: Phrase) -> Any:
        """ "Which chair does the red seat belong to?"."""
        owned = having(part) if kind.kind == "object" and part.kind == "part" and part.definite else None
        return None if owned is None else self.which(kind, owned)

    def what_belonged(self, part: Phrase) -> Any:
        """ "What does the red seat belong to?"."""
        return self.which_belonged(Phrase(), part)

    @agreeing
    def which_at_all(self, *said: Any) -> Any:
        """ "Which has wheels?" is about one, "which have wheels?" about several."""
        several = any(isinstance(one, Form) and one.several for one in said)
        mark = next((one for one in said if one != NOTHING and not isinstance(one, Form)), None)
        found = []
        parts = isinstance(mark, Alike) and mark.other.kind == "part" and mark.attribute != "count"
        kinds = ((Phrase(kind="part"), 0.0),) if parts else ((Phrase(), 0.0), (ones(), 0.5))
        for phrase, more in kinds:  # whatever there is, or of the kind that was spoken of
            such = with_mark(phrase, mark)
            ways = self._named_or_shown(such) or []
            rather = "refer" if several else ""
            found += [(asked, (asked.head != rather if rather else cost) + more) for asked, cost in ways]
        return found

    def query_any(self, name: Attribute, mark: Any) -> Any:
        """What color is left of it: of what is there."""
        phrase = Phrase(kind="part") if name.name == self.part else Phrase()
        such = with_mark(phrase, mark)
        return None if such is None else question_of("query", replace(such, definite=True), word=name.name)

    def query_any_left(self, name: Attribute, mark: Any) -> Any:
        """ "color behind the cube": asked for, unless things are to be found."""
        made = None if self.finds else self.query_any(name, mark)
        return None if made is None else (made, BARE)

    def query_part(self, *said: Any) -> Any:
        """Which part of the chair is yellow, what is yellow on the chair."""
        mark, whole = (
            next((m for m in said if isinstance(m, Mark)), None),
            next(p for p in said if isinstance(p, Phrase)),
        )
        name = next((one.name for one in said if isinstance(one, Attribute)), self.part)
        if self.part is None or mark is None or name != self.part or whole.kind != "object":
            return None
        parts = with_mark(Phrase((Of(whole),), kind="part"), mark)
        return None if parts is None else question_of("query", replace(parts, definite=True), word=self.part)

    def which_alike(self, *said: Any) -> Any:
        """ "What else is the color of the big cube?"."""
        mark = self._alike(*said)
        return None if mark is None else self.which_at_all(mark)
