"""Questions in one's own words: a grammar of English over what a language's function table can say."""
