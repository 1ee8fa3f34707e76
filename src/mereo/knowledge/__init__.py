"""Knowledge: what everybody knows about things, as items of head, relation and tail."""
