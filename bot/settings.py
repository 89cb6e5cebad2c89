"""What an operator sets, read from the environment and .env; made in main, never at import."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


class Misconfigured(Exception):
    """A setting is missing or malformed; the text is one sentence for the operator."""


class Settings(BaseSettings):
    """Every setting there is. Each stands in .env.example with a comment."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore"
    )

    discord_token: SecretStr | None = None
    database: Path = Path("stitch-table.db")
    development_server: int | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    think_seconds: float = Field(default=1.5, ge=0, le=30)
    beat_seconds: float = Field(default=1.2, ge=0, le=5)
    computer_workers: int = Field(default=1, ge=0, le=8)
    keep_days: int = Field(default=90, ge=1)
    mischief_deck: Path | None = None
    stitches_parts: Path | None = None
    stitches_words: Path | None = None
    stitches_abominations: Path | None = None
    sandbox_port: int = Field(default=8765, ge=0, le=65_535)

    def token(self) -> str:
        """The token to connect with. Raises Misconfigured when there is none."""
        token = "" if self.discord_token is None else self.discord_token.get_secret_value().strip()
        if not token:
            raise Misconfigured(
                "DISCORD_TOKEN is not set: put your bot's token into .env (see .env.example), "
                "or try the game without one: make play"
            )
        if token.count(".") != 2:
            raise Misconfigured(
                "DISCORD_TOKEN does not look like a bot token (three parts with dots between): "
                "copy it again from the Bot page of your application"
            )
        return token


def read_settings() -> Settings:
    """The settings in force; empty values count as not set. Raises Misconfigured."""
    try:
        return Settings()
    except ValidationError as error:
        problems = [
            f"{'.'.join(map(str, problem['loc'])).upper()} is wrong: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        ]
        raise Misconfigured("; ".join(problems) + " (see .env.example)") from None
    except UnicodeDecodeError:
        raise Misconfigured(".env is not readable as UTF-8 text") from None
