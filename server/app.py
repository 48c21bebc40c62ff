"""Composition: settings in, a running house out. Nothing else wires things together."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from typing import Final

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from starlette.routing import WebSocketRoute

from server.background import background
from server.chat.moderation import Moderation
from server.database import create_engine
from server.eventlog.journal import PostgresJournal
from server.eventlog.keys import load_keys
from server.hosting.house_tables import HouseTables
from server.hosting.private_tables import Offer, PrivateTables
from server.identity.passwords import Passwords
from server.identity.second_factor import load_or_create_seals
from server.identity.sign_in_guard import SignInGuard
from server.measures import HouseMeasures
from server.opening import open_house
from server.operator.integrity.watch import IntegrityWatch
from server.operator.presence import PresenceLog
from server.settings import Settings
from server.tables.clock import SystemClock
from server.tables.hub import House
from server.tables.ports import Clock
from server.tables.timing import TableTiming
from server.web import (
    accounts_api,
    desk_figures_api,
    desk_integrity_api,
    desk_players_api,
    desk_reports_api,
    desk_settlements_api,
    desk_tables_api,
    health,
    house_api,
    limits_api,
    metrics,
    moderation_api,
    operator_acts_api,
    operator_api,
    player_api,
    second_factor_api,
    sessions_api,
)
from server.web.bounds import BoundsMiddleware
from server.web.connection import CLOSE_RESTARTING
from server.web.drain import Drain
from server.web.errors import install_error_handlers
from server.web.house_commands import HouseCommands
from server.web.limits import KeyedLimit
from server.web.reminders import Reminders
from server.web.security import SecurityMiddleware
from server.web.services import BalanceNews, Services
from server.web.session_watch import SessionWatch
from server.web.socket import socket_endpoint
from server.web.sockets import Sockets
from server.web.static import client_router

EXPORTS_AT_ONCE: Final = 2
_SMALLEST_COMPRESSED_BYTES: Final = 1_024


def create_app(settings: Settings, database_url: str, clock: Clock | None = None) -> FastAPI:
    """The ASGI app of one node, by the system's clock unless another is given. The database must have been migrated."""
    time = clock or SystemClock()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running_services(settings, database_url, time) as services:
            app.state.services = services
            yield

    app = FastAPI(title="Rummy house", lifespan=lifespan, docs_url=None, redoc_url=None)
    install_error_handlers(app)
    app.add_middleware(GZipMiddleware, minimum_size=_SMALLEST_COMPRESSED_BYTES)
    app.add_middleware(BoundsMiddleware, requests_per_minute=settings.requests_per_minute, now_ms=time.now_ms)
    app.add_middleware(
        SecurityMiddleware, allowed_origins=settings.allowed_origins, always_encrypted=settings.secure_cookies
    )
    app.router.routes.append(WebSocketRoute("/ws", socket_endpoint))
    for api in (
        accounts_api,
        sessions_api,
        second_factor_api,
        player_api,
        limits_api,
        house_api,
        operator_api,
        desk_figures_api,
        desk_settlements_api,
        desk_reports_api,
        desk_players_api,
        desk_tables_api,
        desk_integrity_api,
        moderation_api,
        operator_acts_api,
        metrics,
        health,
    ):
        app.include_router(api.router)
    app.include_router(client_router(settings.client_dir))
    return app


@contextlib.asynccontextmanager
async def running_services(settings: Settings, database_url: str, clock: Clock) -> AsyncIterator[Services]:
    """Everything that runs behind the endpoints, started in order and stopped in reverse."""
    engine = create_engine(database_url)
    await open_house(engine, clock.now_ms())
    keys = load_keys(settings.keys_path, secrets.token_bytes, clock.now_ms())
    sockets = Sockets()
    balance_news = BalanceNews(engine, sockets)
    measures = HouseMeasures()
    journal = PostgresJournal(engine, keys, clock.now_ms, secrets.token_bytes, measures.committed)
    timing = TableTiming(
        seeds_window_ms=settings.seeds_window_ms,
        countdown_ms=settings.countdown_ms,
        match_countdown_ms=settings.match_countdown_ms,
        result_pause_ms=settings.result_pause_ms,
        rejoin_ms=settings.rejoin_ms,
        grace_ms=settings.grace_ms,
        offer_ms=settings.chair_offer_ms,
        private_empty_ms=settings.private_empty_ms,
    )
    presence = PresenceLog(engine, clock)
    house = House(
        journal, clock, secrets.token_bytes, keys.signing, timing, balance_news.tokens_moved, measures, presence
    )
    measures.watch(house, journal.committer)
    offer = Offer(
        settings.private_rates,
        settings.private_buy_ins,
        settings.private_commission_bp,
        settings.private_tables_per_player,
    )
    private_tables = PrivateTables(engine, house, journal.load_table, offer, clock.now_ms, secrets.token_bytes)
    reports = KeyedLimit.a_minute(settings.reports_per_minute, clock.now_ms)
    chat = Moderation(engine, house, house.voices, clock.now_ms, reports.take)
    await chat.start()
    passwords = Passwords()
    seals = load_or_create_seals(settings.keys_path)
    work = {
        "balance news": balance_news.run(),
        "event loop lag": measures.watch_loop(),
        "session watch": SessionWatch(engine, sockets, clock, settings.session_check_ms).run(),
        "reminders": Reminders(engine, sockets, clock).run(),
        "presence": presence.run(),
        "integrity": IntegrityWatch(engine, clock).run(),
    }
    try:
        async with background(work), journal.running():
            await house.start()
            try:
                yield Services(
                    settings=settings,
                    engine=engine,
                    house=house,
                    now_ms=clock.now_ms,
                    random=secrets.token_bytes,
                    sockets=sockets,
                    balance_news=balance_news,
                    chat=chat,
                    measures=measures,
                    exports=asyncio.Semaphore(EXPORTS_AT_ONCE),
                    drain=Drain(house, sockets, clock.now_ms, settings.drain_ms),
                    house_tables=HouseTables(engine, house, journal.load_table, clock.now_ms),
                    house_commands=HouseCommands(private_tables, chat, sockets),
                    passwords=passwords,
                    seals=seals,
                    sign_in_guard=SignInGuard(clock.now_ms),
                    guest_limit=KeyedLimit.a_minute(settings.guests_per_minute, clock.now_ms),
                    account_limit=KeyedLimit.a_minute(settings.account_requests_per_minute, clock.now_ms),
                    command_limit=KeyedLimit(
                        settings.account_messages_per_second, 5 * settings.account_messages_per_second, clock.now_ms
                    ),
                )
            finally:
                await house.stop()
                sockets.close_all(CLOSE_RESTARTING, "the server restarts: come back in a moment")
    finally:
        passwords.close()
        await engine.dispose()
