"""Logs of the server: plain lines for people, or one JSON object per line for machines
(LOG_JSON=1).
"""

import logging

import structlog

from tournament.accounts.access_log import LOGGER


def build_logging_config(*, json: bool, level: str) -> dict[str, object]:
    """Return Django's LOGGING: everything to standard error at `level` ("WARNING", "INFO",
    …).
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _STAMPS,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.dict_tracebacks,
                    structlog.processors.JSONRenderer(),
                ],
            },
        },
        "handlers": {
            "standard_error": {
                "class": "logging.StreamHandler",
                "formatter": "json" if json else "lines",
                "filters": ["no secrets"],
            }
        },
        "filters": {"no secrets": {"()": "tournament.server.process.logs.PatternsForAddresses"}},
        "root": {"handlers": ["standard_error"], "level": level},
        "loggers": {
            LOGGER: {"level": "INFO"},  # who came in and who was refused is no noise
            # A refusal is an answer like any other: visitors would fill the disk with lines.
            "django.request": {"level": "ERROR"},
        },
    }


class PatternsForAddresses(logging.Filter):
    """Django's lines about requests say the pattern of an address in place of the address: links of
    tables and people open doors.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line through, without its secrets."""
        request = getattr(record, "request", None)
        match = getattr(request, "resolver_match", None)
        if match is not None and isinstance(record.args, tuple):
            record.args = tuple(
                f"/{match.route}" if each == request.path else each  # type: ignore[union-attr]
                for each in record.args
            )
        return True


_STAMPS: list[structlog.typing.Processor] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.ExtraAdder(),
]
