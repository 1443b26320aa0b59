// The order of search results: Sphinx's own scores, but what stands on the page of another system
// (`phi_core.UserMessage`) comes after our own object of the same name.
var Scorer = {
  score: ([docname, title, anchor, descr, score, filename, kind]) =>
    kind === "object" && docname.startsWith("formats/") ? score - 1 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
