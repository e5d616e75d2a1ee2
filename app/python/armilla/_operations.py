# SPDX-License-Identifier: GPL-3.0-or-later
"""A function for each operation of the library, made from its description."""
import collections
import copy
import inspect
import json
import keyword
import os

import numpy as np

from . import _core, _device, _settings
from ._arrays import FiguredArray, converted, field_text, flag, is_array, number, rows, shown, whole, word
from ._device_operations import DEVICE_CALLS, DEVICE_CATALOGS, DeviceCatalogs
from ._docs import COMMON, docstring
from ._errors import InvalidArgument, Unsupported
from ._frames import frame_letter
from ._tables import has_columns, unit_of
from ._values import Alm, Catalog, Curve, Image, Map, _Value, is_moc, wrap

# Rows of an array of spectra, in the order of healpy's anafast.
_SPECTRA = ("TT", "EE", "BB", "TE", "EB", "TB")
# Rows of an array of B_l.
_BEAMS = ("T", "E", "B")
# Kinds of inputs that have a frame.
_FRAMED = ("map", "set of alm", "catalog", "image")
# The number of each frame in a position (lon, lat, frame) of the library.
_EQUATORIAL = 3


def _python_name(name):
    name = name.lower().replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


# Inputs to values of the library.

def _curves_of(array, names, kind):
    """A Curve of the rows of an array; astropy Quantities are converted to the unit of the first."""
    found = rows(array)
    unit = next((unit_of(row) for row in found if unit_of(row)), "")
    if len(found) > len(names):
        raise InvalidArgument(f"expected at most {len(names)} rows ({' '.join(names)}), found {len(found)}")
    return Curve(None, dict(zip(names, found)), kind=kind, unit=unit)


def _spectra_curve(array):
    return _curves_of(array, _SPECTRA, "spectrum")


def _beam_curve(array):
    curve = _curves_of(array, _BEAMS, "beam")
    for name, unit in curve.units.items():
        curve.columns[name] = converted(curve.columns[name], unit, "dimensionless", name)
        curve.units[name] = ""
    return curve


def value_of_beam(value):
    """The path of a file of B_l, or B_l of a Curve or an array as a value of the library."""
    _device.refuse(value, "beam")
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return (value if isinstance(value, _Value) else _beam_curve(value))._core_value()


def _kernel_curve(pair):
    if not isinstance(pair, (list, tuple, np.ndarray)) or len(pair) != 2:
        raise InvalidArgument("expected a file, a Curve, or a pair (angles, values), found another value")
    angle, profile = pair
    if hasattr(angle, "to_value"):
        angle = angle.to_value("rad")
    return Curve(angle, {"K": profile}, kind="kernel", x_name="angle", x_unit="rad")


def _is_hdu(value):
    """Whether a value is an image with a header, as of astropy."""
    return hasattr(value, "header") and hasattr(value, "data") and not has_columns(value)


def _is_bare(value):
    """Whether a value is an array or several, not a value of a library."""
    each_of = value if isinstance(value, (list, tuple)) else [value]
    return (is_array(value) and not has_columns(value)
            and not any(isinstance(each, _Value) or is_moc(each) or _is_hdu(each) for each in each_of))


def _type_of(array):
    found = getattr(array, "dtype", None)
    return found if isinstance(found, np.dtype) else np.asarray(array).dtype


def _value_of(kind, value, nest, letter, slot):
    """The value that an input stands for; `letter` is the frame of bare arrays."""
    if isinstance(value, _Value):
        return value
    if kind == "map" and is_moc(value):
        return Map(value)
    if kind in ("map", "image") and _is_hdu(value):
        return Image(value.data, value.header)
    if kind == "map" and slot["or_alm"] and np.iscomplexobj(value[0] if isinstance(value, (list, tuple)) else value):
        return Alm(value, frame=letter or None)
    if kind == "map" and not (slot["or_catalog"] and has_columns(value)):
        return Map(value, ordering="nested" if nest else "ring", frame=letter or None)
    if kind == "set of alm":
        return Alm(value, frame=letter or None)
    if kind == "spectrum":
        return Curve(None, value, kind="spectrum") if isinstance(value, dict) else _spectra_curve(value)
    if kind == "beam":
        return _beam_curve(value)
    if kind == "kernel":
        return _kernel_curve(value)
    if kind == "image":
        return Image(value)
    return Catalog(value, frame=letter or None)


