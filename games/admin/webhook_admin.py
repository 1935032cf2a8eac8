"""Webhooks and the messages to them: organisers register, test and look at them, and send messages again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from games.admin.admin_pages import BaseAdmin, OnceAdmin, OnceForm
from games.hall.admin import ReadAdmin
from games.translation import gettext as _
from games.translation import ngettext, words
from games.web import clock, keys
from games.webhooks import webhook_news, worker
from games.webhooks.models import Delivery, Webhook, new_secret
from games.webhooks.sending import Forbidden, resolve, target_of


class WebhookForm(forms.ModelForm):
    """A webhook's form, which looks the address up before it is kept."""

    class Meta:
        model = Webhook
        fields = ("address", "event", "on_score", "on_finish", "on_agreed", "on_round", "is_active")

    def clean_address(self) -> str:
        address = str(self.cleaned_data["address"]).strip()
        try:
            resolve(target_of(address))
        except Forbidden as forbidden:
            raise ValidationError(words(forbidden.line)) from forbidden
        except (OSError, UnicodeError):
            raise ValidationError(_("There is no such host, or it cannot be looked up now.")) from None
        return address


class NewWebhookForm(OnceForm, WebhookForm):
    """A new webhook. Its secret is made from the form's key, so the same form sent again finds it."""

    def find_earlier(self, key: str) -> Any:
        self.instance.secret = new_secret(bytes.fromhex(keys.mac("webhook", key, 64)))
        return Webhook.objects.filter(secret=self.instance.secret).first()


@admin.register(Webhook)
class WebhookAdmin(OnceAdmin, BaseAdmin):
    """Who is told about what; a test message shows whether messages arrive."""

    form = WebhookForm
    list_display = ("address", "event", "is_active", "waiting", "given_up")
    readonly_fields = ("secret", "created_at")
    fields = (*WebhookForm.Meta.fields, "secret", "created_at")
    actions = ("test", "replace_secret")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return (*WebhookForm.Meta.fields, "key")
        if not self.has_change_permission(request, obj):
            # Anyone with the secret can sign messages of their own.
            return (*WebhookForm.Meta.fields, "created_at")
        return self.fields

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = {"form": NewWebhookForm} if obj is None else {}
        return super().get_form(request, obj, change, **{**kwargs, **form})

    @admin.display(description=gettext_lazy("waiting"))
    def waiting(self, webhook: Webhook) -> int:
        return webhook.deliveries.filter(state=Delivery.State.WAITING).count()

    @admin.display(description=gettext_lazy("given up"))
    def given_up(self, webhook: Webhook) -> int:
        return webhook.deliveries.filter(state=Delivery.State.DEAD).count()

    @admin.action(description=gettext_lazy("Send a test message"), permissions=["change"])
    def test(self, request: HttpRequest, queryset: Any) -> None:
        active = _active_of(request, queryset)
        for webhook in active:
            webhook_news.test_message(webhook, clock.now())
        if active:
            sentence = _("Test message sent. See Deliveries for the response.")
            messages.success(request, sentence)

    @admin.action(description=gettext_lazy("Make a new secret"), permissions=["change"])
    def replace_secret(self, request: HttpRequest, queryset: Any) -> None:
        for webhook in queryset:
            webhook.secret = new_secret()
            webhook.save(update_fields=["secret"])
        messages.success(request, _("Give the new secret to whoever checks the signatures."))


@admin.register(Delivery)
class DeliveryAdmin(ReadAdmin):
    """Messages and their last answers, to read and to send again."""

    list_display = ("kind", "code", "state", "attempts", "status", "answer", "due_at", "webhook")
    list_filter = ("state", "kind")
    list_select_related = ("webhook",)
    search_fields = ("code",)
    actions = ("again",)

    @admin.action(description=gettext_lazy("Send again"), permissions=["view"])
    def again(self, request: HttpRequest, queryset: Any) -> None:
        if not request.user.has_perm("webhooks.change_delivery"):
            messages.error(request, _("You may read these messages, not send them."))
            return
        webhooks = _active_of(request, Webhook.objects.filter(deliveries__in=queryset).distinct())
        count = worker.send_again(list(queryset.filter(webhook__in=webhooks)))
        if count:
            sentence = ngettext(
                "%(count)d message is sent again.", "%(count)d messages are sent again.", count
            )
            messages.success(request, sentence % {"count": count})


def _active_of(request: HttpRequest, webhooks: Any) -> Any:
    """The active ones of these webhooks; a warning names each of the others."""
    for webhook in webhooks.filter(is_active=False):
        sentence = _("Nothing is sent to %(address)s: it is not active.")
        messages.warning(request, sentence % {"address": webhook})
    return webhooks.filter(is_active=True)
