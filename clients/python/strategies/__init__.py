"""How bots decide, in three strengths: pure functions of what their seat may know."""

from clients.python.strategies.knowledge import BeforeDraw, Finish, SeatKnowledge, Strategy, Taken
from clients.python.strategies.sensible import Sensible
from clients.python.strategies.strength import Strength, strategy_of
from clients.python.strategies.weak import Weak

__all__ = ["BeforeDraw", "Finish", "SeatKnowledge", "Sensible", "Strategy", "Strength", "Taken", "Weak", "strategy_of"]
