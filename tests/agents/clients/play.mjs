// Runs the cells of one client: reads them from a file, prints a line of JSON for each.
//
// A client is a function of an address and returns:
//   begin(prompt, image): a conversation, whatever the client keeps for one
//   turn(talk, options): asks, adds the answer to the conversation, and returns
//     { text, thinking, calls: [{ id, name, arguments }], stop }
//   results(talk, [{ id, name, text }]): adds the results of the last calls
//   failure(error): { type, status, code, retryAfter } as the client has them
// `options` has the model, the tools, whether to stream, to think and to retry, a signal to stop,
// and `onText`, to be called at each piece of text.
import { readFileSync } from "node:fs";

const LANES = 6;

export async function play(client) {
  const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
  const { begin, turn, results, failure } = await client(plan.address);
  const cells = plan.cells[Symbol.iterator]();

  const tool = ({ name, arguments: given }) =>
    name === "read_file" ? plan.files[given.path] : `wrote ${given.path}`;

  async function run({ number, scenario, model, prompt }) {
    const leaving = new AbortController();
    const seen = { number, turns: [], pieces: 0, error: null };
    const options = {
      model,
      tools: ["tools", "whole", "reasoning"].includes(scenario) ? plan.tools : null,
      streamed: scenario !== "whole",
      reasons: scenario === "reasoning",
      retries: scenario === "retry" ? 2 : 0,
      signal: leaving.signal,
      onText: () => {
        seen.pieces += 1;
        if (scenario === "abort") leaving.abort();
      },
    };
    try {
      const talk = begin(prompt, scenario === "image" ? plan.image : null);
      while (seen.turns.length < 5) {
        const answer = await turn(talk, options);
        seen.turns.push(answer);
        if (!answer.calls.length) break;
        results(talk, answer.calls.map((call) => ({ ...call, text: tool(call) })));
      }
    } catch (error) {
      seen.error = { message: String(error?.message ?? error).slice(0, 400), ...failure(error) };
    }
    console.log(JSON.stringify(seen));
  }

  async function lane() {
    for (const cell of cells) await run(cell);
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  process.exit(0); // some clients keep connections open
}

// The name of the class of an error, the status that it tells, and the header `retry-after`.
export function usual(error) {
  const headers = error?.headers ?? error?.responseHeaders;
  return {
    type: error?.constructor?.name,
    status: error?.status ?? error?.statusCode ?? null,
    code: error?.code ?? null,
    retryAfter: headers?.get?.("retry-after") ?? headers?.["retry-after"] ?? null,
  };
}
