// Vercel's AI SDK, `google`.
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { played } from "./vercel.mjs";

await played({
  model: (address, name) =>
    createGoogleGenerativeAI({ baseURL: `${address}/v1beta`, apiKey: "none" })(name),
  options: (reasons) =>
    reasons ? { google: { thinkingConfig: { includeThoughts: true } } } : undefined,
});
