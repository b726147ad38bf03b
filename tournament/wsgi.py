"""The application as other web servers know it: without a broker server it does the background work
in the same process, which then has to be the only one.
"""

import atexit

from django.conf import settings

from tournament.server.http.static import application as answering
from tournament.server.process import embedded_worker

application = answering()
if embedded_worker.is_embedded():
    place = embedded_worker.hold_the_only_place(settings.DATA_DIR)
    atexit.register(embedded_worker.start())
