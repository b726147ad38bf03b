"""The application as other web servers know it: without a broker server it does the background work
in the same process, which then has to be the only one.
"""

import atexit

from django.conf import settings

from tournament.server import embedded_worker
from tournament.server.static import application as answering

application = answering()
if embedded_worker.is_embedded():
    place = embedded_worker.hold_the_only_place(settings.DATA_DIR)
    atexit.register(embedded_worker.start())
