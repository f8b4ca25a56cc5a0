"""A receiver of Tandem's webhooks that verifies every signature and loses nothing.

    TANDEM_WEBHOOK_SECRET=whsec_... python -m examples.webhook_receiver --port 9000 --file received.jsonl

It needs the standardwebhooks library. Each message is written to the file before it is answered; one that
comes again carries the same id and is answered without being done twice. While a secret is rotated, put both
into the variable, separated by a comma."""

import argparse
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

LARGEST = 1_000_000


class Inbox:
    """What was received, one line a message; ids that are in it are known after a restart too."""

    def __init__(self, path: Path, secrets: list[str], die_after: int = 0) -> None:
        self.path = path
        self.webhooks = [Webhook(secret) for secret in secrets]
        self.die_after = die_after
        self.lock = threading.Lock()
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.known = {json.loads(line)["id"] for line in lines}

    def verified(self, body: bytes, headers: dict[str, str]) -> Any:
        """The message, if one of the secrets has signed it; None otherwise."""
        for webhook in self.webhooks:
            try:
                return webhook.verify(body, headers)
            except (WebhookVerificationError, ValueError):
                continue
        return None

    def take(self, message_id: str, told: Any) -> None:
        """The message is on the disk; whatever your software does with it comes after this, once."""
        with self.lock:
            line = {"id": message_id, "is_new": message_id not in self.known, **told}
            self.known.add(message_id)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
                file.flush()
                os.fsync(file.fileno())
            if self.die_after and len(self.known) >= self.die_after:
                os._exit(1)  # a rehearsal of the worst moment: written, not answered


class Handler(BaseHTTPRequestHandler):
    """204 for a message that is kept, 401 for one nobody signed."""

    inbox: Inbox

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= LARGEST:
            self.answer(413)
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        told = self.inbox.verified(self.rfile.read(length), headers)
        if told is None:
            self.answer(401)
            return
        self.inbox.take(headers["webhook-id"], told)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *words: Any) -> None:
        """Nothing: bodies and signatures belong into no log."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Receive and verify Tandem's webhooks.")
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--file", type=Path, default=Path("received.jsonl"))
    parser.add_argument("--die-after", type=int, default=0, help="rehearse a crash at that message")
    asked = parser.parse_args()
    secrets = [one for one in os.environ["TANDEM_WEBHOOK_SECRET"].split(",") if one]
    Handler.inbox = Inbox(asked.file, secrets, asked.die_after)
    server = ThreadingHTTPServer(("127.0.0.1", asked.port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
