"""Finding a table, opening one, waiting and talking, as one signed-in player. Each raises CommandRefused, SignedOut."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from clients.python.client import HouseClient
from server.protocol.chat_commands import Mute, Phrase, ReportChat, Say, SayPhrase
from server.protocol.lobby_commands import (
    Asset,
    ChatRule,
    FormatKind,
    HostTable,
    JoinWaiting,
    LeaveWaiting,
    NewInvite,
    OpenTable,
    PrivateRules,
    QuickSeat,
    RemoveWaiting,
    SeatCount,
    UseInvite,
    Watching,
)
from server.protocol.messages import FormatWord, TableSummary


@dataclass(frozen=True, slots=True)
class TakenSeat:
    table_id: UUID
    seat: int


@dataclass(frozen=True, slots=True)
class Invite:
    table_id: UUID
    code: str = field(repr=False)


class LobbyClient:
    def __init__(self, client: HouseClient) -> None:
        self._client = client

    async def quick_seat(
        self,
        asset: Asset | None = None,
        practice: bool | None = None,
        seat_count: SeatCount | None = None,
        min_rate: int | None = None,
        max_rate: int | None = None,
        format: FormatKind = "points",
    ) -> TakenSeat:
        """A chair at the table that suits best."""
        wish = QuickSeat(
            type="quick_seat",
            id=self._client.new_id(),
            asset=asset,
            practice=practice,
            seat_count=seat_count,
            min_rate=min_rate,
            max_rate=max_rate,
            format=format,
        )
        result = _result(await self._client.ask(wish))
        return TakenSeat(UUID(result["table_id"]), result["seat"])

    async def open_table(
        self,
        asset: Asset,
        seat_count: SeatCount,
        rate: int | None = None,
        rules: PrivateRules | None = None,
        watching: Watching = "anyone",
        chat: ChatRule = "free",
        format: FormatWord = "points",
        buy_in: int | None = None,
    ) -> Invite:
        """A private table of one's own; the code is told this once."""
        wish = OpenTable(
            type="open_table",
            id=self._client.new_id(),
            asset=asset,
            seat_count=seat_count,
            rate=rate,
            format=format,
            buy_in=buy_in,
            rules=rules or PrivateRules(),
            watching=watching,
            chat=chat,
        )
        return _invite(await self._client.ask(wish))

    async def new_invite(self, table_id: UUID) -> Invite:
        return _invite(
            await self._client.ask(NewInvite(type="new_invite", id=self._client.new_id(), table_id=table_id))
        )

    async def use_invite(self, code: str) -> TableSummary:
        """Be let in; returns the table as its host opened it."""
        result = _result(await self._client.ask(UseInvite(type="use_invite", id=self._client.new_id(), code=code)))
        return TableSummary.model_validate(result["table"])

    async def host_table(
        self,
        table_id: UUID,
        joining: bool | None = None,
        watching: Watching | None = None,
        chat: ChatRule | None = None,
    ) -> None:
        wish = HostTable(
            type="host_table",
            id=self._client.new_id(),
            table_id=table_id,
            joining=joining,
            watching=watching,
            chat=chat,
        )
        await self._client.ask(wish)

    async def join_waiting(self, table_id: UUID) -> int:
        """Wait in line, across reconnects too; returns the position. `waiting` messages tell what comes of it."""
        join = JoinWaiting(type="join_waiting", id=self._client.new_id(), table_id=table_id)
        position: int = _result(await self._client.ask(join))["position"]
        return position

    async def leave_waiting(self, table_id: UUID) -> None:
        await self._client.ask(LeaveWaiting(type="leave_waiting", id=self._client.new_id(), table_id=table_id))

    async def remove_waiting(self, table_id: UUID, player_id: UUID) -> None:
        """As the host of a private table."""
        await self._client.ask(
            RemoveWaiting(type="remove_waiting", id=self._client.new_id(), table_id=table_id, player_id=player_id)
        )

    async def say(self, table_id: UUID, text: str) -> None:
        await self._client.ask(Say(type="say", id=self._client.new_id(), table_id=table_id, text=text))

    async def say_phrase(self, table_id: UUID, phrase: Phrase) -> None:
        await self._client.ask(SayPhrase(type="say_phrase", id=self._client.new_id(), table_id=table_id, phrase=phrase))

    async def mute(self, player_id: UUID, on: bool = True) -> None:
        await self._client.ask(Mute(type="mute", id=self._client.new_id(), player_id=player_id, on=on))

    async def report_chat(self, report: ReportChat) -> int:
        """Returns the report's number."""
        report_id: int = _result(await self._client.ask(report))["report_id"]
        return report_id


def _result(result: dict[str, Any] | None) -> dict[str, Any]:
    assert result is not None, "this command's ack carries a result"
    return result


def _invite(result: dict[str, Any] | None) -> Invite:
    known = _result(result)
    return Invite(UUID(known["table_id"]), known["code"])
