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
    checks="There is no file of exactly this name at the root of the folder.",
    why="Nothing else of the folder is looked at: it is not a skill, for the service and for every client.",
    example="skills/pdf/skill.md",
    fix="Name the file `SKILL.md`.",
    source=_SOURCE,
)
FILE_UNREADABLE = rule(
    "SKL002",
    "skill-file-unreadable",
    "The SKILL.md cannot be read",
    stage="process",
    checks="`SKILL.md` is a folder or a device, may not be read, or is too large.",
    why="The service answers with an error instead of a result.",
    example="skills/pdf/SKILL.md/",
    fix="Make it a regular file that can be read.",
    source=_SOURCE,
)
LINK = rule(
    "SKL003",
    "skill-link",
    "The folder of a skill is or holds a symbolic link",
    stage="process",
    checks="The folder itself, or anything below it, is a symbolic link. The first one is reported.",
    why="A link can lead out of the folder. The service refuses the skill, and packaging it fails.",
    example="skills/pdf/scripts -> ../../scripts",
    fix="Copy what it leads to.",
    source=_SOURCE,
)
MARKER_MISSING = rule(
    "SKL004",
    "skill-front-matter-missing",
    "The front matter of a SKILL.md is not marked",
    stage="process",
    checks="The file does not begin with `---`, apart from white space, or no second `---` follows within 64 KiB. A"
    " byte order mark before the first one counts as text.",
    why="The name and the description of the skill are in the front matter; without it nothing is known of the skill.",
    example="""
        name: pdf
        description: Reads PDF files

        # How to read PDF files
        """,
    fix="Put a line `---` before and after the keys.",
    source=_PARSER,
)
VALUE_UNFIT = rule(
    "SKL005",
    "skill-front-matter-value",
    "A value of the front matter does not fit its key",
    stage="process",
    checks="`name`, `description`, `version`, `license` and `compatibility` take a string or a number, `allowed-tools`"
    " and `toolhive.requires` a list of them or one string, `metadata` keys with one string each.",
    why="The front matter cannot be decoded, and the skill is refused.",
    example="""
        metadata:
          author: {name: Ann}
        """,
    fix="`author: Ann`.",
    source=_PARSER,
)
TOO_MANY_DEPENDENCIES = rule(
    "SKL006",
    "skill-too-many-dependencies",
    "A skill needs more than 100 others",
    stage="process",
    checks="`toolhive.requires` has more than 100 items.",
    why="The service refuses the skill.",
    example="toolhive.requires: [ghcr.io/acme/skills/a:1, …]",
    fix="Name those alone that the skill needs itself.",
    source=_PARSER,
)
NAME_MISSING = rule(
    "SKL007",
    "skill-name-missing",
    "A skill has no name",
    stage="process",
    checks="`name` is missing or empty in the front matter.",
    why="The name is what the skill is installed and called by.",
    example="""
        ---
        description: Reads PDF files
        ---
        """,
    fix="`name: pdf`, as the folder is called.",
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
    fix="`name: pdf-reader`.",
    source=_SOURCE,
)
NAME_DIFFERS = rule(
    "SKL009",
    "skill-name-differs",
    "A skill is called otherwise than its folder",
    stage="process",
    checks="`name` is not what the folder is called.",
    why="A skill is installed into a folder of its name; the service refuses one that lies in another.",
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
    why="The description is all that a model sees of a skill before it decides to use it.",
    example="""
        ---
        name: pdf
        ---
        """,
    fix="`description: Reads PDF files. For questions about a PDF.` instead.",
    source=_SOURCE,
)
DESCRIPTION_LONG = rule(
    "SKL011",
    "skill-description-too-long",
    "The description of a skill is too long",
    stage="process",
    checks="`description` takes more than 1024 bytes in UTF-8; letters outside of English take two bytes and more.",
    why="The service refuses the skill.",
    example="""
        description: >-
          a text of some thousand letters
        """,
    fix="Describe in a few sentences what it does and when to use it; the rest belongs below the front matter.",
    source=_SOURCE,
)
COMPATIBILITY_LONG = rule(
    "SKL012",
    "skill-compatibility-too-long",
    "The compatibility of a skill is too long",
    stage="process",
    checks="`compatibility` takes more than 500 bytes in UTF-8.",
    why="The service refuses the skill.",
    example="""
        compatibility: >-
          a text of some thousand letters
        """,
    fix="Name the clients and the programs that it needs, no more.",
    source=_SOURCE,
)
COMMAS = rule(
    "SKL020",
    "skill-tools-with-commas",
    "The service warns of commas between allowed tools",
    stage="lint",
    checks="The skill has `allowed-tools`, and there is a comma somewhere in the file.",
    why="The standard of skills has spaces between the tools; commas are an extension of this product, which other"
    " clients may not understand. The service looks for a comma anywhere, so that it warns of others too: where the"
    " tools have none, this is an info.",
    example="allowed-tools: Read, Write",
    fix="`allowed-tools: Read Write`.",
    source=_SOURCE,
)
LONG_FILE = rule(
    "SKL021",
    "skill-file-long",
    "A SKILL.md has more than 500 lines",
    stage="lint",
    checks="The file has more than 500 lines.",
    why="All of it goes into the context of the model as soon as the skill is used.",
    example="skills/pdf/SKILL.md with 600 lines",
    fix="Move what is seldom needed into files beside it, and name them.",
    source=_SOURCE,
)
MARKER_INSIDE = rule(
    "SKL022",
    "skill-front-matter-cut",
    "Three hyphens inside a value end the front matter",
    stage="lint",
    checks="The `---` that ends the front matter does not stand alone on a line.",
    why="The service takes the next three hyphens for the end, wherever they are: the value is cut off, and what"
    " follows becomes part of the text.",
    example="description: Reads files --- all of them",
    fix="Write one dash, or two.",
    source=_PARSER,
)
KEY_UNKNOWN = rule(
    "SKL023",
    "skill-key-unknown",
    "A key of the front matter is not known",
    stage="lint",
    checks="A key is not one that the service knows. It is a warning where a known key is spelt nearly so, else"
    " an info.",
    why="Unknown keys are silently skipped, for clients have keys of their own.",
    example="allowed_tools: Read",
    fix="`allowed-tools: Read`.",
    source=_PARSER,
)
DEPENDENCY_NO_REFERENCE = rule(
    "SKL024",
    "skill-dependency-no-reference",
    "A dependency is not a reference of an OCI artifact",
    stage="lint",
    checks="An item of `toolhive.requires` cannot be read as a reference.",
    why="Dependencies are kept as references of OCI artifacts; nothing can be found under another text.",
    example="toolhive.requires: [PDF Tools]",
    fix="`toolhive.requires: [ghcr.io/acme/skills/pdf-tools:1.0.0]`.",
    source=_PARSER,
)
NOT_PACKAGED = rule(
    "SKL025",
    "skill-not-packaged",
    "The folder of a skill cannot be packaged",
    stage="lint",
    checks="The folder holds a file that is neither a regular file nor a folder, more than 1000 files besides"
    " `SKILL.md`, or more than 100 MiB. Hidden files do not count.",
    why="The skill is valid where it lies, and building its package fails.",
    example="skills/pdf/data/ with 5000 files",
    fix="Keep data elsewhere, and say in the text where to get it.",
    source=_PACKAGER,
)
TOOL_WITH_SPACE = rule(
    "SKL026",
    "skill-tool-with-space",
    "An allowed tool has a space in its name",
    stage="lint",
    checks="`allowed-tools` is written with commas, and spaces stand between some of the tools.",
    why="With one comma in it the text is cut at commas alone, so that two tools become one that does not exist.",
    example="allowed-tools: Read, Glob Grep",
    fix="`allowed-tools: Read Glob Grep`.",
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
