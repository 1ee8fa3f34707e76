"""Accounts, shapes, works, actions and verdicts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    _people_and_shapes()
    _works()


def _people_and_shapes() -> None:
    op.create_table(
        "mark",
        sa.Column("project", sa.String(32), nullable=False),
        sa.Column("begun", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("project", name="pk_mark"),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("hashed", sa.String(256), nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("begun", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("name", name="uq_accounts_name"),
    )
    op.create_table(
        "meshes",
        sa.Column("digits", sa.String(64), nullable=False),
        sa.Column("triangles", sa.Integer, nullable=False),
        sa.Column("low", sa.LargeBinary(24), nullable=False),
        sa.Column("high", sa.LargeBinary(24), nullable=False),
        sa.Column("area", sa.Float(53), nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("digits", name="pk_meshes"),
    )
    op.create_table(
        "shapes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("file", sa.String(1000), nullable=False),
        sa.Column("frame", sa.Text, nullable=False),
        sa.Column("begun", _TIME, nullable=False),
        sa.Column("assigned", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_shapes"),
        sa.UniqueConstraint("name", name="uq_shapes_name"),
    )
    op.create_table(
        "pieces",
        sa.Column("shape_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("digits", sa.String(64), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("shape_id", "number", name="pk_pieces"),
        sa.ForeignKeyConstraint(["shape_id"], ["shapes.id"], name="fk_pieces_shape_id"),
        sa.ForeignKeyConstraint(["digits"], ["meshes.digits"], name="fk_pieces_digits"),
    )


def _works() -> None:
    op.create_table(
        "works",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("shape_id", sa.Integer, nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float(53), nullable=False),
        sa.Column("unfit", sa.Boolean, nullable=False),
        sa.Column("begun", _TIME, nullable=False),
        sa.Column("touched", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_works"),
        sa.UniqueConstraint("shape_id", "account_id", name="uq_works_shape_id"),
        sa.ForeignKeyConstraint(["shape_id"], ["shapes.id"], name="fk_works_shape_id"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_works_account_id"),
    )
    op.create_index("ix_works_account_id", "works", ["account_id"])
    op.create_table(
        "actions",
        sa.Column("work_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("key", sa.String(36), nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("work_id", "number", name="pk_actions"),
        sa.UniqueConstraint("work_id", "key", name="uq_actions_work_id"),
        sa.ForeignKeyConstraint(["work_id"], ["works.id"], name="fk_actions_work_id"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_actions_account_id"),
    )
    op.create_table(
        "verdicts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("work_id", sa.Integer, nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.Column("remark", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_verdicts"),
        sa.ForeignKeyConstraint(["work_id"], ["works.id"], name="fk_verdicts_work_id"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_verdicts_account_id"),
    )
    op.create_index("ix_verdicts_work_id", "verdicts", ["work_id"])
