"""Requests that would ask another wire for something else -> severe losses, on each wire.

Cases of the rows `stored state`, `only tools` and `file id` of all eight tables.
"""

import pytest

import wireglot as wg

ASK = {
    "anthropic": b'{"model":"m","max_tokens":9,%b"messages":[{"role":"user","content":"Hi"}]}',
    "openai_responses": b'{"model":"m",%b"input":"Hi"}',
    "gemini": b'{%b"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
    "bedrock": b'{%b"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
}
STORED = "a reference to what its own API alone stores; left out"
# Where the reference is, the keys of the body, and the name of the reference.
REFERENCES: dict[str, tuple[str, bytes, str]] = {
    "an earlier response": (
        "openai_responses",
        b'"previous_response_id":"resp_1",',
        "previous_response_id",
    ),
    "a conversation": ("openai_responses", b'"conversation":{"id":"conv_1"},', "conversation"),
    "a stored prompt": ("openai_responses", b'"prompt":{"id":"pmpt_1"},', "prompt"),
    "a thread": (
        "anthropic",
        b'"thread":{"type":"continue","previous_message_id":"msg_1"},',
        "thread.previous_message_id",
    ),
    "a container": ("anthropic", b'"container":"container_1",', "container"),
    "a container with its id": ("anthropic", b'"container":{"id":"c_1"},', "container"),
    "a cached content": ("gemini", b'"cachedContent":"cachedContents/1",', "cachedContent"),
    "a cached content, in the words of proto": (
        "gemini",
        b'"cached_content":"cachedContents/1",',
        "cached_content",
    ),
    "a continuation": ("gemini", b'"continuationToken":"eA==",', "continuationToken"),
    "a prompt's variables": (
        "bedrock",
        b'"promptVariables":{"a":{"text":"x"}},',
        "promptVariables",
    ),
}
ITEM = b"""{"model":"m","input":[{"role":"user","content":"Hi"},%b,
 {"type":"function_call_output","call_id":"c","output":"x"}]}"""
CODE = b'"tools":[{"type":"code_execution_20250825","name":"code_execution"}],'
CHOOSE_NONE = b'"tool_choice":{"type":"none"},'
BOTH = CODE[:-2] + b',{"name":"f","input_schema":{"type":"object","properties":{}}}],'
ONLY = "the only tools of a request, which only another API has; left out"
PATHS = {
    "gemini": "/v1beta/models/m:generateContent",
    "bedrock": "/model/m/converse",
}


def _lost(body: bytes, source: str, target: str) -> list[wg.Loss]:
    losses: list[wg.Loss] = []
    path = PATHS.get(source)
    wg.translate_request(body, source, target, losses=losses, path=path, model="m")
    return losses


def _others(source: str) -> list[str]:
    return [name for name in wg.PROVIDERS if name != source]


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_to_what_another_api_stores_is_a_severe_loss(name: str) -> None:
    source, keys, said = REFERENCES[name]
    for target in _others(source):
        expected = wg.Loss(f"$.{said}", "stored state", f"`{said}`, {STORED}", severe=True)
        losses = _lost(ASK[source] % keys, source, target)
        assert [loss for loss in losses if loss.severe] == [expected]
        assert "extras" not in [loss.what for loss in losses]


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_goes_back_to_its_own_api(name: str) -> None:
    source, keys, said = REFERENCES[name]
    body = ASK[source] % keys
    made = wg.translate_request(body, source, source, path=PATHS.get(source))
    assert said.split(".")[0].encode() in made


def test_a_reference_beside_other_unknown_keys_leaves_them_a_loss_of_their_own() -> None:
    body = ASK["openai_responses"] % b'"previous_response_id":"r","new":1,'
    losses = _lost(body, "openai_responses", "ollama")
    assert [(loss.what, loss.severe) for loss in losses] == [
        ("stored state", True),
        ("extras", False),
    ]


@pytest.mark.parametrize(
    "keys",
    [
        b'"previous_response_id":null,',
        b'"conversation":null,"prompt":null,',
    ],
)
def test_a_reference_that_is_null_is_none(keys: bytes) -> None:
    losses = _lost(ASK["openai_responses"] % keys, "openai_responses", "anthropic")
    assert not any(loss.severe for loss in losses)


