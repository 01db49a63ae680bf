-- Instruments that the operator adds, links that are revoked and issued again, and mail to clients.

-- What the operator added to the instruments of the program: whole ones, and text packs. Questionnaires are of the
-- installation, as the built-in ones are, and say nothing of anybody: so no tenant (docs/decisions/0011). Rows are never
-- changed but to be withdrawn: somebody may be answering that version.
create table casenote.instruments (
  assessment_id text not null,
  version text not null,
  -- Of a text pack; empty for a whole instrument.
  language text not null default '',
  seq bigint generated always as identity,
  source text not null check (length(source) <= 1000000),
  added_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (assessment_id, version, language)
);
grant select on casenote.instruments to casenote_app;
-- Every instance sees a new one as it sees a new credential, within seconds.
create trigger directory_changed after insert or update or delete on casenote.instruments
  for each statement execute function casenote.bump_directory_version();

-- Which version a client was given: they answer that one to the end. The default is for instances of the release before.
alter table casenote.assessment_assignments
  add column instrument_version text not null default '2026-11-15',
  drop constraint assessment_assignments_status_check,
  add constraint assessment_assignments_status_check
    check (status in ('outstanding', 'completed', 'expired', 'revoked'));
create index assessment_assignments_of_client on casenote.assessment_assignments (tenant_id, client_id, seq);

-- One mail to one client with one link. The link is sealed, and gone as soon as the mail is: after that only its hash is
-- kept, where it always was. The address is the client's at the time of sending.
create table casenote.client_mails (
  tenant_id uuid not null,
  mail_id uuid not null,
  client_id uuid not null,
  kind text not null check (kind in ('assessments', 'invitation')),
  -- The assignment whose link it is, and what was assigned with it; null for an invitation.
  assignment_id uuid,
  administration_id uuid,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'cancelled')),
  attempts int not null default 0 check (attempts >= 0),
  sealed_link bytea,
  link_expires_at timestamptz not null,
  -- The server's code or ours, never its text: that repeats the address.
  failure text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (tenant_id, mail_id),
  foreign key (tenant_id, client_id) references casenote.clients,
  foreign key (tenant_id, assignment_id) references casenote.assessment_assignments,
  check ((kind = 'assessments') = (assignment_id is not null and administration_id is not null)),
  check ((status = 'waiting') = (sealed_link is not null)),
  check ((status = 'waiting') = (ended_at is null))
);
create index client_mails_of_client on casenote.client_mails (tenant_id, client_id, created_at);
select casenote.isolate_by_tenant('casenote.client_mails');
grant select, insert, update on casenote.client_mails to casenote_app;

alter table casenote.jobs drop constraint jobs_kind_check,
  add constraint jobs_kind_check check
    (kind in ('fetch_audio', 'transcribe', 'write_note', 'derive_mdm', 'summarize', 'send_mail'));
