// The `@aws-sdk/client-bedrock-runtime` package, Converse.
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { play, usual } from "./play.mjs";

await play((address) => {
  const client = (retries) =>
    new BedrockRuntimeClient({
      endpoint: address,
      region: "us-east-1",
      token: { token: "none" },
      authSchemePreference: ["httpBearerAuth"],
      maxAttempts: retries + 1,
      // By itself it speaks HTTP/2 to the gateway, which it does not speak.
      requestHandler: new NodeHttpHandler(),
    });

  return {
    begin: (prompt, image) => [
      {
        role: "user",
        content: [
          { text: prompt },
          ...(image
            ? [{ image: { format: "png", source: { bytes: Buffer.from(image, "base64") } } }]
            : []),
        ],
      },
    ],
    async turn(talk, { model, tools, streamed, reasons, retries, signal, onText }) {
      const body = {
        modelId: model,
        messages: talk,
        inferenceConfig: { maxTokens: 8000 },
      };
      if (tools)
        body.toolConfig = {
          tools: tools.map(({ name, description, parameters }) => ({
            toolSpec: { name, description, inputSchema: { json: parameters } },
          })),
        };
      if (reasons)
        body.additionalModelRequestFields = {
          thinking: { type: "enabled", budget_tokens: 2000 },
        };
      const how = { abortSignal: signal };
      let content = [];
      let stop = null;
      if (streamed) {
        const { stream } = await client(retries).send(new ConverseStreamCommand(body), how);
        for await (const event of stream) {
          const { contentBlockStart: start, contentBlockDelta: piece } = event;
          if (start) content[start.contentBlockIndex] = { toolUse: { ...start.start.toolUse, input: "" } };
          if (piece) {
            const { text, toolUse, reasoningContent } = piece.delta;
            const block = (content[piece.contentBlockIndex] ??= {});
            if (text) block.text = (block.text ?? "") + text;
            if (text) onText();
            if (toolUse) block.toolUse.input += toolUse.input;
            if (reasoningContent) {
              const said = ((block.reasoningContent ??= {}).reasoningText ??= { text: "" });
              if (reasoningContent.text) said.text += reasoningContent.text;
              if (reasoningContent.signature) said.signature = reasoningContent.signature;
            }
          }
          if (event.messageStop) stop = event.messageStop.stopReason;
          signal.throwIfAborted();
        }
        for (const { toolUse } of content)
          if (toolUse) toolUse.input = JSON.parse(toolUse.input || "{}");
      } else {
        const answer = await client(retries).send(new ConverseCommand(body), how);
        ({ content } = answer.output.message);
        stop = answer.stopReason;
      }
      if (stop === null) throw new Error("no stop reason");
      talk.push({ role: "assistant", content });
      return {
        text: content.map(({ text }) => text ?? "").join(""),
        thinking: content
          .map((block) => block.reasoningContent?.reasoningText?.text ?? "")
          .join(""),
        calls: content
          .filter(({ toolUse }) => toolUse)
          .map(({ toolUse: { toolUseId, name, input } }) => ({
            id: toolUseId,
            name,
            arguments: input,
          })),
        stop,
      };
    },
    results(talk, results) {
      talk.push({
        role: "user",
        content: results.map(({ id, text }) => ({
          toolResult: { toolUseId: id, content: [{ text }] },
        })),
      });
    },
    failure: (error) => ({
      ...usual(error),
      type: error?.name,
      status: error?.$metadata?.httpStatusCode ?? null,
      retryAfter: error?.$response?.headers?.["retry-after"] ?? null,
    }),
  };
});
