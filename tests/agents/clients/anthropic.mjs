// The `@anthropic-ai/sdk` package.
import Anthropic from "@anthropic-ai/sdk";
import { play, usual } from "./play.mjs";

await play((address) => {
  const client = new Anthropic({ baseURL: address, apiKey: "none" });

  return {
    begin: (prompt, image) => [
      {
        role: "user",
        content: image
          ? [
              { type: "text", text: prompt },
              { type: "image", source: { type: "base64", media_type: "image/png", data: image } },
            ]
          : prompt,
      },
    ],
    async turn(talk, { model, tools, streamed, reasons, retries, signal, onText }) {
      const body = { model, messages: talk, max_tokens: 8000 };
      if (tools)
        body.tools = tools.map(({ parameters, ...tool }) => ({
          ...tool,
          input_schema: parameters,
        }));
      if (reasons) body.thinking = { type: "enabled", budget_tokens: 2000 };
      const how = { signal, maxRetries: retries };
      let answer;
      if (streamed) {
        const stream = client.messages.stream(body, how);
        stream.on("text", onText);
        answer = await stream.finalMessage();
      } else {
        answer = await client.messages.create(body, how);
      }
      talk.push({ role: "assistant", content: answer.content });
      const of = (kind) => answer.content.filter(({ type }) => type === kind);
      return {
        text: of("text").map(({ text }) => text).join(""),
        thinking: of("thinking").map(({ thinking }) => thinking).join(""),
        calls: of("tool_use").map(({ id, name, input }) => ({ id, name, arguments: input })),
        stop: answer.stop_reason,
      };
    },
    results(talk, results) {
      talk.push({
        role: "user",
        content: results.map(({ id, text }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: text,
        })),
      });
    },
    failure: (error) => ({ ...usual(error), code: error?.error?.error?.type ?? null }),
  };
});
