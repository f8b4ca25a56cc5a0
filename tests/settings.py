"""The settings under test: the project's own, on the test services and without what only slows tests down.

TEST_DATABASE_URL names the server (SQLite in memory when unset); DATABASE_URL, which may name somebody's real
data, is never used. Every run has its own test database, so two runs can share a server.
"""

import os
import uuid

run = os.environ.setdefault("TANDEM_TEST_RUN", uuid.uuid4().hex[:8])  # the workers of xdist inherit it
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or "sqlite:///var/test.sqlite3"

from config.settings import *

default = DATABASES["default"]
if "postgresql" in default["ENGINE"]:
    default["TEST"] = {"NAME": f"test_tandem_{run}"}
    default.get("OPTIONS", {}).pop("pool", None)
    default["CONN_MAX_AGE"] = 0

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns of a folder that is not there
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Each test's client has middleware of its own: looking through all static files for each took half the time.
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
