"""Kubernetes' CEL library; the values are those of k8s.io/apiserver 0.35, as `make differential` compares them."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.kube.cel.function import LIBRARY
from mcpcfg.compiler.language.cel import types
from mcpcfg.compiler.language.cel.rule import compile_typed
from mcpcfg.compiler.language.cel.value import CelError
from mcpcfg.compiler.language.fault import FaultError

ERROR = "error"
REFUSED = "refused"
VARIABLES = {"l": types.list_of(types.STRING), "x": types.DYN, "when": types.STRING}
VALUES = {"l": ["b", "a"], "x": {"a": "::1", "n": 2.5, "m": {"k": 2.0}}, "when": "2021-01-01T00:00:00+01:00"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        # the alternative is looked at only where it is needed
        ("x.?a.orValue(x.nope) == '::1'", True),
        ("x.?nope.or(optional.of(x.nope)).hasValue()", ERROR),
        ("optional.of(1).or(optional.of(x.nope)).value() == 1", True),
        ("dyn('a').orValue('b') == 'a'", True),
        # times are in UTC, whatever zone was written
        ("timestamp(when).getMonth() == 11", True),
        ("timestamp(when).getHours() == 23", True),
        ("timestamp(when).getHours('+01:00') == 0", True),
        ("duration('90m').getHours() == 1", True),
        # what stands below a value that may be missing
        ("optional.of(l)[0].orValue('') == 'b'", True),
        ("l[?5].hasValue()", False),
        ("l[?dyn(1.0)].orValue('') == 'a'", True),
        ("l[?'a'].hasValue()", REFUSED),
        ("x.?n.?a.hasValue()", False),
        ("dyn(l)[?1.5].hasValue()", ERROR),
        ("string(x['m']['k']) == '2'", True),
        # arguments of other types than the signatures have
        ("sets.contains(dyn(1), [])", ERROR),
        ("isSemver('1.2.3', dyn(1))", ERROR),
        ("dyn('a').isInteger()", ERROR),
        ("'%d'.format([dyn('a')]) == ''", ERROR),
        ("[[1], [2]].flatten() == [1, 2]", True),
        ("[1].flatten() == [1]", REFUSED),
        ("[dyn(true), dyn('a')].isSorted()", True),
    ],
)
def test_an_expression_has_the_value_that_it_has_to_the_api_server(expression: str, value: bool | str) -> None:
    found: bool | str
    try:
        found = compile_typed(expression, VARIABLES, LIBRARY, fields=lambda _: {})(**VALUES)
    except FaultError:
        found = REFUSED
    except CelError:
        found = ERROR

    assert found == value
