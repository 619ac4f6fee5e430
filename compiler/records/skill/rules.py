"""Rules of skill folders: what the service refuses, what it warns of, and what does not come out as meant."""

from __future__ import annotations

from ...diagnostics.finding import rule

SOURCE = "toolhive 0.21.0, package skills: ValidateSkillDir."
PARSER = "toolhive 0.21.0, package skills: ParseSkillMD."
PACKAGER = "toolhive-core 0.0.16, package oci/skills: Packager."

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
    source=SOURCE,
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
    source=SOURCE,
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
    source=SOURCE,
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
    source=SOURCE,
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
    source=SOURCE,
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
    source=SOURCE,
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
    source=SOURCE,
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
    source=PARSER,
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
    source=PARSER,
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
    source=PARSER,
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
    source=PACKAGER,
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
    source=PARSER,
)
