"""Every address of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

admin.autodiscover()
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/", include("config.api_urls")),
    path("", include("config.health")),
    path("", include("config.metrics")),
    path("", include("config.notice_pages")),
    path("", include("config.key_pages")),
    path("", include("tournaments.pages.rules_urls")),
    path("", include("tournaments.pages.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
