"""Says in one line, before anything is installed, that the port of `make run` is taken."""

import os
import socket
import sys


def is_free(port: int) -> bool:
    """Whether a server may listen at this port of this machine."""
    with socket.socket() as caller:
        caller.settimeout(1)
        if caller.connect_ex(("127.0.0.1", port)) == 0:
            return False
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind(("", port))
        except PermissionError:
            return True  # free, but not ours: the server says so in its own line
        except OSError:
            return False
    return True


def main() -> int:
    given = os.environ.get("PORT") or "8000"
    if not given.isdecimal() or not 1 <= int(given) <= 65535:
        print(
            f"PORT={given} is no port. Choose a number from 1024 to 65535: make run PORT=8001",
            file=sys.stderr,
        )
        return 1
    if not is_free(int(given)):
        print(
            f"Port {given} is in use. Choose another: make run PORT={int(given) % 65535 + 1}", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
