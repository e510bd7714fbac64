"""The image and the compose file: read as what they are, because they must hold where no container can be run here."""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SECRET = re.compile(
    r"(password|secret|token|passwd|api_?key)[ \t]*[=:][ \t]*['\"]?(?!/run/secrets)[^\s'\"]", re.IGNORECASE
)


def instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions, continued lines put together."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#")).replace("\\\n", " ")
    return [
        (word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines.splitlines() if line.strip())
    ]


def copied_from_here() -> list[str]:
    """Return what the Dockerfile copies from the project's folder."""
    taken = [rest.split()[:-1] for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    return [source for sources in taken for source in sources]


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    start = max(i for i, (word, _) in enumerate(found) if word == "FROM")
    return found[start:]


def of_last_stage(word: str) -> list[str]:
    return [rest for name, rest in last_stage() if name == word]


def environment() -> dict[str, str]:
    return dict(part.split("=", 1) for rest in of_last_stage("ENV") for part in shlex.split(rest))


@pytest.fixture(scope="module")
def services() -> dict:
    yaml = pytest.importorskip("yaml", reason="the package PyYAML is not installed")
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_the_app_runs_as_somebody_without_rights():
    assert of_last_stage("USER") == ["10001:10001"]
    words = [word for word, _ in last_stage()]
    # Nothing is installed or copied in after rights are given up, and nothing runs before.
    assert max(i for i, word in enumerate(words) if word in ("RUN", "COPY")) < words.index("USER") < words.index("CMD")


def test_the_health_check_asks_streamlit_without_any_other_program():
    check = of_last_stage("HEALTHCHECK")
    assert len(check) == 1
    command = json.loads(check[0].partition("CMD ")[2])
    assert command[:2] == ["python", "-c"]
    compile(command[2], "health check", "exec")
    assert "http://127.0.0.1:8501/_stcore/health" in command[2]


def test_the_image_is_set_up_for_many():
    settings = environment()
    assert settings["DPCP_SHARED"] == "1"
    assert settings["STREAMLIT_SERVER_FILE_WATCHER_TYPE"] == "none"
    assert settings["STREAMLIT_CLIENT_SHOW_ERROR_DETAILS"] == "none"
    assert settings["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"
    # Where it is not said, Streamlit asks another host for it at every start.
    assert settings["STREAMLIT_BROWSER_SERVER_ADDRESS"] == "localhost"
    from pages.ui.sharing import SHARED

    assert int(settings["STREAMLIT_SERVER_MAX_UPLOAD_SIZE"]) == SHARED.upload_mb


def test_the_settings_are_ones_that_streamlit_knows():
    from streamlit import config

    known = {_variable(key) for key in config._config_options_template}
    wanted = {name for name in environment() if name.startswith("STREAMLIT_")}
    assert wanted - known == set()


def _variable(key: str) -> str:
    return "STREAMLIT_" + re.sub(r"(?<!^)(?=[A-Z])", "_", key).replace(".", "_").upper()


def test_what_is_copied_exists_and_is_not_kept_from_the_builder():
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and line[0] != "#"]
    allowed = [rule[1:] for rule in rules if rule.startswith("!")]
    copied = copied_from_here()
    assert {"app.py", "pages", "dpcp_core", "constraints.txt"} <= set(copied)
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(fnmatch(source, rule) for rule in allowed), source
    assert rules[0] == "*"


def test_all_that_the_wheel_takes_in_is_copied():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*wheel["packages"], *wheel["force-include"]} <= set(copied_from_here())


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", ".dockerignore"])
def test_no_secret_stands_in_a_file(name):
    assert SECRET.findall((ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("line", ["POSTGRES_PASSWORD=letmein", "password: 'hunter2'", "ENV API_KEY=abc"])
def test_a_secret_would_be_found(line):
    assert SECRET.search(line)


def test_the_root_is_read_only_and_what_is_written_stays_in_memory(services):
    app = services["services"]["app"]
    assert app["read_only"] is True
    assert any(mount.startswith("/tmp") for mount in app["tmpfs"])
    assert "volumes" not in app
    assert app["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in app["security_opt"]
    assert app["ports"] == ["127.0.0.1:8501:8501"]


def test_the_ledger_is_kept_and_no_other_machine_reaches_it(services):
    ledger = services["services"]["ledger"]
    assert "ports" not in ledger
    assert services["networks"]["inside"]["internal"] is True
    assert ledger["networks"] == ["inside"]
    assert ledger["volumes"] == ["ledger:/var/lib/postgresql/data"]
    assert "ledger" in services["volumes"]
    assert services["services"]["app"]["depends_on"]["ledger"]["condition"] == "service_healthy"
    assert ledger["healthcheck"]["test"][0] == "CMD-SHELL"


def test_the_password_comes_from_a_file_and_the_address_is_one_that_the_ledger_reads(services):
    from sqlalchemy.engine import make_url

    address = make_url(services["services"]["app"]["environment"]["DPCP_LEDGER_URL"])
    assert address.password is None
    assert (address.drivername, address.host, address.database) == ("postgresql+psycopg", "ledger", "dpcp")
    assert address.query["passfile"] in services["services"]["app"]["command"][-1]
    assert services["services"]["ledger"]["environment"]["POSTGRES_PASSWORD_FILE"] == "/run/secrets/ledger_password"
    assert services["secrets"]["ledger_password"]["file"].startswith("./secrets/")
    assert "secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_memory_that_a_container_gets_is_more_than_the_app_fills(services):
    app = services["services"]["app"]
    assert int(app["mem_limit"].removesuffix("g")) * 1000 > int(app["environment"]["DPCP_MAX_MEMORY_MB"])
