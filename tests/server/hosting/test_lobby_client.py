"""The Python client's way to a chair: invite, waiting list, offer, seat, chat; over a real house."""

import asyncio
from contextlib import AsyncExitStack

import httpx

from clients.python.account import sign_in_as_guest
from clients.python.client import HouseClient
from clients.python.lobby import LobbyClient
from server.protocol.chat_commands import Phrase, ReportChat
from server.protocol.commands import LeaveTable, Sit
from server.protocol.messages import Chat, ServerMessage, WaitingPlace
from tests.live_house import LiveHouse

SEATS = 4


class Guest:
    def __init__(self) -> None:
        self.heard: list[ServerMessage] = []
        self._news = asyncio.Event()

    def hear(self, message: ServerMessage) -> None:
        self.heard.append(message)
        self._news.set()

    async def offered(self) -> None:
        while not any(isinstance(each, WaitingPlace) and each.offer_until_ms is not None for each in self.heard):
            self._news.clear()
            await self._news.wait()


async def test_an_invited_player_waits_is_offered_a_chair_takes_it_and_talks(shared_house: LiveHouse) -> None:
    async with httpx.AsyncClient(trust_env=False) as http, AsyncExitStack() as stack, asyncio.timeout(60):
        guests = [Guest() for _ in range(SEATS + 1)]
        clients = []
        for number, guest in enumerate(guests):
            account = await sign_in_as_guest(http, shared_house.url, f"Guest {number}", bot=False)
            clients.append(await stack.enter_async_context(HouseClient(account, guest.hear)))
        lobbies = [LobbyClient(client) for client in clients]
        invite = await lobbies[0].open_table("PT", 4, rate=10)
        assert invite.code not in repr(invite)
        for lobby in lobbies[1:]:
            assert (await lobby.use_invite(invite.code)).host is not None
        for client in clients[:SEATS]:
            await client.ask(Sit(type="sit", id=client.new_id(), table_id=invite.table_id))
        assert await lobbies[-1].join_waiting(invite.table_id) == 1
        leave = LeaveTable(type="leave_table", id=clients[1].new_id(), table_id=invite.table_id)
        await clients[1].ask(leave)
        for client in clients[:1] + clients[2:SEATS]:
            await client.ask(
                LeaveTable(type="leave_table", id=client.new_id(), table_id=invite.table_id, after_hand=True)
            )
        await guests[-1].offered()
        await clients[-1].ask(Sit(type="sit", id=clients[-1].new_id(), table_id=invite.table_id))
        await lobbies[-1].say(invite.table_id, "thank you")
        await lobbies[-1].say_phrase(invite.table_id, Phrase.HELLO)
        lines = [message.line for message in guests[-1].heard if isinstance(message, Chat)]
        assert [line.text or line.phrase for line in lines] == ["thank you", Phrase.HELLO]
        report = ReportChat(
            type="report_chat",
            id=clients[0].new_id(),
            table_id=invite.table_id,
            player_id=clients[-1].account.player_id,
            reason="spam",
        )
        await lobbies[0].mute(clients[-1].account.player_id)
        assert await lobbies[0].report_chat(report) > 0
        seat = await lobbies[0].quick_seat(asset="PT", seat_count=6)
        assert seat.table_id != invite.table_id
