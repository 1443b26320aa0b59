// Vercel's AI SDK, `openai.chat`.
import { createOpenAI } from "@ai-sdk/openai";
import { played } from "./vercel.mjs";

await played({
  model: (address, name) =>
    createOpenAI({ baseURL: `${address}/v1`, apiKey: "none" }).chat(name),
  // The SDK tells models that think by their names.
  options: (reasons) =>
    reasons ? { openai: { forceReasoning: true, reasoningEffort: "medium" } } : undefined,
});
