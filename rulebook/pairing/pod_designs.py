"""Fixed pods for small fields, where pairing by points alone would run out of new opponents.

Each design is five rounds of pods of labels, written base 36; sixteen is the affine plane of order four.
"""

from collections.abc import Mapping, Sequence

DESIGNS: Mapping[int, tuple[str, ...]] = {
    12: (
        "0123 4567 89ab",
        "259b 0378 146a",
        "367b 049a 1258",
        "278a 3459 016b",
        "0689 157a 234b",
    ),
    13: (
        "0123 456 789 abc",
        "257c 06a 349 18b",
        "169c 35a 07b 248",
        "147a 38c 26b 059",
        "048c 15b 367 29a",
    ),
    14: (
        "0123 4567 89a bcd",
        "378d 25ac 069 14b",
        "268b 349a 17c 05d",
        "16ad 048c 279 35b",
        "1589 07ab 36c 24d",
    ),
    15: (
        "0123 4567 89ab cde",
        "07bc 348d 15ae 269",
        "179d 24ac 36be 058",
        "278e 359c 06ad 14b",
        "168c 049e 25bd 37a",
    ),
    16: (
        "0123 4567 89ab cdef",
        "05bf 248e 179d 36ac",
        "269f 07ae 34bd 158c",
        "16be 25ad 378f 049c",
        "14af 27bc 359e 068d",
    ),
    17: (
        "0123 4567 89a bcd efg",
        "6ade 39bf 15g 078 24c",
        "7acg 25df 348 0be 169",
        "049d 18cf 5ab 27e 36g",
        "59ce 28bg 06f 14a 37d",
    ),
    18: (
        "0123 4567 89ab cde fgh",
        "14cg 29df 07bh 5ae 368",
        "3beg 48dh 27ac 05f 169",
        "34af 15bd 26eh 79g 08c",
        "359c 06dg 78ef 1ah 24b",
    ),
    19: (
        "0123 4567 89ab cdef ghi",
        "2afh 34cg 068d 59ei 17b",
        "16eh 5bfg 248i 37ad 09c",
        "36bi 149f 0aeg 78ch 25d",
        "15ac 269g 07fi 4bdh 38e",
    ),
    20: (
        "0123 4567 89ab cdef ghij",
        "0adg 36eh 27bf 48ci 159j",
        "5beg 39fi 268d 07cj 14ah",
        "79dh 24ej 06bi 18fg 35ac",
        "34bd 058h 17ei 29cg 6afj",
    ),
    21: (
        "0123 4567 89ab cde fgh ijk",
        "4ahk 0cfj 27ei 1bg 69d 358",
        "2dhj 168c 05gk 49i 7bf 3ae",
        "8egj 179k 34bd 0hi 5ac 26f",
        "39cg 6beh 5dfi 07a 28k 14j",
    ),
    22: (
        "0123 4567 89ab cdef ghi jkl",
        "09ej 34fg 68di 1bhk 27l 5ac",
        "25fi aegl 39ck 78hj 06b 14d",
        "6afk 159g 2bdj 04hl 38e 7ci",
        "3aij 248k 07dg 16cl 5be 9fh",
    ),
    23: (
        "0123 4567 89ab cdef ghij klm",
        "7ahk 34bc 0egm 168f 25il 9dj",
        "17cg 36jk 24ae 58dm 9fhl 0bi",
        "14im 29ck 6bdh 0afj 78el 35g",
        "159e 2bjm 6agl 37fi 04dk 8ch",
    ),
    24: (
        "0123 4567 89ab cdef ghij klmn",
        "58dn 34ah 27bl 69fj 1cim 0egk",
        "36ik 7adj 29cn 4bgm 05fl 18eh",
        "1bdk 37fg 8cjl 26ae 59hm 04in",
        "3ejn 24fk 078m 6bch 15ag 9dil",
    ),
}


def design_rounds(sizes: Sequence[int]) -> int:
    """For how many rounds there is a design with pods of these sizes, 0 without one."""
    design = DESIGNS.get(sum(sizes))
    if design is None or sorted(map(len, design[0].split())) != sorted(sizes):
        return 0
    return len(design)


def design_round(sizes: Sequence[int], number: int) -> list[list[int]]:
    """The pods of labels of round 1, 2, ..."""
    return [[int(label, 36) for label in pod] for pod in DESIGNS[sum(sizes)][number - 1].split()]
