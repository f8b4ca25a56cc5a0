"""What goes on paper: papers, slips in the order of the cut pile, brackets by page, QR codes, PDF."""

import logging
import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import east_asian_width
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from tournaments.pages.brackets import Column, Drawn

PAPERS = {"a4": "A4", "letter": "Letter"}
T = TypeVar("T")
SLIPS_A_PAGE = 5
SLIPS_OF_PODS = 4
NODES_A_PAGE = 8
PODS_A_PAGE = 4
HOW_TO_GET_PDF = (
    "PDF needs a library that is not installed here: pip install -r requirements-pdf.in, and the system's "
    "Pango (Debian: apt-get install libpango-1.0-0 libpangoft2-1.0-0). Until then choose “Save as PDF” in "
    "the print dialog of the browser."
)


# Letters on a line and lines of a team on a slip of two sides, by the size of the type, largest first.
SLIP_SIZES = (("", 76, 4), ("long", 86, 5))
CARD_SIZES = (("", 44), ("long", 110))
SMALLEST = "longest"


def size_on_slip(names: Sequence[str], sides: int) -> str:
    """How small a team is written so that its part of a slip holds it; a pod's slip has less for each."""
    wide = [_letters(name) for name in names]
    for size, on_line, lines in SLIP_SIZES:
        if sum(-(-one // on_line) for one in wide) <= (lines if sides == 2 else lines - 2):
            return size
    return SMALLEST


def size_on_card(names: Sequence[str]) -> str:
    """How small the names are written so that no card of a sheet is larger than the others."""
    wide = sum(map(_letters, names))
    return next((size for size, most in CARD_SIZES if wide <= most), SMALLEST)


def _letters(name: str) -> int:
    """How wide the name is, in letters; those of Chinese, Japanese and Korean are two wide."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name)


class NoPdf(Exception):
    """The PDF library, or the system part it needs, is not here."""


@lru_cache(maxsize=1)
def pdf_library() -> Any:
    """WeasyPrint, or None where it or its system part is missing; of rules for screens it says nothing."""
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    try:
        return import_module("weasyprint")
    except (ImportError, OSError):
        return None


def pdf_of(html: str) -> bytes:
    """The page as PDF, with the site's own styles and nothing from any network."""
    return bytes(rendered(html).write_pdf())


def rendered(html: str) -> Any:
    """The page laid out on its sheets; `NoPdf` where that cannot be done."""
    library = pdf_library()
    if library is None:
        raise NoPdf
    return library.HTML(string=html, base_url="https://here.invalid/", url_fetcher=_own_files()).render()


def _own_files() -> Any:
    """Fetches files of this site for the library, and nothing else."""
    urls = import_module("weasyprint.urls")

    class OwnFiles(urls.URLFetcher):  # type: ignore[name-defined]
        def fetch(self, url: str, headers: Any = None) -> Any:
            kind = mimetypes.guess_type(urlsplit(url).path)[0] or "application/octet-stream"
            return urls.URLFetcherResponse(url, static_file(url).read_bytes(), {"Content-Type": kind})

    return OwnFiles()


def static_file(url: str) -> Path:
    """Where the style of that address is; ValueError for anything that is no file of this site."""
    start = "/" + settings.STATIC_URL.strip("/") + "/"
    path = urlsplit(url).path
    name = path.removeprefix(start)
    if not path.startswith(start) or ".." in name:
        raise ValueError(f"{url} is no file of this site")
    found = Path(str(finders.find(name) or Path(settings.STATIC_ROOT) / name))
    if not found.is_file():
        raise ValueError(f"{url} is not there")
    return found


def html_of(template: str, context: dict[str, Any]) -> str:
    return render_to_string(f"print/{template}.html", context)


def in_cut_order(rows: Sequence[T], a_page: int) -> list[list[T]]:
    """The rows by page so that the cut pile is in order: cut the whole stack, lay the first pile on the
    second and so on; each place of the page holds a run of tables."""
    pages = -(-len(rows) // a_page)
    return [[rows[at] for at in range(page, len(rows), pages)] for page in range(pages)]


@dataclass(frozen=True, slots=True)
class Cell:
    """Nodes of one column that stand beside `rows` lines of the page."""

    nodes: tuple[Drawn, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class BracketPage:
    """A part of a bracket that fits one page, for example a quarter with its way to the final."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[Cell, ...], ...]


def bracket_pages(columns: Sequence[Column]) -> list[BracketPage]:
    """The bracket cut between matches: 64 entrants make one page per quarter."""
    parts = list(dict.fromkeys(column.part for column in columns))
    return [page for part in parts for page in _pages_of(part, [col for col in columns if col.part == part])]


def _pages_of(part: str, columns: list[Column]) -> list[BracketPage]:
    most = max(len(column.nodes) for column in columns)
    is_pods = any(len(node.places) > 2 for column in columns for node in column.nodes)
    count = -(-most // (PODS_A_PAGE if is_pods else NODES_A_PAGE))
    pages = []
    for page in range(count):
        shares = [_share(column.nodes, page, count) for column in columns]
        title = " · ".join(filter(None, (part, f"part {page + 1} of {count}" if count > 1 else "")))
        pages.append(BracketPage(title, tuple(c.name for c in columns), _lines(shares)))
    return pages


def _share(nodes: tuple[Drawn, ...], page: int, pages: int) -> tuple[Drawn, ...]:
    first, behind = page * len(nodes) // pages, (page + 1) * len(nodes) // pages
    return nodes[first : max(behind, first + 1)]


def _lines(shares: list[tuple[Drawn, ...]]) -> tuple[tuple[Cell, ...], ...]:
    rows = max(map(len, shares))
    lines: list[list[Cell]] = [[] for _ in range(rows)]
    for nodes in shares:
        cells = [(node,) for node in nodes] if rows % len(nodes) == 0 else [nodes]
        height = rows // len(cells)
        for at, held in enumerate(cells):
            lines[at * height].append(Cell(tuple(held), height))
    return tuple(map(tuple, lines))


def qr(url: str) -> SafeString:
    """The address as a QR code: an SVG without style or script of its own."""
    code = segno.make(url, error="m", micro=False)
    return mark_safe(code.svg_inline(omitsize=True, svgclass="qr", lineclass=None, border=4))
