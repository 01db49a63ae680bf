-- Events, each committed with the change that it tells of. The dispatcher fans them out to endpoints later.
create table casenote.events (
  tenant_id uuid not null references casenote.tenants,
  -- The webhook-id of every delivery of this event.
  event_id uuid not null,
  seq bigint generated always as identity,
  event_type text not null,
  -- What makes a second event of its kind impossible, where there must be only one (decisions 8); else null.
  once_key text,
  -- The exact bytes that are signed and sent, never jsonb.
  body bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, event_id)
);
create unique index events_once on casenote.events (tenant_id, once_key) where once_key is not null;
create index events_by_type on casenote.events (tenant_id, event_type, seq);
select casenote.isolate_by_tenant('casenote.events');
grant select, insert on casenote.events to casenote_app;
grant select on casenote.events to casenote_dispatcher;
