"""Written by `npm run generate` from openapi.json. Not to be changed by hand."""

from __future__ import annotations

from typing import Any, Literal, Optional, cast

from . import types
from ._flow import Call, segment
from ._pages import Pages
from ._resource import Resource, Transport


class PartnersResource(Resource):
    def authenticate(
        self,
        body: types.PartnerCredentials,
        *,
        timeout: Optional[float] = None,
    ) -> types.PartnerToken:
        """Obtain a partner access token. `POST /partners/authenticate`"""
        call = Call(
            "POST",
            "/partners/authenticate",
            "always",
            body=cast(Any, body),
            is_anonymous=True,
            timeout=timeout,
        )
        return cast(types.PartnerToken, self._transport.send(call))

    def read(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> types.Partner:
        """The calling partner. `GET /partners`"""
        call = Call(
            "GET",
            "/partners",
            "always",
            timeout=timeout,
        )
        return cast(types.Partner, self._transport.send(call))

    def change(
        self,
        partner_id: str,
        body: types.PartnerPatch,
        *,
        timeout: Optional[float] = None,
    ) -> types.Partner:
        """Set the callback URL: the primary webhook endpoint. `digestHeader` is a setting of the same endpoint, and needs one. `PATCH /partners/{partnerId}`"""
        call = Call(
            "PATCH",
            f"/partners/{segment(partner_id)}",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.Partner, self._transport.send(call))


class OrganizationsResource(Resource):
    def list(
        self,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Organization]:
        """List organizations. `GET /organizations`"""
        call = Call(
            "GET",
            "/organizations",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read(
        self,
        organization_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Organization:
        """Read an organization. `GET /organizations/{organizationId}`"""
        call = Call(
            "GET",
            f"/organizations/{segment(organization_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.Organization, self._transport.send(call))


class ClinicsResource(Resource):
    def list(
        self,
        organization_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Clinic]:
        """List the clinics of an organization. `GET /organizations/{organizationId}/clinics`"""
        call = Call(
            "GET",
            f"/organizations/{segment(organization_id)}/clinics",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read(
        self,
        clinic_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Clinic:
        """Read a clinic. `GET /clinics/{clinicId}`"""
        call = Call(
            "GET",
            f"/clinics/{segment(clinic_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.Clinic, self._transport.send(call))


class ProgramsResource(Resource):
    def list(
        self,
        organization_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Program]:
        """List the programs of an organization. `GET /organizations/{organizationId}/programs`"""
        call = Call(
            "GET",
            f"/organizations/{segment(organization_id)}/programs",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read(
        self,
        program_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Program:
        """Read a program. `GET /programs/{programId}`"""
        call = Call(
            "GET",
            f"/programs/{segment(program_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.Program, self._transport.send(call))


class CliniciansResource(Resource):
    def create(
        self,
        clinic_id: str,
        body: types.ClinicianInput,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Clinician:
        """Create a clinician. `POST /clinics/{clinicId}/clinicians`"""
        call = Call(
            "POST",
            f"/clinics/{segment(clinic_id)}/clinicians",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Clinician, self._transport.send(call))

    def list(
        self,
        clinic_id: str,
        *,
        id: Optional[str] = None,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        email: Optional[str] = None,
        external_id: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Clinician]:
        """List the clinicians of a clinic. `GET /clinics/{clinicId}/clinicians`"""
        call = Call(
            "GET",
            f"/clinics/{segment(clinic_id)}/clinicians",
            "always",
            query={"id": id, "firstName": first_name, "lastName": last_name, "email": email, "externalId": external_id},
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read(
        self,
        clinician_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Clinician:
        """Read a clinician. `GET /clinicians/{clinicianId}`"""
        call = Call(
            "GET",
            f"/clinicians/{segment(clinician_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.Clinician, self._transport.send(call))

    def change(
        self,
        clinician_id: str,
        body: types.ClinicianPatch,
        *,
        timeout: Optional[float] = None,
    ) -> types.Clinician:
        """Change a clinician. `PATCH /clinicians/{clinicianId}`"""
        call = Call(
            "PATCH",
            f"/clinicians/{segment(clinician_id)}",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.Clinician, self._transport.send(call))

    def authenticate(
        self,
        clinician_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.ClinicianTokens:
        """Mint a clinician token pair for the widget. `POST /clinicians/{clinicianId}/authenticate`"""
        call = Call(
            "POST",
            f"/clinicians/{segment(clinician_id)}/authenticate",
            "never",
            timeout=timeout,
        )
        return cast(types.ClinicianTokens, self._transport.send(call))

    def deactivate(
        self,
        clinician_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Clinician:
        """Ends all widget sessions of the clinician within 5 seconds, open streams and uploads included; `authenticate` and new sessions for them are refused with 409. They stay listed, with `active` false, and so do their clients and notes: transfer the clients, and whoever then treats them can edit and sign. What had arrived of a recording becomes a note. Repeating the call changes nothing. `POST /clinicians/{clinicianId}/deactivate`"""
        call = Call(
            "POST",
            f"/clinicians/{segment(clinician_id)}/deactivate",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Clinician, self._transport.send(call))

    def reactivate(
        self,
        clinician_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Clinician:
        """Widget sessions that ended stay ended: mint a new token pair. What a browser still holds of a recording is sent after the next sign-in there. Repeating the call changes nothing. `POST /clinicians/{clinicianId}/reactivate`"""
        call = Call(
            "POST",
            f"/clinicians/{segment(clinician_id)}/reactivate",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Clinician, self._transport.send(call))

    def end_widget_sessions(
        self,
        clinician_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Clinician:
        """For a lost device: within 5 seconds every token pair of the clinician is refused, open streams and uploads included. The clinician stays active: mint a new token pair, and a recording goes on where it stood. `POST /clinicians/{clinicianId}/end-widget-sessions`"""
        call = Call(
            "POST",
            f"/clinicians/{segment(clinician_id)}/end-widget-sessions",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Clinician, self._transport.send(call))

    def list_magic_edits(
        self,
        clinician_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.MagicEdit]:
        """List the magic edits of a clinician’s notes. `GET /clinicians/{clinicianId}/magic-edit`"""
        call = Call(
            "GET",
            f"/clinicians/{segment(clinician_id)}/magic-edit",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read_writing_preferences(
        self,
        clinician_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.WritingPreferences:
        """Read what a clinician wants of their notes. `GET /clinicians/{clinicianId}/writing-preferences`"""
        call = Call(
            "GET",
            f"/clinicians/{segment(clinician_id)}/writing-preferences",
            "always",
            timeout=timeout,
        )
        return cast(types.WritingPreferences, self._transport.send(call))

    def change_writing_preferences(
        self,
        clinician_id: str,
        body: types.WritingPreferencesPatch,
        *,
        timeout: Optional[float] = None,
    ) -> types.WritingPreferences:
        """Length, sections that are not written, and phrases that are refused: for the next notes, over whatever template they are written with. `PATCH /clinicians/{clinicianId}/writing-preferences`"""
        call = Call(
            "PATCH",
            f"/clinicians/{segment(clinician_id)}/writing-preferences",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.WritingPreferences, self._transport.send(call))


class ClientsResource(Resource):
    def create(
        self,
        clinician_id: str,
        body: types.ClientInput,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Client:
        """Create a client. `POST /clinicians/{clinicianId}/clients`"""
        call = Call(
            "POST",
            f"/clinicians/{segment(clinician_id)}/clients",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Client, self._transport.send(call))

    def list_of_clinician(
        self,
        clinician_id: str,
        *,
        external_id: Optional[str] = None,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        name: Optional[str] = None,
        email: Optional[str] = None,
        phone_number: Optional[str] = None,
        date_of_birth: Optional[str] = None,
        status: Optional[Literal["awaiting_invite", "active", "archived", "declined", "invite_sent", "pending", "unknown"]] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Client]:
        """List the clients whom a clinician treats, as primary or as secondary. `GET /clinicians/{clinicianId}/clients`"""
        call = Call(
            "GET",
            f"/clinicians/{segment(clinician_id)}/clients",
            "always",
            query={"externalId": external_id, "firstName": first_name, "lastName": last_name, "name": name, "email": email, "phoneNumber": phone_number, "dateOfBirth": date_of_birth, "status": status},
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def list(
        self,
        clinic_id: str,
        *,
        external_id: Optional[str] = None,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        name: Optional[str] = None,
        email: Optional[str] = None,
        phone_number: Optional[str] = None,
        date_of_birth: Optional[str] = None,
        status: Optional[Literal["awaiting_invite", "active", "archived", "declined", "invite_sent", "pending", "unknown"]] = None,
        clinician_id: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Client]:
        """List the clients of a clinic, archived ones included. `GET /clinics/{clinicId}/clients`"""
        call = Call(
            "GET",
            f"/clinics/{segment(clinic_id)}/clients",
            "always",
            query={"externalId": external_id, "firstName": first_name, "lastName": last_name, "name": name, "email": email, "phoneNumber": phone_number, "dateOfBirth": date_of_birth, "status": status, "clinicianId": clinician_id},
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read(
        self,
        client_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Client:
        """Read a client. `GET /clients/{clientId}`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.Client, self._transport.send(call))

    def change(
        self,
        client_id: str,
        body: types.ClientPatch,
        *,
        timeout: Optional[float] = None,
    ) -> types.Client:
        """Change a client. `PATCH /clients/{clientId}`"""
        call = Call(
            "PATCH",
            f"/clients/{segment(client_id)}",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.Client, self._transport.send(call))

    def archive(
        self,
        client_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Client:
        """Archive a client; archiving again changes nothing. `POST /clients/{clientId}/archive`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/archive",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Client, self._transport.send(call))

    def unarchive(
        self,
        client_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Client:
        """Give an archived client their earlier status back. `POST /clients/{clientId}/unarchive`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/unarchive",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Client, self._transport.send(call))

    def invite(
        self,
        client_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.InvitedClient:
        """Invite a client; inviting again replaces the link. `POST /clients/{clientId}/invite`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/invite",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.InvitedClient, self._transport.send(call))

    def transfer(
        self,
        client_id: str,
        body: types.ClientTransfer,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Client:
        """Transfer a client, archived or not, to another primary clinician. `POST /clients/{clientId}/transfer`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/transfer",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Client, self._transport.send(call))

    def assign_secondary_clinicians(
        self,
        client_id: str,
        body: types.SecondaryCliniciansInput,
        *,
        timeout: Optional[float] = None,
    ) -> types.SecondaryClinicians:
        """Assign secondary clinicians; who is assigned or primary already is skipped; safe to retry. `POST /clients/{clientId}/secondary-clinicians`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/secondary-clinicians",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.SecondaryClinicians, self._transport.send(call))

    def list_secondary_clinicians(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Clinician]:
        """List the secondary clinicians of a client. `GET /clients/{clientId}/secondary-clinicians`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/secondary-clinicians",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def remove_secondary_clinician(
        self,
        client_id: str,
        clinician_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Remove a secondary clinician; removing again changes nothing. `DELETE /clients/{clientId}/secondary-clinicians/{clinicianId}`"""
        call = Call(
            "DELETE",
            f"/clients/{segment(client_id)}/secondary-clinicians/{segment(clinician_id)}",
            "always",
            timeout=timeout,
        )
        self._transport.send(call)

    def list_programs(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Program]:
        """List the programs of a client. `GET /clients/{clientId}/programs`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/programs",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read_brief(
        self,
        client_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.ClientBrief:
        """Read what a clinician wants to know before a session. `GET /clients/{clientId}/brief`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/brief",
            "always",
            timeout=timeout,
        )
        return cast(types.ClientBrief, self._transport.send(call))

    def list_timeline(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.TimelineEntry]:
        """List what happened with a client. `GET /clients/{clientId}/timeline`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/timeline",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def erase(
        self,
        client_id: str,
        body: types.RecordErasureRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Erasure:
        """The client with sessions, recordings, transcripts, notes and assessments. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /clients/{clientId}/erasures`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/erasures",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Erasure, self._transport.send(call))


class ConsentsResource(Resource):
    def list(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Consent]:
        """List the consents of a client. `GET /clients/{clientId}/consents`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/consents",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def create(
        self,
        client_id: str,
        body: types.ConsentCreate,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Consent:
        """Attest that somebody agreed to a recording of the client. `POST /clients/{clientId}/consents`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/consents",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Consent, self._transport.send(call))

    def read(
        self,
        client_id: str,
        consent_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.ConsentWithText:
        """Read a consent, with the words that were agreed to. `GET /clients/{clientId}/consents/{consentId}`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/consents/{segment(consent_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.ConsentWithText, self._transport.send(call))

    def withdraw(
        self,
        client_id: str,
        consent_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Consent:
        """Withdraw a consent. `POST /clients/{clientId}/consents/{consentId}/withdraw`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/consents/{segment(consent_id)}/withdraw",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Consent, self._transport.send(call))

    def read_text(
        self,
        client_id: str,
        *,
        language: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ConsentText:
        """Read what a client is asked to agree to. `GET /clients/{clientId}/consent-text`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/consent-text",
            "always",
            query={"language": language},
            timeout=timeout,
        )
        return cast(types.ConsentText, self._transport.send(call))

    def make_link(
        self,
        client_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ConsentLink:
        """Make a link with which a client reads, signs and withdraws. `POST /clients/{clientId}/consent-link`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/consent-link",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.ConsentLink, self._transport.send(call))


class TreatmentPlansResource(Resource):
    def create(
        self,
        client_id: str,
        body: types.TreatmentPlanCreate,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.TreatmentPlan:
        """Write a treatment plan for a client. `POST /clients/{clientId}/treatment-plans`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/treatment-plans",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.TreatmentPlan, self._transport.send(call))

    def list(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.TreatmentPlan]:
        """List the treatment plans of a client. `GET /clients/{clientId}/treatment-plans`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/treatment-plans",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read(
        self,
        treatment_plan_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.TreatmentPlan:
        """Read a treatment plan. `GET /treatment-plans/{treatmentPlanId}`"""
        call = Call(
            "GET",
            f"/treatment-plans/{segment(treatment_plan_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.TreatmentPlan, self._transport.send(call))

    def change(
        self,
        treatment_plan_id: str,
        body: types.TreatmentPlanChange,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.TreatmentPlan:
        """Change a treatment plan. `PATCH /treatment-plans/{treatmentPlanId}`"""
        call = Call(
            "PATCH",
            f"/treatment-plans/{segment(treatment_plan_id)}",
            "always" if if_match is None else "never",
            body=cast(Any, body),
            headers={"If-Match": if_match},
            timeout=timeout,
        )
        return cast(types.TreatmentPlan, self._transport.send(call))

    def sign(
        self,
        treatment_plan_id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.TreatmentPlan:
        """Sign a treatment plan. `POST /treatment-plans/{treatmentPlanId}/sign`"""
        call = Call(
            "POST",
            f"/treatment-plans/{segment(treatment_plan_id)}/sign",
            "with_key" if if_match is None else "never",
            headers={"If-Match": if_match},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.TreatmentPlan, self._transport.send(call))

    def end(
        self,
        treatment_plan_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.TreatmentPlan:
        """End a treatment plan. `POST /treatment-plans/{treatmentPlanId}/end`"""
        call = Call(
            "POST",
            f"/treatment-plans/{segment(treatment_plan_id)}/end",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.TreatmentPlan, self._transport.send(call))

    def list_versions(
        self,
        treatment_plan_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.TreatmentPlanVersion]:
        """List the versions of a treatment plan. `GET /treatment-plans/{treatmentPlanId}/versions`"""
        call = Call(
            "GET",
            f"/treatment-plans/{segment(treatment_plan_id)}/versions",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)


class ClientExportsResource(Resource):
    def create(
        self,
        client_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ClientExport:
        """JSON, recordings, notes as PDF and a FHIR R4 bundle, in one ZIP. Asked again while one is prepared, the answer is the same export. Whoever has the file can read and hear all of it. `POST /clients/{clientId}/exports`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/exports",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.ClientExport, self._transport.send(call))

    def read(
        self,
        client_export_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.ClientExport:
        """Read how far an export is. `GET /client-exports/{clientExportId}`"""
        call = Call(
            "GET",
            f"/client-exports/{segment(client_export_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.ClientExport, self._transport.send(call))


class SessionsResource(Resource):
    def create(
        self,
        client_id: str,
        body: Optional[types.SessionCreate] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Session:
        """Create a session from a recording, or from what the clinician typed or dictated about it. `POST /clients/{clientId}/sessions`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/sessions",
            "with_key",
            body=cast(Any, body or {}),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Session, self._transport.send(call))

    def list(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Session]:
        """List the sessions of a client. `GET /clients/{clientId}/sessions`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/sessions",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Session:
        """Read a session. `GET /sessions/{sessionId}`"""
        call = Call(
            "GET",
            f"/sessions/{segment(session_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.Session, self._transport.send(call))

    def retry(
        self,
        session_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Session:
        """Try a failed session again. `POST /sessions/{sessionId}/retry`"""
        call = Call(
            "POST",
            f"/sessions/{segment(session_id)}/retry",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Session, self._transport.send(call))

    def read_context(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.SessionContext:
        """Read what you told about a session. `GET /sessions/{sessionId}/context`"""
        call = Call(
            "GET",
            f"/sessions/{segment(session_id)}/context",
            "always",
            timeout=timeout,
        )
        return cast(types.SessionContext, self._transport.send(call))

    def change_context(
        self,
        session_id: str,
        body: types.SessionContextChange,
        *,
        timeout: Optional[float] = None,
    ) -> types.SessionContext:
        """Background for the writer of the note, and for the checks before it is signed: nothing of it is ever written as if it had been said. A note that is there already is not written anew for it: `POST /progress-notes/{progressNoteId}/regenerate` does that. `PATCH /sessions/{sessionId}/context`"""
        call = Call(
            "PATCH",
            f"/sessions/{segment(session_id)}/context",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.SessionContext, self._transport.send(call))

    def read_transcript(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Transcript:
        """Read the transcript of a session. Raises NotReadyError until it exists. `GET /sessions/{sessionId}/transcript`"""
        call = Call(
            "GET",
            f"/sessions/{segment(session_id)}/transcript",
            "always",
            may_be_not_ready=True,
            timeout=timeout,
        )
        return cast(types.Transcript, self._transport.send(call))

    def correct_speakers(
        self,
        session_id: str,
        body: types.TranscriptPatch,
        *,
        timeout: Optional[float] = None,
    ) -> types.Transcript:
        """Correct who spoke. `PATCH /sessions/{sessionId}/transcript`"""
        call = Call(
            "PATCH",
            f"/sessions/{segment(session_id)}/transcript",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.Transcript, self._transport.send(call))

    def name_speakers(
        self,
        session_id: str,
        body: types.SpeakersChange,
        *,
        timeout: Optional[float] = None,
    ) -> types.Transcript:
        """Names and roles of the voices of a recording. A name changes nothing that was said. A note that is written afterwards attributes what was said by them where several people besides the clinician are heard; one that is there is written anew by `POST /progress-notes/{progressNoteId}/regenerate`. `PATCH /sessions/{sessionId}/speakers`"""
        call = Call(
            "PATCH",
            f"/sessions/{segment(session_id)}/speakers",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.Transcript, self._transport.send(call))

    def link(
        self,
        session_id: str,
        body: types.LinkedSessionCreate,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Session:
        """A session with a note and events of its own, of the lines of these voices and of what the clinician asked directly before them. Nothing that others said is in it, and no recording. Asked again for the same client and voices, it is the same session. `POST /sessions/{sessionId}/linked-sessions`"""
        call = Call(
            "POST",
            f"/sessions/{segment(session_id)}/linked-sessions",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Session, self._transport.send(call))

    def strike(
        self,
        session_id: str,
        body: types.StretchToStrike,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.StruckStretch:
        """Strike a stretch of a session. `POST /sessions/{sessionId}/strike`"""
        call = Call(
            "POST",
            f"/sessions/{segment(session_id)}/strike",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.StruckStretch, self._transport.send(call))

    def read_progress_note(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.ProgressNote:
        """Read the progress note of a session. `GET /sessions/{sessionId}/progress-note`"""
        call = Call(
            "GET",
            f"/sessions/{segment(session_id)}/progress-note",
            "always",
            timeout=timeout,
        )
        return cast(types.ProgressNote, self._transport.send(call))

    def read_mdm(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.MdmElements:
        """Read the MDM elements of a session. Raises NotReadyError until it exists. `GET /sessions/{sessionId}/mdm`"""
        call = Call(
            "GET",
            f"/sessions/{segment(session_id)}/mdm",
            "always",
            may_be_not_ready=True,
            timeout=timeout,
        )
        return cast(types.MdmElements, self._transport.send(call))

    def read_summary(
        self,
        session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Summary:
        """Read the summary of a session. Raises NotReadyError until it exists. `GET /sessions/{sessionId}/summary`"""
        call = Call(
            "GET",
            f"/sessions/{segment(session_id)}/summary",
            "always",
            may_be_not_ready=True,
            timeout=timeout,
        )
        return cast(types.Summary, self._transport.send(call))

    def erase(
        self,
        session_id: str,
        body: types.RecordErasureRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Erasure:
        """The session with all that was made of it; the client stays. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /sessions/{sessionId}/erasures`"""
        call = Call(
            "POST",
            f"/sessions/{segment(session_id)}/erasures",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Erasure, self._transport.send(call))


class ProgressNotesResource(Resource):
    def read(
        self,
        progress_note_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.ProgressNote:
        """Read a progress note by any id that it ever had. `GET /progress-notes/{progressNoteId}`"""
        call = Call(
            "GET",
            f"/progress-notes/{segment(progress_note_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.ProgressNote, self._transport.send(call))

    def change(
        self,
        progress_note_id: str,
        body: types.ProgressNotePatch,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ProgressNote:
        """Change the text of a progress note. `PATCH /progress-notes/{progressNoteId}`"""
        call = Call(
            "PATCH",
            f"/progress-notes/{segment(progress_note_id)}",
            "always" if if_match is None else "never",
            body=cast(Any, body),
            headers={"If-Match": if_match},
            timeout=timeout,
        )
        return cast(types.ProgressNote, self._transport.send(call))

    def list_versions(
        self,
        progress_note_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.ProgressNoteVersion]:
        """List the versions of a progress note. `GET /progress-notes/{progressNoteId}/versions`"""
        call = Call(
            "GET",
            f"/progress-notes/{segment(progress_note_id)}/versions",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def read_checks(
        self,
        progress_note_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.SigningChecks:
        """Each check says what it found, where, and how it is put right. `signingChecks` of `GET /partners` says which of them warn and which block. `GET /progress-notes/{progressNoteId}/checks`"""
        call = Call(
            "GET",
            f"/progress-notes/{segment(progress_note_id)}/checks",
            "always",
            timeout=timeout,
        )
        return cast(types.SigningChecks, self._transport.send(call))

    def add_addendum(
        self,
        progress_note_id: str,
        body: types.AddendumRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Addendum:
        """Add to a finalized progress note. `POST /progress-notes/{progressNoteId}/addenda`"""
        call = Call(
            "POST",
            f"/progress-notes/{segment(progress_note_id)}/addenda",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Addendum, self._transport.send(call))

    def list_addenda(
        self,
        progress_note_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Addendum]:
        """List the addenda of a progress note. `GET /progress-notes/{progressNoteId}/addenda`"""
        call = Call(
            "GET",
            f"/progress-notes/{segment(progress_note_id)}/addenda",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def magic_edit(
        self,
        progress_note_id: str,
        body: types.MagicEditRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ProgressNote:
        """Have a progress note changed by instructions. `POST /progress-notes/{progressNoteId}/magic-edit`"""
        call = Call(
            "POST",
            f"/progress-notes/{segment(progress_note_id)}/magic-edit",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.ProgressNote, self._transport.send(call))

    def regenerate(
        self,
        progress_note_id: str,
        *,
        template_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ProgressNote:
        """Have a progress note written again. `POST /progress-notes/{progressNoteId}/regenerate`"""
        call = Call(
            "POST",
            f"/progress-notes/{segment(progress_note_id)}/regenerate",
            "with_key",
            query={"templateId": template_id},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.ProgressNote, self._transport.send(call))

    def finalize(
        self,
        progress_note_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ProgressNote:
        """Finalize and lock a progress note. `POST /progress-notes/{progressNoteId}/finalize`"""
        call = Call(
            "POST",
            f"/progress-notes/{segment(progress_note_id)}/finalize",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.ProgressNote, self._transport.send(call))


class SummariesResource(Resource):
    def read(
        self,
        summary_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Summary:
        """Read a summary. Raises NotReadyError until it exists. `GET /summaries/{summaryId}`"""
        call = Call(
            "GET",
            f"/summaries/{segment(summary_id)}",
            "always",
            may_be_not_ready=True,
            timeout=timeout,
        )
        return cast(types.Summary, self._transport.send(call))


class AssessmentsResource(Resource):
    def list(
        self,
        clinic_id: str,
        *,
        default_only: Optional[bool] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Assessment]:
        """List the assessments that a clinic can administer. `GET /clinics/{clinicId}/assessments`"""
        call = Call(
            "GET",
            f"/clinics/{segment(clinic_id)}/assessments",
            "always",
            query={"defaultOnly": default_only},
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def administer(
        self,
        client_id: str,
        body: types.AssessmentAdministration,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.AssessmentAssignments:
        """Administer assessments to a client. `POST /clients/{clientId}/assessments`"""
        call = Call(
            "POST",
            f"/clients/{segment(client_id)}/assessments",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.AssessmentAssignments, self._transport.send(call))


class AssessmentAssignmentsResource(Resource):
    def list(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.ListedAssignment]:
        """List what was administered to a client. `GET /clients/{clientId}/assessment-assignments`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/assessment-assignments",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def reissue(
        self,
        assignment_id: str,
        body: Optional[types.AssessmentReissue] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ReissuedAssignment:
        """Give an assignment a new link, as when the old one is locked, expired or lost. `POST /assessment-assignments/{assignmentId}/reissue`"""
        call = Call(
            "POST",
            f"/assessment-assignments/{segment(assignment_id)}/reissue",
            "with_key",
            body=cast(Any, body or {}),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.ReissuedAssignment, self._transport.send(call))

    def revoke(
        self,
        assignment_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Revoke an assignment: its link stops working; revoking again changes nothing. `DELETE /assessment-assignments/{assignmentId}`"""
        call = Call(
            "DELETE",
            f"/assessment-assignments/{segment(assignment_id)}",
            "always",
            timeout=timeout,
        )
        self._transport.send(call)


class AssessmentScoresResource(Resource):
    def read(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.AssessmentScore:
        """Read an assessment score with its answers. `GET /assessment-scores/{id}`"""
        call = Call(
            "GET",
            f"/assessment-scores/{segment(id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.AssessmentScore, self._transport.send(call))

    def list(
        self,
        client_id: str,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.AssessmentScore]:
        """List a client's assessment scores. `GET /clients/{clientId}/assessment-scores`"""
        call = Call(
            "GET",
            f"/clients/{segment(client_id)}/assessment-scores",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)


class WebhookEndpointsResource(Resource):
    def list(
        self,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.WebhookEndpoint]:
        """List webhook endpoints. `GET /webhook-endpoints`"""
        call = Call(
            "GET",
            "/webhook-endpoints",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def create(
        self,
        body: types.NewWebhookEndpoint,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.WebhookEndpoint:
        """Create a webhook endpoint. `POST /webhook-endpoints`"""
        call = Call(
            "POST",
            "/webhook-endpoints",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.WebhookEndpoint, self._transport.send(call))

    def read(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.WebhookEndpoint:
        """Read a webhook endpoint. `GET /webhook-endpoints/{id}`"""
        call = Call(
            "GET",
            f"/webhook-endpoints/{segment(id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.WebhookEndpoint, self._transport.send(call))

    def change(
        self,
        id: str,
        body: types.WebhookEndpointPatch,
        *,
        timeout: Optional[float] = None,
    ) -> types.WebhookEndpoint:
        """Change a webhook endpoint; enabling it clears `disabledReason`. `PATCH /webhook-endpoints/{id}`"""
        call = Call(
            "PATCH",
            f"/webhook-endpoints/{segment(id)}",
            "always",
            body=cast(Any, body),
            timeout=timeout,
        )
        return cast(types.WebhookEndpoint, self._transport.send(call))

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a webhook endpoint; deleting the primary one clears `callbackUrl`. `DELETE /webhook-endpoints/{id}`"""
        call = Call(
            "DELETE",
            f"/webhook-endpoints/{segment(id)}",
            "always",
            timeout=timeout,
        )
        self._transport.send(call)

    def test(
        self,
        id: str,
        body: types.WebhookTest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.WebhookDelivery:
        """Send the newest event of a type to a webhook endpoint. `POST /webhook-endpoints/{id}/test`"""
        call = Call(
            "POST",
            f"/webhook-endpoints/{segment(id)}/test",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.WebhookDelivery, self._transport.send(call))

    def recover(
        self,
        id: str,
        body: types.WebhookRecovery,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.WebhookRecovered:
        """Looks back as far as deliveries are kept: 30 days, unless the operator has set otherwise. `POST /webhook-endpoints/{id}/recover`"""
        call = Call(
            "POST",
            f"/webhook-endpoints/{segment(id)}/recover",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.WebhookRecovered, self._transport.send(call))


class WebhookDeliveriesResource(Resource):
    def list(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "delivering", "succeeded", "failed", "cancelled"]] = None,
        event_type: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.WebhookDelivery]:
        """List the deliveries to a webhook endpoint. `GET /webhook-endpoints/{id}/deliveries`"""
        call = Call(
            "GET",
            f"/webhook-endpoints/{segment(id)}/deliveries",
            "always",
            query={"status": status, "eventType": event_type},
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def resend(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.WebhookDelivery:
        """Send a delivery again, at once. `POST /webhook-deliveries/{id}/resend`"""
        call = Call(
            "POST",
            f"/webhook-deliveries/{segment(id)}/resend",
            "with_key",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.WebhookDelivery, self._transport.send(call))


class SandboxControlsResource(Resource):
    def complete_assessment(
        self,
        assignment_id: str,
        body: types.SandboxAnswers,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.AssessmentScore:
        """What the client would do on their page: the answers are scored, danger in them is opened, and `assessment_completed` is sent. What else of the client's was answered to its end by then is completed with it. `POST /sandbox/assessments/{assignmentId}/complete`"""
        call = Call(
            "POST",
            f"/sandbox/assessments/{segment(assignment_id)}/complete",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.AssessmentScore, self._transport.send(call))

    def expire_tokens(
        self,
        body: types.SandboxTokenExpiry,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.ExpiredTokens:
        """Partner tokens are 401 from the answer on, in other processes within a second; obtain a new one. A clinician’s widget asks its page for new tokens. `POST /sandbox/tokens/expire`"""
        call = Call(
            "POST",
            "/sandbox/tokens/expire",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.ExpiredTokens, self._transport.send(call))

    def provoke_faults(
        self,
        body: types.SandboxFaultRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.SandboxFault:
        """The next `count` calls of this tenant are answered 429, 500 or 503, as the real ones are, with `Retry-After` where these have it. Nothing is done for them. Calls below `/sandbox` are not counted and not touched. Replaces what was asked for before; other processes hear of it within a second. `POST /sandbox/faults`"""
        call = Call(
            "POST",
            "/sandbox/faults",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.SandboxFault, self._transport.send(call))

    def read_faults(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> types.SandboxFaults:
        """What is left of the faults that were asked for. `GET /sandbox/faults`"""
        call = Call(
            "GET",
            "/sandbox/faults",
            "always",
            timeout=timeout,
        )
        return cast(types.SandboxFaults, self._transport.send(call))

    def end_faults(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Have no more calls fail; ending what has ended changes nothing. `DELETE /sandbox/faults`"""
        call = Call(
            "DELETE",
            "/sandbox/faults",
            "always",
            timeout=timeout,
        )
        self._transport.send(call)

    def advance_clock(
        self,
        body: types.SandboxClockMove,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.SandboxClock:
        """Links, sign-in codes and refresh tokens expire by it, webhooks are tried again by it, and recordings and deliveries are kept by it. Access tokens, what is under way and the times at which something happened stay those of the real clock. `POST /sandbox/clock`"""
        call = Call(
            "POST",
            "/sandbox/clock",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.SandboxClock, self._transport.send(call))

    def read_clock(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> types.SandboxClock:
        """What the clock of this sandbox shows. `GET /sandbox/clock`"""
        call = Call(
            "GET",
            "/sandbox/clock",
            "always",
            timeout=timeout,
        )
        return cast(types.SandboxClock, self._transport.send(call))


class RequestLogsResource(Resource):
    def list(
        self,
        *,
        status: Optional[Literal["2xx", "4xx", "5xx"]] = None,
        operation: Optional[str] = None,
        before: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.RequestLog]:
        """Ids, statuses and times of the calls that came with your API key; nothing of what was sent or answered. A call is listed within a second or so, the newest first, and the newest 10,000 that match. When the service is under heavy load, calls may be missing. `GET /request-logs`"""
        call = Call(
            "GET",
            "/request-logs",
            "always",
            query={"status": status, "operation": operation, "before": before},
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)


class TemplatesResource(Resource):
    def list(
        self,
        *,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Pages[types.Template]:
        """List the templates that notes can be written with. `GET /templates`"""
        call = Call(
            "GET",
            "/templates",
            "always",
            headers={"Casenote-Page-Size": None if page_size is None else str(page_size)},
            timeout=timeout,
        )
        return Pages(self._transport, call)

    def add(
        self,
        body: types.TemplateInput,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.TemplateWithFile:
        """For the whole tenant, one clinic or one clinician. A note keeps the version that it was written with. A new version stays whose it was, and the default that it was, unless it is named otherwise: `clinicId` null and nothing else makes it the whole tenant’s. The same version with the same content changes only whose it is. `POST /templates`"""
        call = Call(
            "POST",
            "/templates",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.TemplateWithFile, self._transport.send(call))

    def read(
        self,
        template_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.TemplateWithFile:
        """Read a template with its file. `GET /templates/{templateId}`"""
        call = Call(
            "GET",
            f"/templates/{segment(template_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.TemplateWithFile, self._transport.send(call))

    def remove(
        self,
        template_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Notes that were written with it keep it. What is built in stays. `DELETE /templates/{templateId}`"""
        call = Call(
            "DELETE",
            f"/templates/{segment(template_id)}",
            "always",
            timeout=timeout,
        )
        self._transport.send(call)


class TranscriptsResource(Resource):
    def erase(
        self,
        session_id: str,
        body: types.ErasureRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Erasure:
        """What was said or typed in the session, and what was read from it. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /sessions/{sessionId}/transcript/erasures`"""
        call = Call(
            "POST",
            f"/sessions/{segment(session_id)}/transcript/erasures",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Erasure, self._transport.send(call))


class DraftsResource(Resource):
    def erase(
        self,
        progress_note_id: str,
        body: types.ErasureRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> types.Erasure:
        """The draft of a note; session and transcript stay. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /progress-notes/{progressNoteId}/erasures`"""
        call = Call(
            "POST",
            f"/progress-notes/{segment(progress_note_id)}/erasures",
            "with_key",
            body=cast(Any, body),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return cast(types.Erasure, self._transport.send(call))


class ErasuresResource(Resource):
    def read(
        self,
        erasure_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> types.Erasure:
        """Read how far an erasure is, and its signed receipt. `GET /erasures/{erasureId}`"""
        call = Call(
            "GET",
            f"/erasures/{segment(erasure_id)}",
            "always",
            timeout=timeout,
        )
        return cast(types.Erasure, self._transport.send(call))


class Resources:
    """Every operation of the Partner API, by its noun."""

    def __init__(self, transport: Transport) -> None:
        self.partners = PartnersResource(transport)
        self.organizations = OrganizationsResource(transport)
        self.clinics = ClinicsResource(transport)
        self.programs = ProgramsResource(transport)
        self.clinicians = CliniciansResource(transport)
        self.clients = ClientsResource(transport)
        self.consents = ConsentsResource(transport)
        self.treatment_plans = TreatmentPlansResource(transport)
        self.client_exports = ClientExportsResource(transport)
        self.sessions = SessionsResource(transport)
        self.progress_notes = ProgressNotesResource(transport)
        self.summaries = SummariesResource(transport)
        self.assessments = AssessmentsResource(transport)
        self.assessment_assignments = AssessmentAssignmentsResource(transport)
        self.assessment_scores = AssessmentScoresResource(transport)
        self.webhook_endpoints = WebhookEndpointsResource(transport)
        self.webhook_deliveries = WebhookDeliveriesResource(transport)
        self.sandbox_controls = SandboxControlsResource(transport)
        self.request_logs = RequestLogsResource(transport)
        self.templates = TemplatesResource(transport)
        self.transcripts = TranscriptsResource(transport)
        self.drafts = DraftsResource(transport)
        self.erasures = ErasuresResource(transport)
