"""Two people at one table, each in a browser of their own: both see each move, and the finish slot ends the hand."""

from playwright.async_api import Page, expect

from clients.python.strategies import BeforeDraw, SeatKnowledge, Sensible
from rummy.cards import wild_rank_of
from tests.clients.web_page import (
    chromium,
    click,
    enter,
    hand_cards,
    held,
    sit,
    visitor,
    wait_for_cards,
    wait_for_turn_or_result,
)
from tests.live_house import LiveHouse

MOST_TURNS = 60
"""Far more than a sensible player needs against one who only throws back what they draw."""


async def test_two_people_play_and_one_declares_through_the_finish_slot(shared_house: LiveHouse) -> None:
    async with chromium() as browser:
        asha = await (await visitor(browser)).new_page()
        robin = await (await visitor(browser, "phone", touch=True)).new_page()
        await enter(asha, shared_house.url, "Asha")
        await enter(robin, shared_house.url, "Robin")
        await sit(asha, 4)
        await sit(robin, 4)
        await wait_for_cards(asha)
        await wait_for_cards(robin)
        assert not set(await held(asha)) & set(await held(robin))
        for _ in range(MOST_TURNS):
            player, other = (asha, robin) if await is_on_turn(asha) else (robin, asha)
            declared = await play(player) if player is asha else await throw_back(player)
            if declared:
                break
            pile_top = await player.get_by_test_id("pile").get_attribute("data-card")
            await expect(other.get_by_test_id("pile")).to_have_attribute("data-card", pile_top or "")
        else:
            raise AssertionError(f"no declare in {MOST_TURNS} turns")
        for page in (asha, robin):
            await page.get_by_test_id("result").wait_for()
            await expect(page.locator('[data-testid^="result-"][data-points="0"]')).to_have_count(1)
        await expect(asha.get_by_test_id("result")).to_contain_text("You win")
        await expect(robin.get_by_test_id("result")).to_contain_text("Asha wins")
        # The running score of the session, and the next hand for both who say that they are ready.
        await asha.get_by_text("This session").click()
        await expect(asha.get_by_test_id("session-score").locator("tbody tr")).to_have_count(2)
        await expect(asha.get_by_test_id("next-hand")).to_be_visible()
        await click(asha, "ready")
        await click(robin, "ready")
        await expect(asha.get_by_test_id("result")).to_have_count(0)
        await wait_for_cards(robin)


async def is_on_turn(page: Page) -> bool:
    """Once somebody is on turn at all."""
    await page.locator('[data-turn="true"]').first.wait_for()
    return await page.get_by_test_id("own-seat").get_attribute("data-turn") == "true"


async def throw_back(page: Page) -> bool:
    assert await wait_for_turn_or_result(page)
    await click(page, "draw-stock")
    await expect(hand_cards(page)).to_have_count(14)
    await hand_cards(page).last.click()
    await click(page, "discard")
    await expect(page.get_by_test_id("own-seat")).to_have_attribute("data-turn", "false")
    return False


async def play(page: Page) -> bool:
    """One turn as a sensible player takes it; True when it ended with the finish slot."""
    assert await wait_for_turn_or_result(page)
    choice = Sensible().before_draw(await known(page, 13))
    taken = await top_of_pile(page) if choice is BeforeDraw.PILE else None
    await click(page, "take-pile" if choice is BeforeDraw.PILE else "draw-stock")
    await expect(hand_cards(page)).to_have_count(14)
    taken = await top_of_pile(page) if choice is BeforeDraw.PILE else None
    finish = Sensible().after_draw(await known(page, 14, taken))
    await page.locator(f'[data-testid="hand-card"][data-card="{finish.card}"]').click()
    if not finish.declare:
        await click(page, "discard")
        await expect(page.get_by_test_id("own-seat")).to_have_attribute("data-turn", "false")
        return False
    await click(page, "finish-slot")
    await expect(page.get_by_test_id("declare-check")).to_have_attribute("data-valid", "true")
    await click(page, "confirm-declare")
    return True


async def top_of_pile(page: Page) -> int | None:
    card = await page.get_by_test_id("pile").get_attribute("data-card")
    return int(card) if card else None


async def known(page: Page, count: int, taken: int | None = None) -> SeatKnowledge:
    """What the screen shows, as far as a sensible player looks at it."""
    await expect(hand_cards(page)).to_have_count(count)
    turned = int(await page.get_by_test_id("wild").get_attribute("data-card") or -1)
    top = await top_of_pile(page)
    return SeatKnowledge(
        cards=tuple(await held(page)),
        wild_rank=wild_rank_of(turned),
        pile=() if top is None else (top,),
        may_draw_pile=await page.get_by_test_id("take-pile").count() > 0,
        drop_points=None,
        not_returnable=taken,
        decks=2,
        turned=turned,
        turn_number=1,
        player_count=2,
        opponents=(1,),
        owed_points=0,
        taken=(),
    )
