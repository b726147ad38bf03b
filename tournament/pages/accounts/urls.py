"""Addresses of accounts: own pages, and those of django-allauth that this program uses, under the
names it knows them by.
"""

from allauth.account import views as accounts
from allauth.mfa.base import views as codes
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.urls import path, re_path
from django.views.generic.base import RedirectView

from tournament.pages.accounts.account import (
    account,
    account_session,
    account_sessions,
    address_link,
    address_links,
    second_step,
)
from tournament.pages.accounts.recovery_links import new_password, past_second_step

urlpatterns = [
    path("", account, name="account"),
    path("sessions/", account_sessions, name="account_sessions"),
    path("sessions/<int:session>/", account_session, name="account_session"),
    path("address/", address_links, name="address_links"),
    path("address/<str:token>/", address_link, name="address_link"),
    path("second-step/", second_step, name="second_step"),
    path("second-step/code/", codes.authenticate, name="mfa_authenticate"),
    path("second-step/new/", totp.activate_totp, name="mfa_activate_totp"),
    path("second-step/end/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("second-step/handed/<str:token>/", past_second_step, name="past_second_step"),
    path("second-step/again/", codes.reauthenticate, name="mfa_reauthenticate"),
    path("second-step/state/", RedirectView.as_view(pattern_name="account"), name="mfa_index"),
    path("recovery-codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "recovery-codes/new/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"
    ),
    path(
        "recovery-codes/file/", recovery.download_recovery_codes, name="mfa_download_recovery_codes"
    ),
    path("password/", accounts.password_change, name="account_change_password"),
    path("password/handed/<str:token>/", new_password, name="new_password"),
    path(
        "password/first/",
        RedirectView.as_view(pattern_name="account_reset_password"),
        name="account_set_password",
    ),
    path("password/again/", accounts.reauthenticate, name="account_reauthenticate"),
    path("password/forgotten/", accounts.password_reset, name="account_reset_password"),
    path(
        "password/forgotten/sent/", accounts.password_reset_done, name="account_reset_password_done"
    ),
    re_path(
        r"^password/link/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        accounts.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/new/",
        accounts.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("closed/", accounts.account_inactive, name="account_inactive"),
    path(
        "sign-in/",
        RedirectView.as_view(pattern_name="sign_in", query_string=True),
        name="account_login",
    ),
]
