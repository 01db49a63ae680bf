-- Bounds of the widget's surface, and retention.

-- What a clinician may ask for in the widget: as casenote.limit_buckets, without a day. The limits are the program's.
create table casenote.clinician_buckets (
  tenant_id uuid not null,
  clinician_id uuid not null,
  tokens double precision not null check (tokens >= 0),
  refilled_at timestamptz not null,
  leased int not null check (leased >= 0),
  primary key (tenant_id, clinician_id),
  foreign key (tenant_id, clinician_id) references casenote.clinicians
) with (fillfactor = 50);
select casenote.isolate_by_tenant('casenote.clinician_buckets');
grant select, insert, update on casenote.clinician_buckets to casenote_app;
