"""Every setting, read from the environment; the defaults run one process on SQLite without any server."""

from datetime import timedelta
from pathlib import Path

import environ
import structlog
from celery.schedules import crontab
from csp.constants import NONCE, NONE, SELF
from django.core.management.utils import get_random_secret_key
from django.templatetags.static import static
from kombu import Exchange, Queue

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"
VAR_DIR.mkdir(exist_ok=True)

env = environ.Env()

PRODUCTION = env.bool("TANDEM_PRODUCTION", default=False)
DEBUG = env.bool("DEBUG", default=False)


def _secret_key() -> str:
    """The key from SECRET_KEY, or one made once and kept in var/ (embedded mode only)."""
    given = env.str("SECRET_KEY", default="")
    if given or PRODUCTION:
        return given
    path = VAR_DIR / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    return path.read_text().strip()


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[] if PRODUCTION else ["*"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
CSRF_FAILURE_VIEW = "config.errors.forged"

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "drf_standardized_errors",
    "csp",
    "config",
    "journal",
    "teams",
    "matches",
    "tournaments",
    "notices",
    "integrations",
]

MIDDLEWARE = [
    "config.metrics.Measured",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.middleware.AdminContentSecurityPolicy",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "config.middleware.RequestLog",
    "config.middleware.ApiManners",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.language.PlayersLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["django.templatetags.i18n", "tournaments.pages.tags"],
        },
    }
]

# --- data -------------------------------------------------------------------------------------------------

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'tandem.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Without IMMEDIATE, read-then-write transactions of two threads end in "database is locked".
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
    }
