"""What lies between `mereo ask` and a model: certificates, proxies, deadlines, and servers that mean no good."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import shutil
import ssl
import sys
import time
from pathlib import Path

import pytest
import trustme

from chat_proxy import Proxy, Script, answer, passing, saying
from chat_server import Oracle, build_postcards, serving
from kit import CommandLine, complaint
from mereo.errors import install_command
from mereo.evaluation.asking import Patience
from mereo.evaluation.chat import Declined, Hopeless, Reply, TryAgain, open_chat
from mereo.evaluation.endpoint import Endpoint

SECRET = "sk-this-must-not-be-seen-1234"
SAID = json.dumps({"choices": [{"message": {"content": "yes"}}]}).encode()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_postcards(tmp_path_factory.mktemp("asked") / "cards", scenes=2, questions=5)


@pytest.fixture
def cards(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "cards"))


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def certified(authority: trustme.CA, name: str = "127.0.0.1") -> ssl.SSLContext:
    """What a server needs that has a certificate for a name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


def trust(authority: trustme.CA, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "authority.pem"))


def asking(cards: Path, url: str) -> tuple[str | Path, ...]:
    return ("ask", cards, "--endpoint", url, "--model", "m", "--retries", "0", "--wait", "0.01")


def accuracy(cards: Path) -> float:
    found = json.loads((cards / "runs" / "m" / "result.json").read_text())
    return float(found["overall"]["scores"]["accuracy"]["value"])


def once(url: str, *, key: str | None = None, timeout: float = 5.0) -> Reply:
    """Ask something."""

    async def ask() -> Reply:
        async with open_chat(Endpoint.at(url, model="m", key=key, timeout=timeout), concurrency=1) as chat:
            return await chat.complete([])

    return asyncio.run(ask())


# Certificates


def test_a_server_is_trusted_if_the_environment_names_who_vouches_for_it(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, authority: trustme.CA
) -> None:
    trust(authority, cards.parent, monkeypatch)
    with serving(Oracle(cards), certified(authority)) as url:
        assert url.startswith("https://")
        mereo(*asking(cards, url))
    assert accuracy(cards) == 1.0


@pytest.mark.parametrize(
    ("named", "name", "reason"),
    [
        (False, "127.0.0.1", "unable to get local issuer certificate"),
        (True, "elsewhere.example", "IP address mismatch, certificate is not valid for '127.0.0.1'"),
    ],
)
def test_any_other_server_is_refused_at_once_and_told_nothing(
    cards: Path,
    mereo: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    authority: trustme.CA,
    named: bool,
    name: str,
    reason: str,
) -> None:
    if named:
        trust(authority, cards.parent, monkeypatch)
    oracle = Oracle(cards)
    with serving(oracle, certified(authority, name)) as url:
        done = mereo(*asking(cards, url), "--concurrency", "1", "--retries", "6", code=2)
    assert done.err == (
        f"mereo: {url}/chat/completions: its certificate is not trusted ({reason}); "
        "SSL_CERT_FILE may name who else is to be trusted\n"
    )
    assert not oracle.seen_keys


def test_certificates_that_cannot_be_read(cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(cards / "nowhere.pem"))
    done = mereo(*asking(cards, "https://127.0.0.1:9/v1"), code=2)
    assert done.err.startswith("mereo: the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read (")
    assert done.err.count("\n") == 1


# Proxies


