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


HOLDS = """
'abc'.charAt(1) == 'b'
'abcb'.indexOf('b') == 1 && 'abcb'.indexOf('b', 2) == 3 && 'abc'.indexOf('x') == -1
'abcb'.lastIndexOf('b') == 3 && 'abcb'.lastIndexOf('b', 2) == 1 && 'abc'.lastIndexOf('x') == -1
'aBc'.upperAscii() == 'ABC' && 'aBc'.lowerAscii() == 'abc'
'aaa'.replace('a', 'b') == 'bbb' && 'aaa'.replace('a', 'b', 2) == 'bba'
'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']
'abcd'.substring(2) == 'cd' && 'abcd'.substring(1, 3) == 'bc'
' \ta '.trim() == 'a'
'%s-%d'.format(['a', 1]) == 'a-1'
['a', 'b'].join() == 'ab' && ['a', 'b'].join('-') == 'a-b' && [].join('-') == ''
'abc 12 3'.find('[0-9]+') == '12' && 'abc'.find('[0-9]+') == ''
'1 2 3'.findAll('[0-9]') == ['1', '2', '3'] && '1 2 3'.findAll('[0-9]', 2) == ['1', '2']
[1, 2, 3].isSorted() && !([2, 1].isSorted()) && [1, 1].isSorted()
[2, 1, 3].min() == 1 && [2, 1, 3].max() == 3 && ['b', 'a'].min() == 'a'
[1, 2].sum() == 3 && [1.5, 2.5].sum() == 4.0
[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(3) == -1
sets.contains([1, 2], [2]) && !sets.contains([1], [1, 2]) && sets.contains([1], [])
sets.equivalent([1, 2], [2, 1, 1]) && !sets.equivalent([1, 2], [1]) && !sets.equivalent([1], [1, 2])
sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [2]) && !sets.intersects([], [1])
[[1], [2, 3]].flatten() == [1, 2, 3]
optional.of(1).value() == 1 && !optional.none().hasValue() && !optional.ofNonZeroValue(0).hasValue()
!optional.ofNonZeroValue('').hasValue() && optional.ofNonZeroValue('a').hasValue()
optional.of(1).optMap(n, n + 1).value() == 2 && !optional.none().optMap(n, n + 1).hasValue()
optional.of(1).optFlatMap(n, optional.of(n + 1)).value() == 2
!optional.of(1).optFlatMap(n, optional.none()).hasValue() && !optional.none().optFlatMap(n, optional.of(n)).hasValue()
timestamp(when).getHours('-01:30') == 21 && timestamp(when).getMinutes('-01:30') == 30
timestamp(when).getHours('+05:30') == 4 && timestamp(when).getMinutes('+05:30') == 30
timestamp(when).getHours('-00:30') == 22 && timestamp(when).getHours('02:00') == 1
timestamp(when).getHours('Europe/Berlin') == 0 && timestamp(when).getFullYear('UTC') == 2020
timestamp(when).getDayOfWeek() == 4 && timestamp(when).getDayOfMonth() == 30 && timestamp(when).getDate() == 31
timestamp(when).getDayOfYear() == 365 && timestamp(when).getSeconds() == 0 && timestamp(when).getMilliseconds() == 0
duration('1h30m').getMinutes() == 90 && duration('1.5s').getMilliseconds() == 1500 && duration('90s').getSeconds() == 90
timestamp(when) + duration('1h') > timestamp(when) && timestamp(when) - timestamp(when) == duration('0s')
type(x) == map && type(l) == list && type(1u) == uint && type(b'a') == bytes && type(null) == null_type
"""


@pytest.mark.parametrize("expression", HOLDS.strip().splitlines())
def test_every_function_of_the_library_has_its_value(expression: str) -> None:
    assert compile_typed(expression, VARIABLES, LIBRARY, fields=lambda _: {})(**VALUES) is True


@pytest.mark.parametrize(
    "expression",
    ["[1 2] == []", "{'a': 1 'b': 2} == {}", "size([1] [2]) == 1", "[1,, 2] == []", "[1,"],
)
def test_values_are_separated_by_exactly_one_comma(expression: str) -> None:
    with pytest.raises(FaultError):
        compile_typed(expression, VARIABLES, LIBRARY, fields=lambda _: {})


def test_a_comma_may_end_a_list_or_a_map() -> None:
    expression = "[1, 2,] == [1, 2] && {'a': 1,} == {'a': 1} && [,] == [] && {,} == {}"
    assert compile_typed(expression, VARIABLES, LIBRARY, fields=lambda _: {})(**VALUES) is True