@pytest.mark.parametrize("target", _others("openai_responses"))
@pytest.mark.parametrize(
    ("item", "name"),
    [
        (b'{"type":"item_reference","id":"fc_1"}', "item_reference"),
        (b'{"id":"fc_1"}', "item_reference"),
        (b'{"type":"function_call","id":"fc_1","status":"completed"}', "function_call"),
    ],
    ids=["named", "bare", "of a call"],
)
def test_a_reference_to_a_call_is_told_where_its_result_has_none(
    item: bytes, name: str, target: str
) -> None:
    losses: list[wg.Loss] = []
    with pytest.raises(
        wg.EncodeError,
        match="tool result `c` has no call before it; add one, or pass repair=True",
    ):
        wg.translate_request(ITEM % item, "openai_responses", target, losses=losses, model="m")
    why = f"`{name}`, {STORED}"
    assert losses == [wg.Loss("$.messages[1].content[0]", "stored state", why, severe=True)]
    with pytest.raises(wg.LossError, match=f"stored state: `{name}`"):
        wg.translate_request(ITEM % item, "openai_responses", target, model="m")


@pytest.mark.parametrize("target", _others("openai_responses"))
def test_nothing_but_a_stored_prompt_says_what_is_missing(target: str) -> None:
    losses: list[wg.Loss] = []
    body = b'{"prompt":{"id":"pmpt_1"}}'
    with pytest.raises(wg.EncodeError, match="no message with content, expected at least one"):
        wg.translate_request(body, "openai_responses", target, losses=losses, model="m")
    assert [(loss.path, loss.severe) for loss in losses] == [("$.prompt", True)]


ITEM_LIST = b"""{"model":"m","input":[{"role":"user","content":"Hi"},%b,
 {"role":"user","content":"Go on"}]}"""
ITEMS = {
    "image_generation_call": b'{"type":"image_generation_call","id":"ig_1"}',
    "reasoning": b'{"type":"reasoning","id":"rs_1"}',
    "web_search_call": b'{"type":"web_search_call","id":"ws_1","status":"completed"}',
}


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_that_is_only_an_id_refers_to_a_stored_one(name: str) -> None:
    body = (
        b'{"model":"m","input":[{"role":"user","content":"Draw"},%b,'
        b'{"role":"user","content":"Make it red"}]}' % ITEMS[name]
    )
    for target in _others("openai_responses"):
        losses = _lost(body, "openai_responses", target)
        why = f"`{name}`, {STORED}"
        assert losses == [wg.Loss("$.messages[1].content[0]", "stored state", why, severe=True)]
    assert ITEMS[name] in wg.translate_request(body, "openai_responses", "openai_responses")


@pytest.mark.parametrize(
    "item",
    [
        b'{"type":"reasoning","id":"rs_1","summary":[]}',
        b'{"type":"image_generation_call","id":"ig_1","result":"iVBORw0KGgo="}',
    ],
)
def test_an_item_that_says_more_than_its_id_is_not_a_reference(item: bytes) -> None:
    body = b'{"model":"m","input":[{"role":"user","content":"Hi"},%b]}' % item
    assert not any(loss.severe for loss in _lost(body, "openai_responses", "anthropic"))


def test_a_file_for_a_container_is_a_severe_loss() -> None:
    body = b"""{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[
     {"type":"container_upload","file_id":"file_1"},{"type":"text","text":"Sum it up."}]}]}"""
    for target in _others("anthropic"):
        losses = [loss for loss in _lost(body, "anthropic", target) if loss.severe]
        why = f"`container_upload`, {STORED}"
        assert losses == [wg.Loss("$.messages[0].content[0]", "stored state", why, severe=True)]


IN_S3 = {
    "document": b'{"document":{"name":"d","source":{"s3Location":%b},"format":"pdf"}}',
    "image": b'{"image":{"format":"png","source":{"s3Location":%b}}}',
    "video": b'{"video":{"format":"mp4","source":{"s3Location":%b}}}',
}


@pytest.mark.parametrize("owner", [b"", b',"bucketOwner":"123456789012"'], ids=["own", "shared"])
@pytest.mark.parametrize("kind", IN_S3)
def test_content_in_a_bucket_of_s3_is_a_severe_loss_elsewhere(kind: str, owner: bytes) -> None:
    block = IN_S3[kind] % (b'{"uri":"s3://bucket/k"%b}' % owner)
    body = b'{"messages":[{"role":"user","content":[{"text":"Sum it up."},%b]}]}' % block
    for target in _others("bedrock"):
        losses = _lost(body, "bedrock", target)
        assert [(loss.path, loss.severe) for loss in losses] == [("$.messages[0].content[1]", True)]
    assert block in wg.translate_request(body, "bedrock", "bedrock", path=PATHS["bedrock"])


