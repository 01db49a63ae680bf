-- A clinic may have words of its own for what its clients agree to (decision 0048). Its organization is named beside it, so that a program of
-- before, which knows no clinics here, shows them within that organization and nowhere else: add none until every process runs this version.
alter table casenote.consent_texts
  add column clinic_id uuid,
  add constraint consent_texts_clinic_check check (clinic_id is null or organization_id is not null),
  add constraint consent_texts_clinic_fkey foreign key (tenant_id, clinic_id) references casenote.clinics;
-- Versions of a clinic and of its organization may have the same name.
drop index casenote.consent_texts_version;
create unique index consent_texts_version on casenote.consent_texts
  (tenant_id, coalesce(clinic_id, organization_id, '00000000-0000-0000-0000-000000000000'), language, version);
