"""Annotating parts of meshes in teams: projects, the actions of annotators, accounts, review, agreement and pages.

A work is one annotator's annotation of one shape, and nothing but the list of that annotator's actions; what stands in
it now is the fold of them. So nothing is ever overwritten, and every version can be seen again.
"""
