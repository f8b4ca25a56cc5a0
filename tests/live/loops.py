"""An event loop for a test that needs one of its own."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def in_own_loop(script: Coroutine[Any, Any, T]) -> T:
    """What the script returns, run in a thread of its own: a browser test may have left one here."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, script).result()
