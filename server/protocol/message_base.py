"""What every message has, and the shapes that several messages share."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict

Units = int
"""Tokens in 1/100."""

Ms = int
"""Unix milliseconds, by the server's clock."""

FormatWord = Literal["points", "pool_101", "pool_201", "deals_2", "deals_3", "deals_6"]
"""What a hand's points mean at a table (docs/formats.md). All but `points` play matches."""


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Player(Message):
    player_id: UUID
    name: str
    bot: bool = False
