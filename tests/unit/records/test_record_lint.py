"""What a catalog refuses in a record that the service takes, field by field."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.records.registry.record_lint import lint_record
from mcpcfg.compiler.records.shape import decode

SHA = "0" * 64
OCI = {"registryType": "oci", "identifier": "ghcr.io/a/weather:1", "transport": {"type": "stdio"}}
NPM = {"registryType": "npm", "identifier": "weather", "version": "1.0.0", "transport": {"type": "stdio"}}
FILE = "https://github.com/a/b/releases/download/v1/weather.mcpb"
MCPB = {"registryType": "mcpb", "identifier": FILE, "fileSha256": SHA, "transport": {"type": "stdio"}}


def places(**fields: Any) -> list[str]:
    """Return where something is wrong with a record of these fields."""
    sound = {"name": "io.github.acme/weather", "description": "d", "version": "1.2.0", **fields}
    record, misfits, unknown = decode(sound, "ServerRecord")
    assert (misfits, unknown) == ([], [])
    return [".".join(map(str, one.path)) for one in lint_record(record)]


@pytest.mark.parametrize(
    ("name", "is_sound"),
    [
        ("io.github.acme/weather", True),
        ("ab/cd", True),
        ("a/cd", False),
        ("ab/c", False),
        ("ab/c_d", True),
        ("a_b/cd", False),
        ("-ab/cd", False),
        ("ab/cd-", False),
        ("weather", True),
    ],
)
def test_the_name_has_two_parts_that_begin_and_end_with_letters_or_digits(name: str, is_sound: bool) -> None:
    assert places(name=name) == ([] if is_sound else ["name"])


@pytest.mark.parametrize(
    ("version", "is_single"),
    [
        ("1.2.0", True),
        ("1.2.0-beta.1", True),
        ("2025-01", True),
        ("latest", False),
        ("^1.2", False),
        ("~1", False),
        (">=1.0.0", False),
        ("1.0 - 2.0", False),
        ("1.0 || 2.0", False),
        ("1.x", False),
        ("1.2.*", False),
        ("1.2.3.4.5", True),
        (" ^1.2 ", False),
    ],
)
def test_a_version_range_is_reported(version: str, is_single: bool) -> None:
    assert places(version=version) == ([] if is_single else ["version"])
    assert places(packages=[{**NPM, "version": version}]) == ([] if is_single else ["packages.0.version"])


@pytest.mark.parametrize(
    ("repository", "expected"),
    [
        ({"url": "https://github.com/a/b", "source": "github"}, []),
        ({"url": "http://www.gitlab.com/a/b/", "source": "gitlab"}, []),
        ({"url": "https://gitlab.com/a/b", "source": "github"}, ["url"]),
        ({"url": "https://github.com/a", "source": "github"}, ["url"]),
        ({"url": "https://github.com/a/b/c", "source": "github"}, ["url"]),
        ({"url": "", "source": "github"}, ["url"]),
        ({"url": "https://a.example/b/c", "source": "other"}, ["source"]),
        ({"url": "https://github.com/a/b", "source": ""}, ["source"]),
        ({"url": "", "source": ""}, []),
        ({"url": "", "source": "", "subfolder": "/x"}, []),
        ({"url": "https://github.com/a/b", "source": "github", "subfolder": "a/b-c_d.e"}, []),
        ({"url": "https://github.com/a/b", "source": "github", "subfolder": "/a"}, ["subfolder"]),
        ({"url": "https://github.com/a/b", "source": "github", "subfolder": "a/../b"}, ["subfolder"]),
        ({"url": "https://github.com/a/b", "source": "github", "subfolder": "./a"}, ["subfolder"]),
        ({"url": "https://github.com/a/b", "source": "github", "subfolder": "a b"}, ["subfolder"]),
        ({"url": "x", "source": "github", "subfolder": "a b"}, ["url", "subfolder"]),
    ],
)
def test_a_repository_outside_github_and_gitlab_is_reported(repository: dict[str, str], expected: list[str]) -> None:
    assert places(repository=repository) == [f"repository.{one}" for one in expected]


def test_links_without_https_and_blank_titles_are_reported() -> None:
    icons = [{"src": "http://a.example/i"}, {"src": "https://a.example/i"}, {"src": "https://[a"}]
    found = places(websiteUrl="http://a.example", title="  ", icons=icons)
    assert found == ["websiteUrl", "title", "icons.0.src", "icons.2.src"]
    assert places(websiteUrl="https://a.example", title="t") == []


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        (OCI, []),
        ({**OCI, "identifier": "docker.io/a/b:1"}, []),
        ({**OCI, "identifier": "a.pkg.dev/a/b:1"}, []),
        ({**OCI, "identifier": "quay.io/a/b:1"}, ["identifier"]),
        ({**OCI, "identifier": "A//b"}, ["identifier"]),
        ({**OCI, "identifier": "ghcr.io/a /b"}, ["identifier", "identifier"]),
        ({**OCI, "registryBaseUrl": "https://a.example"}, ["registryBaseUrl"]),
        ({**OCI, "version": "1.0.0", "fileSha256": SHA}, ["version", "fileSha256"]),
        (NPM, []),
        ({**NPM, "version": ""}, [""]),
        ({**NPM, "registryType": "pypi", "fileSha256": SHA}, ["fileSha256"]),
        ({**NPM, "registryType": "nuget", "registryBaseUrl": "https://api.nuget.org/v3/index.json"}, []),
        (MCPB, []),
        ({**MCPB, "fileSha256": ""}, [""]),
        ({**MCPB, "registryBaseUrl": "https://a.example"}, ["registryBaseUrl"]),
        ({**MCPB, "identifier": FILE.replace("github.com", "a.example")}, ["identifier"]),
        ({**MCPB, "identifier": FILE.replace("https", "http")}, ["identifier"]),
        ({**MCPB, "identifier": FILE.replace("releases", "files")}, ["identifier"]),
        ({**MCPB, "identifier": FILE.replace("mcp", "zip")}, ["identifier"]),
        ({**MCPB, "identifier": "https://gitlab.com/a/b/-/releases/mcp"}, []),
        ({**MCPB, "identifier": "https://gitlab.com/a/b/-/package_files/1/mcp"}, []),
        ({**OCI, "transport": {"type": "stdio", "url": "http://a"}}, ["transport.url"]),
        ({**OCI, "transport": {"type": "sse", "url": "http://localhost:{port}"}}, ["transport.url"]),
        (
            {
                **OCI,
                "transport": {"type": "sse", "url": "http://localhost:{port}/{PATH}/{hint}"},
                "environmentVariables": [{"name": "PATH"}],
                "packageArguments": [{"type": "named", "name": "port"}],
                "runtimeArguments": [{"type": "positional", "valueHint": "hint"}],
            },
            [],
        ),
    ],
)
def test_a_package_states_what_its_type_needs_and_nothing_else(package: dict[str, Any], expected: list[str]) -> None:
    assert places(packages=[package]) == [f"packages.0.{one}".rstrip(".") for one in expected]


def test_an_argument_has_a_plain_name_and_a_value_of_its_choices() -> None:
    arguments = [
        {"type": "positional", "valueHint": "a b", "value": "x", "choices": ["x", "y"]},
        {"type": "named", "name": "--a b"},
        {"type": "named", "name": "--a", "value": "--a=1", "default": "--a"},
        {"type": "named", "name": "--b", "value": "z", "default": "x", "choices": ["x", "y"]},
        {"type": "named", "name": "--c", "value": "{z}", "default": "z", "choices": ["x", "y"]},
        {"type": "named", "name": "--d", "value": "z"},
    ]
    variables = [{"name": "A", "default": "z", "choices": ["x"]}, {"name": "B", "value": "x", "choices": ["x"]}]
    for key in ("runtimeArguments", "packageArguments"):
        found = places(packages=[{**NPM, key: arguments, "environmentVariables": variables}])
        assert found == [
            *(f"packages.0.{key}.{place}" for place in ("1.name", "2.value", "2.default", "3.value", "4.default")),
            "packages.0.environmentVariables.0.default",
        ]
