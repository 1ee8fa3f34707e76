"""The workbench: what the commands do, as functions. The command line and notebooks call the same ones."""
