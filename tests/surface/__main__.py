"""Print the table, and each element that is silent or gone and that no table explains."""

import warnings

from .table import HEAD, WORDS, by_target, judged, laid_out, news, rows

warnings.simplefilter("ignore")  # of the SDKs
verdicts = judged()
print(laid_out([HEAD, *rows(verdicts)]))
print()
print(laid_out([["to", *WORDS], *by_target(verdicts)]))
print()
print("\n".join(news(verdicts)) or f"{len(verdicts):,} elements, none silent, none gone")
