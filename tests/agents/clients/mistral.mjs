// The `@mistralai/mistralai` package.
import { Mistral } from "@mistralai/mistralai";
import { play, usual } from "./play.mjs";

await play((address) => {
  const client = new Mistral({ serverURL: `${address}/mistral`, apiKey: "none" });

  return {
    begin: (prompt, image) => [
      {
        role: "user",
        content: image
          ? [
              { type: "text", text: prompt },
              { type: "image_url", imageUrl: `data:image/png;base64,${image}` },
            ]
          : prompt,
      },
    ],
    async turn(talk, { model, tools, streamed, reasons, retries, signal, onText }) {
      const body = { model, messages: talk };
      if (tools) body.tools = tools.map((tool) => ({ type: "function", function: tool }));
      if (reasons) body.reasoningEffort = "high";
      const backoff = { initialInterval: 100, maxInterval: 2000, exponent: 2, maxElapsedTime: 9000 };
      const how = {
        fetchOptions: { signal },
        retries: retries
          ? { strategy: "backoff", backoff, retryConnectionErrors: false }
          : { strategy: "none" },
      };
      const seen = { text: "", thinking: "", calls: [], stop: null };
      const content = [];
      const calls = [];
      const read = (said) => {
        const parts =
          typeof said.content === "string"
            ? [{ type: "text", text: said.content }]
            : (said.content ?? []);
        for (const part of parts) {
          if (part.type === "text") seen.text += part.text;
          if (part.type === "thinking")
            seen.thinking += part.thinking.map(({ text }) => text ?? "").join("");
          const last = content.at(-1);
          if (part.type === "text" && last?.type === "text") last.text += part.text;
          else if (part.type === "thinking" && last?.type === "thinking")
            last.thinking.push(...part.thinking);
          else if (part.text !== "") content.push(part);
        }
        calls.push(...(said.toolCalls ?? []));
      };
      if (streamed) {
        for await (const { data } of await client.chat.stream(body, how)) {
          const [choice] = data.choices;
          if (!choice) continue;
          read(choice.delta);
          if (choice.delta.content) onText();
          seen.stop = choice.finishReason ?? seen.stop;
        }
      } else {
        const [choice] = (await client.chat.complete(body, how)).choices;
        read(choice.message);
        seen.stop = choice.finishReason;
      }
      if (seen.stop === null) throw new Error("no finish reason");
      if (seen.stop === "error") throw new Error("the finish reason is an error");
      talk.push({ role: "assistant", content, ...(calls.length ? { toolCalls: calls } : {}) });
      seen.calls = calls.map((call) => ({
        id: call.id,
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments),
      }));
      return seen;
    },
    results(talk, results) {
      for (const { id, name, text } of results)
        talk.push({ role: "tool", toolCallId: id, name, content: text });
    },
    failure: (error) => ({ ...usual(error), code: JSON.parse(error?.body || "{}").code ?? null }),
  };
});
