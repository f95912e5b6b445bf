__version__ = "1.0.0-rc.1"