def test_a_proxy_is_used_unless_the_host_is_excepted(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy, oracle = Proxy(), Oracle(cards)
    with serving(oracle) as url, passing(proxy) as between:
        monkeypatch.setenv("HTTP_PROXY", between)
        mereo(*asking(cards, url), "--limit", "4")
        assert proxy.seen == [("POST", f"{url}/chat/completions")] * 4
        monkeypatch.setenv("NO_PROXY", "example.org,127.0.0.1")
        mereo(*asking(cards, url), "--limit", "10")
        assert len(proxy.seen) == 4
    assert oracle.answered.total() == 10
    assert accuracy(cards) == 1.0


def test_a_tunnel_through_a_proxy_hides_everything(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, authority: trustme.CA
) -> None:
    trust(authority, cards.parent, monkeypatch)
    proxy, oracle = Proxy(), Oracle(cards)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with serving(oracle, certified(authority)) as url, passing(proxy) as between:
        monkeypatch.setenv("HTTPS_PROXY", between)
        mereo(*asking(cards, url), "--concurrency", "3")
    assert 1 <= len(proxy.seen) <= 3  # one tunnel for each connection, kept between questions
    assert {method for method, _ in proxy.seen} == {"CONNECT"}
    assert oracle.seen_keys == {f"Bearer {SECRET}"}
    assert proxy.read
    assert SECRET.encode() not in proxy.read
    assert b"completions" not in proxy.read
    assert accuracy(cards) == 1.0


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_lets_nobody_through_stops_everything(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    proxy = Proxy(closed=407)
    with passing(proxy) as between:
        monkeypatch.setenv(f"{scheme.upper()}_PROXY", between)
        done = mereo(*asking(cards, f"{scheme}://127.0.0.1:9/v1"), "--concurrency", "1", "--retries", "6", code=2)
    assert re.search(r"^mereo: .+ says 407:? Proxy Authentication Required\n$", done.err)
    assert len(proxy.seen) == 1


@pytest.mark.parametrize("address", ["gopher://me:hush@host:1", "http://me:hush@host:many", "socks5://me:hush@host:1"])
def test_a_proxy_that_is_none_is_told_without_its_password(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", address)
    done = mereo(*asking(cards, "http://127.0.0.1:9/v1"), code=2)
    assert done.err == (
        "mereo: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY or NO_PROXY names what cannot be used: "
        "a proxy is an address as http://host:8080\n"
    )


# Deadlines and bounds


@pytest.mark.parametrize(
    ("scheme", "script"),
    [
        ("https", Script([])),
        ("http", Script([answer(SAID)], pause=3.0)),
        ("http", Script([b"HTTP/1.1 200 OK\r\n", b"X-More: x\r\n"], pause=0.05, ever=True)),
        ("http", Script([b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b" "], pause=0.05, ever=True)),
    ],
    ids=["a handshake that is not returned", "silence", "headers drop by drop", "a body drop by drop"],
)
def test_the_deadline_is_for_the_whole_request(scheme: str, script: Script) -> None:
    with saying(script) as url:
        started = time.monotonic()
        with pytest.raises(TryAgain, match=r"no answer within 0\.3 seconds"):
            once(url.replace("http", scheme), timeout=0.3)
        assert time.monotonic() - started < 2.5


def test_a_connection_that_was_given_up_does_not_stand_in_the_way() -> None:
    script = Script([answer(SAID)], pause=1.5)
    with saying(script) as url:

        async def ask() -> str:
            async with open_chat(Endpoint.at(url, model="m", key=None, timeout=0.5), concurrency=1) as chat:
                for _ in range(3):
                    with pytest.raises(TryAgain, match="no answer"):
                        await chat.complete([])
                script.pause = 0.0
                return (await chat.complete([])).text

        assert asyncio.run(ask()) == "yes"
    assert script.asked == 4


def test_an_endless_answer_is_not_read_to_the_end() -> None:
    with (
        saying(Script([b"HTTP/1.1 200 OK\r\n\r\n", b" " * (1 << 20)], ever=True)) as url,
        pytest.raises(TryAgain, match="the server's answer is longer than 4 MiB"),
    ):
        once(url, timeout=30)


def test_a_server_cannot_make_us_wait_for_days() -> None:
    busy = answer(b"", status="429 Slow Down", headers="Retry-After: 1e300\r\n")
    with saying(Script([busy])) as url, pytest.raises(TryAgain) as again:
        once(url)
    assert str(again.value) == "the server says 429: Slow Down"
    assert Patience().seconds("q", 0, again.value.after) == 600.0


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"error": {"message": 5}}', "5"),
        (b'{"error": {"message": null}}', "None"),
        (b'{"error": ["a", "b"]}', "['a', 'b']"),
        (b'{"error": ' + b"[" * 5000, '{"error": [[['),
        (b"\xff\xfe", "�"),
        (b"", "I'm a teapot"),
    ],
)
def test_whatever_a_server_says_is_wrong_is_one_line(body: bytes, reason: str) -> None:
    with saying(Script([answer(body, status="418 I'm a teapot")])) as url, pytest.raises(Declined) as refused:
        once(url)
    assert str(refused.value).startswith(f"the server says 418: {reason}")
    assert len(str(refused.value)) < 250


def test_an_answer_that_is_deeper_than_any_is_no_answer() -> None:
    body = b'{"choices": [], "more": ' + b"[" * 20_000 + b"]" * 20_000 + b"}"
    with saying(Script([answer(body)])) as url, pytest.raises(TryAgain, match="no chat completion"):
        once(url)


# Secrets


def test_no_redirect_is_followed_least_of_all_with_the_key(cards: Path) -> None:
    oracle = Oracle(cards)
    with (
        serving(oracle) as other,
        saying(Script([answer(b"", status="307 Elsewhere", headers=f"Location: {other}/chat/completions\r\n")])) as url,
        pytest.raises(Hopeless, match="the server says 307: Elsewhere"),
    ):
        once(url, key=SECRET)
    assert not oracle.seen_keys


def test_a_key_that_a_server_repeats_is_not_kept() -> None:
    said = json.dumps({"choices": [{"message": {"content": f"You are {SECRET}."}}]}).encode()
    with saying(Script([answer(said)])) as url:
        assert once(url, key=SECRET).text == "You are …."


@pytest.mark.parametrize("key", [f"{SECRET}\n", f" {SECRET}", f"{SECRET}\r", f"{SECRET} x", f"{SECRET}\u00e9", "\n"])
def test_a_key_that_cannot_be_sent_is_refused_unseen(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    done = mereo(*asking(cards, "http://127.0.0.1:9/v1"), code=2)
    assert done.err == "mereo: the key must be one word of plain characters, without white space or a line break\n"
    assert not (cards / "runs").exists()


def test_logs_and_records_hold_no_secret(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with serving(Oracle(cards)) as url:
        done = mereo(*asking(cards, f"{url}?user='me'&token={SECRET}"))
    stored = b"".join(path.read_bytes() for path in cards.rglob("*") if path.is_file())
    for told in (caplog.text, done.out, done.err, stored.decode(errors="replace")):
        assert SECRET not in told


def test_an_address_that_is_none() -> None:
    for address in ("http://host:99999/v1", "http://[::1/v1", "http://host:port/v1"):
        said = complaint(lambda address=address: Endpoint.at(address, model="m", key=None))  # type: ignore[misc]
        assert said == "field '--endpoint': must be an address as https://host/v1"


def test_without_the_extra_it_says_how_to_get_it(
    cards: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("chat", "asking"):
        monkeypatch.delitem(sys.modules, f"mereo.evaluation.{name}")
    monkeypatch.setitem(sys.modules, "httpx2", None)
    done = mereo(*asking(cards, "http://127.0.0.1:9/v1"), code=2)
    assert done.err == f"mereo: asking a model needs packages that are not installed: {install_command('ask')}\n"
    assert not (cards / "runs").exists()
