// The `ollama` package.
import { Ollama } from "ollama";
import { play, usual } from "./play.mjs";

await play((address) => ({
  begin: (prompt, image) => [{ role: "user", content: prompt, ...(image ? { images: [image] } : {}) }],
  async turn(talk, { model, tools, streamed, reasons, signal, onText }) {
    const client = new Ollama({ host: address });
    const body = { model, messages: talk };
    if (tools) body.tools = tools.map((tool) => ({ type: "function", function: tool }));
    if (reasons) body.think = true;
    signal.addEventListener("abort", () => client.abort());
    const seen = { text: "", thinking: "", calls: [], stop: null };
    const message = { role: "assistant", content: "" };
    const read = (part) => {
      message.content += part.message.content;
      if (part.message.thinking) message.thinking = (message.thinking ?? "") + part.message.thinking;
      if (part.message.tool_calls) (message.tool_calls ??= []).push(...part.message.tool_calls);
      if (part.done) seen.stop = part.done_reason;
    };
    if (streamed) {
      for await (const part of await client.chat({ ...body, stream: true })) {
        read(part);
        if (part.message.content) onText();
      }
    } else {
      read(await client.chat(body));
    }
    if (seen.stop === null) throw new Error("not done");
    talk.push(message);
    seen.text = message.content;
    seen.thinking = message.thinking ?? "";
    seen.calls = (message.tool_calls ?? []).map((call) => ({ id: call.id ?? null, ...call.function }));
    return seen;
  },
  results(talk, results) {
    for (const { id, name, text } of results)
      talk.push({ role: "tool", tool_name: name, content: text, ...(id ? { tool_call_id: id } : {}) });
  },
  failure: (error) => ({ ...usual(error), status: error?.status_code ?? null }),
}));
