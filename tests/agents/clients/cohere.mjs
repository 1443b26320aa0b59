// The `cohere-ai` package, version 2 of the API.
import { CohereClientV2 } from "cohere-ai";
import { play, usual } from "./play.mjs";

await play((address) => {
  const client = new CohereClientV2({ environment: address, token: "none" });

  return {
    begin: (prompt, image) => [
      {
        role: "user",
        content: image
          ? [
              { type: "text", text: prompt },
              { type: "image_url", imageUrl: { url: `data:image/png;base64,${image}` } },
            ]
          : prompt,
      },
    ],
    async turn(talk, { model, tools, streamed, reasons, retries, signal, onText }) {
      const body = { model, messages: talk };
      if (tools) body.tools = tools.map((tool) => ({ type: "function", function: tool }));
      if (reasons) body.thinking = { type: "enabled", tokenBudget: 2000 };
      const how = { abortSignal: signal, maxRetries: retries };
      let message = { role: "assistant", content: [] };
      let stop = null;
      if (streamed) {
        for await (const event of await client.chatStream(body, how)) {
          const said = event.delta?.message;
          if (event.type === "tool-plan-delta")
            message.toolPlan = (message.toolPlan ?? "") + said.toolPlan;
          if (event.type === "content-start") message.content[event.index] = said.content;
          if (event.type === "content-delta") {
            for (const [key, piece] of Object.entries(said.content))
              message.content[event.index][key] += piece;
            onText();
          }
          if (event.type === "tool-call-start")
            (message.toolCalls ??= []).push(said.toolCalls);
          if (event.type === "tool-call-delta")
            message.toolCalls.at(-1).function.arguments += said.toolCalls.function.arguments;
          if (event.type === "message-end") stop = event.delta.finishReason;
          if (stop === "ERROR") throw new Error(event.delta.error);
        }
        message.content = message.content.filter(Boolean);
      } else {
        const answer = await client.chat(body, how);
        message = answer.message;
        stop = answer.finishReason;
      }
      if (stop === null) throw new Error("no finish reason");
      if (!message.content?.length) delete message.content;
      talk.push(message);
      const content = message.content ?? [];
      return {
        text: (message.toolPlan ?? "") + content.map(({ text }) => text ?? "").join(""),
        thinking: content.map(({ thinking }) => thinking ?? "").join(""),
        calls: (message.toolCalls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: JSON.parse(call.function.arguments),
        })),
        stop,
      };
    },
    results(talk, results) {
      for (const { id, text } of results)
        talk.push({ role: "tool", toolCallId: id, content: text });
    },
    failure: (error) => ({
      ...usual(error),
      retryAfter: error?.rawResponse?.headers?.get("retry-after") ?? null,
    }),
  };
});
