// The `openai` package, Responses, with nothing stored.
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
              { type: "input_text", text: prompt },
              {
                type: "input_image",
                image_url: `data:image/png;base64,${image}`,
                detail: "auto",
              },
            ]
          : prompt,
      },
    ],
    async turn(talk, { model, tools, streamed, reasons, retries, signal, onText }) {
      const body = { model, input: talk, store: false };
      if (tools)
        body.tools = tools.map((tool) => ({ type: "function", ...tool, strict: false }));
      if (reasons) {
        body.reasoning = { effort: "medium", summary: "auto" };
        body.include = ["reasoning.encrypted_content"];
      }
      const how = { signal, maxRetries: retries };
      let answer;
      if (streamed) {
        for await (const event of await client.responses.create({ ...body, stream: true }, how)) {
          if (event.type === "response.output_text.delta") onText();
          if (event.type === "response.failed" || event.type === "response.completed")
            answer = event.response;
        }
        signal.throwIfAborted();
        if (!answer) throw new Error("no end of the answer");
      } else {
        answer = await client.responses.create(body, how);
      }
      if (answer.status !== "completed") throw new Error(answer.error?.message ?? answer.status);
      const seen = { text: "", thinking: "", calls: [], stop: answer.status };
      for (const item of answer.output) {
        talk.push(item);
        if (item.type === "message")
          seen.text += item.content.map((part) => part.text).join("");
        if (item.type === "reasoning")
          seen.thinking += item.summary.map((part) => part.text).join("");
        if (item.type === "function_call")
          seen.calls.push({
            id: item.call_id,
            name: item.name,
            arguments: JSON.parse(item.arguments),
          });
      }
      return seen;
    },
    results(talk, results) {
      for (const { id, text } of results)
        talk.push({ type: "function_call_output", call_id: id, output: text });
    },
    failure: usual,
  };
});
