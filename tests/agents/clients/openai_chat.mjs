// The `openai` package, Chat Completions.
import OpenAI from "openai";
import { play, usual } from "./play.mjs";

await play((address) => {
  const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: "none" });

  return {
    begin: (prompt, image) => [
      {
        role: "user",
        content: image
          ? [
              { type: "text", text: prompt },
              { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } },
            ]
          : prompt,
      },
    ],
    async turn(talk, { model, tools, streamed, reasons, retries, signal, onText }) {
      const body = { model, messages: talk };
      if (tools) body.tools = tools.map((tool) => ({ type: "function", function: tool }));
      if (reasons) body.reasoning_effort = "medium";
      const how = { signal, maxRetries: retries };
      let answer;
      if (streamed) {
        const stream = client.chat.completions.stream(body, how);
        stream.on("content", onText);
        answer = await stream.finalChatCompletion();
      } else {
        answer = await client.chat.completions.create(body, how);
      }
      const [{ message, finish_reason: stop }] = answer.choices;
      const { role, content, tool_calls: calls } = message;
      talk.push({ role, content, ...(calls?.length ? { tool_calls: calls } : {}) });
      return {
        text: content ?? "",
        thinking: "",
        calls: (calls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: JSON.parse(call.function.arguments),
        })),
        stop,
      };
    },
    results(talk, results) {
      for (const { id, text } of results)
        talk.push({ role: "tool", tool_call_id: id, content: text });
    },
    failure: usual,
  };
});