def test_content_in_a_bucket_of_google_is_a_severe_loss_elsewhere() -> None:
    body = b"""{"contents":[{"role":"user","parts":[{"text":"Sum it up."},
     {"fileData":{"mimeType":"application/pdf","fileUri":"gs://bucket/x.pdf"}}]}]}"""
    for target in _others("gemini"):
        losses = _lost(body, "gemini", target)
        assert [(loss.path, loss.severe) for loss in losses] == [("$.messages[0].content[1]", True)]


def test_a_stored_file_in_a_result_is_a_severe_loss() -> None:
    body = b"""{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":
     [{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":
     {"toolUseId":"a","content":[{"text":"r"},
     {"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://bucket/k"}}}}]}}]}]}"""
    for target in _others("bedrock"):
        losses = [loss for loss in _lost(body, "bedrock", target) if loss.severe]
        assert [loss.path for loss in losses] == ["$.messages[2].content[0].content[1]"]


SHOWN = "what the model is shown beside the messages, as another API has it; left out"
SHOWN_KEYS = {
    "skills": (
        "anthropic",
        b'{"model":"m","max_tokens":99,"container":{"skills":[{"type":"anthropic","skill_id":"x"}]},'
        b'"messages":[{"role":"user","content":"Hi"}]}',
        "container.skills",
    ),
    "documents": (
        "cohere",
        b'{"model":"m","documents":["Oslo is wet."],"messages":[{"role":"user","content":"Hi"}]}',
        "documents",
    ),
    "documents of a template": (
        "openai_chat",
        b'{"model":"m","documents":[{"text":"x"}],"messages":[{"role":"user","content":"Hi"}]}',
        "documents",
    ),
}


@pytest.mark.parametrize("name", SHOWN_KEYS)
def test_what_the_model_is_shown_beside_the_messages_is_a_severe_loss(name: str) -> None:
    source, body, key = SHOWN_KEYS[name]
    for target in _others(source):
        expected = wg.Loss(f"$.{key}", "context", f"`{key}`, {SHOWN}", severe=True)
        assert _lost(body, source, target) == [expected]
    assert b'"%b":' % key.split(".")[-1].encode() in wg.translate_request(body, source, source)


def test_skills_in_a_container_that_is_stored_are_two_losses() -> None:
    keys = b'"container":{"id":"c_1","skills":[{"type":"custom","skill_id":"x"}]},"new":1,'
    losses = _lost(ASK["anthropic"] % keys, "anthropic", "cohere")
    assert [(loss.path, loss.what, loss.severe, loss.keys) for loss in losses] == [
        ("$.container", "stored state", True, ()),
        ("$.container.skills", "context", True, ()),
        ("$", "extras", False, ("new",)),
    ]


@pytest.mark.parametrize("keys", [b'"container":{"skills":[]},', b'"container":null,'])
def test_no_skills_are_not_shown(keys: bytes) -> None:
    assert not any(loss.severe for loss in _lost(ASK["anthropic"] % keys, "anthropic", "gemini"))


@pytest.mark.parametrize("target", _others("openai_responses"))
def test_an_encrypted_block_is_a_severe_loss(target: str) -> None:
    body = ITEM_LIST % b'{"type":"compaction","id":"cmp_1","encrypted_content":"eA=="}'
    losses = _lost(body, "openai_responses", target)
    assert [(loss.what, loss.severe) for loss in losses] == [("opaque block", True)]


PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
WAV = b"RIFF\x00\x00\x00\x00WAVEfmt " + bytes(20)
MP4 = b"\x00\x00\x00\x18ftypmp42" + bytes(20)
WORDS = "MARK"


def _with_words(block: wg.AudioBlock | wg.VideoBlock) -> wg.Content:
    block.transcript = WORDS
    return block


