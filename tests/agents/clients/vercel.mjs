// Vercel's AI SDK with one of its providers: `streamText` and `generateText`, tools run by themselves.
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { play, usual } from "./play.mjs";

// `model(address, name)` is the model; `options(reasons)` are the options of its provider.
export const played = ({ model, options }) =>
  play((address) => ({
    begin: (prompt, image) => [
      {
        role: "user",
        content: [
          { type: "text", text: prompt },
          ...(image ? [{ type: "file", data: image, mediaType: "image/png" }] : []),
        ],
      },
    ],
    async turn(talk, asked) {
      const { tools, streamed, reasons, retries, signal, onText } = asked;
      const body = {
        model: model(address, asked.model),
        messages: talk,
        maxOutputTokens: 8000,
        maxRetries: retries,
        abortSignal: signal,
        stopWhen: stepCountIs(1),
        providerOptions: options(reasons),
      };
      if (tools)
        body.tools = Object.fromEntries(
          tools.map(({ name, description, parameters }) => [
            name,
            tool({ description, inputSchema: jsonSchema(parameters) }),
          ]),
        );
      let answer;
      if (streamed) {
        answer = streamText({ ...body, onError: () => {} });
        for await (const part of answer.fullStream) {
          if (part.type === "error") throw part.error;
          if (part.type === "text-delta") onText();
          if (part.type === "abort") signal.throwIfAborted();
        }
      } else {
        answer = await generateText(body);
      }
      const [text, thinking, calls, stop, { messages }] = await Promise.all([
        answer.text,
        answer.reasoningText,
        answer.toolCalls,
        answer.finishReason,
        answer.response,
      ]);
      if (["error", "other", "unknown"].includes(stop)) throw new Error(`it ends with ${stop}`);
      talk.push(...messages);
      return {
        text,
        thinking: thinking ?? "",
        calls: calls.map(({ toolCallId, toolName, input }) => ({
          id: toolCallId,
          name: toolName,
          arguments: input,
        })),
        stop,
      };
    },
    results(talk, results) {
      talk.push({
        role: "tool",
        content: results.map(({ id, name, text }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: "text", value: text },
        })),
      });
    },
    failure: (error) => {
      const cause = error?.lastError ?? error;
      const body = cause?.data?.error ?? cause?.error ?? {};
      return { ...usual(cause), code: body.code ?? body.type ?? null };
    },
  }));
