"""What a browser needs to open the last seen pages without a network: worker, manifest and a page instead."""

import json
import re

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.pages.conditional import build

WORKER = ("outbox.js", "worker.js")
FILES = (
    *("tandem.css", "icon.svg"),
    *(f"{name}.js" for name in ("clock", "live", "offline", "outbox", "search", "track", "zone")),
)
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-mask.png", 512, "maskable"))
OPENS_AT = re.compile(r"/me/\d{1,18}|/t/[-\w]{1,80}/")


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the whole site; its text changes with every version of what it keeps."""
    told = {
        "version": f"{build()}-{get_language()}",
        "files": [static(name) for name in FILES],
        "icon": static("icons/icon-192.png"),
    }
    loads = ", ".join(json.dumps(static(name)) for name in WORKER)
    text = f"self.tandem = {json.dumps(told)};\nimportScripts({loads});\n"
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """What an installed Tandem is called, and that it opens where it was installed: at my table."""
    asked = request.GET.get("at", "")
    opens = found[0] if (found := OPENS_AT.match(asked)) else "/"
    icons = [
        {"src": static(f"icons/{name}"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size, purpose in ICONS
    ]
    told = {
        "id": opens,
        "name": "Tandem",
        "short_name": "Tandem",
        "description": _("Tournaments of teams: pairings, results and standings."),
        "lang": get_language(),
        "start_url": opens,
        "scope": "/",
        "display": "standalone",
        "background_color": "#faf8f3",
        "theme_color": "#faf8f3",
        "icons": icons,
    }
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def instead(request: HttpRequest) -> HttpResponse:
    """The page a browser shows for one that it has never seen, while there is no network."""
    return render(request, "offline.html")
