"""A typed client for Tablinum, the data catalog. Standard library only."""

from ._transport import File
from ._version import __version__
from .client import Client
from .errors import TablinumError

__all__ = ["Client", "File", "TablinumError", "__version__"]
