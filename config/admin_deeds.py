"""Deeds as buttons of an admin page, and forms that write through a service."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from config.admin_base import Records, admin_actor, user_of
from journal.actors import Actor
from rulebook.errors import RuleBroken
from tournaments.staff import Can, powers_of


@dataclass(frozen=True, slots=True)
class Asked:
    """One press of a button: on which row, by whom, on what (a round's id), and what the form answered."""

    row: Any
    actor: Actor
    target: int
    answers: Mapping[str, Any] = field(default_factory=dict)


class QuestionForm(forms.Form):
    """What has to be asked before a deed; knows the row it is about."""

    def __init__(self, *args: Any, row: Any, target: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.row, self.target = row, target
        self.ask()

    def ask(self) -> None:
        """The form has the fields that depend on the row."""


class ReasonForm(QuestionForm):
    reason = forms.CharField(
        max_length=300, required=False, help_text="Kept in the journal.", widget=forms.Textarea({"rows": 2})
    )


@dataclass(frozen=True, slots=True)
class Deed:
    """A button: `do` calls the service and returns the sentence that tells what is true now.

    `says` tells beforehand what will change. `target` names what was looked at (the round on the page), so
    that a button on an old page never does its deed to something newer.
    """

    key: str
    label: str
    can: Can
    do: Callable[[Asked], str]
    says: str
    form: type[QuestionForm] | None = None
    target: int = 0
    is_next: bool = False
    is_grave: bool = False

    @property
    def asks(self) -> bool:
        """A page with a form comes before the deed."""
        return self.form is not None


class WithDeeds(Records):
    """Records whose page shows facts and the deeds that make sense in the row's state."""

    change_form_template = "admin/tandem/change_form.html"

    def deeds(self, row: Any) -> Sequence[Deed]:
        """Every deed that makes sense in the row's state, the next one first."""
        raise NotImplementedError

    def facts(self, request: HttpRequest, row: Any) -> Sequence[tuple[str, Any]]:
        """What somebody looking at the row wants to know first: pairs of a word and what it is."""
        return ()

    def powers(self, request: HttpRequest, row: Any) -> frozenset[Can]:
        return powers_of(user_of(request), row.pk if self.tournament_path == "pk" else row.tournament_id)

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_deed"
        view = self.admin_site.admin_view(self.deed_view)
        return [path("<path:object_id>/deed/<slug:key>/", view, name=name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        row = kwargs.get("obj")
        if row is not None and row.pk:
            powers = self.powers(request, row)
            context["deeds"] = [self._button(row, deed) for deed in self.deeds(row) if deed.can in powers]
            context["facts"] = self.facts(request, row)
        return super().render_change_form(request, context, *args, **kwargs)

    def deed_view(self, request: HttpRequest, object_id: str, key: str) -> HttpResponse:
        """A button is pressed (POST), or what it asks first is shown (GET)."""
        row = self.get_object(request, unquote(object_id))
        if row is None or not self.has_view_permission(request, row):
            raise Http404
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])
        deed = next((deed for deed in self.deeds(row) if deed.key == key), None)
        if deed is None:
            messages.warning(request, f"That does not fit {row} as it is now; look at its page again.")
            return HttpResponseRedirect(back)
        if deed.can not in self.powers(request, row):
            raise PermissionDenied
        if request.method != "POST" and deed.form is None:
            return HttpResponseNotAllowed(["POST"])
        sent = request.POST if request.method == "POST" else request.GET
        if deed.target and sent.get("target") != str(deed.target):
            messages.warning(request, f"{row} has moved on; look at its page again.")
            return HttpResponseRedirect(back)
        return self._answer(request, row, deed, back)

    def _answer(self, request: HttpRequest, row: Any, deed: Deed, back: str) -> HttpResponse:
        posted = request.POST if request.method == "POST" else None
        form = deed.form(posted, row=row, target=deed.target) if deed.form else None
        if posted is not None and (form is None or form.is_valid()):
            asked = Asked(row, admin_actor(request), deed.target, form.cleaned_data if form else {})
            try:
                messages.success(request, deed.do(asked))
                return HttpResponseRedirect(self.after(row, deed, back))
            except RuleBroken as refused:
                if form is None:
                    messages.error(request, refused.sentence)
                    return HttpResponseRedirect(back)
                form.add_error(None, refused.sentence)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": deed.label,
            "subtitle": str(row),
            "row": row,
            "deed": deed,
            "form": form,
            "back": back,
            "media": self.media,
        }
        return TemplateResponse(request, "admin/tandem/deed.html", context)

    def after(self, row: Any, deed: Deed, back: str) -> str:
        """Where the person goes once the deed is done."""
        return back

    def _button(self, row: Model, deed: Deed) -> dict[str, Any]:
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_deed"
        return {"deed": deed, "address": reverse(name, args=[row.pk, deed.key])}


class ServiceForm(forms.ModelForm):
    """A form that is valid once the service has done the deed; what a rule refuses is its error."""

    actor: Actor
    user_id: int
    fields_of_codes: Mapping[str, str] = {}
    done: Any = None

    def deed(self) -> Any:
        """The service has written, and the written row is returned."""
        raise NotImplementedError

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if self.errors:
            return
        try:
            with transaction.atomic():
                self.done = self.deed()
        except RuleBroken as refused:
            place = self.fields_of_codes.get(refused.code)
            self.add_error(place if place in self.fields else None, refused.sentence)

    def save(self, commit: bool = True) -> Any:
        return self.done

    def _save_m2m(self) -> None:
        """Nothing is left to save."""

    save_m2m = _save_m2m


class ThroughService(Records):
    """Records whose add and change forms are `ServiceForm`s."""

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"actor": admin_actor(request), "user_id": request.user.pk})

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """The form's service has saved."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing is left to save."""
