"""Every setting of the server: an environment variable RUMMY_<NAME>, each with a default that serves."""

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="RUMMY_", extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    data_dir: Path = Path("data")
    """Where the embedded PostgreSQL and, unless `keys_dir` says otherwise, the keys live."""
    keys_dir: Path | None = None
    """The signing key and the key for seeds at rest: outside the database, never in a backup of it."""
    database_url: str | None = Field(
        default=None, validation_alias=AliasChoices("RUMMY_DATABASE_URL", "DATABASE_URL"), repr=False
    )
    """Any PostgreSQL; without it an embedded one runs in `data_dir`."""
    client_dir: Path = Path(__file__).resolve().parent.parent / "clients" / "web" / "dist"
    allowed_origins: list[str] = []
    """Origins besides the server's own that a browser may open sockets and send changes from."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    secure_cookies: bool = False
    """Set it wherever the house is reached by https."""

    practice_bots: int = Field(default=16, ge=0, le=200)
    """How many practice bots `serve` starts; 0 starts none."""
    practice_think_ms: tuple[int, int] = (700, 2_200)
    """How long a practice bot thinks, from and to: so that a person can follow and nobody waits."""
    welcome_units: int = Field(default=100_000, ge=0)
    """House tokens that a new guest is granted, in 1/100."""
    welcome_practice_units: int = Field(default=1_000_000, ge=0)
    """Practice tokens that a new guest is granted, in 1/100; a practice top-up fills up to this again."""

    seeds_window_ms: int = Field(default=4_000, ge=100)
    countdown_ms: int = Field(default=3_000, ge=0)
    match_countdown_ms: int = Field(default=10_000, ge=0)
    """From enough players to a match; whoever comes later waits for the next one."""
    result_pause_ms: int = Field(default=15_000, ge=0)
    rejoin_ms: int = Field(default=15_000, ge=0)
    """How long a player who is out of a pool match may think about rejoining."""
    grace_ms: int = Field(default=2_000, ge=0)
    """What the first turn and every turn after an outage get on top of their clock."""

    chair_offer_ms: int = Field(default=30_000, ge=1)
    """How long a free chair is kept for the first of those who wait for one."""
    private_empty_ms: int = Field(default=600_000, ge=1)
    """A private table at which nobody has sat for so long is closed."""
    private_rates: tuple[int, int] = (10, 10_000)
    """From and to: the rates of private tables, in token units (1/100) per point."""
    private_buy_ins: tuple[int, int] = (100, 1_000_000)
    """From and to: the buy-ins of private tables that play matches, in token units."""
    private_commission_bp: int = Field(default=500, ge=0, le=10_000)
    private_tables_per_player: int = Field(default=3, ge=0)
    """Open at the same time; 0 lets nobody open one."""

    drain_ms: int = Field(default=60_000, ge=0)
    """How long running hands may go on after SIGTERM; what still runs then goes on at the next start."""
    metrics_token: SecretStr | None = None
    """Who may read /metrics, as `Authorization: Bearer`; without one only callers on this machine may."""

    desk_day_offset_minutes: int = Field(default=330, ge=-720, le=840)
    """How far the house's own day is ahead of UTC's, for the desk's days and reports; 330 is India's."""

    session_days: int = Field(default=90, ge=1)
    operator_session_hours: int = Field(default=12, ge=1)
    operator_code_minutes: int = Field(default=60, ge=1)
    session_check_ms: int = Field(default=10_000, ge=100)
    """How often open sockets are looked at for sessions that were ended elsewhere, or have run out."""
    guests_per_minute: int = Field(default=60, ge=1)
    """New guests per address."""
    requests_per_minute: int = Field(default=3_000, ge=1)
    """HTTP requests to the API per address; many people may share one."""
    account_requests_per_minute: int = Field(default=600, ge=1)
    sockets_per_address: int = Field(default=500, ge=1)
    reports_per_minute: int = Field(default=5, ge=1)
    """Reports of what was said, per account."""
    message_bytes: int = Field(default=16_384, ge=1_024)
    messages_per_second: int = Field(default=20, ge=1)
    message_burst: int = Field(default=100, ge=1)
    account_messages_per_second: int = Field(default=100, ge=1)
    """Over all sockets of one account together; five times as many at once."""
    outbox_messages: int = Field(default=256, ge=8)
    """How far a slow connection may fall behind before it is dropped."""

    @property
    def keys_path(self) -> Path:
        return self.keys_dir if self.keys_dir is not None else self.data_dir / "keys"
