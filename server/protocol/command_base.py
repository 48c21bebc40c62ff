"""What every command has, and the bounds that several commands share."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

CommandId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+$")]


class CommandBase(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: CommandId
    type: str


class TableCommand(CommandBase):
    table_id: UUID
