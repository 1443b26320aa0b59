-- Posts the bodies in $BENCH_BODY, a line each, in turn, and says at the end what wrk has seen, as
-- JSON. With each round they are another conversation, which no run before has had.
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.headers["authorization"] = "Bearer sk-bench-0123456789"
local file = io.open(os.getenv("BENCH_BODY"), "rb")
local bodies, turn, round, run = {}, 0, 0, os.time()
for line in file:lines() do
  bodies[#bodies + 1] = line
end
file:close()

request = function()
  turn = turn % #bodies + 1
  if turn == 1 then
    round = round + 1
  end
  return wrk.format(nil, nil, nil, (bodies[turn]:gsub("ROUND", run .. "-" .. round, 1)))
end

done = function(summary, latency, _)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '\n{"seconds":%f,"requests":%d,"failed":%d,"p50":%f,"p99":%f}\n',
    summary.duration / 1e6, summary.requests, failed,
    latency:percentile(50) / 1e6, latency:percentile(99) / 1e6
  ))
end
