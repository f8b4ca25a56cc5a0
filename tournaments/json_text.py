"""Files of JSON that somebody sends."""

import json
from typing import Any

from rulebook.errors import RuleBroken


def json_of(text: str, **how: Any) -> Any:
    """What the text tells; `RuleBroken("file-unknown")` says where it breaks off."""
    if not text.strip():
        raise RuleBroken("file-unknown", "The file is empty; choose the one that was saved.")
    try:
        return json.loads(text, **how)
    except json.JSONDecodeError as error:
        raise RuleBroken(
            "file-unknown",
            f"The file is broken in line {error.lineno} or no JSON at all; send it again, whole.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise RuleBroken("file-unknown", "Nobody writes a file in that way; save it again.") from error
