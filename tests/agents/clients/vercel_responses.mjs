// Vercel's AI SDK, `openai`, which speaks Responses, with nothing stored.
import { createOpenAI } from "@ai-sdk/openai";
import { played } from "./vercel.mjs";

await played({
  model: (address, name) => createOpenAI({ baseURL: `${address}/v1`, apiKey: "none" })(name),
  options: (reasons) => ({
    openai: {
      store: false,
      ...(reasons
        ? {
            forceReasoning: true,
            include: ["reasoning.encrypted_content"],
            reasoningEffort: "medium",
            reasoningSummary: "auto",
          }
        : {}),
    },
  }),
});
