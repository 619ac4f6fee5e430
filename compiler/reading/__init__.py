"""From text to plain data, as Go's readers have it, with a place for every key and value.

`document` is the way in. What lies here: the two dialects (`scalar`), the quick way for the usual text (`quick`), the
exact way for every text (`tree`, `data`), JSON (`json_text`), what a reader may meet (`fault`, `problem`, `bound`, and
their rules in `rules/`), and what a text holds beside its documents (`suppression_comment`, `template`).
"""
