"""Photographs of kitchens: things with boxes, named and described in any words, and how they are to each other."""

from mereo.benchmarks.benchmark import Benchmark
from mereo_photos.commands import WORDS
from mereo_photos.format import FORMAT, to_photos
from mereo_photos.inspect import PhotoInspector
from mereo_photos.judging import JUDGING
from mereo_photos.language import LANGUAGE
from mereo_photos.making import MAKER

BENCHMARK = Benchmark(
    name="photos",
    about="questions about photographs of kitchens: names, looks and relations in any words",
    languages=(LANGUAGE,),
    maker=MAKER,
    inspector=lambda manifest: PhotoInspector(),
    formats=(FORMAT,),
    exporters={"photos": to_photos},
    judging=JUDGING,
    commands=(WORDS,),
)
