"""The state that every encoding of a provider has: its losses, its paths, and unknown keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, NoReturn

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.field_types import odd, remedy
from ..._body.objects import is_null, is_object, names_of, places, with_keys
from ..._body.refuse import refuse
from ...capabilities import ANY, Capabilities
from ...errors import EncodeError
from ...losses import Loss, Losses, lose
from ...model import (
    AssistantMessage,
    CacheConfig,
    CacheSections,
    Content,
    Extras,
    OpaqueBlock,
    RawJson,
    Request,
    Response,
    ToolName,
    ToolNames,
    ToolResultBlock,
)
from ...model.base import NATIVE
from ...model.blocks import MediaBlock, not_a_block
from ...model.rawjson import not_finite
from .facts import facts_of
from .hosts import EVERYTHING, Host
from .opaque_text import text_of
from .rules import Plan, Rules
from .stored import is_unseen, key_of, references, shown

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NULL: Final = Raw(b"null")
_BLOCKS: Final = frozenset(Content.__args__)
_KEYS: Final = dict(zip(Request.__struct_fields__, Request.__struct_encode_fields__, strict=True))
NO_SECTIONS: Final = CacheSections(False, False, False)
UNBOUNDED: Final = (-math.inf, math.inf)
_OBJECTS: Final = ("tool_choice", "thinking", "response_format", "cache")
"""The parameters of a request that are objects."""
_LEFT_OUT: Final = frozenset({"opaque block", "system content", "tool result content"})


class Ranges(dict[str, tuple[str, float, float]]):
    """Parameter of a request -> the wire's field, and the least and the largest value there.

    There are two parameters at least.
    """

    def __init__(self, rows: Mapping[str, tuple[str, float, float]]) -> None:
        super().__init__(rows)
        self.asked: Callable[[Any], tuple[Any, ...]] = attrgetter(*rows)
        """Request -> the values of these parameters."""
        self.unset: tuple[None, ...] = (None,) * len(rows)


class KeptTools:
    """The tools of a request as they were written, what was lost of them, and their names."""

    __slots__ = ("lost", "names", "parts", "sent_names")

    def __init__(self) -> None:
        self.parts: list[Any] | None = None
        self.lost: list[Loss] = []
        self.names: dict[str, ToolName] = {}
        self.sent_names: dict[str, str] = {}


class OutOfOrder(Exception):  # noqa: N818 -- a signal to the codec, never an error
    """Raised where an encoder meets a call, a result or other content out of place.

    The codec then puts the messages in order, and encodes them again.
    """


class Encoding(Struct, eq=False):
    """What an encoding of `root`, a request or an answer, tells about its parts.

    It is handed to whatever writes a part: the blocks, the messages, the parameters.
    """

    rules: Rules
    root: Any
    losses: Losses
    dialect: str
    before: int
    """How many losses there were before this encoding."""
    takes: Capabilities = ANY
    """What the model of the request takes."""
    host: Host = EVERYTHING
    """What the host of the dialect has."""
    unstored: bool = False
    """Whether the service is not to store what is asked, as clients of other APIs expect."""
    names: ToolNames | None = None
    """The caller's map of the names that its tools have on this wire, if it keeps one."""
    lost_tools: list[OpaqueBlock] = []
    has_new_search: bool = False
    """Whether the search of another API has become one of this API."""
    kept_tools: KeptTools | None = None
    """The tools as they were written before, if many requests have the same."""
    sent_names: dict[str, str] = {}
    """Name of a tool -> its name on this wire, of those written so far."""
    _given: Any = None
    """The root that was given, if another one is encoded."""
    # The places of the parts that losses name, the cheaper tables first.
    _tools: dict[int, int] | None = None
    _blocks: dict[int, tuple[int, ...]] | None = None
    _paths: dict[int, str] | None = None
    _made_of: dict[int, tuple[Any, Any]] = {}

    @property
    def api(self) -> str:
        """The API of the wire."""
        return self.rules.api

    def stand_in(self, root: Any) -> None:
        """Encode `root` in place of the one that was given, which paths are still of."""
        if self._given is None:
            self._given = self.root
        self.root = root

    # -- paths -----------------------------------------------------------------------------------

    def path(self, part: Any) -> str:
        """Find the path of `part`; only errors and losses need it, so encoding keeps no record."""
        while id(part) in self._made_of:
            part = self._made_of[id(part)][1]
        given = self.root if self._given is None else self._given
        if part is self.root or part is given:
            return "$"
        for name in _OBJECTS:
            if part is not None and getattr(given, name, None) is part:
                return f"$.{_KEYS[name]}"
        if type(given) is Response and (known := _answer_place(given, part)):
            return known
        if self._tools is None:
            tools = getattr(given, "tools", None) or ()
            self._tools = {id(tool): i for i, tool in reversed([*enumerate(tools)])}
        if id(part) in self._tools:
            return f"$.tools[{self._tools[id(part)]}]"
        if self._blocks is None:
            self._blocks = _block_places(given)
        place = self._blocks.get(id(part))
        if place is not None:
            message, *rest = place
            return f"$.messages[{message}]" + "".join(f".content[{i}]" for i in rest)
        if self._paths is None:
            self._paths = {}
            for key, path in places(given, "$"):
                self._paths.setdefault(key, path)
        return self._paths.get(id(part), "$")

    def derived(self, new: Any, old: Any) -> None:
        """Note that `new` was made from `old`, whose path is the one to report."""
        if new is not old:
            self._made_of[id(new)] = (new, old)

    # -- errors and losses -----------------------------------------------------------------------

    def fail(self, reason: str, part: Any, key: str = "") -> NoReturn:
        """Refuse `part`. Raises `EncodeError`."""
        refuse(part, self.rules.wire, self.path(part))
        raise EncodeError(reason, wire=self.rules.wire, path=self.path(part) + key)

    def lose(
        self,
        what: str,
        part: Any,
        key: str = "",
        names: Sequence[str] = (),
        *,
        severe: bool = False,
        keys: Collection[str] | None = None,
    ) -> None:
        """Record the loss of `part`, or raise; `what` is a row of the wire's table of losses.

        It is severe if the model was to see what is lost. The reason begins with the `names` of
        what is lost, if there are any. A block of a request whose text can be sent raises
        `OutOfOrder`.

        `keys` are the names of the keys that are lost; unless they are given, those of other APIs.
        """
        if what in _LEFT_OUT and self._is_readable(part):
            raise OutOfOrder
        if what == "extras" or what == "opaque block":
            told: list[str] = []
            for row, found in (("stored state", references), ("context", shown)):
                for name in found(part, self.api):
                    place = f".{name}" if part is self.root else ""
                    self._lose(row, part, place, [name], severe=True)
                    told.append(name.partition(".")[0])
            if told and part is not self.root:
                return
            if keys is None and what == "extras":
                keys = [name for name in self._foreign_names(part) if name not in told]
                if told and not keys:
                    return
        elif what in ("opaque tool", "host tool"):
            self.lost_tools.append(part)
        is_severe = severe or is_unseen(part, what)
        self._lose(what, part, key, names, severe=is_severe, keys=keys or ())

    def _is_readable(self, block: Any) -> bool:
        if type(block) is not OpaqueBlock or type(self.root) is not Request:
            return False
        return block.api != self.api and text_of(block) is not None

    def _lose(
        self,
        what: str,
        part: Any,
        key: str,
        names: Sequence[str],
        *,
        severe: bool,
        keys: Collection[str] = (),
    ) -> None:
        path = self.path(part) + key
        why = "".join(f"`{name}`, " for name in names) + self.rules.why(what)
        wire, before = self.rules.wire, self.before
        severe = severe and type(self.root) is Request  # an answer asks for nothing
        if severe and isinstance(part, MediaBlock) and part.file_id is None:
            severe = not self._is_answered(path)  # the model has made it itself
        lose(self.losses, wire, path, what, why, before, severe=severe, keys=keys)

    def _is_answered(self, path: str) -> bool:
        """Whether a path leads into an answer of the conversation."""
        number = path.removeprefix("$.messages[").partition("]")[0]
        messages = self.root.messages
        return number.isdecimal() and type(messages[int(number)]) is AssistantMessage

    def lose_whole(self, block: Any, *, severe: bool = False) -> None:
        """Report a block of a type that has no place. Raises `EncodeError` if it is not a block."""
        kind: Any = type(block)
        if kind not in _BLOCKS:
            self.fail(not_a_block(block), block)
        self.lose(self.rules.what(kind), block, severe=severe)

    def lose_rest(self, part: Any) -> None:
        """Report every field of `part` that is set, and that the wire does not carry.

        An empty list says as much as none. Raises `EncodeError` if a field that is carried holds a
        value of another type, which no reader would accept.
        """
        if self.rules.lossless[type(part)](part):
            return
        plan = self.rules.plans[type(part)]
        self.check(part, plan)
        for name, row, unset in plan.lost:
            value = getattr(part, name)
            if value is not None and value is not False and value != [] and value != unset:
                self.lose(row, part)

    def check(self, part: Any, plan: Plan) -> None:
        """Raise `EncodeError` if a field that is carried holds a value of another type."""
        for field in plan.carried:
            found = odd(part, field)
            if found is not None:
                self.fail(found[0] + remedy(part, found[1]), part, found[1])

    # -- names of tools --------------------------------------------------------------------------

    def tool_name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet.

        A name that has to change is a loss, unless the caller keeps a map by which it comes back.
        """
        sent = self.sent_names.get(name)
        if sent is None:
            sent = self.sent_names[name] = self.rules.tool_name(name)
            if sent != name:
                if self.names is None:
                    self.lose("tool name", part)
                else:
                    self.names[sent] = self.names.get(name) or ToolName(name)
        return sent

    # -- keys that the model does not know -------------------------------------------------------

    def own_keys(self, part: Any) -> dict[str, Raw]:
        """Return the unknown keys of `part` that came over this API.

        Those of other APIs are a loss; those of the native wire never go to an LLM.
        """
        if self.has_foreign_keys(part):
            self.lose("extras", part)
        extra = part.extras.get(self.api)
        if extra is None:
            return {}
        keys = _keys(extra.keys.text)
        if extra.spelling is not None and getattr(part, "cache", part) is None:
            for key in self.rules.marks & _keys(extra.spelling.text).keys():
                keys.pop(key, None)  # of a mark that was taken away
        if type(part) in self.host.keys:
            self._lose_refused(keys, part)
        return keys

    def _lose_refused(self, keys: dict[str, Raw], part: Any) -> None:
        """Leave out the keys that the host refuses. One that is null is not a loss."""
        host = self.host
        refused = keys.keys() & host.keys.get(type(part), frozenset())
        if type(part) is Request and not host.betas.keys().isdisjoint(keys):
            named = bytes(keys.get(host.named_in, _NULL)).decode()
            refused |= {
                key
                for key, betas in host.betas.items()
                if key in keys and not any(f'"{beta}' in named for beta in betas)
            }
        for key in sorted(refused):
            if keys.pop(key) != _NULL:
                place = f".{key}" if part is self.root else ""
                self.lose("host key", part, place, [key])

    def is_run(self, tool: OpaqueBlock) -> bool:
        """Whether a tool is one of this API, and the host runs it."""
        if tool.api != self.api or not self.host.tools:
            return tool.api == self.api
        kind = key_of(tool.raw, "type")
        return not (isinstance(kind, str) and kind.startswith(self.host.tools))

    def has_foreign_keys(self, part: Any) -> bool:
        """Whether `part` has unknown keys of an API that is neither this one nor our own."""
        for api, extra in part.extras.items():
            if api not in (self.api, NATIVE):
                text = extra.keys.text
                if text != b"{}" and not is_null(text) and self._asking(part, api) is not None:
                    return True
        return False

    def _asking(self, part: Any, api: str) -> RawJson | None:
        """Return the unknown keys of an API, None if a request asks with them for nothing."""
        keys: RawJson = part.extras[api].keys
        idle = facts_of(api).idle_keys if type(part) is Request else None
        if not idle:
            return keys
        given = _keys(keys.text)
        asking = {key: raw for key, raw in given.items() if bytes(raw) != idle.get(key)}
        if len(asking) == len(given):
            return keys
        return RawJson.adopt(Raw(encode(asking))) if asking else None

    def _foreign_names(self, part: Any) -> list[str]:
        """Return the names of the unknown keys of `part` that came over another API."""
        extras: Extras = part.extras or {}
        asking = {api: self._asking(part, api) for api in extras if api not in (self.api, NATIVE)}
        return names_of(
            {
                api: replace(extras[api], keys=keys)
                for api, keys in asking.items()
                if keys is not None
            }
        )

    def lose_foreign(self, part: Any) -> None:
        """Report the unknown keys of a part that came over another API."""
        if part.extras is not None and self.has_foreign_keys(part):
            self.lose("extras", part)

    def lose_keys(self, part: Any) -> None:
        """Report the unknown keys of a part for which no object is written."""
        if part.extras is None:
            return
        lost = [name for name, raw in self.own_keys(part).items() if not is_null(raw)]
        if lost:
            self.lose("extras", part, keys=lost)

    def with_extras(self, body: Any, part: Any) -> Any:
        """Return `body` with the unknown keys of `part`; a key that `body` has already wins.

        A key that is null in the spelling of `part` is left out, unless an unknown one has that
        name.
        """
        if part.extras is None:
            return body
        own = self.own_keys(part)
        extra = part.extras.get(self.api)
        if extra is None or extra.spelling is None or extra.dialect not in (None, self.dialect):
            return with_keys(body, own) if own else body
        spelled = _keys(extra.spelling.text)
        for key in list(spelled):
            if key in self.rules.notes or self.rules.is_stale(part, key, spelled[key]):
                del spelled[key]
        if not own and not spelled:
            return body
        given = {key: raw for key, raw in spelled.items() if raw != _NULL}
        for key in given.keys() & own.keys():
            if is_object(given[key]) and is_object(own[key]):
                given[key] = Raw(encode(with_keys(_keys(given[key]), _keys(own[key]))))
        known = with_keys(body, own | given)
        return {key: known[key] for key in known if key in own or spelled.get(key) != _NULL}

    # -- values ----------------------------------------------------------------------------------

    def opaque(self, block: OpaqueBlock) -> RawJson:
        """Return the JSON of a block of this API, which is an object on every wire."""
        if block.raw.text[:1] != b"{":
            self.fail("opaque block that is not an object, expected a JSON object", block)
        return block.raw

    def finite(self, name: str) -> Any:
        """Return a parameter of the request. Refuse a number that JSON cannot express."""
        value = getattr(self.root, name)
        # JSON can express every integer, and `isfinite` fails for a very large one.
        if isinstance(value, float) and not math.isfinite(value):
            self.fail(not_finite(value), self.root, f".{_KEYS[name]}")
        return value

    def ranged(self, name: str, least: float, most: float) -> Any:
        """Return a parameter that is asked for, brought into the range that the API takes."""
        asked = self.finite(name)
        possible = min(max(asked, least), most)
        if possible != asked:
            self.lose(name, self.root)
        return possible

    def put_numbers(
        self,
        body: Any,
        ranges: Ranges,
        *,
        without: frozenset[str] = frozenset(),
        thinks: bool | None = None,
    ) -> None:
        """Write the numbers that are asked for into `body`, each brought into its range.

        With `thinks` they are parameters of sampling, which the model may not take.
        """
        values = ranges.asked(self.root)
        if values == ranges.unset:
            return
        for value, (name, (field, least, most)) in zip(values, ranges.items(), strict=True):
            if value is None or name in without:
                continue
            if thinks is None or self.sampled(name, thinks=thinks) is not None:
                setattr(body, field, self.ranged(name, least, most))

    def most_tokens(self) -> int | None:
        """Return the most tokens of the answer, which are no more than the model can give."""
        asked: int | None = self.root.max_tokens
        return min(asked, self.takes.tokens) if asked is not None else None

    def sampled(self, name: str, *, thinks: bool = False) -> Any:
        """Return a parameter of sampling that is asked for, None if the model does not take it.

        `thinks` is whether it is asked to think. A value that says as much as none is not a loss.
        """
        asked, takes = self.finite(name), self.takes
        is_taken = takes.sampling == "always" or (takes.sampling == "at rest" and not thinks)
        if is_taken and (takes.both or name != "top_p" or self.root.temperature is None):
            return asked
        if asked != _USUAL.get(name, 0):
            self.lose("sampling", self.root, f".{_KEYS[name]}")
        return None


_USUAL: Final = {"temperature": 1, "top_p": 1}


def lose_cache(cache: CacheConfig, encoding: Encoding) -> None:
    """Report the settings of a cache, on a wire whose API caches by itself."""
    if not cache.enabled or cache.strategy == "disabled":
        return
    if cache.strategy != "auto" or cache.ttl is not None:
        encoding.lose("cache", encoding.root)


def _answer_place(answer: Response, part: Any) -> str | None:
    """Return the place of a part of an answer that most losses name, None for any other part."""
    message = answer.message
    if part is message:
        return "$.message"
    if part is not None and part is message.usage:
        return "$.message.usage"
    if type(part) in _BLOCKS and not message.content and not answer.alternatives:
        return "$"  # of a stream, whose start has no content
    return None


def _block_places(root: Any) -> dict[int, tuple[int, ...]]:
    """Return the places of a request's messages and blocks, which most losses name."""
    index: dict[int, tuple[int, ...]] = {}
    for i, message in enumerate(getattr(root, "messages", ())):
        index.setdefault(id(message), (i,))
        for j, block in enumerate(getattr(message, "content", ())):
            index.setdefault(id(block), (i, j))
            if type(block) is ToolResultBlock:
                for k, inner in enumerate(block.content):
                    index.setdefault(id(inner), (i, j, k))
    return index
