"""One settings file, fed by the environment; every default is right for one salon on one
machine.
"""

import os
from pathlib import Path

from django.utils.csp import CSP

from tournament.backups.resume_restore import finish_a_killed_restore
from tournament.backups.retention import parse_retention
from tournament.formats.local.languages import languages_in
from tournament.server.environment.database import database_from_url
from tournament.server.environment.mail import mailers_from_url
from tournament.server.environment.secret_file import private_folder, read_or_create_secret
from tournament.server.process.logs import build_logging_config

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = private_folder(Path(os.environ.get("ACCORD_DATA") or BASE_DIR / ".data"))

DATABASES = {"default": database_from_url(os.environ.get("DATABASE_URL", ""), data=DATA_DIR)}
finish_a_killed_restore(
    DATA_DIR,
    DATABASES["default"]["NAME"] if DATABASES["default"]["ENGINE"].endswith("sqlite3") else None,
)

DEBUG = False
SECRET_KEY = os.environ.get("SECRET_KEY") or read_or_create_secret(DATA_DIR / "secret-key")
# What checkpoints are signed with: "" means a key for each salon in files beside the secret
# (tournament/integrity/signing_keys.py).
SIGNING_KEY = os.environ.get("SIGNING_KEY", "")

# Backups: their folder, how many nightly ones stay (of so many days, and of so many weeks; 0 makes
# none), and their passphrase.
BACKUPS = os.environ.get("BACKUPS", "")  # "" means `backups` in the data folder
BACKUP_KEEP = parse_retention(os.environ.get("BACKUP_KEEP", "7,4"))
BACKUP_PASSPHRASE = os.environ.get("BACKUP_PASSPHRASE", "")

# Python for browsers, where `rules_for_pages` has laid it: pages have the rules with it.
PYTHON_FOR_PAGES = DATA_DIR / "python-for-pages"

INSTALLED_APPS = [
    "tournament",
    "ledger",
    "tournament.accounts.admin_site.OwnersConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "django_filters",
]
MIDDLEWARE = [
    "tournament.middleware.KnownHostsMiddleware",
    "tournament.middleware.PlainRequestMiddleware",
    "tournament.middleware.CompressionMiddleware",
    "tournament.middleware.PolledPagesMiddleware",
    "tournament.middleware.ResponseHeadersMiddleware",
    "tournament.middleware.SalonPrefixMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "tournament.middleware.KnownDevicesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournament.middleware.ErrorPagesMiddleware",
    "tournament.middleware.CpuShareMiddleware",
    "tournament.middleware.FirstVisitMiddleware",
]
ROOT_URLCONF = "tournament.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "tournament.server.template_files.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "builtins": [
                "tournament.templatetags.dates",
                "tournament.templatetags.fragment_cache",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournament.accounts.access.in_templates",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The folder of a language in locale/, compiled, puts it on offer; a salon chooses its own
# (tournament/formats/local/languages.py).
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGES = languages_in(LOCALE_PATHS[0])
LANGUAGE_CODE = LANGUAGES[0][0]
USE_TZ = True
TIME_ZONE = os.environ.get("TIME_ZONE", "UTC")

STATIC_URL = "/static/"  # of the server: no salon has its own
STATIC_ROOT = BASE_DIR / ".static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournament.server.http.static.PublishedFiles"},
}

# Background work. Without a broker server `serve` has a worker of its own, which looks for itself:
# tournament/server/process/embedded_worker.py.
CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL") or "memory://here/"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.1}
    if CELERY_BROKER_URL.startswith("memory://")
    else {"socket_timeout": 5, "socket_connect_timeout": 1}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
