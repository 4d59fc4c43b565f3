"""The same protocol over TCP: off by default, only on this machine, and only with the token."""

import json
import socket
import stat
import subprocess

import pytest
from support.program import BINARY, PATIENCE, Home
from support.session import Client, Session


class TcpClient(Client):
    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host.strip("[]"), int(port)), PATIENCE)
        self.lines = self.socket.makefile("rb")
        self.next_id = 0


class TcpSession(Session):
    ARGUMENTS = ("--tcp", "0")

    def find_socket(self):
        record = json.loads((self.home.folder / "run" / f"{self.process.pid}.json").read_text())
        self.tcp = record["tcp"]
        return record["socket"]


@pytest.fixture(scope="module")
def session():
    with Home() as home, TcpSession(home) as running:
        yield running


def token(session):
    return (session.home.folder / "tcp.token").read_text().strip()


def test_it_listens_on_the_loopback_address_and_the_token_is_private(session):
    assert session.tcp.startswith("127.0.0.1:")
    path = session.home.folder / "tcp.token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and len(token(session)) == 32


def test_hello_with_the_token_comes_first(session):
    with TcpClient(session.tcp) as c:
        for method, params in (("system.ping", {}), ("get_score", {}), ("send_message", {"text": "x"})):
            refused = c.ask(method, **params)
            assert refused["code"] == "not_permitted" and "tcp.token" in refused["data"]["hint"]
        assert c.ask("system.hello", client="x", version="1")["code"] == "not_permitted"
        assert c.ask("system.hello", client="x", version="1", token="0" * 32)["code"] == "not_permitted"
        assert c.ask("system.ping")["code"] == "not_permitted"
        assert c.ask("system.hello", client="far", version="1", token=token(session))["server"] == "fermata"
        assert c.ask("system.ping") == {"pong": True}
        assert c.ask("eval_preview", text="(+ 1 2)")["output"] == "3"
        c.ask("send_message", text="over TCP")
        session.line('"shown"')
        session.until('"shown"')
        entry = next(e for e in c.ask("get_history", limit=3)["entries"] if e["kind"] == "ai")
        assert (entry["author"], entry["door"]) == ("far", "tcp")


@pytest.mark.parametrize("line", ["GET / HTTP/1.1", "POST /x HTTP/1.1", "OPTIONS * HTTP/1.1"])
def test_a_browser_is_turned_away_at_its_first_line(session, line):
    with TcpClient(session.tcp) as c:
        c.send(f"{line}\r\nHost: localhost\r\n\r\n" + '{"id":1,"method":"system.ping"}\n')
        try:
            assert c.read() is None
        except ConnectionResetError:
            pass


def test_the_unix_socket_needs_no_token(session):
    with Client(session) as c:
        assert c.ask("system.ping") == {"pong": True}


@pytest.mark.parametrize("address, why", [("0.0.0.0:0", "loopback"), ("192.0.2.1:9000", "loopback"),
                                          ("example.org:80", "loopback"), ("[::]:0", "loopback"),
                                          ("nonsense", "is not a TCP address"), ("127.0.0.1:99999", "is not a TCP address")])
def test_other_addresses_are_refused_before_anything_starts(address, why):
    with Home() as home:
        done = subprocess.run([BINARY, "--session", "s", "--tcp", address], stdin=subprocess.DEVNULL, capture_output=True,
                              env=home.environment(), timeout=PATIENCE, check=False)
        assert done.returncode == 2
        assert why in done.stderr.decode()
        assert not (home.folder / "repl.sock").exists()


def test_a_token_that_others_can_read_is_not_used():
    with Home() as home:
        home.folder.mkdir(parents=True)
        (home.folder / "tcp.token").write_text("0" * 32 + "\n")
        (home.folder / "tcp.token").chmod(0o644)
        done = subprocess.run([BINARY, "--session", "s", "--tcp", "0"], stdin=subprocess.DEVNULL, capture_output=True,
                              env=home.environment(), timeout=PATIENCE, check=False)
        assert done.returncode == 2 and "is readable by other users" in done.stderr.decode()
