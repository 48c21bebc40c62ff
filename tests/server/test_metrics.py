"""What Prometheus reads, and who may."""

import re

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.live_house import LiveHouse
from tests.server.hosting.test_private_tables import do
from tests.server.test_draining import first_table
from tests.server.test_socket import greeted

LABELS = {"command", "outcome", "kind", "taken_by", "code", "le"}


def scraped(house: LiveHouse) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every sample by its name and its labels' values."""
    answer = httpx.get(f"{house.url}/metrics", trust_env=False)
    assert answer.status_code == 200
    samples = [sample for family in text_string_to_metric_families(answer.text) for sample in family.samples]
    assert {name for sample in samples for name in sample.labels} <= LABELS
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", answer.text)
    return {(sample.name, tuple(sample.labels.values())): sample.value for sample in samples}


async def test_the_house_counts_what_it_does_and_names_nobody(shared_house: LiveHouse) -> None:
    async with greeted(shared_house) as player:
        await do(player, type="sit", table_id=str(first_table(shared_house)))
        await do(player, type="leave_waiting", table_id=str(first_table(shared_house)))
        await player.send("nonsense")
        await do(player, type="ping")
        now = scraped(shared_house)
        assert now["rummy_commands_total", ("sit", "ack")] == 1
        assert now["rummy_commands_total", ("leave_waiting", "not_waiting")] == 1
        assert now["rummy_commands_total", ("unread", "malformed")] == 1
        assert now["rummy_command_seconds_count", ()] == 2
        assert now["rummy_sockets", ()] == 1
        assert now["rummy_seats", ("person",)] == 1
        assert now["rummy_tables", ("listed",)] >= 3
        assert now["rummy_journal_commit_seconds_count", ()] > 0
        assert now["rummy_event_loop_lag_seconds_count", ()] > 0
        assert now["rummy_draining", ()] == 0


def test_metrics_are_not_there_for_who_comes_through_a_proxy(shared_house: LiveHouse) -> None:
    for header in ("x-forwarded-for", "forwarded", "x-real-ip"):
        answer = httpx.get(f"{shared_house.url}/metrics", headers={header: "127.0.0.1"}, trust_env=False)
        assert answer.status_code == 404
