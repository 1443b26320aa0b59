"""Messages with what Anthropic's wire cannot carry, the path to it, and what goes out instead."""

import wireglot as wg
from tests.providers.anthropic.wire import CALL_A, CALL_AB, HI, RESULT_A, answered, said
from tests.providers.conversation import (
    OTHER,
    answer,
    assistant,
    batch,
    call,
    extras,
    own,
    result,
    system,
    text,
    user,
)

BLOCK = "$.messages[0].content[0]"
MARK = wg.CacheMark()
HOUR = wg.CacheMark("1h")
REF = wg.AnnotationRef(url="https://x.org")
X = '{"type":"text","text":"x"}'
X_MARKED = '{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}'
PDF = wg.DocumentBlock.from_bytes

# What is lost, how, the messages, the path of the loss, and the messages that go out.
IN_MESSAGES: list[tuple[str, str, list[wg.Message], str, list[str]]] = [
    ("annotation", "on a text", [user(text("hi", annotations=[REF]))], BLOCK, [HI]),
    (
        "annotation",
        "on a text with citations of another API",
        [user(text("hi", annotations=[REF], extras=extras(cache_control=None)))],
        BLOCK,
        [said('{"cache_control":null,"type":"text","text":"hi"}')],
    ),
    ("annotation", "as a block", [user(wg.AnnotationBlock(), "hi")], BLOCK, [HI]),
    *(
        (
            "arguments",
            name,
            [assistant(call("a", arguments)), answer("a")],
            BLOCK,
            [
                answered(
                    '{"type":"tool_use","id":"a","name":"f",'
                    f'"input":{{"raw_arguments":{expected}}}}}'
                ),
                RESULT_A,
            ],
        )
        for name, arguments, expected in (
            ("that break off", '{"x":', r'"{\"x\":"'),
            ("that are a list", "[1]", '"[1]"'),
            ("that are a string", '"{}"', r'"\"{}\""'),
            ("that are half an emoji", r'{"x":"\ud83d"}', r'"{\"x\":\"\\ud83d\"}"'),
            ("that are not UTF-8", b'{"x":"\xff"}', '"{\\"x\\":\\"\ufffd\\"}"'),
        )
    ),
    (
        "audio",
        "with a transcript",
        [user(wg.AudioBlock(data=b"ID3", transcript="x"))],
        BLOCK,
        [said(X)],
    ),
    ("audio", "without a transcript", [user(wg.AudioBlock(url="x"), "hi")], BLOCK, [HI]),
    (
        "cache mark",
        "the fifth",
        [user(*[text("x", cache=wg.CacheMark()) for _ in range(5)])],
        "$.messages[0].content[4]",
        [said(X_MARKED, X_MARKED, X_MARKED, X_MARKED, X)],
    ),
    (
        "cache ttl",
        "an hour after five minutes",
        [user(text("x", cache=MARK), text("x", cache=HOUR))],
        "$.messages[0].content[1]",
        [said(X_MARKED, X_MARKED)],
    ),
    ("data", "inline", [user(wg.DataBlock(data=b"x"), "hi")], BLOCK, [HI]),
    *(
        ("document", name, [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("of another type", PDF(b"PK", "application/zip")),
            ("of text that is not UTF-8", PDF(b"\xff", "text/plain")),
            (
                "of text in not base64",
                wg.DocumentBlock.from_base64("*", "text/plain"),
            ),
            ("without a source", wg.DocumentBlock()),
            ("by a URL of another scheme", wg.DocumentBlock(url="ftp://x/a.pdf")),
            ("in a malformed data URL", wg.DocumentBlock(url="data:application/pdf")),
        )
    ),
    (
        "error",
        "with a message",
        [user(wg.ErrorBlock("x", code="e", data=1))],
        BLOCK,
        [said(X)],
    ),
    (
        "document source",
        "beside the text",
        [user(wg.DocumentBlock(text="x", url="https://x.org/a.pdf"))],
        BLOCK,
        [said('{"type":"document","source":{"type":"text","data":"x","media_type":"text/plain"}}')],
    ),
    *(
        ("file id", name, [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("of an image", wg.ImageBlock(file_id="f", extras=extras(OTHER))),
            ("of a document", wg.DocumentBlock(file_id="f", extras=extras(OTHER))),
        )
    ),
    (
        "redacted thinking",
        "with a text",
        [user("hi"), own(wg.ThinkingBlock("t", "s", redacted=True), "x")],
        "$.messages[1].content[0]",
        [HI, answered('{"type":"redacted_thinking","data":"s"}', X)],
    ),
    (
        "tool result",
        "in an answer",
        [user("hi"), assistant(result("a", "y"), "x")],
        "$.messages[1].content[0]",
        [HI, answered(X)],
    ),
    ("error", "with a blank message", [user(wg.ErrorBlock(" "), "hi")], BLOCK, [HI]),
    *(
        ("extras", name, messages, path, expected)
        for name, messages, path, expected in (
            ("of a block", [user(text("hi", extras=extras(OTHER, k=1)))], BLOCK, [HI]),
            (
                "of a message, beside those of this API",
                [user(text("hi", extras=extras(OTHER, k=1) | extras(citations=None)))],
                BLOCK,
                [said('{"citations":null,"type":"text","text":"hi"}')],
            ),
            ("of a message", [user("hi", extras=extras(OTHER, k=1))], "$.messages[0]", [HI]),
            (
                "of a result",
                [assistant(call("a")), batch(result("a", extras=extras(OTHER, k=1)))],
                "$.messages[1].content[0]",
                [CALL_A, RESULT_A],
            ),
            (
                "of a result that is a message",
                [assistant(call("a")), answer("a", extras=extras(OTHER, k=1))],
                "$.messages[1]",
                [CALL_A, RESULT_A],
            ),
        )
    ),
    *(
        ("image", name, [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("of another type", wg.ImageBlock.from_bytes(b"II*\0")),
            ("of a type declared wrongly", wg.ImageBlock.from_bytes(b"GIF89a", "text/html")),
            ("in a data URL of another type", wg.ImageBlock(url="data:,x")),
            ("without a source", wg.ImageBlock()),
            ("by the URL of a file", wg.ImageBlock(url="file:///etc/passwd")),
            ("in a malformed data URL", wg.ImageBlock(url="data:image/png")),
        )
    ),
    ("name", "of a user", [user("hi", name="n")], "$.messages[0]", [HI]),
    (
        "name",
        "of an assistant, in a turn of two messages",
        [assistant("x"), assistant("x", name="n"), user("hi")],
        "$.messages[1]",
        [answered(X, X), HI],
    ),
    (
        "name",
        "of a system message on the way",
        [user("hi"), system("x", name="n")],
        "$.messages[1]",
        [HI, f'{{"role":"system","content":[{X}]}}'],
    ),
    ("opaque block", "of another API", [user(wg.OpaqueBlock(OTHER, {}), "hi")], BLOCK, [HI]),
    (
        "system content",
        "an image on the way",
        [user("hi"), system(wg.ImageBlock(file_id="i"), "x")],
        "$.messages[1].content[0]",
        [HI, f'{{"role":"system","content":[{X}]}}'],
    ),
    (
        "system content",
        "a sound on the way",
        [user("hi"), system(wg.AudioBlock(file_id="i"), "x")],
        "$.messages[1].content[0]",
        [HI, f'{{"role":"system","content":[{X}]}}'],
    ),
    (
        "system place",
        "between answer and user, as a user's",
        [assistant("x"), system("x"), user("hi"), assistant("x")],
        "$.messages[1]",
        [answered(X), said(X, '{"type":"text","text":"hi"}'), answered(X)],
    ),
    (
        "system place",
        "between two messages of a user, who become one turn",
        [user("hi"), system("x"), user("x")],
        "$.messages[1]",
        [said('{"type":"text","text":"hi"}', X, X)],
    ),
    (
        "system place",
        "between three messages of a user",
        [user("hi"), system("x"), user("x"), user("x"), assistant("x")],
        "$.messages[1]",
        [
            said('{"type":"text","text":"hi"}', X, X, X),
            answered(X),
        ],
    ),
    (
        "system place",
        "once, though three users' turns follow",
        [user("hi"), system("x"), user("x"), user("x"), system(" "), user("x")],
        "$.messages[1]",
        [said('{"type":"text","text":"hi"}', X, X, X, X)],
    ),
    (
        "system place",
        "between two answers, as a user's",
        [user("hi"), assistant("x"), system("x"), assistant("x")],
        "$.messages[2]",
        [HI, answered(X), said(X), answered(X)],
    ),
    (
        "system place",
        "between an answer and one that calls, as a user's",
        [user("hi"), assistant("x"), system("x"), assistant(call("a")), answer("a")],
        "$.messages[2]",
        [HI, answered(X), said(X), CALL_A, RESULT_A],
    ),
    (
        "system place",
        "after the last answer, as a user's",
        [user("hi"), assistant("x"), system("x", wg.ImageBlock(file_id="i"))],
        "$.messages[2]",
        [HI, answered(X), said(X, '{"type":"image","source":{"type":"file","file_id":"i"}}')],
    ),
    *(
        ("thinking", name, [user("hi"), message], "$.messages[1].content[0]", [HI, answered(X)])
        for name, message in (
            ("of another API", assistant(wg.ThinkingBlock("t", "s"), "x", api=OTHER)),
            (
                "of another API, whoever served it",
                assistant(wg.ThinkingBlock("t", "s"), "x", api=OTHER, provider="anthropic"),
            ),
            ("of another provider", assistant(wg.ThinkingBlock("", "s"), "x", provider="google")),
            ("of nobody knows whom", assistant(wg.ThinkingBlock("t", "s"), "x")),
            ("without a signature", own(wg.ThinkingBlock("t"), "x")),
            ("with an empty signature", own(wg.ThinkingBlock("t", ""), "x")),
            ("with nothing in it", own(wg.ThinkingBlock("", "", redacted=True), "x")),
        )
    ),
    ("thinking", "of a user", [user(wg.ThinkingBlock("t", "s"), "hi")], BLOCK, [HI]),
    ("tool call", "of a user", [user(call("a"), "hi")], BLOCK, [HI]),
    (
        "tool name",
        "of a call, the next one alike",
        [assistant(call("a", name="a.b"), call("b", name="a.b")), answer("a"), answer("b")],
        BLOCK,
        [
            CALL_AB.replace('"f"', '"a_b_2e7336dc"'),
            said(
                '{"type":"tool_result","tool_use_id":"a"}',
                '{"type":"tool_result","tool_use_id":"b"}',
            ),
        ],
    ),
    *(
        (
            "tool result content",
            name,
            [assistant(call("a")), answer("a", block)],
            "$.messages[1].content[0]",
            [CALL_A, RESULT_A],
        )
        for name, block in (
            ("a sound", wg.AudioBlock(file_id="i", transcript="x")),
            ("a block of another API", wg.OpaqueBlock(OTHER, {})),
            ("a result in a result", result("a", "x")),
            ("an error", wg.ErrorBlock("x")),
            ("thinking", wg.ThinkingBlock("x")),
        )
    ),
    (
        "trailing space",
        "of the last answer",
        [user("hi"), assistant("x\n ")],
        "$.messages[1]",
        [HI, answered(X)],
    ),
    (
        "trailing space",
        "of the last answer, blank texts after it",
        [user("hi"), assistant("x\n ", " ")],
        "$.messages[1]",
        [HI, answered(X)],
    ),
    (
        "trailing space",
        "of the last answer that has any",
        [user("hi"), assistant("x "), user(" "), assistant("")],
        "$.messages[1]",
        [HI, answered(X)],
    ),
    (
        "trailing space",
        "of a text with unknown keys",
        [user("hi"), assistant(text("x ", extras=extras(citations=None)))],
        "$.messages[1]",
        [HI, answered('{"citations":null,"type":"text","text":"x"}')],
    ),
    (
        "video",
        "with a transcript",
        [user(wg.VideoBlock(file_id="v", transcript="x"))],
        BLOCK,
        [said(X)],
    ),
    ("video", "without a transcript", [user(wg.VideoBlock(file_id="v"), "hi")], BLOCK, [HI]),
    (
        "empty message",
        "at the end",
        [user("hi"), assistant("yes"), user(" ")],
        "$.messages[2]",
        [
            HI,
            answered('{"type":"text","text":"yes"}'),
            said('{"type":"text","text":"Go on."}'),
        ],
    ),
    ("system alone", "without a message", [system("hi")], "$.messages[0]", [HI]),
]
