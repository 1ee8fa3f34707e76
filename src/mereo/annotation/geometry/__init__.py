"""Meshes on their way into an annotation: files become pieces, pieces are kept and cut, and parts are proposed."""
