"""Files, so that a project can live in a database alone."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "files",
        sa.Column("name", sa.String(1000), nullable=False),
        sa.Column("place", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", "place", name="pk_files"),
    )
