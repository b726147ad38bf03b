"""People, places and the rows that pages read.

Salon, Logo, Membership, EarlierActor, Player, Table, ApiToken, Text, StockSeed and SealedLineUp are
kept here and nowhere else. Game, GameSeat, Hand, HandSide, Stock, StockDeal, House, Tournament,
TournamentAddress, TournamentPlayer, TournamentRound, TournamentGame, Season, SeasonEvent, Call and
Screen are projections: every column can be folded again from the log (`manage.py rebuild`), and
nothing decides by them. Progress says how far the background projections have read, Mark what they
are to compute again, Reckoning what they computed (Standing by column), and Turn who is at it.
"""

from tournament.models.background import AuditRun as AuditRun
from tournament.models.background import BackupRun as BackupRun
from tournament.models.background import Mark as Mark
from tournament.models.background import Progress as Progress
from tournament.models.background import Reckoning as Reckoning
from tournament.models.background import Turn as Turn
from tournament.models.calls import Call as Call
from tournament.models.events import SealedLineUp as SealedLineUp
from tournament.models.events import Season as Season
from tournament.models.events import SeasonEvent as SeasonEvent
from tournament.models.events import Standing as Standing
from tournament.models.events import Tournament as Tournament
from tournament.models.events import TournamentAddress as TournamentAddress
from tournament.models.events import TournamentGame as TournamentGame
from tournament.models.events import TournamentPlayer as TournamentPlayer
from tournament.models.events import TournamentRound as TournamentRound
from tournament.models.games import Game as Game
from tournament.models.games import GameSeat as GameSeat
from tournament.models.games import Hand as Hand
from tournament.models.games import HandSide as HandSide
from tournament.models.games import House as House
from tournament.models.games import Stock as Stock
from tournament.models.games import StockDeal as StockDeal
from tournament.models.games import StockSeed as StockSeed
from tournament.models.ids import new_code as new_code
from tournament.models.ids import new_id as new_id
from tournament.models.ids import new_pin as new_pin
from tournament.models.keys import ApiToken as ApiToken
from tournament.models.keys import CaptainLink as CaptainLink
from tournament.models.keys import EventLink as EventLink
from tournament.models.keys import KeptAnswer as KeptAnswer
from tournament.models.keys import PersonalLink as PersonalLink
from tournament.models.keys import SeatLink as SeatLink
from tournament.models.keys import Table as Table
from tournament.models.people import EarlierActor as EarlierActor
from tournament.models.people import Erasure as Erasure
from tournament.models.people import Invitation as Invitation
from tournament.models.people import Logo as Logo
from tournament.models.people import Membership as Membership
from tournament.models.people import NamesShown as NamesShown
from tournament.models.people import Player as Player
from tournament.models.people import Preset as Preset
from tournament.models.people import RetentionRun as RetentionRun
from tournament.models.people import Salon as Salon
from tournament.models.people import Text as Text
from tournament.models.pushes import Notice as Notice
from tournament.models.pushes import PushSubscription as PushSubscription
from tournament.models.screens import Screen as Screen
from tournament.models.webhooks import Delivery as Delivery
from tournament.models.webhooks import Webhook as Webhook
