// Vercel's AI SDK, `anthropic`.
import { createAnthropic } from "@ai-sdk/anthropic";
import { played } from "./vercel.mjs";

await played({
  model: (address, name) => createAnthropic({ baseURL: `${address}/v1`, apiKey: "none" })(name),
  options: (reasons) =>
    reasons ? { anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } } } : undefined,
});