elif PRODUCTION:
    from config.listening import Listening

    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {
        "pool": {
            "min_size": 2,
            "max_size": env.int("DATABASE_POOL", default=8),
            "connection_class": Listening,
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
CACHES = {
    "default": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": REDIS_URL,
        # With the cache gone every deed still works; only speed is lost.
        "OPTIONS": {"SOCKET_CONNECT_TIMEOUT": 1, "SOCKET_TIMEOUT": 1, "IGNORE_EXCEPTIONS": True},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "tandem"}
}

# --- people -----------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "teams.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "desk-list"
ACCOUNT_LOGOUT_REDIRECT_URL = "tournament-list"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "config.accounts.StaffOnlyAccounts"
ACCOUNT_FORMS = {"login": "config.account_forms.SignIn", "signup": "config.account_forms.SignUp"}
# By name and address together, so that one typist does not lock out a hall behind one address.
AXES_USERNAME_CALLABLE = "config.accounts.login_name"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
# Of a whole address only a flood is refused; wrong second factors are counted by account.
ACCOUNT_RATE_LIMITS = {"login": "300/m/ip", "login_failed": "10/5m/key"}
MFA_TOTP_ISSUER = "Tandem"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_IPWARE_PROXY_COUNT = env.int("PROXY_COUNT", default=0) or None
ALLAUTH_TRUSTED_PROXY_COUNT = AXES_IPWARE_PROXY_COUNT or 0
EMAIL_CONFIG = env.email_url_config(env.str("EMAIL_URL", default="") or "consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="Tandem <tandem@localhost>")
EMAIL_TIMEOUT = 10
# Where links in messages lead; a task has no request to ask.
SITE_URL = env.str("SITE_URL", default=(CSRF_TRUSTED_ORIGINS or [""])[0]).rstrip("/")
# Push messages: a key made once unless it is given, and the only hosts that are ever called.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")
VAPID_FILE = Path(env.str("VAPID_FILE", default=str(VAR_DIR / "vapid.pem")))
VAPID_CONTACT = env.str("VAPID_CONTACT", default="mailto:tandem@localhost")
PUSH_HOSTS = env.list(
    "PUSH_HOSTS",
    default=["fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com"],
)

# --- pages ------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("es", "Español"),
    ("fr", "Français"),
    ("de", "Deutsch"),
    ("it", "Italiano"),
    ("pt", "Português"),
    ("ja", "日本語"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_MAX_AGE = 3600
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": [],
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
PERMISSIONS_POLICY: dict[str, list[str]] = {"camera": [], "microphone": [], "geolocation": []}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = env.bool(
    "TANDEM_HTTPS", default=PRODUCTION
)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]  # probes ask from inside, without HTTPS
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000 if SECURE_SSL_REDIRECT else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = bool(SECURE_HSTS_SECONDS)
if env.bool("TANDEM_BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

UNFOLD = {
    "SITE_TITLE": "Tandem",
    "SITE_HEADER": "Tandem",
    "SITE_SYMBOL": "group",
    "SHOW_VIEW_ON_SITE": True,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("icon.svg")}],
    "DASHBOARD_CALLBACK": "config.admin.overview",
    "SIDEBAR": {"navigation": "config.admin.sidebar", "show_all_applications": True},
    "COLORS": {
        "primary": {
            "50": "239 246 255",
            "100": "219 234 254",
            "200": "191 219 254",
            "300": "138 180 255",
            "400": "96 145 245",
            "500": "52 113 229",
            "600": "31 95 209",
            "700": "26 80 178",
            "800": "24 66 146",
            "900": "22 54 117",
            "950": "15 35 77",
        }
    },
}

# --- API --------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["integrations.login.KeyLogin", "config.login.SessionLogin"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.parsing.Json"],
    "DEFAULT_SCHEMA_CLASS": "config.schema.Documented",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
    "DEFAULT_PAGINATION_CLASS": "config.paging.Cursor",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "PAGE_SIZE": 100,
    "DEFAULT_THROTTLE_CLASSES": ["integrations.throttle.PerMinute"],
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
# A long list of teams is 5 MB; files that browsers send are not counted.
DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000_000
# Requests a minute, for each key or account and for each address of anybody else.
API_RATE_PER_KEY = env.int("API_RATE_PER_KEY", default=600)
API_RATE_ANONYMOUS = env.int("API_RATE_ANONYMOUS", default=600)
API_ERRORS = ["400", "401", "403", "404", "405", "406", "409", "412", "415", "422", "429"]
DRF_STANDARDIZED_ERRORS = {
    "EXCEPTION_HANDLER_CLASS": "config.api.Refusals",
    "ALLOWED_ERROR_STATUS_CODES": API_ERRORS,
    "ERROR_SCHEMAS": dict.fromkeys(API_ERRORS, "config.api.ErrorSerializer"),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tandem",
    "DESCRIPTION": """Tournaments of team card games: teams, rounds, pairings, results, standings.

- Send a key of your store with each request: `Authorization: Bearer tdm_...`, never in an address. Each
  operation names the scope it needs.
- Addresses end with a slash, bodies are JSON, times are UTC; a moment you send needs its offset.
- A POST under an `Idempotency-Key` is done once, however often it is sent.
- A refusal is `{"type": ..., "errors": [{"code": ..., "detail": ..., "attr": ...}]}`: 400 for a wrong
  request, 403 for a missing scope, 404 for what is not yours, 409 where a rule or a state forbids the
  deed, 412 where `If-Match` names a state that is past, 422 for an `Idempotency-Key` of another request.
- Lists have pages: follow `next` until it is null.
""",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # Choices stand where they are used; a name for each set of them would change with every new one.
    "POSTPROCESSING_HOOKS": [],
    # Sixteen dozen operations drawn open at once keep a browser busy for half a minute.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none", "defaultModelsExpandDepth": -1},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
# Messages go to https addresses of the public internet; True for a receiver beside Tandem.
WEBHOOKS_ALLOW_PRIVATE = env.bool("WEBHOOKS_ALLOW_PRIVATE", default=False)

# --- clock ------------------------------------------------------------------------------------------------

# The offset and speed of the shown time may be set (demo, tests); read at most twice a second.
CLOCK_ADJUSTABLE = env.bool("CLOCK_ADJUSTABLE", default=not PRODUCTION)

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default=REDIS_URL or "memory://")
CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 5
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"visibility_timeout": 3600} if CELERY_BROKER_URL.startswith("redis") else {}
)
# A worker takes both queues unless it is told one (-Q clock): slow work never keeps the tick from such a one.
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in ("celery", "clock")]
CELERY_TASK_ROUTES = {name: {"queue": "clock"} for name in ("tournaments.tick", "tournaments.errands")}
# At each publish the round is written here as plain files, for a hall whose network fails.
BUNDLES_DIR = Path(env.str("BUNDLES_DIR", default=str(VAR_DIR / "bundles")))
# Of the backups of each night (hour in UTC) and each closed round the newest stay.
BACKUPS_DIR = Path(env.str("BACKUPS_DIR", default=str(VAR_DIR / "backups")))
BACKUPS_KEEP = env.int("BACKUPS_KEEP", default=30)
BACKUPS_HOUR = env.int("BACKUPS_HOUR", default=3)
# Contacts, links and uploads of tournaments over for so long are deleted each night; 0 keeps them.
RETENTION_DAYS = env.int("RETENTION_DAYS", default=365)
# Celery only asks often; what is due stands in the database. A message that nobody took in time is worthless,
# the next one does the same. The moment is told by the clock of the machine that beats, so it is generous.
EXPIRES = {"expires": 300}
TICK_SECONDS = env.float("TICK_SECONDS", default=1.0)
CELERY_BEAT_SCHEDULE = {
    "tick": {
        "task": "tournaments.tick",
        "schedule": TICK_SECONDS,
        "options": EXPIRES,
    },
    # What happens when nobody answers: reports that count, turn orders by default, places given back.
    "errands": {"task": "tournaments.errands", "schedule": 5.0, "options": EXPIRES},
    "imports": {"task": "tournaments.imports", "schedule": 2.0, "options": EXPIRES},
    "bundles": {"task": "tournaments.bundles", "schedule": 5.0, "options": EXPIRES},
    "notices": {"task": "notices.send", "schedule": 2.0, "options": EXPIRES},
    "forget notices": {"task": "notices.forget", "schedule": crontab(hour="4", minute="10")},
    "forget answers": {"task": "integrations.forget", "schedule": crontab(hour="4", minute="15")},
    "clean up": {"task": "config.clean_up", "schedule": crontab(hour="4", minute="20")},
    "backups": {"task": "config.backups", "schedule": 30.0, "options": EXPIRES},
    "webhooks": {"task": "integrations.webhooks", "schedule": 1.0, "options": EXPIRES},
    "orders": {"task": "integrations.orders", "schedule": 10.0, "options": EXPIRES},
}

structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
        structlog.processors.format_exc_info,
        structlog.processors.KeyValueRenderer(key_order=["event"]),
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "filters": {"without_tokens": {"()": "config.middleware.WithoutTokens"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["without_tokens"]}
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
