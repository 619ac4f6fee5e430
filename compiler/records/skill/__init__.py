"""Check skill folders, and list installed skills."""

SOURCE = "toolhive 0.21.0, package skills: ValidateSkillDir."
PACKAGER = "toolhive-core 0.0.16, package oci/skills: Packager."
