"""The page on which a store makes, rotates and revokes the keys of its software."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from integrations.keys import is_alive, issue_key, revoke_key, rotate_key
from integrations.models import ApiKey
from integrations.scopes import choices
from journal.clock import now
from rulebook.errors import RuleBroken
from teams.models import Store, User
from tournaments.models import Tournament

SHOWN = 60
Made = tuple[ApiKey, str]


class KeyForm(forms.Form):
    """What a new key is for and what it may do."""

    store = forms.ModelChoiceField(Store.objects.none(), empty_label=None)
    name = forms.CharField(max_length=80, label="Used by", help_text="e.g. web shop")
    scopes = forms.MultipleChoiceField(
        choices=choices, label="It may", widget=forms.CheckboxSelectMultiple, initial=["read"]
    )
    tournament = forms.ModelChoiceField(
        Tournament.objects.none(),
        required=False,
        empty_label="all tournaments of the store",
        label="It opens",
    )
    days = forms.IntegerField(
        required=False, min_value=1, max_value=3650, label="Days until it expires", help_text="empty: never"
    )

    def __init__(self, data: Any, stores: "QuerySet[Store]") -> None:
        super().__init__(data, auto_id="key-%s")
        cast("forms.ModelChoiceField[Store]", self.fields["store"]).queryset = stores
        opened = cast("forms.ModelChoiceField[Tournament]", self.fields["tournament"])
        opened.queryset = Tournament.objects.filter(store__in=stores)
        self.initial["store"] = stores.first()


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keys_page(request: HttpRequest) -> HttpResponse:
    """The keys of the stores one keeps; a secret is on the page once, right after it was made."""
    user = cast(User, request.user)
    stores = (Store.objects.all() if user.is_superuser else user.stores.all()).order_by("name")
    if not stores:
        raise PermissionDenied
    form = KeyForm(None, stores)
    if request.method == "POST":
        deed = DEEDS.get(request.POST.get("deed", ""))
        if deed is None:
            raise Http404
        form = KeyForm(request.POST if deed is _make else None, stores)
        try:
            made = deed(request, stores, form)
        except RuleBroken as broken:
            messages.error(request, broken.sentence)
            return redirect("store-keys")
        if made is not None:
            return _shown(request, stores, KeyForm(None, stores), made)
        if not form.is_bound:
            return redirect("store-keys")
    return _shown(request, stores, form, None)


def _make(request: HttpRequest, stores: "QuerySet[Store]", form: KeyForm) -> Made | None:
    if not form.is_valid():
        return None
    said = form.cleaned_data
    return issue_key(
        store_id=said["store"].pk,
        name=said["name"],
        scopes=said["scopes"],
        created_by=request.user.pk,
        tournament_id=said["tournament"].pk if said["tournament"] else None,
        expires_at=now() + timedelta(days=said["days"]) if said["days"] else None,
    )


def _rotate(request: HttpRequest, stores: "QuerySet[Store]", form: KeyForm) -> Made | None:
    return rotate_key(key_id=_own(request, stores).pk, created_by=request.user.pk)


def _revoke(request: HttpRequest, stores: "QuerySet[Store]", form: KeyForm) -> None:
    key = revoke_key(key_id=_own(request, stores).pk)
    messages.success(request, f"The key {key.prefix} of {key.name} opens nothing any more.")


DEEDS: Mapping[str, Callable[[HttpRequest, "QuerySet[Store]", KeyForm], Made | None]] = {
    "make": _make,
    "rotate": _rotate,
    "revoke": _revoke,
}


def _own(request: HttpRequest, stores: "QuerySet[Store]") -> ApiKey:
    number = request.POST.get("key", "")
    if not number.isdecimal() or len(number) > 18:
        raise Http404
    return get_object_or_404(ApiKey, store__in=stores, pk=int(number))


def _shown(request: HttpRequest, stores: "QuerySet[Store]", form: KeyForm, made: Made | None) -> HttpResponse:
    found = ApiKey.objects.filter(store__in=stores).select_related("store", "tournament", "created_by")
    shown = list(found.order_by("-id")[:SHOWN])
    replaced = {key.replaces_id for key in shown}
    keys = [(key, is_alive(key), key.pk in replaced) for key in shown]
    context = {"form": form, "keys": keys, "made": made, "has_many": len(stores) > 1}
    return render(request, "store/keys.html", context, status=422 if form.errors else 200)


urlpatterns = [path("stores/keys/", keys_page, name="store-keys")]