# What is done again and again: its task, and after how many seconds. Where no worker was free until
# the next time, once is enough.
_REPEATED = {
    "requests": ("carry_out_requests", 2),
    "webhooks": ("deliver_webhooks", 2),
    "phones": ("tell_phones", 2),
    "old deliveries": ("forget_deliveries", 3600),
    "finals": ("make_final", 300),
    "practice": ("play_practice", 5),
    "checkpoints": ("sign_checkpoints", 300),
    "retention": ("forget_by_night", 1800),
    "backups": ("back_up_by_night", 900),
    "audit": ("audit_by_night", 600),
}
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "tournament.tasks.sweep",
        "schedule": 1.0 if CELERY_BROKER_URL.startswith("memory://") else 2.0,
        "options": {"expires": 2},
    },
} | {
    name: {
        "task": f"tournament.tasks.{task}",
        "schedule": float(seconds),
        "options": {"expires": seconds},
    }
    for name, (task, seconds) in _REPEATED.items()
}

# Webhooks go to addresses of the internet over HTTPS only; this lets them go to machines of this
# network too.
WEBHOOKS_WITHIN = os.environ.get("WEBHOOKS_WITHIN") == "1"

# Counting wrong passwords needs one memory for all processes: a file of this machine, or Redis
# where several machines serve one salon.
REDIS_URL = os.environ.get("REDIS_URL") or (
    CELERY_BROKER_URL if CELERY_BROKER_URL.startswith(("redis://", "rediss://")) else ""
)
# keys, some 20 MB: were it few, a crowd of addresses would push out the locks
COUNTED_AT_ONCE = 100_000
CACHES = {
    "default": {
        "BACKEND": "tournament.server.http.cache_backend.SharedOrOwn",
        "LOCATION": REDIS_URL or str(DATA_DIR / "remembered.sqlite3"),
    }
}

# The API: JSON only, by token or by the browser's session; so many requests a minute by token and
# by address.
KNOX_TOKEN_MODEL = "tournament.ApiToken"  # noqa: S105 - a model
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer"}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournament.api.http.authentication.ByToken",
        "tournament.api.http.authentication.ByBrowser",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["tournament.api.http.parsers.JSONBody"],
    "DEFAULT_RENDERER_CLASSES": [
        "tournament.api.http.renderers.JSONAnswer",
        "tournament.api.http.renderers.BrowsablePages",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "tournament.api.http.renderers.JSONForPrograms",
    "DEFAULT_THROTTLE_CLASSES": [
        "tournament.api.http.throttling.PerToken",
        "tournament.api.http.throttling.PerAddress",
    ],
    "DEFAULT_SCHEMA_CLASS": "tournament.api.http.schema.ApiSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "tournament.api.http.exceptions.answer_to",
}
API_RATES = {
    "token": os.environ.get("API_RATE_TOKEN", "600/min"),
    "address": os.environ.get("API_RATE_ADDRESS", "1200/min"),
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Accord",
    "VERSION": "1",
    "DESCRIPTION": "Everything that the pages of a card salon can do.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "A token given by the salon's owner.",
            }
        }
    },
    "POSTPROCESSING_HOOKS": ["tournament.api.http.schema.completed"],
}

