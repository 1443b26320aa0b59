"""Print the table, and each element that is silent or gone and that no table explains.

`--write` writes what the page shows, `results.json`.
"""

import json
import sys
import warnings

from .table import HEAD, RESULTS, WORDS, by_target, judged, laid_out, news, results, rows

warnings.simplefilter("ignore")  # of the SDKs
verdicts = judged()
print(laid_out([HEAD, *rows(verdicts)]))
print()
print(laid_out([["to", *WORDS], *by_target(verdicts)]))
print()
print("\n".join(news(verdicts)) or f"{len(verdicts):,} elements, none silent, none gone")
if "--write" in sys.argv:
    RESULTS.write_text(json.dumps(results(verdicts), indent=1) + "\n")