# What a block holds -> the block, and what stands in a body in which a model sees it.
CONTENT: dict[str, tuple[wg.Content, list[bytes]]] = {
    "a picture": (wg.ImageBlock.from_bytes(PNG), [b"iVBORw0KGgo"]),
    "a TIFF": (wg.ImageBlock.from_bytes(b"II*\x00" + PNG, mime_type="image/tiff"), [b"SUkqAIlQ"]),
    "a picture at a URL": (wg.ImageBlock(url="https://x.org/MARK.png"), [b"MARK"]),
    "a stored picture": (wg.ImageBlock(file_id="MARK"), [b"MARK"]),
    "a sound": (wg.AudioBlock.from_bytes(WAV), [b"UklGRg"]),
    "a sound with words": (_with_words(wg.AudioBlock.from_bytes(WAV)), [b"UklGRg", b"MARK"]),
    "a film": (wg.VideoBlock.from_bytes(MP4, mime_type="video/mp4"), [b"AAAAGGZ0"]),
    "a film with words": (
        _with_words(wg.VideoBlock.from_bytes(MP4, mime_type="video/mp4")),
        [b"AAAAGGZ0", b"MARK"],
    ),
    "a PDF": (wg.DocumentBlock.from_bytes(b"%PDF-1.4 x"), [b"JVBERi0x"]),
    "a document of text": (wg.DocumentBlock(text=WORDS), [b"MARK", b"TUFSSw"]),
    "a document at a URL": (wg.DocumentBlock(url="https://x.org/MARK.pdf"), [b"MARK"]),
    "a document in a bucket": (wg.DocumentBlock(url="s3://b/MARK.pdf"), [b"MARK"]),
    "data": (wg.DataBlock.from_bytes(b"abc" + PNG, mime_type="application/x-new"), [b"YWJjiVBO"]),
    "text": (wg.TextBlock(WORDS), [b"MARK"]),
}
HI = wg.TextBlock("Hi")
PLACES = {
    "of a user": lambda block: [wg.UserMessage([HI, block])],
    "of an answer": lambda block: [
        wg.UserMessage([HI]),
        wg.AssistantMessage([HI, block]),
        wg.UserMessage([HI]),
    ],
    "of the system prompt": lambda block: [wg.SystemMessage([HI, block]), wg.UserMessage([HI])],
    "of a result": lambda block: [
        wg.UserMessage([HI]),
        wg.AssistantMessage([wg.ToolCallBlock("c", "f", wg.Arguments(b"{}"))]),
        wg.ToolResultMessage("c", "f", [HI, block]),
    ],
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", CONTENT)
@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_content_is_severely_lost_if_and_only_if_the_model_does_not_see_it(
    name: str, kind: str, place: str
) -> None:
    block, marks = CONTENT[kind]
    losses: list[wg.Loss] = []
    request = wg.Request(PLACES[place](block), "m", max_tokens=9)
    body = wg.PROVIDERS[name].encode_request(request, losses=losses)
    is_seen = any(mark in body for mark in marks)
    is_own = place == "of an answer" and kind != "a stored picture"  # the model has made it
    is_severe = not is_seen and not is_own
    assert any(loss.severe for loss in losses) is is_severe


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_no_loss_of_an_answer_is_severe(name: str) -> None:
    losses: list[wg.Loss] = []
    content = [HI, *(block for block, _ in CONTENT.values())]
    answer = wg.Response(wg.AssistantMessage(content), id="r")
    wg.PROVIDERS[name].encode_response(answer, losses=losses)
    assert not any(loss.severe for loss in losses)


SERVERS = {
    "mcp_servers": (
        "anthropic",
        b'{"model":"m","max_tokens":9,"mcp_servers":[{"type":"url","url":"https://x.example",'
        b'"name":"n"}],%b"messages":[{"role":"user","content":"Hi"}]}',
        b'"tools":[{"name":"f","input_schema":{"type":"object"}}],',
    ),
}


@pytest.mark.parametrize("name", SERVERS)
def test_tools_outside_of_tools_that_are_the_only_ones_are_a_severe_loss(name: str) -> None:
    source, body, tools = SERVERS[name]
    for target in _others(source):
        expected = wg.Loss(f"$.{name}", "only tools", f"`{name}`, {ONLY}", severe=True)
        losses = _lost(body % b"", source, target)
        assert [loss for loss in losses if loss.severe] == [expected]
        losses = _lost(body % tools, source, target)
        assert [loss.what for loss in losses if loss.severe] == []
        assert "extras" in [loss.what for loss in losses]
    assert name.encode() in wg.translate_request(body % b"", source, source)


def test_no_servers_are_no_tools() -> None:
    body = ASK["anthropic"] % b'"mcp_servers":[],'
    assert not any(loss.severe for loss in _lost(body, "anthropic", "gemini"))


@pytest.mark.parametrize("target", _others("anthropic"))
def test_the_only_tools_of_a_request_are_a_severe_loss(target: str) -> None:
    losses = _lost(ASK["anthropic"] % CODE, "anthropic", target)
    expected = wg.Loss("$.tools", "only tools", f"`code_execution`, {ONLY}", severe=True)
    assert [loss for loss in losses if loss.severe] == [expected]


def test_another_providers_tools_are_the_only_ones_at_anthropic_too() -> None:
    body = (
        ASK["openai_responses"] % b'"tools":[{"type":"file_search"},{"type":"image_generation"}],'
    )
    losses = [loss for loss in _lost(body, "openai_responses", "anthropic") if loss.severe]
    why = f"`file_search`, `image_generation`, {ONLY}"
    assert losses == [wg.Loss("$.tools", "only tools", why, severe=True)]


@pytest.mark.parametrize("keys", [BOTH, CODE + CHOOSE_NONE], ids=["beside another", "not chosen"])
@pytest.mark.parametrize("target", _others("anthropic"))
def test_a_tool_that_is_not_the_only_one_is_an_ordinary_loss(target: str, keys: bytes) -> None:
    losses = _lost(ASK["anthropic"] % keys, "anthropic", target)
    assert "opaque tool" in [loss.what for loss in losses]
    assert not any(loss.severe for loss in losses)


def test_only_a_few_of_many_tools_are_named_and_none_at_length() -> None:
    tools = b",".join(b'{"type":"t%d%b"}' % (i, b"x" * 99) for i in range(9))
    body = ASK["openai_responses"] % (b'"tools":[%b],' % tools)
    (loss,) = (loss for loss in _lost(body, "openai_responses", "ollama") if loss.severe)
    assert loss.why == "".join(f"`t{i}{'x' * 62}`, " for i in range(5)) + ONLY


@pytest.mark.parametrize("target", _others("anthropic"))
def test_a_file_that_another_api_stores_is_a_severe_loss(target: str) -> None:
    body = b"""{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[
     {"type":"text","text":"Sum it up."},
     {"type":"document","source":{"type":"file","file_id":"file_1"}}]}]}"""
    losses = _lost(body, "anthropic", target)
    severe = [loss.path for loss in losses if loss.severe]
    assert severe == ["$.messages[0].content[1]"]


@pytest.mark.parametrize("target", _others("openai_chat"))
def test_the_sound_of_an_earlier_answer_is_a_severe_loss(target: str) -> None:
    body = b"""{"model":"m","messages":[{"role":"user","content":"Hi"},
     {"role":"assistant","audio":{"id":"audio_1"}},{"role":"user","content":"Again."}]}"""
    losses = _lost(body, "openai_chat", target)
    severe = [loss.path for loss in losses if loss.severe]
    assert severe == ["$.messages[1].content[0]"]


def test_a_growing_conversation_reports_a_reference_as_a_whole_one_does() -> None:
    said = wg.providers.openai_responses.decode_request(
        b"""{"model":"m","input":[{"type":"item_reference","id":"i"},
         {"role":"user","content":"Hi"},{"role":"assistant","content":"Yes"},
         {"role":"user","content":"Go on"}]}"""
    )
    transcript = wg.providers.anthropic.Transcript(said.messages)
    losses: list[wg.Loss] = []
    transcript.encode(losses=losses, model="m", max_tokens=9)
    assert [(loss.what, loss.severe) for loss in losses] == [("stored state", True)]


def test_a_severe_loss_reads_as_any_other() -> None:
    loss = wg.Loss("$.tools", "only tools", "why", severe=True)
    assert str(loss) == "only tools: why - at `$.tools`"
    assert wg.Loss("$", "x", "y").severe is False


@pytest.mark.parametrize("name", [name for name in wg.PROVIDERS if name != "openai_responses"])
def test_a_number_that_python_cannot_hold_hides_no_reference(name: str) -> None:
    body = b'{"model":"m","input":"hi","odd":1e400,"previous_response_id":"r"}'
    losses: list[wg.Loss] = []
    wg.translate_request(body, "openai_responses", name, losses=losses)
    assert [(loss.what, loss.severe) for loss in losses] == [
        ("stored state", True),
        ("extras", False),
    ]
