"""Rules of skill folders: what the service refuses, what it warns of, and what does not come out as meant."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_SOURCE = "toolhive 0.21.0, package skills: ValidateSkillDir."
_PARSER = "toolhive 0.21.0, package skills: ParseSkillMD."
_PACKAGER = "toolhive-core 0.0.16, package oci/skills: Packager."

FILE_MISSING = Rule(
    id="SKL001",
    name="skill-file-missing",
    stage="process",
    severity="error",
    title="The folder of a skill has no SKILL.md",
    doc=page(
        "There is no file of exactly this name at the root of the folder.",
        "Nothing else of the folder is looked at: it is no skill, for the service and for every client.",
        example="skills/pdf/skill.md",
        cure="name the file `SKILL.md`.",
        source=_SOURCE,
    ),
)
FILE_UNREADABLE = Rule(
    id="SKL002",
    name="skill-file-unreadable",
    stage="process",
    severity="error",
    title="The SKILL.md cannot be read",
    doc=page(
        "`SKILL.md` is a folder or a device, may not be read, or is too large.",
        "The service answers with an error instead of a result.",
        example="skills/pdf/SKILL.md/",
        cure="make it a regular file that can be read.",
        source=_SOURCE,
    ),
)
LINK = Rule(
    id="SKL003",
    name="skill-link",
    stage="process",
    severity="error",
    title="The folder of a skill is or holds a symbolic link",
    doc=page(
        "The folder itself, or anything below it, is a symbolic link. The first one is told.",
        "A link can lead out of the folder. The service refuses the skill, and packaging it fails.",
        example="skills/pdf/scripts -> ../../scripts",
        cure="copy what it leads to.",
        source=_SOURCE,
    ),
)
MARKER_MISSING = Rule(
    id="SKL004",
    name="skill-front-matter-missing",
    stage="process",
    severity="error",
    title="The front matter of a SKILL.md is not marked",
    doc=page(
        "The file does not begin with `---`, apart from white space, or no second `---` follows within 64 KiB. A byte"
        " order mark before the first one counts as text.",
        "The name and the description of the skill are in the front matter; without it nothing is known of the skill.",
        example="name: pdf\ndescription: Reads PDF files\n\n# How to read PDF files",
        cure="put a line `---` before and after the keys.",
        source=_PARSER,
    ),
)
VALUE_UNFIT = Rule(
    id="SKL005",
    name="skill-front-matter-value",
    stage="process",
    severity="error",
    title="A value of the front matter does not fit its key",
    doc=page(
        "`name`, `description`, `version`, `license` and `compatibility` take text or a number, `allowed-tools` and"
        " `toolhive.requires` a list of such or one text, `metadata` keys with one text each.",
        "The front matter cannot be decoded, and the skill is refused.",
        example="metadata:\n  author: {name: Ann}",
        cure="`author: Ann`.",
        source=_PARSER,
    ),
)
TOO_MANY_DEPENDENCIES = Rule(
    id="SKL006",
    name="skill-too-many-dependencies",
    stage="process",
    severity="error",
    title="A skill needs more than 100 others",
    doc=page(
        "`toolhive.requires` has more than 100 items.",
        "The service refuses the skill.",
        example="toolhive.requires: [ghcr.io/acme/skills/a:1, …]",
        cure="name those alone that the skill needs itself.",
        source=_PARSER,
    ),
)
NAME_MISSING = Rule(
    id="SKL007",
    name="skill-name-missing",
    stage="process",
    severity="error",
    title="A skill has no name",
    doc=page(
        "`name` is missing or empty in the front matter.",
        "The name is what the skill is installed and called by.",
        example="---\ndescription: Reads PDF files\n---",
        cure="`name: pdf`, as the folder is called.",
        source=_SOURCE,
    ),
)
NAME_REFUSED = Rule(
    id="SKL008",
    name="skill-name-refused",
    stage="process",
    severity="error",
    title="The name of a skill is refused",
    doc=page(
        "The name is not 2 to 64 lower-case letters, digits and hyphens, begins or ends with a hyphen, or has two"
        " hyphens in a row.",
        "The service and the clients refuse other names.",
        example="name: PDF_reader",
        cure="`name: pdf-reader`.",
        source=_SOURCE,
    ),
)
NAME_DIFFERS = Rule(
    id="SKL009",
    name="skill-name-differs",
    stage="process",
    severity="error",
    title="A skill is called otherwise than its folder",
    doc=page(
        "`name` is not what the folder is called.",
        "A skill is installed into a folder of its name; the service refuses one that lies in another.",
        example="skills/pdf/SKILL.md with `name: pdf-reader`",
        cure="rename the folder, or the skill.",
        source=_SOURCE,
    ),
)
DESCRIPTION_MISSING = Rule(
    id="SKL010",
    name="skill-description-missing",
    stage="process",
    severity="error",
    title="A skill has no description",
    doc=page(
        "`description` is missing or empty in the front matter.",
        "The description is all that a model sees of a skill before it decides to use it.",
        example="---\nname: pdf\n---",
        cure="`description: Reads PDF files. For questions about a PDF.`",
        source=_SOURCE,
    ),
)
DESCRIPTION_LONG = Rule(
    id="SKL011",
    name="skill-description-too-long",
    stage="process",
    severity="error",
    title="The description of a skill is too long",
    doc=page(
        "`description` takes more than 1024 bytes in UTF-8; letters outside of English take two bytes and more.",
        "The service refuses the skill.",
        example="description: >-\n  a text of some thousand letters",
        cure="say in a few sentences what it does and when to use it; the rest belongs below the front matter.",
        source=_SOURCE,
    ),
)
COMPATIBILITY_LONG = Rule(
    id="SKL012",
    name="skill-compatibility-too-long",
    stage="process",
    severity="error",
    title="The compatibility of a skill is too long",
    doc=page(
        "`compatibility` takes more than 500 bytes in UTF-8.",
        "The service refuses the skill.",
        example="compatibility: >-\n  a text of some thousand letters",
        cure="name the clients and the programs that it needs, no more.",
        source=_SOURCE,
    ),
)
COMMAS = Rule(
    id="SKL020",
    name="skill-tools-with-commas",
    stage="lint",
    severity="warning",
    title="The service warns of commas between allowed tools",
    doc=page(
        "The skill has `allowed-tools`, and there is a comma somewhere in the file.",
        "The standard of skills has spaces between the tools; commas are an extension of this product, which other"
        " clients may not understand. The service looks for a comma anywhere, so that it warns of others too: where the"
        " tools have none, this is an info.",
        example="allowed-tools: Read, Write",
        cure="`allowed-tools: Read Write`.",
        source=_SOURCE,
    ),
)
LONG_FILE = Rule(
    id="SKL021",
    name="skill-file-long",
    stage="lint",
    severity="warning",
    title="A SKILL.md has more than 500 lines",
    doc=page(
        "The file has more than 500 lines.",
        "All of it goes into the context of the model as soon as the skill is used.",
        example="skills/pdf/SKILL.md with 600 lines",
        cure="move what is seldom needed into files beside it, and name them.",
        source=_SOURCE,
    ),
)
MARKER_INSIDE = Rule(
    id="SKL022",
    name="skill-front-matter-cut",
    stage="lint",
    severity="warning",
    title="Three hyphens inside a value end the front matter",
    doc=page(
        "The `---` that ends the front matter does not stand alone on a line.",
        "The service takes the next three hyphens for the end, wherever they are: the value is cut off, and what"
        " follows becomes part of the text.",
        example="description: Reads files --- all of them",
        cure="write one dash, or two.",
        source=_PARSER,
    ),
)
KEY_UNKNOWN = Rule(
    id="SKL023",
    name="skill-key-unknown",
    stage="lint",
    severity="warning",
    title="A key of the front matter is probably misspelt",
    doc=page(
        "A key is none that the service knows, and nearly one of them.",
        "Unknown keys are skipped in silence, for clients have keys of their own.",
        example="allowed_tools: Read",
        cure="`allowed-tools: Read`.",
        source=_PARSER,
    ),
)
DEPENDENCY_NO_REFERENCE = Rule(
    id="SKL024",
    name="skill-dependency-no-reference",
    stage="lint",
    severity="warning",
    title="A dependency is no reference of an OCI artifact",
    doc=page(
        "An item of `toolhive.requires` cannot be read as a reference.",
        "Dependencies are kept as references of OCI artifacts; nothing can be found under another text.",
        example="toolhive.requires: [PDF Tools]",
        cure="`toolhive.requires: [ghcr.io/acme/skills/pdf-tools:1.0.0]`.",
        source=_PARSER,
    ),
)
NOT_PACKAGED = Rule(
    id="SKL025",
    name="skill-not-packaged",
    stage="lint",
    severity="warning",
    title="The folder of a skill cannot be packaged",
    doc=page(
        "The folder holds a file that is neither a regular file nor a folder, more than 1000 files besides `SKILL.md`,"
        " or more than 100 MiB. Hidden files do not count.",
        "The skill is valid where it lies, and building its package fails.",
        example="skills/pdf/data/ with 5000 files",
        cure="keep data elsewhere, and say in the text where to get it.",
        source=_PACKAGER,
    ),
)
TOOL_WITH_SPACE = Rule(
    id="SKL026",
    name="skill-tool-with-space",
    stage="lint",
    severity="warning",
    title="An allowed tool has a space in its name",
    doc=page(
        "`allowed-tools` is written with commas, and spaces stand between some of the tools.",
        "With one comma in it the text is cut at commas alone, so that two tools become one that does not exist.",
        example="allowed-tools: Read, Glob Grep",
        cure="`allowed-tools: Read Glob Grep`.",
        source=_PARSER,
    ),
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
