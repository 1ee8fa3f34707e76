"""What Alembic runs to change tables: on the connection of whoever asked, in its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