def _stated_frame(common, own_frame):
    """The letter of the frame that a call states, and FK4 or FK5 of older positions, else an empty word.

    `own_frame`: whether `frame` is a parameter of the operation itself.
    """
    word = str(common["input_frame"] or "").upper()
    if word in ("FK4", "FK5"):
        return frame_letter(None if own_frame else common["frame"]), word
    return frame_letter((None if own_frame else common["frame"]) or common["input_frame"]), ""


def _in_stated_frame(value, letter, is_beside):
    """A value in the frame that the call states, if the value names none; `is_beside`: one of several inputs."""
    if not letter or not hasattr(value, "_letter"):
        return value
    own = value._found()[0] if isinstance(value, Catalog) else value._letter
    if own == letter or (own and is_beside):
        return value
    if own:
        raise InvalidArgument(f"expected no input_frame, or {own} as the value states, found {letter}")
    made = copy.copy(value)
    made._letter, made._places = letter, None
    if value._value is not None:
        made._value = value._value.in_frame(letter)
    return made


def _catalog_beside(make, letter, is_beside):
    """A catalog in the stated frame, or of several inputs in that of its columns."""
    try:
        return make(letter)
    except InvalidArgument:
        if not is_beside or not letter:
            raise
        return make("")


def _is_one(value):
    """Whether an argument of a repeatable input is one value, not several."""
    if isinstance(value, (list, tuple)):
        return not any(isinstance(each, (_Value, str, os.PathLike)) for each in value) and is_array(value)
    return True


class _Inputs:
    """The inputs of one call, as the library takes them."""

    def __init__(self, nest, letter, on_device=None, old_frame="", is_beside=False):
        self.nest, self.letter = nest, letter
        self.old_frame = old_frame  # FK4, FK5 or empty
        self.is_beside = is_beside  # whether several inputs have frames
        self.on_device = on_device  # for operations that take catalogs in device memory
        self.all = []
        self.bare_types = []  # types of bare arrays among the positional inputs
        self.has_value = False  # whether a file or a value is among the positional inputs
        self.has_frameless = False  # whether an input has the frame that the call states

    def add(self, slot, value):
        if slot["is_named"] and isinstance(value, dict):
            for variable, each in value.items():
                self._add_named(slot, str(variable), each)
            return
        several = [value] if not slot["is_repeatable"] or _is_one(value) else list(value)
        if not several:
            raise InvalidArgument(f"{_python_name(slot['name'])}: expected one input at least, found an empty list")
        for each in several:
            self._add_one(slot, each)

    def _add_named(self, slot, variable, value):
        """An input that has a name in an expression."""
        is_file = isinstance(value, (str, os.PathLike))
        if is_file or np.isscalar(value):
            self.has_value = self.has_value or is_file
            text = os.fspath(value) if is_file else repr(number(value, variable))
            self._take(slot, _python_name(slot["name"]), f"{variable}={text}")
        else:
            self._add_one(slot, value, variable)

    def _take(self, slot, name, value, variable=""):
        self.all.append((slot["name"], name, value, variable))

    def _add_one(self, slot, value, variable=""):
        name = variable or _python_name(slot["name"])
        if self.on_device and slot["kind"] == "catalog" and isinstance(value, dict) and _device.find(value):
            self.has_value = True
            self.has_frameless = True
            self._take(slot, name, _catalog_beside(lambda letter: self.on_device.add(value, letter), self.letter,
                                                   self.is_beside))
            return
        _device.refuse(value, name)
        if isinstance(value, (str, os.PathLike)):
            self.has_value = self.has_value or not slot["is_option"]
            self._take(slot, name, os.fspath(value))
            return
        if slot["takes_number"] and np.isscalar(value):
            self._take(slot, name, repr(number(value, name)))
            return
        if self.old_frame and (slot["kind"] in ("catalog", "image") or isinstance(value, Image)):
            raise Unsupported(f"{name}: expected a file, whose positions input_frame={self.old_frame} converts, found "
                              "an array or a value; convert the positions before")
        if variable or not slot["is_option"]:
            if isinstance(value, _Value) or has_columns(value):
                self.has_value = True
            elif _is_bare(value):
                self.bare_types.append(_type_of(value[0] if isinstance(value, (list, tuple)) else value))
        try:
            if isinstance(value, _Value):
                made = _in_stated_frame(value, self.letter, self.is_beside)
            else:
                made = _catalog_beside(lambda letter: _value_of(slot["kind"], value, self.nest, letter, slot),
                                       self.letter, self.is_beside and slot["kind"] == "catalog")
            is_bare = isinstance(value, (list, tuple)) or _is_bare(value)
            made = made._input_value()
            if isinstance(made, _core.ArrayMap):
                made.are_unnamed = is_bare
        except Unsupported:
            raise
        except (ValueError, TypeError) as error:
            raise InvalidArgument(f"{name}: {error}") from None
        self.has_frameless |= not isinstance(value, _Value) and slot["kind"] in _FRAMED
        self._take(slot, name, made, variable)

    @property
    def is_bare(self):
        return bool(self.bare_types) and not self.has_value


