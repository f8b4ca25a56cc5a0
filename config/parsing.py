"""Bodies of the API as they are read."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Json(JSONParser):
    """JSON; what is nested deeper or counts higher than anybody needs is refused like text that is none."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deep") from error
        except ParseError as error:
            if "integer string conversion" in str(error):
                raise ParseError("JSON parse error - a number with too many digits") from error
            raise
