"""Questions: how a world's programs are said, made from templates."""
