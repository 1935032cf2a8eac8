"""The same program under Django's own ASGI handler, as `django-admin startproject` would serve it."""

from django.core.asgi import get_asgi_application

application = get_asgi_application()
