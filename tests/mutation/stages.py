"""The path of a module -> the tests that ought to notice a change of it, the likeliest first."""

import sys
from pathlib import Path

from tests.mutation.trial import Stages

# A word in the name of a provider's module -> the words in the names of its test files.
_FIRST = {
    "errors": ("errors", "error_answers"),
    "stream": ("stream",),
    "stream_writing": ("stream",),
    "partial": ("stream",),
    "frames": ("frames",),
    "response": ("response",),
    "response_writing": ("response",),
    "reading": ("decode",),
    "schemas": ("schemas",),
    "invoke_model": ("invoke_model",),
}
_REQUEST = ("request", "losses")
# The test files that cover all providers at once.
_WORDS = {
    "errors": ["tests/providers/test_error_words.py"],
    "response": ["tests/providers/test_stop_words.py", "tests/providers/test_answer_content.py"],
    "response_writing": [
        "tests/providers/test_stop_words.py",
        "tests/providers/test_answer_content.py",
    ],
}
# Property tests are for unforeseen cases: a table deserves a test that states its entries.
_SLOW = ("test_laws.py", "test_oracle.py")
# Without a format or a provider of its own.
_CORE: dict[str, Stages] = {
    "_body/encode.py": [
        ["tests/native/test_encode.py", "tests/native/test_golden.py"],
        ["tests/native/test_properties.py", "tests/native/test_decode.py", "tests/test_media.py"],
        ["tests/test_lifting.py", "tests/native/test_hostile.py", "tests/test_messages.py"],
    ],
    "_body/payloads.py": [["tests/test_lifting.py"]],
    "_native/reader.py": [
        ["tests/native/test_decode.py"],
        ["tests/native/test_json_suite.py", "tests/native/test_hostile.py"],
        ["tests/native/test_golden.py", "tests/native/test_encode.py", "tests/test_lifting.py"],
        ["tests/native/test_limits.py", "tests/native/test_properties.py"],
    ],
    "formats/_mapping.py": [["tests/formats/test_operator_use.py", "tests/formats/test_ravi.py"]],
    "model/accumulator.py": [["tests/test_accumulator.py"]],
    "framing/jsonarray.py": [["tests/framing/test_jsonarray.py"]],
    "losses.py": [["tests/test_errors.py", "tests/providers/mistral/test_losses.py"]],
    "model/media.py": [["tests/test_media.py", "tests/test_messages.py"]],
    "model/messages.py": [["tests/test_messages.py", "tests/native/test_decode.py"]],
    "msgpack.py": [["tests/native/test_decode.py", "tests/native/test_encode.py"]],
    "model/session.py": [
        ["tests/native/test_decode.py", "tests/native/test_encode.py"],
        ["tests/native/test_golden.py", "tests/test_messages.py"],
    ],
    "model/sniff.py": [["tests/test_sniff.py"]],
    "model/source.py": [
        ["tests/test_lifting.py"],
        ["tests/test_media.py", "tests/test_rawjson.py", "tests/native/test_decode.py"],
    ],
    "translate/one.py": [["tests/test_translate.py"]],
}
# What the providers share.
_SHARED: Stages = [
    ["tests/providers/test_turns.py", "tests/providers/mistral/test_request.py"],
    [
        f"tests/providers/{name}/test_{what}.py"
        for name in ("anthropic", "bedrock", "mistral", "openai_chat", "gemini")
        for what in (*_REQUEST, "decode", "roundtrip", "errors")
    ],
    [
        f"tests/providers/{name}/test_{what}.py"
        for name in ("cohere", "ollama", "openai_responses")
        for what in (*_REQUEST, "decode", "roundtrip", "errors")
    ],
    [
        "tests/providers/test_taken_away.py",
        "tests/providers/test_transcript.py",
        "tests/test_bodies.py",
    ],
    [f"tests/providers/{name}/test_laws.py" for name in ("anthropic", "mistral", "openai_chat")],
]


def stages(path: Path) -> Stages:
    """Return the tests for the module with this path below `src/wireglot`; exit if none are known.

    Tests that do not touch a module would call every change of it a survivor.
    """
    folders = list(path.parts[:-1])
    if folders[:1] == ["formats"] and len(folders) == 2:
        return [sorted(map(str, Path("tests/formats").glob(f"test_{folders[1]}*.py")))]
    if folders[:1] == ["providers"] and len(folders) == 2:
        folder = folders[1]
        tests = Path("tests/providers", folder)
        first = [f"test_{word}.py" for word in _FIRST.get(path.stem, _REQUEST)]
        left_out = {*first, *_SLOW}
        if "stream" not in path.stem:
            left_out.add("test_stream.py")
        found = sorted(test.name for test in tests.glob("test_*.py"))
        others = [] if path.stem == "errors" else [test for test in found if test not in left_out]
        chosen = [[str(tests / test) for test in part if test in found] for part in (first, others)]
        chosen[0] += _WORDS.get(path.stem, [])
        return [stage for stage in chosen if stage]
    if folders == ["providers"]:
        return _SHARED
    if path.as_posix() not in _CORE:
        sys.exit(f"{path}: no tests are listed in {__file__}")
    return _CORE[path.as_posix()]
