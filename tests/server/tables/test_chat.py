"""Table chat: who may speak, who hears it, and that it holds up no move."""

from typing import Any

from server.protocol.chat_commands import Phrase
from server.protocol.chat_messages import Chat, ChatHistory
from server.protocol.commands import COMMAND, Say, SayPhrase
from server.protocol.messages import Ack, Error, ErrorCode
from server.tables.chat import KEPT_LINES
from server.tables.ports import Customs
from server.tables.voices import LINES_AT_ONCE, LINES_WINDOW_MS
from tests.server.tables.doubles import Asker, World, on_turn


def say(asker: Asker, id: str | None = None, **fields: Any) -> Ack | Error:
    """Chat is answered at once, past the table's inbox."""
    fields = fields or {"text": "hello all"}
    type_ = "say_phrase" if "phrase" in fields else "say"
    content = {"id": id or asker.world.new_id(), "table_id": str(asker.table_id), "type": type_} | fields
    command = COMMAND.validate_python(content)
    assert isinstance(command, Say | SayPhrase)
    asker.world.house.say(asker.connection, command)
    answer = [each for each in asker.connection.messages() if isinstance(each, Ack | Error)][-1]
    assert answer.id == command.id
    return answer


def code_of(answer: Ack | Error) -> ErrorCode | None:
    return answer.code if isinstance(answer, Error) else None


def heard(asker: Asker) -> list[str | Phrase | None]:
    return [chat.line.text or chat.line.phrase for chat in asker.connection.all(Chat)]


async def test_a_seated_player_speaks_to_everyone_who_watches_and_spectators_read_only() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    one, other = await world.seat(table_id, 2)
    spectator, stranger = world.new_player(table_id), world.new_player(table_id)
    await spectator.ask("watch_table")
    assert say(one, text="namaste \u202e") == Ack(id=one.connection.last(Ack).id, result={"line_id": 1})
    assert say(other, phrase="well_played").type == "ack"
    for asker in (one, other, spectator):
        assert heard(asker) == ["namaste", Phrase.WELL_PLAYED]
    assert other.connection.last(Chat).line.player == other.player
    assert code_of(say(spectator)) is ErrorCode.NOT_SEATED
    assert code_of(say(stranger)) is ErrorCode.UNKNOWN_TABLE
    assert heard(stranger) == []


async def test_whoever_comes_is_shown_the_last_lines() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    (one,) = await world.seat(table_id, 1)
    for number in range(KEPT_LINES + 5):
        await world.pass_ms(LINES_WINDOW_MS)
        assert say(one, text=f"line {number}").type == "ack"
    late = world.new_player(table_id)
    await late.ask("watch_table")
    lines = late.connection.last(ChatHistory).lines
    assert (len(lines), lines[0].text, lines[-1].text) == (KEPT_LINES, "line 5", f"line {KEPT_LINES + 4}")


async def test_the_same_line_twice_is_said_once_and_too_many_lines_are_refused() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    one, other = await world.seat(table_id, 2)
    assert say(one, "same", text="hello") == say(one, "same", text="hello")
    assert code_of(say(one, "same", text="bye")) is ErrorCode.SAME_ID_OTHER_COMMAND
    answers = [code_of(say(one, text=str(number))) for number in range(LINES_AT_ONCE)]
    assert answers == [None] * (LINES_AT_ONCE - 1) + [ErrorCode.TOO_MANY]
    assert len(heard(other)) == LINES_AT_ONCE
    await world.pass_ms(LINES_WINDOW_MS)
    assert say(one).type == "ack"


async def test_a_table_rule_allows_phrases_alone_or_nothing() -> None:
    world = World()
    table_id = world.new_table(4, customs=Customs(chat="phrases"))
    await world.start()
    (one,) = await world.seat(table_id, 1)
    answer = say(one)
    assert isinstance(answer, Error)
    assert (answer.code, answer.allowed) == (ErrorCode.CHAT_OFF, ["say_phrase"])
    assert say(one, phrase="hello").type == "ack"
    world.house.set_customs(table_id, lambda customs: Customs(chat="off"))
    await world.settle()
    assert code_of(say(one, phrase="hello")) is ErrorCode.CHAT_OFF
    await world.restart()
    back = world.other_tab(one)
    await back.ask("watch_table")
    assert back.table.public.table.chat == "off"
    assert code_of(say(back, phrase="hello")) is ErrorCode.CHAT_OFF


async def test_who_is_muted_is_not_heard_live_or_in_the_history_and_is_not_told() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    one, other = await world.seat(table_id, 2)
    say(one, text="before")
    world.house.voices.set_muted(other.player.player_id, [one.player.player_id])
    world.house.show_chat_again(other.player.player_id)
    assert other.connection.last(ChatHistory).lines == []
    assert say(one, text="after").type == "ack"
    assert heard(other) == ["before"]
    assert heard(one) == ["before", "after"]
    world.house.voices.set_muted(other.player.player_id, [])
    world.house.show_chat_again(other.player.player_id)
    assert [line.text for line in other.connection.last(ChatHistory).lines] == ["before", "after"]


async def test_a_silenced_account_speaks_nowhere_until_its_time_has_passed() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    (one,) = await world.seat(table_id, 1)
    world.house.voices.silence(one.player.player_id, world.clock.ms + 60_000)
    answer = say(one, phrase="hello")
    assert isinstance(answer, Error)
    assert answer.code is ErrorCode.CHAT_SILENCED
    assert "1 min" in answer.message
    await world.pass_ms(60_000)
    assert say(one, phrase="hello").type == "ack"


async def test_chat_moves_no_clock_no_number_and_no_journal_and_works_while_a_table_is_paused() -> None:
    world = World()
    _, players = await world.dealt(count=2)
    mover = on_turn(players)
    before, calls, seq = mover.table, list(world.journal.calls), mover.table.seq
    for _ in range(LINES_AT_ONCE):
        say(mover, text="thinking")
    await world.settle()
    assert (mover.table, world.journal.calls, mover.table.seq) == (before, calls, seq)

    world.journal.fail = 1_000
    mover.post("draw", **mover.turn_fields(), source="stock")
    await world.settle()
    other = next(player for player in players if player is not mover)
    assert say(other, text="slow today").type == "ack"
    assert heard(mover)[-1] == "slow today"
    world.journal.fail = 0


async def test_evidence_is_for_those_at_the_table_about_those_who_spoke() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    one, other = await world.seat(table_id, 2)
    stranger = world.new_player(table_id)
    say(one, text="rude")
    ids = {asker: asker.player.player_id for asker in (one, other, stranger)}
    assert [line.text for line in world.house.chat_evidence(table_id, ids[other], ids[one])] == ["rude"]
    assert world.house.chat_evidence(table_id, ids[stranger], ids[one]) == []
    assert world.house.chat_evidence(table_id, ids[one], ids[other]) == []
