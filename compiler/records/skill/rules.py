"""Rules of skill folders: what the service refuses, what it warns of, and what does not come out as meant."""

from __future__ import annotations

from ...diagnostics.finding import rule

_SOURCE = "toolhive 0.21.0, package skills: ValidateSkillDir."
_PARSER = "toolhive 0.21.0, package skills: ParseSkillMD."
_PACKAGER = "toolhive-core 0.0.16, package oci/skills: Packager."

FILE_MISSING = rule(
    "SKL001",
    "skill-file-missing",
    "The folder of a skill has no SKILL.md",
    stage="process",
    checks="There is no file with exactly this name at the root of the folder.",
    why="Neither the service nor any client treats the folder as a skill.",
    example="skills/pdf/skill.md",
    fix="Name the file `SKILL.md`.",
    source=_SOURCE,
)
FILE_UNREADABLE = rule(
    "SKL002",
    "skill-file-unreadable",
    "The SKILL.md cannot be read",
    stage="process",
    unmodelled="all",
    checks="`SKILL.md` is a folder or a device, may not be read, or is too large.",
    why="The service answers with an error instead of a result.",
    example="skills/pdf/SKILL.md/",
    fix="Make it a regular file that can be read.",
    source=_SOURCE,
)
LINK = rule(
    "SKL003",
    "skill-link",
    "The folder of a skill is or contains a symbolic link",
    stage="process",
    checks="The folder itself, or anything below it, is a symbolic link. The first one is reported.",
    why="A link may point outside the folder. The service refuses the skill, and packaging it fails.",
    example="skills/pdf/scripts -> ../../scripts",
    fix="Replace the link with a copy of its target.",
    source=_SOURCE,
)
MARKER_MISSING = rule(
    "SKL004",
    "skill-front-matter-missing",
    "The front matter of a SKILL.md is not marked",
    stage="process",
    checks="The file does not begin with `---`, apart from white space, or no second `---` follows within 64 KiB. A"
    " byte order mark before the first one counts as text.",
    why="The name and the description of the skill are in the front matter; without it nothing is known about the"
    " skill.",
    example="""
        name: pdf
        description: Reads PDF files

        # How to read PDF files
        """,
    fix="Add a line `---` before and after the keys.",
    source=_PARSER,
)
VALUE_UNFIT = rule(
    "SKL005",
    "skill-front-matter-value",
    "A value of the front matter does not fit its key",
    stage="process",
    checks="`name`, `description`, `version`, `license` and `compatibility` take a string or a number; `allowed-tools`"
    " and `toolhive.requires` a list of them or one string; `metadata` keys with one string each.",
    why="The front matter cannot be decoded, and the skill is refused.",
    example="""
        metadata:
          author: {name: Ann}
        """,
    fix="Write `author: Ann`.",
    source=_PARSER,
)
TOO_MANY_DEPENDENCIES = rule(
    "SKL006",
    "skill-too-many-dependencies",
    "A skill requires more than 100 others",
    stage="process",
    checks="`toolhive.requires` has more than 100 items.",
    why="The service refuses the skill.",
    example="toolhive.requires: [ghcr.io/acme/skills/a:1, …]",
    fix="List only those that the skill requires directly.",
    source=_PARSER,
)
NAME_MISSING = rule(
    "SKL007",
    "skill-name-missing",
    "A skill has no name",
    stage="process",
    checks="`name` is missing or empty in the front matter.",
    why="The skill is installed and called by its name; the service refuses one without a name.",
    example="""
        ---
        description: Reads PDF files
        ---
        """,
    fix="Add the name of the folder: `name: pdf`.",
    source=_SOURCE,
)
NAME_REFUSED = rule(
    "SKL008",
    "skill-name-refused",
    "The name of a skill is refused",
    stage="process",
    checks="The name is not 2 to 64 lower-case letters, digits and hyphens, begins or ends with a hyphen, or has two"
    " hyphens in a row.",
    why="The service and the clients refuse other names.",
    example="name: PDF_reader",
    fix="Write `name: pdf-reader`.",
    source=_SOURCE,
)
NAME_DIFFERS = rule(
    "SKL009",
    "skill-name-differs",
    "A skill and its folder have different names",
    stage="process",
    checks="`name` is not the name of the folder.",
    why="A skill is installed into a folder with its name; the service refuses one in a folder with a different name.",
    example="skills/pdf/SKILL.md with `name: pdf-reader`",
    fix="Rename the folder, or the skill.",
    source=_SOURCE,
)
DESCRIPTION_MISSING = rule(
    "SKL010",
    "skill-description-missing",
    "A skill has no description",
    stage="process",
    checks="`description` is missing or empty in the front matter.",
    why="The description is all that a model sees of a skill before it decides to use it; the service refuses a skill"
    " without one.",
    example="""
        ---
        name: pdf
        ---
        """,
    fix="Add one: `description: Reads PDF files. For questions about a PDF.`.",
    source=_SOURCE,
)
DESCRIPTION_LONG = rule(
    "SKL011",
    "skill-description-too-long",
    "The description of a skill is too long",
    stage="process",
    checks="`description` is longer than 1024 bytes in UTF-8, where letters outside ASCII take two bytes or more.",
    why="The service refuses the skill.",
    example="""
        description: >-
          a text of some thousand letters
        """,
    fix="Describe in a few sentences what it does and when to use it; move the rest below the front matter.",
    source=_SOURCE,
)
COMPATIBILITY_LONG = rule(
    "SKL012",
    "skill-compatibility-too-long",
    "The compatibility of a skill is too long",
    stage="process",
    checks="`compatibility` is longer than 500 bytes in UTF-8.",
    why="The service refuses the skill.",
    example="""
        compatibility: >-
          a text of some thousand letters
        """,
    fix="Name only the clients and the programs that the skill requires.",
    source=_SOURCE,
)
COMMAS = rule(
    "SKL020",
    "skill-tools-with-commas",
    "The service warns about commas between allowed tools",
    stage="lint",
    checks="The skill has `allowed-tools`, and there is a comma somewhere in the file.",
    why="The standard for skills separates tools with spaces; commas are an extension of this product, which other"
    " clients may not understand. The service looks for a comma anywhere in the file, so it warns about others too:"
    " where the tools have none, the finding is an info.",
    example="allowed-tools: Read, Write",
    fix="Write `allowed-tools: Read Write`.",
    source=_SOURCE,
)
LONG_FILE = rule(
    "SKL021",
    "skill-file-long",
    "A SKILL.md has more than 500 lines",
    stage="lint",
    checks="`SKILL.md` has more than 500 lines.",
    why="All of it goes into the model's context as soon as the skill is used.",
    example="skills/pdf/SKILL.md with 600 lines",
    fix="Move what is rarely needed into files beside it, and refer to them.",
    source=_SOURCE,
)
MARKER_INSIDE = rule(
    "SKL022",
    "skill-front-matter-cut",
    "Three hyphens inside a value end the front matter",
    stage="lint",
    checks="The `---` that ends the front matter is not alone on its line.",
    why="The service ends the front matter at the next three hyphens, wherever they are: the value is cut off, and the"
    " rest becomes part of the text.",
    example="description: Reads files --- all of them",
    fix="Use one or two hyphens instead.",
    source=_PARSER,
)
KEY_UNKNOWN = rule(
    "SKL023",
    "skill-key-unknown",
    "A key of the front matter is not known",
    stage="lint",
    checks="The service does not know a key. The finding is a warning where the key resembles a known one, otherwise an"
    " info.",
    why="Unknown keys are silently skipped, because clients have keys of their own: a misspelt one has no effect.",
    example="allowed_tools: Read",
    fix="Write `allowed-tools: Read`.",
    source=_PARSER,
)
DEPENDENCY_NO_REFERENCE = rule(
    "SKL024",
    "skill-dependency-no-reference",
    "A dependency is not a reference to an OCI artifact",
    stage="lint",
    checks="An item of `toolhive.requires` cannot be read as a reference.",
    why="Dependencies are references to OCI artifacts; nothing can be found under any other text.",
    example="toolhive.requires: [PDF Tools]",
    fix="Write `toolhive.requires: [ghcr.io/acme/skills/pdf-tools:1.0.0]`.",
    source=_PARSER,
)
NOT_PACKAGED = rule(
    "SKL025",
    "skill-not-packaged",
    "The folder of a skill cannot be packaged",
    stage="lint",
    checks="The folder contains a file that is neither a regular file nor a folder, more than 1000 files besides"
    " `SKILL.md`, or more than 100 MiB. Hidden files do not count.",
    why="The skill is valid where it is, but building its package fails.",
    example="skills/pdf/data/ with 5000 files",
    fix="Keep data elsewhere, and say in the text where to get them.",
    source=_PACKAGER,
)
TOOL_WITH_SPACE = rule(
    "SKL026",
    "skill-tool-with-space",
    "An allowed tool has a space in its name",
    stage="lint",
    checks="`allowed-tools` is written with commas, but there are only spaces between some of the tools.",
    why="A text that contains a comma is split only at commas, so two tools become one that does not exist.",
    example="allowed-tools: Read, Glob Grep",
    fix="Write `allowed-tools: Read Glob Grep`.",
    source=_PARSER,
)
RULES = (
    FILE_MISSING,
    FILE_UNREADABLE,
    LINK,
    MARKER_MISSING,
    VALUE_UNFIT,
    TOO_MANY_DEPENDENCIES,
    NAME_MISSING,
    NAME_REFUSED,
    NAME_DIFFERS,
    DESCRIPTION_MISSING,
    DESCRIPTION_LONG,
    COMPATIBILITY_LONG,
    COMMAS,
    LONG_FILE,
    MARKER_INSIDE,
    KEY_UNKNOWN,
    DEPENDENCY_NO_REFERENCE,
    NOT_PACKAGED,
    TOOL_WITH_SPACE,
)
