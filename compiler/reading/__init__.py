"""Read text to plain data like Go's readers, with a place for every key and value.

Start with `document`. The other modules find the parts of a file with documents (`excerpt`), read every text exactly
(`tree`, `data`, `location`), read usual texts fast (`fast`), read JSON (`json_text`), describe faults and limits
(`fault`, `problem`, `bound`), and recognize comments and templates next to documents (`suppression_comment`,
`template`).
"""