# Parameters to what the library parses.

def _angle(value):
    if hasattr(value, "to_value"):
        return value.to_value("rad")
    return value


def _plain(value):
    """A Python number, boolean, word or list of an argument; angles in radians."""
    value = _angle(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def _place(value):
    """A SkyCoord, or (lon, lat) in radians, strings or quantities, as {lon, lat} or {lon, lat, frame}."""
    if hasattr(value, "icrs"):
        at = value.icrs
        return [float(at.ra.rad), float(at.dec.rad), _EQUATORIAL]
    return _plain(value)


def _quantity(value):
    """A Quantity as text with its unit."""
    return f"{float(value.value)!r}{value.unit}"


def _word(row, value):
    """One of several words of a text; an angle of `bins` that is a float is in radians."""
    if hasattr(value, "to_value"):
        return f"{float(value.to_value('rad'))!r}rad" if row["name"] == "bins" else _quantity(value)
    value = value.item() if isinstance(value, np.generic) else value
    return f"{value!r}rad" if row["name"] == "bins" and isinstance(value, float) else str(value)


def _pixel_counts(value):
    """Numbers of pixels, integers, of numbers or of quantities without a unit or in pix."""
    is_one = not isinstance(value, (list, tuple)) and np.ndim(value) == 0
    found = [whole(each.to_value("pix" if str(each.unit) == "pix" else "") if hasattr(each, "to_value") else each)
             for each in ([value] if is_one else value)]
    return found[0] if is_one else found


# Numbers of values that an argument may have at most; a position may name its frame, too.
_MOST_VALUES = {"angle": 1, "number": 1, "integer": 1, "flag": 1, "choice": 1, "frame": 1, "position": 3}


def _parameter(row, value):
    kind = row["kind"]
    if kind == "position" and not isinstance(value, str):
        value = _place(value)
    elif kind in ("text", "file"):
        if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
            return ",".join(_word(row, each) for each in value)
        if hasattr(value, "to_value"):
            return _quantity(value)
        return os.fspath(value) if hasattr(value, "__fspath__") else str(value)
    elif kind == "words":
        value = value.tolist() if isinstance(value, np.ndarray) and not hasattr(value, "to_value") else value
        if isinstance(value, (list, tuple)):
            return [_word(row, each) for each in value]
        return value if isinstance(value, str) else _word(row, value)
    elif kind in ("number", "numbers", "integer") and hasattr(value, "to_value"):
        value = value.to_value(row["unit"] if row["unit"] not in ("", "none") else "")
    elif kind == "size" and not isinstance(value, str):
        value = _pixel_counts(value)
    value = _plain(value)
    most = _MOST_VALUES.get(kind)
    if most and isinstance(value, list) and len(value) > most:
        words = "one value" if most == 1 else "longitude and latitude"
        raise InvalidArgument(f"expected {words}, found {shown(value)}")
    if isinstance(value, list) and any(isinstance(each, str) for each in value):
        return ",".join(each if isinstance(each, str) else f"{each!r}rad" if kind in ("angles", "position")
                        or (kind == "bins" and isinstance(each, float)) else repr(each) for each in value)
    if kind in ("angles", "numbers") and isinstance(value, (int, float)):
        return [float(value)]
    if kind in ("angles", "numbers") and isinstance(value, str):
        return value
    if kind in ("angle", "number") and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


# Results.

def _bare(value, types, precision):
    """The arrays of a Map on the whole sky or of an Alm, as the caller's were."""
    if isinstance(value, Alm):
        return value.values
    if isinstance(value, Map) and value._pixels is None:
        is_single = all((each.kind, each.itemsize) in (("f", 4), ("c", 8)) for each in types)
        kind = np.dtype(np.float32 if is_single else np.float64)
        if precision:
            kind = np.dtype(np.float32 if precision == "single" else np.float64)
        return value.values.astype(kind, copy=False)
    return value


def _with_figures(value, figures):
    if isinstance(value, np.ndarray):
        value = value.view(FiguredArray)
    value.figures = figures
    return value


class Figures(dict):
    """The figures of an operation that made no output."""

    @property
    def figures(self):
        return self


def _result_type(name, names):
    """The class of a named tuple of outputs."""
    kind = collections.namedtuple(_python_name(name) + "_result", names)
    return type(kind.__name__, (kind,), {
        "__doc__": f"Outputs of {name}.", "figures": None, "__module__": "armilla",
        "__reduce__": lambda self: (_result, (name, dict(zip(self._fields, self)), self.figures))})


def _result(name, made, figures):
    """The named tuple of the outputs of an operation."""
    result = _result_type(name, list(made))(*made.values())
    result.figures = figures
    return result


def _result_name(slot):
    name = _python_name(slot["name"])
    return name[:-4] if name.endswith("_out") else name


class _Function:
    """The call of one operation."""

    python_name, result_name = staticmethod(_python_name), staticmethod(_result_name)

    def __init__(self, entry):
        self.entry = entry
        self.inputs = {_python_name(slot["name"]): slot for slot in entry["inputs"]}
        self.parameters = {_python_name(row["name"]): row for row in entry["parameters"]}
        self.options = {_python_name(slot["name"]): slot for slot in entry["outputs"] if slot["is_option"]}
        self.common = self._common_names()
        self.signature = self._signature()

    def _common_names(self):
        kinds = {slot["kind"] for slot in self.entry["inputs"]}
        names = []
        if "map" in kinds:
            names += ["nest"]
        if self.entry["inputs"] and "frame" not in self.parameters:
            names += ["frame"]
        if kinds & {"map", "set of alm", "image"}:
            names += ["field"]
        if self.entry["inputs"]:
            names += ["input_frame"]
        if "spectrum" in kinds:
            names += ["columns", "input_dl"]
        return names + ["precision", "device", "threads", "progress"]

    def _signature(self):
        parameter, rows = inspect.Parameter, []
        for name, slot in self.inputs.items():
            if not slot["is_option"]:
                default = None if slot["is_optional"] else parameter.empty
                rows.append(parameter(name, parameter.POSITIONAL_OR_KEYWORD, default=default))
        for name, slot in self.inputs.items():
            if slot["is_option"]:
                rows.append(parameter(name, parameter.KEYWORD_ONLY, default=None))
        for name, row in self.parameters.items():
            default = parameter.empty if row["required"] and row["default"] is None else row["default"]
            rows.append(parameter(name, parameter.KEYWORD_ONLY, default=default))
        for name in self.options:
            rows.append(parameter(name, parameter.KEYWORD_ONLY, default=False))
        for name in self.common:
            rows.append(parameter(name, parameter.KEYWORD_ONLY, default=False if name == "nest" else None))
        return inspect.Signature(rows)

    def __call__(self, arguments):
        # Frames of astropy, which count as false where they hold no positions, become letters.
        arguments = {**arguments, **{name: frame_letter(arguments[name]) for name in ("frame", "input_frame")
                                     if not isinstance(arguments.get(name), (str, type(None)))}}
        # Other parameters of an operation come before common ones of the same name, as `columns` of select.
        common = {name: arguments.get(name) if name in self.common or name == "frame" else None for name in COMMON}
        own_frame = "frame" in self.parameters
        letter, old_frame = _stated_frame(common, own_frame)
        if self._is_on_device(arguments):
            return self._call_on_device(arguments, (letter, old_frame))
        on_device = DeviceCatalogs(old_frame) if self.entry["id"] in DEVICE_CATALOGS else None
        framed = [slot for name, slot in self.inputs.items()
                  if arguments.get(name) is not None and slot["kind"] in _FRAMED]
        inputs = _Inputs(bool(common["nest"]), letter, on_device, old_frame, len(framed) > 1)
        for name, slot in self.inputs.items():
            if arguments.get(name) is not None:
                inputs.add(slot, arguments[name])
            elif not slot["is_optional"]:
                raise InvalidArgument(f"{name}: expected a file, a value or an array, found None")
        if common["frame"] and not own_frame and not inputs.has_frameless:
            raise InvalidArgument("frame: expected an array or a table, whose frame it states, found files or values; "
                                  "input_frame states the frame of a file that names none")
        parameters = self._parameters_of(arguments)
        wanted = [slot["name"] for name, slot in self.options.items() if arguments.get(name)]
        columns = [] if common["columns"] is None else common["columns"]
        columns = columns.split(",") if isinstance(columns, str) else [
            word(each, "columns") for each in rows(columns)[0]]
        device = _settings.checked_device(common["device"])
        options = {"device": on_device.checked(device) if on_device else device, "field": field_text(common["field"]),
                   "input_frame": word(common["input_frame"], "input_frame"),
                   "precision": word(common["precision"], "precision"), "columns": columns,
                   "is_dl": None if common["input_dl"] is None else flag(common["input_dl"], "input_dl")}
        outputs, figures, notes = _core.call(
            self.entry["id"], inputs.all, parameters, wanted, options,
            _settings.checked_threads(common["threads"]), _settings.progress_function(common["progress"]))
        return self._result(outputs, json.loads(figures), notes, inputs, common["precision"])

    def _parameters_of(self, arguments):
        made = {}
        for name, row in self.parameters.items():
            if arguments.get(name) is None:
                continue
            try:
                made[row["name"]] = _parameter(row, arguments[name])
            except (ValueError, TypeError) as error:  # astropy's, for other units
                raise InvalidArgument(f"{name}: {error}") from None
        return made

    def _is_on_device(self, arguments):
        first = next(iter(self.inputs), None)
        return self.entry["id"] in DEVICE_CALLS and bool(_device.find(arguments.get(first)))

    def _call_on_device(self, arguments, stated):
        parameters = self._parameters_of(arguments)
        return DEVICE_CALLS[self.entry["id"]](arguments, parameters, stated)

    def _result(self, outputs, figures, notes, inputs, precision):
        if notes:
            import logging
            for note in notes:
                logging.getLogger("armilla").info("%s: %s", self.entry["id"], note)
        made = {}
        slots = {slot["name"]: slot for slot in self.entry["outputs"]}
        for slot, value in outputs:
            result = wrap(value)
            if inputs.is_bare:
                result = _bare(result, inputs.bare_types, precision)
            made[_result_name(slots[slot])] = _with_figures(result, figures)
        if not made:
            return Figures(figures)
        if len(made) == 1:
            return next(iter(made.values()))
        return _result(self.entry["id"], made, figures)


def _make(entry):
    body = _Function(entry)

    def operation(*args, **kwargs):
        try:
            bound = body.signature.bind(*args, **kwargs)
        except TypeError as error:
            rows, each = body.signature.parameters.values(), inspect.Parameter
            places = [row.name for row in rows if row.kind != each.KEYWORD_ONLY]
            if len(args) > len(places) and all(row.kind != each.VAR_POSITIONAL for row in rows):
                error = (f"expected {' and '.join(places) or 'nothing'} by position and all parameters by name, "
                         f"found {len(args)} values by position")
            raise TypeError(f"{operation.__name__}(): {error}") from None
        return body(bound.arguments)

    operation.__name__ = operation.__qualname__ = _python_name(entry["id"])
    operation.__module__ = "armilla"
    operation.__signature__ = body.signature
    operation.__doc__ = docstring(body)
    return operation


def make_functions():
    """A function for each operation, by its name."""
    return {_python_name(entry["id"]): _make(entry) for entry in _core.operations()}
