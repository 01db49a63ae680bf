-- Consent that holds up (decision 0048): which text was agreed to, by whom, how, and what became of it.

-- What clients are asked to agree to, by clinic organization and language; none at all: the text that comes with the program.
create table casenote.consent_texts (
  tenant_id uuid not null references casenote.tenants,
  text_id uuid not null,
  -- Null: for all of the partner's.
  organization_id uuid,
  language text not null check (language in ('en', 'es')),
  version text not null check (length(version) between 1 and 50),
  body text not null check (length(body) between 1 and 20000),
  -- The newest of an organization and a language is the one that is shown.
  seq bigint generated always as identity,
  created_at timestamptz not null default now(),
  primary key (tenant_id, text_id),
  foreign key (tenant_id, organization_id) references casenote.organizations
);
create unique index consent_texts_version on casenote.consent_texts
  (tenant_id, coalesce(organization_id, '00000000-0000-0000-0000-000000000000'), language, version);
create index consent_texts_newest on casenote.consent_texts (tenant_id, language, seq);
select casenote.isolate_by_tenant('casenote.consent_texts');
-- Added by the operator alone, and never changed: somebody has signed it.
grant select on casenote.consent_texts to casenote_app;

-- Still one row for each word that somebody says about being recorded, never changed. A program of before adds rows as it did: a clinician's
-- word for the client.
alter table casenote.recording_consents
  -- Of a word that gives: the consent. Of one that takes back: its own.
  add column consent_id uuid not null default gen_random_uuid(),
  add column relation text not null default 'self'
    constraint recording_consents_relation_check check (relation in ('self', 'guardian', 'participant')),
  add column method text not null default 'by_word'
    constraint recording_consents_method_check check (method in ('signed_on_page', 'signed_in_room', 'by_word')),
  -- Who says that it was so. The client: on a page that opened with their birth date.
  add column said_to text not null default 'clinician'
    constraint recording_consents_said_to_check check (said_to in ('clinician', 'partner', 'client')),
  -- The name that was typed. Null: the client's own.
  add column sealed_person bytea,
  add column language text,
  -- Null: the text that comes with the program, of `text_version`.
  add column text_id uuid,
  -- Of a word that takes back, which consent. Null: all that the client, or who speaks for them, had given.
  add column withdraws uuid,
  alter column clinician_id drop not null,
  add constraint recording_consents_clinician_check check ((said_to = 'clinician') = (clinician_id is not null)),
  add constraint recording_consents_withdraws_check check (not is_given or withdraws is null),
  add constraint recording_consents_text_fkey foreign key (tenant_id, text_id) references casenote.consent_texts;
create unique index recording_consents_id on casenote.recording_consents (tenant_id, consent_id);

-- Where a client reads, signs and takes back; the newest alone opens.
create table casenote.consent_links (
  tenant_id uuid not null,
  token_hash bytea not null,
  client_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, token_hash),
  foreign key (tenant_id, client_id) references casenote.clients
);
create index consent_links_open on casenote.consent_links (tenant_id, client_id) where revoked_at is null;
select casenote.isolate_by_tenant('casenote.consent_links');
grant select, insert, update on casenote.consent_links to casenote_app;

alter table casenote.client_openings
  drop constraint client_openings_kind_check,
  add constraint client_openings_kind_check check (kind in ('assessments', 'invitation', 'consent'));

-- Nothing is recorded without it, whichever way a recording comes.
alter table casenote.tenants add column requires_consent boolean not null default false;
