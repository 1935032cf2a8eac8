"""Who looks after accounts gets no further with them than they were let."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

pytestmark = pytest.mark.django_db

LOOKS_AFTER = (
    "view_user",
    "change_user",
    "add_user",
    "delete_user",
    "view_group",
    "change_group",
    "view_match",
)


def rights(*codenames: str) -> list[Permission]:
    return list(Permission.objects.filter(codename__in=codenames))


@pytest.fixture
def podrick() -> User:
    """A helper who looks after the accounts of others, and may look at matches."""
    user = User.objects.create_user("podrick", password="loyal-and-true-1", is_staff=True)
    user.user_permissions.set(rights(*LOOKS_AFTER))
    return user


@pytest.fixture
def phone(podrick: User) -> Client:
    client = Client()
    client.force_login(podrick)
    return client


def send(phone: Client, user: User, **changes: object) -> int:
    """The account's form as its page shows it, with these changes."""
    form = {
        "username": user.username,
        "is_staff": "on",
        "is_active": "on",
        "user_permissions": [one.pk for one in user.user_permissions.all()],
        "date_joined_0": "2026-01-01",
        "date_joined_1": "12:00:00",
        **changes,
    }
    return phone.post(f"/admin/auth/user/{user.pk}/change/", form).status_code


def test_nobody_makes_himself_a_superuser(phone: Client, podrick: User) -> None:
    assert send(phone, podrick, is_superuser="on", first_name="Pod") == 302
    podrick.refresh_from_db()
    assert (podrick.first_name, podrick.is_superuser) == ("Pod", False)


def test_a_superuser_is_out_of_reach_even_of_who_has_every_permission(phone: Client, podrick: User) -> None:
    podrick.user_permissions.set(Permission.objects.all())
    brienne = User.objects.create_superuser("brienne", password="oath-and-honour-1")
    assert send(phone, brienne, first_name="Pod") == 403
    assert phone.get(f"/admin/auth/user/{brienne.pk}/password/").status_code == 403


def test_nobody_gives_what_he_does_not_have(phone: Client, podrick: User) -> None:
    (change,) = rights("change_match")
    strong, weak = Group.objects.create(name="judges"), Group.objects.create(name="guests")
    strong.permissions.set([change])
    weak.permissions.set(rights("view_match"))
    assert send(phone, podrick, user_permissions=[change.pk]) == 200
    assert send(phone, podrick, groups=[strong.pk]) == 200
    assert send(phone, podrick, groups=[weak.pk], user_permissions=[rights("view_match")[0].pk]) == 302
    User.objects.get(pk=podrick.pk).user_permissions.set(rights(*LOOKS_AFTER))
    path = f"/admin/auth/group/{weak.pk}/change/"
    assert phone.post(path, {"name": "guests", "permissions": [change.pk]}).status_code == 200
    assert phone.post(f"/admin/auth/group/{strong.pk}/change/", {"name": "mine"}).status_code == 403
    assert not User.objects.get(pk=podrick.pk).has_perm("games.change_match")


@pytest.mark.parametrize("is_superuser", [True, False])
@pytest.mark.parametrize("is_active", [True, False])
def test_nobody_takes_over_an_account_that_may_do_more(
    phone: Client, is_superuser: bool, is_active: bool
) -> None:
    olenna = User.objects.create_user("olenna", password="thorns-and-more-1", is_staff=True)
    olenna.user_permissions.set(rights("change_match"))
    User.objects.filter(pk=olenna.pk).update(is_superuser=is_superuser, is_active=is_active)
    new = {"password1": "mine-all-mine-12", "password2": "mine-all-mine-12", "usable_password": "true"}
    assert phone.post(f"/admin/auth/user/{olenna.pk}/password/", new).status_code == 403
    assert send(phone, olenna, username="x") == 403
    assert phone.post(f"/admin/auth/user/{olenna.pk}/delete/", {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [olenna.pk], "post": "yes"}
    phone.post("/admin/auth/user/", chosen)
    olenna = User.objects.get(username="olenna")
    assert olenna.check_password("thorns-and-more-1")
    assert phone.get(f"/admin/auth/user/{olenna.pk}/change/").status_code == 200, "to look at"


def test_whoever_may_do_less_is_looked_after(phone: Client, admin_client: Client, podrick: User) -> None:
    watcher = User.objects.create_user("lyra", password="short-and-sweet-1")
    assert send(phone, watcher, user_permissions=[rights("view_match")[0].pk]) == 302
    assert User.objects.get(pk=watcher.pk).has_perm("games.view_match")
    assert send(admin_client, podrick, is_superuser="on", user_permissions=[]) == 302
    assert User.objects.get(pk=podrick.pk).is_superuser
    assert phone.post(f"/admin/auth/user/{watcher.pk}/delete/", {"post": "yes"}).status_code == 302
