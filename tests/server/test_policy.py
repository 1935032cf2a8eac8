"""The content security policy sent with every page: django-csp's, built once."""

import pytest
from csp.constants import HEADER, NONCE
from csp.middleware import CSPMiddleware
from django.http import HttpResponse
from django.test import override_settings

from games.web.middleware import SamePolicy


def parts(policy):
    return sorted(policy.split("; "))


def answered(middleware, request, change=lambda request, response: None):
    """The header that this middleware gives an answer after a view has changed it."""
    response = HttpResponse()
    change(request, response)
    middleware(lambda _request: response)(request)
    return response.headers.get(HEADER, "")


CHANGES = {
    "nothing": lambda request, response: None,
    "replaced": lambda request, response: setattr(response, "_csp_replace", {"frame-ancestors": ["*"]}),
    "more": lambda request, response: setattr(response, "_csp_update", {"img-src": ["https://example.org"]}),
    "another": lambda request, response: setattr(response, "_csp_config", {"default-src": ["'none'"]}),
    "none": lambda request, response: setattr(response, "_csp_exempt", True),
    "its own": lambda request, response: response.headers.setdefault(HEADER, "default-src"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_answer_has_the_policy_that_django_csp_gives_it(rf, name):
    for _again in range(2):
        ours, theirs = (answered(kind, rf.get("/"), CHANGES[name]) for kind in (SamePolicy, CSPMiddleware))
        assert parts(ours) == parts(theirs)
    assert bool(ours) is (name != "none")
    usual = answered(SamePolicy, rf.get("/"))
    assert (parts(ours) == parts(usual)) is (name == "nothing")


def test_a_nonce_is_of_one_answer(rf):
    """An answer that uses one gets its own header, and the next answer does not have it."""
    request = rf.get("/")
    request._csp_nonce = "of-this-one"
    with override_settings(CONTENT_SECURITY_POLICY={"DIRECTIVES": {"script-src": [NONCE]}}):
        assert "'nonce-of-this-one'" in answered(SamePolicy, request)
    assert "nonce" not in answered(SamePolicy, rf.get("/"))
