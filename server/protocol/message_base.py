"""What every message has, and the shapes that several messages share."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict

Units = int
"""Tokens in 1/100."""

Ms = int
"""Unix milliseconds, by the server's clock."""


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Player(Message):
    player_id: UUID
    name: str
    bot: bool = False
