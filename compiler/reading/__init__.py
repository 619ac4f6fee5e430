"""From text to plain data, as Go's readers have it, with a place for every key and value.

`document` is the way in. What lies here: the stretches of a file that hold documents (`excerpt`), the
two dialects (`scalar`), the exact reader for every text (`tree`, `data`, `location`), the fast path for the usual text
(`fast`), JSON (`json_text`), what a reader may meet (`fault`, `problem`, `bound`), and what a text holds beside its
documents (`silence`, `template`).
"""
