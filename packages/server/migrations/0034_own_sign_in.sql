-- The widget signs a clinician in by itself, with a code by mail (decision 0030). Off until the operator switches it on.

alter table casenote.tenants
  -- The pages that may ask for codes, each by name; null: none, the mode is off.
  add column sign_in_origins text[] check (cardinality(sign_in_origins) > 0);

-- One asked-for code. The code itself is nowhere: it follows from the id and a key outside the database.
create table casenote.sign_in_codes (
  tenant_id uuid not null references casenote.tenants,
  sign_in_id uuid not null,
  -- Null: nobody, or nobody active, has the address. Everything else is the same for them.
  clinician_id uuid,
  -- Of the address, keyed: counted also where it is nobody's.
  email_hash bytea not null check (octet_length(email_hash) = 32),
  -- Of a secret that never leaves the browser that asked.
  verifier_hash bytea not null check (octet_length(verifier_hash) = 32),
  key_version int not null,
  tries int not null default 0 check (tries >= 0),
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- No foreign key for the clinician: checking one takes time, which an address that is nobody's would not take.
  primary key (tenant_id, sign_in_id)
);
create index sign_in_codes_of_address on casenote.sign_in_codes (tenant_id, email_hash, asked_at);
create index sign_in_codes_by_time on casenote.sign_in_codes (tenant_id, asked_at);
select casenote.isolate_by_tenant('casenote.sign_in_codes');
grant select, insert, update, delete on casenote.sign_in_codes to casenote_app;

alter table casenote.jobs drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in
    ('fetch_audio', 'join_audio', 'transcribe', 'write_note', 'derive_mdm', 'summarize', 'send_mail', 'send_code'));
