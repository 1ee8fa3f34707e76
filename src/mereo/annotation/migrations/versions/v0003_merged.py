"""Which works were merged of others, so that nobody is held to agree with what he was copied from."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; no work was merged before."""
    op.add_column("works", sa.Column("merged", sa.Boolean, nullable=False, server_default=sa.false()))
