"""Columns of a table as attributes and codes, and the columns that are refused."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Number

import numpy as np

from frapp_lab._base.later import pd
from frapp_lab.data.attribute import Attribute
from frapp_lab.data.schema import Schema

FEW, MANY = 50, 1000
"""Numbers of values up to which a column may hold categories: always, and under conditions."""


def records_of(frame: pd.DataFrame, schema: Schema, first_row: int = 0) -> np.ndarray:
    """Turn a table's columns of category names into codes; refuse a row that has no category.

    `first_row` is where the table begins, if it is a piece of a larger one.

    >>> records_of(pd.DataFrame({"sex": ["F", "M", "F"]}), Schema.of(sex=["M", "F"])).T
    array([[1, 0, 1]], dtype=uint8)
    """
    records = np.empty((len(frame), schema.n_attributes), dtype=schema.dtype, order="F")
    for j, attribute in enumerate(schema.attributes):
        check_column(frame[attribute.name], first_row)
        records[:, j] = _codes(frame[attribute.name], attribute, first_row)
    return records


def check_column(column: pd.Series, first_row: int = 0) -> None:
    """Refuse a column that lacks a value, or whose values are no categories."""
    missing = np.flatnonzero(column.isna())
    if len(missing):
        raise ValueError(
            f"column {column.name!r}, row {first_row + missing[0]}: the value is missing "
            f"({len(missing)} in all); drop these rows, or make 'unknown' a category of its own"
        )
    kinds = set(map(type, column)) if column.dtype == object else set()
    unfit = [kind.__name__ for kind in kinds if kind.__hash__ is None]
    if unfit:
        raise TypeError(
            f"column {column.name!r} holds values of the type {unfit[0]}: a category must be one "
            "value, such as a text or a number"
        )
    flags = {kind for kind in kinds if issubclass(kind, bool | np.bool_)}
    if flags and any(issubclass(kind, Number) for kind in kinds - flags):
        raise ValueError(
            f"column {column.name!r} holds True or False beside numbers: make all of them texts or "
            "all of them numbers, because to pandas True and 1 are the same value"
        )


def column_attribute(column: pd.Series) -> Attribute:
    """Give the attribute of a column: a Categorical's own categories, or the values, sorted."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return Attribute(str(column.name), tuple(map(str, column.cat.categories)))
    return attribute_of(str(column.name), column.unique(), len(column))


def attribute_of(name: str, values: Iterable, n_rows: int) -> Attribute:
    """Turn a column, known by its different values, into an attribute, if they can be categories.

    >>> attribute_of("smokes", [True, False], 10)
    Attribute(name='smokes', categories=('False', 'True'))
    """
    values = list(values)
    number = len(values)
    try:
        numbers = [float(value) for value in values]  # in a CSV file these are texts
    except (TypeError, ValueError, OverflowError):  # some are no numbers
        numbers = [value for value in values if isinstance(value, float)]
    fractions = any(value % 1 for value in numbers)
    if number > FEW and (number > MANY or number > n_rows / 2 or fractions):
        raise ValueError(
            f"column {name!r} has {number:,} different values in {n_rows:,} rows, too "
            "many for categories: drop it if it names people or rows, merge its values, or cut "
            f"measurements into intervals, as in frame[{name!r}] = pd.cut(frame[{name!r}], 5). Up "
            f"to {FEW} values are taken as they are, and up to {MANY:,} if they are no fractions "
            "and each is found in two rows on average; those of a pd.Categorical, or of a schema "
            "that you give, always"
        )
    try:
        values.sort()
    except TypeError:  # values of several types have no order but that of their names
        values.sort(key=str)
    return Attribute(str(name), tuple(map(str, values)))


def _codes(column: pd.Series, attribute: Attribute, first_row: int = 0) -> np.ndarray:
    # Only the distinct values are turned into text, not every row.
    if isinstance(column.dtype, pd.CategoricalDtype):
        positions, values = column.cat.codes.to_numpy(), column.cat.categories
    else:
        positions, values = pd.factorize(column)
    code_of = {category: code for code, category in enumerate(attribute.categories)}
    codes = np.array([code_of.get(str(value), -1) for value in values])
    if (codes < 0).any() and (codes[positions] < 0).any():
        row = np.argmax(codes[positions] < 0)
        raise ValueError(
            f"column {attribute.name!r}, row {first_row + row}: {column.iloc[row]!r} is no "
            f"category of it; known are {', '.join(attribute.categories)}"
        )
    if (codes == np.arange(len(codes))).all():  # as in files that were written with this schema
        return positions
    return np.take(codes.astype(np.min_scalar_type(attribute.size)), positions)
