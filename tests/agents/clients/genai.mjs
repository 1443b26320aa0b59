// The `@google/genai` package.
import { GoogleGenAI } from "@google/genai";
import { play, usual } from "./play.mjs";

await play((address) => {
  const client = (retries) =>
    new GoogleGenAI({
      apiKey: "none",
      httpOptions: {
        baseUrl: address,
        ...(retries ? { retryOptions: { attempts: retries + 1 } } : {}),
      },
    });

  return {
    begin: (prompt, image) => [
      {
        role: "user",
        parts: [
          { text: prompt },
          ...(image ? [{ inlineData: { mimeType: "image/png", data: image } }] : []),
        ],
      },
    ],
    async turn(talk, { model, tools, streamed, reasons, retries, signal, onText }) {
      const config = { abortSignal: signal };
      if (tools)
        config.tools = [
          {
            functionDeclarations: tools.map(({ parameters, ...tool }) => ({
              ...tool,
              parametersJsonSchema: parameters,
            })),
          },
        ];
      if (reasons) config.thinkingConfig = { includeThoughts: true };
      const body = { model, contents: talk, config };
      const { models } = client(retries);
      const parts = [];
      let stop = null;
      const read = (chunk) => {
        const [candidate] = chunk.candidates ?? [];
        for (const part of candidate?.content?.parts ?? []) {
          const last = parts.at(-1);
          const isMore = last?.text && part.text && !!last.thought === !!part.thought;
          if (isMore && !last.thoughtSignature && !part.thoughtSignature) last.text += part.text;
          else parts.push(part);
        }
        stop = candidate?.finishReason ?? stop;
      };
      if (streamed) {
        for await (const chunk of await models.generateContentStream(body)) {
          read(chunk);
          if (chunk.text) onText();
          signal.throwIfAborted();
        }
      } else {
        read(await models.generateContent(body));
      }
      if (stop === null) throw new Error("no finish reason");
      talk.push({ role: "model", parts });
      const texts = (thought) =>
        parts.filter((part) => part.text && !!part.thought === thought).map(({ text }) => text);
      return {
        text: texts(false).join(""),
        thinking: texts(true).join(""),
        calls: parts
          .filter((part) => part.functionCall)
          .map(({ functionCall: { id, name, args } }) => ({ id, name, arguments: args })),
        stop,
      };
    },
    results(talk, results) {
      talk.push({
        role: "user",
        parts: results.map(({ id, name, text }) => ({
          functionResponse: { ...(id ? { id } : {}), name, response: { output: text } },
        })),
      });
    },
    failure: usual,
  };
});
