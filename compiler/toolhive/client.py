"""Client applications: their settings files, their notation of MCP servers, and their skill folders.

Source: toolhive 0.21.0 to 0.45.0, client manager.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .release import holds

Platform: TypeAlias = Literal["linux", "darwin", "windows"]
Transport: TypeAlias = Literal["stdio", "sse", "streamable-http"]
Storage: TypeAlias = Literal["json", "yaml-map", "yaml-list", "toml-tables", "toml-array"]

PLATFORMS: tuple[Platform, ...] = ("linux", "darwin", "windows")
_TRANSPORTS: tuple[Transport, ...] = ("stdio", "sse", "streamable-http")

_APPLICATION: dict[Platform, str] = {
    "linux": ".config",
    "darwin": "Library/Application Support",
    "windows": "AppData/Roaming",
}
_XDG: dict[Platform, str] = {"linux": ".config", "darwin": ".config", "windows": "AppData/Roaming"}
_BLOCK: dict[Platform, str] = {"linux": ".config", "darwin": ".config", "windows": "AppData/Block"}
_CONFIG: dict[Platform, str] = {"linux": ".config", "darwin": ".config"}

_AGENTS = ".agents/skills"
_HTTP = ("http", "sse")
_SAME = ("streamable-http", "sse")


@dataclass(frozen=True, slots=True)
class Client:
    """A client application, such as an editor or an agent, whose settings file lists MCP servers.

    Attributes:
        name: Type of the client in the management API.
        description: Display name.
        file: Path of the settings file below ``prefix``.
        prefix: Folder of ``file`` below the home folder, by platform; a platform without a key has none.
        storage: File format and shape of the servers, such as ``yaml-list``.
        urls: Names of the URL field: for streamable-http and stdio, and for sse.
        types: Values of the type field in the same order; ``None`` if the client has no type field.
        skills: Skill folder below ``skills_prefix``; ``None`` if the client has no skills.
        skills_prefix: Folder of ``skills`` below the home folder, by platform; a platform without a key has none.
        own_project_skills: Skill folder below a project's root, if it differs from ``skills``.
        since: The first release that supports the client; ``None`` if 0.21.0 does.
        until: The first release that no longer supports the client; ``None`` if the newest does.
    """

    name: str
    description: str
    file: str
    prefix: dict[Platform, str] = field(default_factory=dict)
    key: str = "mcpServers"
    storage: Storage = "json"
    urls: tuple[str, str] = ("url", "url")
    types: tuple[str, str] | None = None
    skills: str | None = None
    skills_prefix: dict[Platform, str] = field(default_factory=dict)
    own_project_skills: str | None = None
    since: str | None = None
    until: str | None = None

    @property
    def releases(self) -> str:
        """The releases that know the client, as a phrase such as ``from 0.30.0``; empty for all releases."""
        return f"from {self.since}" if self.since else f"before {self.until}" if self.until else ""

    @property
    def supports_skills(self) -> bool:
        """True if the service can install skills for the client."""
        return self.skills is not None

    @property
    def project_skills(self) -> str | None:
        """The skill folder below a project's root, or ``None`` if the client has no skills."""
        return self.own_project_skills or self.skills

    def settings_path(self, platform: Platform) -> str:
        """Return the path of the settings file below the home folder."""
        return posixpath.join(self.prefix.get(platform, ""), self.file)

    def installed_path(self, platform: Platform) -> str:
        """Return the path below the home folder whose existence shows that the client is installed.

        It is the folder of the settings file, or the file itself if it is directly in the home folder.
        """
        path = self.settings_path(platform)
        return posixpath.dirname(path) or path

    def skills_path(self, platform: Platform) -> str | None:
        """Return the skill folder below the home folder, or ``None`` if the client has no skills."""
        return self.skills and posixpath.join(self.skills_prefix.get(platform, ""), self.skills)

    def url_field(self, transport: str) -> str:
        """Return the name of the client's URL field for a server with this transport."""
        return self.urls[transport == "sse"] if transport in _TRANSPORTS else "url"

    def type_value(self, transport: str) -> str | None:
        """Return the value of the client's type field for a server with this transport; ``None`` for no such field."""
        return self.types[transport == "sse"] if self.types and transport in _TRANSPORTS else None


