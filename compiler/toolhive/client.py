"""Client applications: where each keeps its settings, how it names an MCP server there, where it keeps skills.

Source: toolhive 0.21.0, client manager.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Platform: TypeAlias = Literal["linux", "darwin", "windows"]
Transport: TypeAlias = Literal["stdio", "sse", "streamable-http"]
Storage: TypeAlias = Literal["json", "yaml-map", "yaml-list", "toml-tables", "toml-array"]

PLATFORMS: tuple[Platform, ...] = ("linux", "darwin", "windows")

_NONE: dict[Platform, str] = {}
_APPLICATION: dict[Platform, str] = {
    "linux": ".config",
    "darwin": "Library/Application Support",
    "windows": "AppData/Roaming",
}
_XDG: dict[Platform, str] = {"linux": ".config", "darwin": ".config", "windows": "AppData/Roaming"}
_BLOCK: dict[Platform, str] = {"linux": ".config", "darwin": ".config", "windows": "AppData/Block"}
_CONFIG: dict[Platform, str] = {"linux": ".config", "darwin": ".config"}

_HTTP = ("http", "sse", "http")
_SAME = ("streamable-http", "sse", "streamable-http")
_TRANSPORTS: tuple[Transport, ...] = ("stdio", "sse", "streamable-http")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client application.

    Attributes:
        name: Its type, as the API names it.
        description: What people call it.
        prefix: Folder below the home folder that the platform asks for.
        folder: Folder of its settings below that; empty for the home folder itself.
        file: Name of the settings file.
        key: The key that holds the servers.
        storage: How the file holds them.
        urls: The field of the URL for stdio, sse and streamable-http.
        types: The value of the type field for each of them; ``None`` where there is no such field.
        user_skills: Folder of skills below the home folder; ``None`` where it has no skills.
        project_skills: Folder of skills below a project's root.
        skills_prefix: Folder below the home folder that the platform asks for, for skills.
    """

    name: str
    description: str
    prefix: dict[Platform, str]
    folder: str
    file: str
    key: str = "mcpServers"
    storage: Storage = "json"
    urls: tuple[str, str, str] = ("url", "url", "url")
    types: tuple[str, str, str] | None = None
    user_skills: str | None = None
    project_skills: str | None = None
    skills_prefix: dict[Platform, str] | None = None

    @property
    def supports_skills(self) -> bool:
        """Whether the service can install skills for it."""
        return self.user_skills is not None

    def settings_path(self, platform: Platform) -> str:
        """Return the path of the settings file below the home folder."""
        return _joined(self.prefix.get(platform, ""), self.folder, self.file)

    def installed_path(self, platform: Platform) -> str:
        """Return the path below the home folder whose existence means that the client is installed."""
        return _joined(self.prefix.get(platform, ""), self.folder) if self.folder else self.settings_path(platform)

    def skills_path(self, platform: Platform) -> str | None:
        """Return the folder of skills below the home folder, or ``None``."""
        if self.user_skills is None:
            return None
        return _joined((self.skills_prefix or {}).get(platform, ""), self.user_skills)

    def url_field(self, transport: str) -> str:
        """Name the field of the URL for the transport of a workload."""
        return self.urls[_TRANSPORTS.index(transport)] if transport in _TRANSPORTS else "url"

    def type_value(self, transport: str) -> str | None:
        """Return the value of the type field for the transport of a workload, or ``None`` for no field."""
        if self.types is None or transport not in _TRANSPORTS:
            return None
        return self.types[_TRANSPORTS.index(transport)]


