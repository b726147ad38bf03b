"""What the server says about itself: plain lines for people, or one JSON object a line for machines (LOG_JSON=1)."""

from typing import Any

import structlog


def logging_setup(*, json: bool, level: str) -> dict[str, Any]:
    """Django's LOGGING: everything to standard error at `level` ("WARNING", "INFO", …)."""
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
        "handlers": {"standard_error": {"class": "logging.StreamHandler", "formatter": "json" if json else "lines"}},
        "root": {"handlers": ["standard_error"], "level": level},
    }


_STAMPS: list[structlog.typing.Processor] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.ExtraAdder(),
]