CLIENTS: tuple[Client, ...] = (
    Client(
        "amp-cli",
        "Sourcegraph Amp CLI",
        "amp/settings.json",
        prefix=_XDG,
        key="amp.mcpServers",
        types=_HTTP,
        skills=_AGENTS,
    ),
    *(
        Client(
            f"amp-{name}",
            f"Sourcegraph Amp in {editor}",
            f"{folder}/User/settings.json",
            prefix=_APPLICATION,
            key="amp.mcpServers",
            types=_HTTP,
            until="0.34.0",
        )
        for name, editor, folder in (
            ("cursor", "Cursor", "Cursor"),
            ("vscode", "VS Code", "Code"),
            ("vscode-insider", "VS Code Insiders", "Code - Insiders"),
            ("windsurf", "Windsurf", "Windsurf"),
        )
    ),
    Client(
        "antigravity",
        "Google Antigravity IDE",
        ".gemini/antigravity/mcp_config.json",
        urls=("serverUrl", "serverUrl"),
        skills=_AGENTS,
    ),
    Client("claude-code", "Claude Code CLI", ".claude.json", types=_HTTP, skills=".claude/skills"),
    Client(
        "cline",
        "Cline in VS Code",
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        prefix=_APPLICATION,
        types=("streamableHttp", "sse"),
        skills=".cline/skills",
    ),
    Client("codex", "OpenAI Codex CLI", ".codex/config.toml", key="mcp_servers", storage="toml-tables", skills=_AGENTS),
    Client("continue", "Continue in IDEs", ".continue/config.yaml", storage="yaml-list", types=_SAME),
    Client("copilot-cli", "GitHub Copilot CLI", ".copilot/mcp-config.json", types=_HTTP, since="0.28.0"),
    Client("cursor", "Cursor", ".cursor/mcp.json", types=_HTTP, skills=".cursor/skills"),
    Client("factory", "Factory Droid CLI", ".factory/mcp.json", types=_HTTP, skills=".factory/skills"),
    Client("gemini-cli", "Google Gemini CLI", ".gemini/settings.json", urls=("httpUrl", "url"), skills=_AGENTS),
    Client(
        "goose",
        "Goose",
        "goose/config.yaml",
        prefix=_BLOCK,
        key="extensions",
        storage="yaml-map",
        urls=("uri", "uri"),
        types=("streamable_http", "sse"),
        skills=_AGENTS,
    ),
    Client("kimi-cli", "Kimi Code CLI", ".kimi/mcp.json", skills=".kimi/skills"),
    Client("kiro", "Kiro IDE", ".kiro/settings/mcp.json", skills=".kiro/skills"),
    Client("lm-studio", "LM Studio", ".lmstudio/mcp.json", types=_HTTP),
    Client(
        "mistral-vibe",
        "Mistral Vibe IDE",
        ".vibe/config.toml",
        key="mcp_servers",
        storage="toml-array",
        types=("streamable-http", "http"),
        skills=".vibe/skills",
    ),
    Client(
        "opencode",
        "OpenCode",
        ".config/opencode/opencode.json",
        key="mcp",
        types=("remote", "remote"),
        skills="opencode/skills",
        skills_prefix=_CONFIG,
        own_project_skills=".opencode/skills",
    ),
    Client(
        "qoder",
        "Qoder IDE",
        "mcp.json",
        prefix={"linux": ".qoder", "darwin": ".qoder", "windows": "AppData/Roaming/Qoder/SharedClientCache"},
        types=_HTTP,
        skills=".qoder/skills",
        since="0.45.0",
    ),
    Client(
        "roo-code",
        "Roo Code in VS Code",
        "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        prefix=_APPLICATION,
        types=_SAME,
        skills=".roo/skills",
    ),
    Client("trae", "Trae IDE", "Trae/User/mcp.json", prefix=_APPLICATION, skills=_AGENTS),
    *(
        Client(
            name,
            description,
            f"{folder}/User/mcp.json",
            prefix=_APPLICATION,
            key="servers",
            types=_HTTP,
            skills=".copilot/skills",
            own_project_skills=".github/skills",
        )
        for name, description, folder in (
            ("vscode", "Visual Studio Code", "Code"),
            ("vscode-insider", "Visual Studio Code Insiders", "Code - Insiders"),
        )
    ),
    Client("vscode-server", "Visual Studio Code Server", ".vscode-server/data/User/mcp.json", key="servers"),
    Client(
        "windsurf",
        "Windsurf IDE",
        ".codeium/windsurf/mcp_config.json",
        urls=("serverUrl", "serverUrl"),
        types=_HTTP,
        skills=".codeium/windsurf/skills",
        own_project_skills=".windsurf/skills",
    ),
    Client(
        "windsurf-jetbrains",
        "Windsurf in JetBrains IDEs",
        ".codeium/mcp_config.json",
        urls=("serverUrl", "serverUrl"),
        types=_HTTP,
    ),
    Client("zed", "Zed", "zed/settings.json", prefix=_XDG, key="context_servers"),
)
"""All client applications that the service of a modelled release supports, sorted by name."""

BY_NAME: dict[str, Client] = {client.name: client for client in CLIENTS}


def clients_of_release(release: str | None) -> list[Client]:
    """Return the client applications that the service of a release supports; for ``None``, those of all releases."""
    return [client for client in CLIENTS if release is None or holds(client.since, client.until, release)]