def _joined(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _amp(name: str, description: str, folder: str) -> Client:
    return Client(
        name=name,
        description=description,
        prefix=_APPLICATION,
        folder=folder,
        file="settings.json",
        key="amp.mcpServers",
        types=_HTTP,
    )


CLIENTS: tuple[Client, ...] = (
    Client(
        name="amp-cli",
        description="Sourcegraph Amp CLI",
        prefix=_XDG,
        folder="amp",
        file="settings.json",
        key="amp.mcpServers",
        types=_HTTP,
        user_skills=".agents/skills",
        project_skills=".agents/skills",
    ),
    _amp("amp-cursor", "Sourcegraph Amp in Cursor", "Cursor/User"),
    _amp("amp-vscode", "Sourcegraph Amp in VS Code", "Code/User"),
    _amp("amp-vscode-insider", "Sourcegraph Amp in VS Code Insiders", "Code - Insiders/User"),
    _amp("amp-windsurf", "Sourcegraph Amp in Windsurf", "Windsurf/User"),
    Client(
        name="antigravity",
        description="Google Antigravity IDE",
        prefix=_NONE,
        folder=".gemini/antigravity",
        file="mcp_config.json",
        urls=("serverUrl", "serverUrl", "serverUrl"),
        user_skills=".agents/skills",
        project_skills=".agents/skills",
    ),
    Client(
        name="claude-code",
        description="Claude Code CLI",
        prefix=_NONE,
        folder="",
        file=".claude.json",
        types=_HTTP,
        user_skills=".claude/skills",
        project_skills=".claude/skills",
    ),
    Client(
        name="cline",
        description="Cline in VS Code",
        prefix=_APPLICATION,
        folder="Code/User/globalStorage/saoudrizwan.claude-dev/settings",
        file="cline_mcp_settings.json",
        types=("streamableHttp", "sse", "streamableHttp"),
        user_skills=".cline/skills",
        project_skills=".cline/skills",
    ),
    Client(
        name="codex",
        description="OpenAI Codex CLI",
        prefix=_NONE,
        folder=".codex",
        file="config.toml",
        key="mcp_servers",
        storage="toml-tables",
        user_skills=".agents/skills",
        project_skills=".agents/skills",
    ),
    Client(
        name="continue",
        description="Continue in IDEs",
        prefix=_NONE,
        folder=".continue",
        file="config.yaml",
        storage="yaml-list",
        types=_SAME,
    ),
    Client(
        name="cursor",
        description="Cursor",
        prefix=_NONE,
        folder=".cursor",
        file="mcp.json",
        types=_HTTP,
        user_skills=".cursor/skills",
        project_skills=".cursor/skills",
    ),
    Client(
        name="factory",
        description="Factory Droid CLI",
        prefix=_NONE,
        folder=".factory",
        file="mcp.json",
        types=_HTTP,
        user_skills=".factory/skills",
        project_skills=".factory/skills",
    ),
    Client(
        name="gemini-cli",
        description="Google Gemini CLI",
        prefix=_NONE,
        folder=".gemini",
        file="settings.json",
        urls=("httpUrl", "url", "httpUrl"),
        user_skills=".agents/skills",
        project_skills=".agents/skills",
    ),
    Client(
        name="goose",
        description="Goose",
        prefix=_BLOCK,
        folder="goose",
        file="config.yaml",
        key="extensions",
        storage="yaml-map",
        urls=("uri", "uri", "uri"),
        types=("streamable_http", "sse", "streamable_http"),
        user_skills=".agents/skills",
        project_skills=".agents/skills",
    ),
    Client(
        name="kimi-cli",
        description="Kimi Code CLI",
        prefix=_NONE,
        folder=".kimi",
        file="mcp.json",
        user_skills=".kimi/skills",
        project_skills=".kimi/skills",
    ),
    Client(
        name="kiro",
        description="Kiro IDE",
        prefix=_NONE,
        folder=".kiro/settings",
        file="mcp.json",
        user_skills=".kiro/skills",
        project_skills=".kiro/skills",
    ),
    Client(
        name="lm-studio",
        description="LM Studio",
        prefix=_NONE,
        folder=".lmstudio",
        file="mcp.json",
        types=_HTTP,
    ),
    Client(
        name="mistral-vibe",
        description="Mistral Vibe IDE",
        prefix=_NONE,
        folder=".vibe",
        file="config.toml",
        key="mcp_servers",
        storage="toml-array",
        types=("streamable-http", "http", "streamable-http"),
        user_skills=".vibe/skills",
        project_skills=".vibe/skills",
    ),
    Client(
        name="opencode",
        description="OpenCode",
        prefix=_NONE,
        folder=".config/opencode",
        file="opencode.json",
        key="mcp",
        types=("remote", "remote", "remote"),
        user_skills="opencode/skills",
        project_skills=".opencode/skills",
        skills_prefix=_CONFIG,
    ),
    Client(
        name="roo-code",
        description="Roo Code in VS Code",
        prefix=_APPLICATION,
        folder="Code/User/globalStorage/rooveterinaryinc.roo-cline/settings",
        file="mcp_settings.json",
        types=_SAME,
        user_skills=".roo/skills",
        project_skills=".roo/skills",
    ),
    Client(
        name="trae",
        description="Trae IDE",
        prefix=_APPLICATION,
        folder="Trae/User",
        file="mcp.json",
        user_skills=".agents/skills",
        project_skills=".agents/skills",
    ),
    Client(
        name="vscode",
        description="Visual Studio Code",
        prefix=_APPLICATION,
        folder="Code/User",
        file="mcp.json",
        key="servers",
        types=_HTTP,
        user_skills=".copilot/skills",
        project_skills=".github/skills",
    ),
    Client(
        name="vscode-insider",
        description="Visual Studio Code Insiders",
        prefix=_APPLICATION,
        folder="Code - Insiders/User",
        file="mcp.json",
        key="servers",
        types=_HTTP,
        user_skills=".copilot/skills",
        project_skills=".github/skills",
    ),
    Client(
        name="vscode-server",
        description="Visual Studio Code Server",
        prefix=_NONE,
        folder=".vscode-server/data/User",
        file="mcp.json",
        key="servers",
    ),
    Client(
        name="windsurf",
        description="Windsurf IDE",
        prefix=_NONE,
        folder=".codeium/windsurf",
        file="mcp_config.json",
        urls=("serverUrl", "serverUrl", "serverUrl"),
        types=_HTTP,
        user_skills=".codeium/windsurf/skills",
        project_skills=".windsurf/skills",
    ),
    Client(
        name="windsurf-jetbrains",
        description="Windsurf in JetBrains IDEs",
        prefix=_NONE,
        folder=".codeium",
        file="mcp_config.json",
        urls=("serverUrl", "serverUrl", "serverUrl"),
        types=_HTTP,
    ),
    Client(
        name="zed",
        description="Zed",
        prefix=_XDG,
        folder="zed",
        file="settings.json",
        key="context_servers",
    ),
)
"""Every client application that the service knows, by name."""

BY_NAME: dict[str, Client] = {client.name: client for client in CLIENTS}
