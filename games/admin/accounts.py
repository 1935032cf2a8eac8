"""Accounts and groups: whoever looks after them gives nobody, themselves included, more than they may do.

Django's own pages let everybody who may change accounts make themselves a superuser, or take over the account
of somebody who may do more by giving it a new password.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Q, QuerySet
from django.http import HttpRequest

admin.site.unregister((User, Group))


def permissions_of(user: Any) -> QuerySet[Permission]:
    """What somebody may do, or might if the account were active."""
    if user.is_superuser:
        return Permission.objects.all()
    own = Permission.objects.filter(Q(user=user) | Q(group__user=user)).values("pk")
    return Permission.objects.filter(pk__in=own)


def has_no_more(user: Any, permissions: QuerySet[Permission]) -> bool:
    """Whether these are permissions that somebody has as well."""
    return user.is_superuser or not permissions.exclude(pk__in=permissions_of(user).values("pk")).exists()


class Bounded(admin.ModelAdmin):
    """A page that changes only what may do no more than whoever opens it, and gives only what they have."""

    def permissions_given(self, row: Any) -> QuerySet[Permission]:
        """What an account or a group may do."""
        return permissions_of(row) if isinstance(row, User) else row.permissions.all()

    def is_within(self, request: HttpRequest, row: Any) -> bool:
        """Whether this account or group may do no more than whoever asks."""
        is_above = isinstance(row, User) and row.is_superuser and not request.user.is_superuser
        return not is_above and has_no_more(request.user, self.permissions_given(row))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or self.is_within(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or self.is_within(request, obj))

    def formfield_for_manytomany(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        mine = permissions_of(request.user)
        if db_field.related_model is Permission:
            kwargs["queryset"] = mine
        else:
            others = Permission.objects.exclude(pk__in=mine.values("pk"))
            kwargs["queryset"] = Group.objects.exclude(permissions__in=others)
        return super().formfield_for_manytomany(db_field, request, **kwargs)


@admin.register(User)
class AccountAdmin(Bounded, UserAdmin):
    """Accounts; only a superuser makes another one."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        bound = () if request.user.is_superuser else ("is_superuser",)
        return (*super().get_readonly_fields(request, obj), *bound)


@admin.register(Group)
class BoundedGroupAdmin(Bounded, GroupAdmin):
    """Groups and their permissions."""