# Doors. HTTPS=1 says that a proxy in front speaks HTTPS and tells so in X-Forwarded-Proto. With
# CERTIFICATE and CERTIFICATE_KEY `serve` speaks it itself (server/process/https_setup.py).
HTTPS = os.environ.get("HTTPS", "") == "1"
CERTIFICATE = os.environ.get("CERTIFICATE", "")
CERTIFICATE_KEY = os.environ.get("CERTIFICATE_KEY", "")
ALLOWED_HOSTS = [host.strip() for host in os.environ.get("ALLOWED_HOSTS", "*").split(",")]
PROXIES = int(os.environ.get("PROXIES", "1" if HTTPS else "0"))
# How much one web process takes on at once: requests of one address (a whole hall may sit behind
# one) and of all; 0 is any number.
REQUESTS_OF_ONE_ADDRESS = int(os.environ.get("REQUESTS_OF_ONE_ADDRESS", "256"))
# Where no proxy stands in front.
CONNECTIONS_OF_ONE_ADDRESS = int(os.environ.get("CONNECTIONS_OF_ONE_ADDRESS", "1024"))
REQUESTS_AT_ONCE = int(os.environ.get("REQUESTS_AT_ONCE", "2048"))
# Of one web process: requests of an address whose body is still awaited a second after their head.
BODIES_AWAITED_OF_ONE_ADDRESS = int(os.environ.get("BODIES_AWAITED_OF_ONE_ADDRESS", "16"))
# Of all web processes together: MB of answers that an address, and all, have not taken yet; 0 is
# any number.
UNTAKEN_MB_OF_ONE_ADDRESS = int(os.environ.get("UNTAKEN_MB_OF_ONE_ADDRESS", "64"))
UNTAKEN_MB_IN_ALL = int(os.environ.get("UNTAKEN_MB_IN_ALL", "256"))
# How many wrong codes and PINs, of whatever tables and players, close all of them to an address for
# a minute. Passwords have a limit of their own (tournament/accounts/login_limits.py).
WRONG_CODES_OF_ONE_ADDRESS = int(os.environ.get("WRONG_CODES_OF_ONE_ADDRESS", "60"))
# How much CPU one address may cost a minute before visitors without any key wait for the next; 0 is
# any amount.
CPU_SECONDS_OF_ONE_ADDRESS = float(os.environ.get("CPU_SECONDS_OF_ONE_ADDRESS", "60"))
# How long the body of a request may keep us waiting before it has to come at a least rate
# (tournament/server/http/request_bodies.py).
BODY_SECONDS = float(os.environ.get("BODY_SECONDS", "10"))
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "tournament.accounts.api_tokens.TokensEnd"},
]
# Accounts by invitation, with a second step. tournament/accounts/ counts wrong tries,
# tournament/accounts/login_limits.py says how.
ACCOUNT_ADAPTER = "tournament.server.environment.mailed_links.MailingAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
# to sign in: a salon may send no mail. accounts/verified_email.py knows which are verified
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_RATE_LIMITS = {
    # wrong codes are counted by tournament/accounts/two_factor_forms.py instead
    "login_failed": None,
    # whoever asks for others floods nobody; a link that came holds as long as no other comes
    "reset_password": "20/m/ip,5/h/key",
}
MFA_FORMS = {
    "authenticate": "tournament.accounts.two_factor_forms.CodeForm",
    "reauthenticate": "tournament.accounts.two_factor_forms.CodeAgainForm",
}
PASSWORD_RESET_TIMEOUT = 60 * 60  # seconds of a link by mail
MFA_ADAPTER = "tournament.accounts.allauth_adapters.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1
# Mail goes out only where the server's own name is set: else whoever asks could choose the name in
# its links.
EMAIL_URL = os.environ.get("EMAIL_URL", "") if "*" not in ALLOWED_HOSTS else ""
MAILERS = mailers_from_url(EMAIL_URL, folder=DATA_DIR / "mail")
MAIL_IS_SENT = bool(EMAIL_URL)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("EMAIL_FROM", "accord@localhost")
CSRF_FAILURE_VIEW = "tournament.pages.common.refused.form_too_old"

SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS or bool(CERTIFICATE)
SECURE_SSL_REDIRECT = HTTPS or bool(CERTIFICATE)
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Thirty days: a browser that was here once asks for HTTPS by itself, and a club that gives HTTPS up
# has its visitors back within a month.
SECURE_HSTS_SECONDS = int(os.environ.get("HSTS_SECONDS", "2592000" if HTTPS else "0"))
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
# A salon speaks for its own name only: neither for every name below it (W005) nor for the browsers'
# preload list (W021). Of two libraries `i18n` ours is Django's, with a memory (templates.W003).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "templates.W003"]
if CERTIFICATE and not SECURE_HSTS_SECONDS:
    # Browsers would look for HTTPS at the plain door's port too, which leads on printed addresses.
    SILENCED_SYSTEM_CHECKS.append("security.W004")

LOGGING = build_logging_config(
    json=os.environ.get("LOG_JSON", "") == "1", level=os.environ.get("LOG_LEVEL", "WARNING")
)
