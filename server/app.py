"""Composition: settings in, a running house out. Nothing else wires things together."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from typing import Final

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from starlette.routing import WebSocketRoute

from server.database import create_engine
from server.eventlog.journal import PostgresJournal
from server.eventlog.keys import load_keys
from server.hosting.private_tables import Offer, PrivateTables
from server.opening import open_house
from server.settings import Settings
from server.tables.clock import SystemClock
from server.tables.hub import House
from server.tables.timing import TableTiming
from server.web import accounts_api, health, house_api, operator_api
from server.web.connection import CLOSE_RESTARTING
from server.web.errors import install_error_handlers
from server.web.house_commands import HouseCommands
from server.web.limits import KeyedLimit
from server.web.security import SecurityMiddleware
from server.web.services import BalanceNews, Services, Sockets
from server.web.socket import socket_endpoint
from server.web.static import client_router

_SMALLEST_COMPRESSED_BYTES: Final = 1_024


def create_app(settings: Settings, database_url: str) -> FastAPI:
    """The ASGI app of one node. The database must have been migrated."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running_services(settings, database_url) as services:
            app.state.services = services
            yield

    app = FastAPI(title="Rummy house", lifespan=lifespan, docs_url=None, redoc_url=None)
    install_error_handlers(app)
    app.add_middleware(GZipMiddleware, minimum_size=_SMALLEST_COMPRESSED_BYTES)
    app.add_middleware(SecurityMiddleware, allowed_origins=settings.allowed_origins)
    app.router.routes.append(WebSocketRoute("/ws", socket_endpoint))
    for api in (accounts_api, house_api, operator_api, health):
        app.include_router(api.router)
    app.include_router(client_router(settings.client_dir))
    return app


@contextlib.asynccontextmanager
async def running_services(settings: Settings, database_url: str) -> AsyncIterator[Services]:
    """Everything that runs behind the endpoints, started in order and stopped in reverse."""
    clock = SystemClock()
    engine = create_engine(database_url)
    await open_house(engine, clock.now_ms())
    keys = load_keys(settings.keys_path, secrets.token_bytes, clock.now_ms())
    sockets = Sockets()
    balance_news = BalanceNews(engine, sockets)
    journal = PostgresJournal(engine, keys, clock.now_ms, secrets.token_bytes)
    timing = TableTiming(
        seeds_window_ms=settings.seeds_window_ms,
        countdown_ms=settings.countdown_ms,
        result_pause_ms=settings.result_pause_ms,
        grace_ms=settings.grace_ms,
        offer_ms=settings.chair_offer_ms,
        private_empty_ms=settings.private_empty_ms,
    )
    house = House(journal, clock, secrets.token_bytes, keys.signing, timing, balance_news.tokens_moved)
    offer = Offer(settings.private_rates, settings.private_commission_bp, settings.private_tables_per_player)
    private_tables = PrivateTables(engine, house, journal.load_table, offer, clock.now_ms, secrets.token_bytes)
    telling = asyncio.create_task(balance_news.run(), name="balance news")
    try:
        async with journal.running():
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
                    house_commands=HouseCommands(private_tables),
                    guest_limit=KeyedLimit(settings.guests_per_minute, clock.now_ms),
                )
            finally:
                await house.stop()
                sockets.close_all(CLOSE_RESTARTING, "the server restarts: come back in a moment")
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
        await engine.dispose()
