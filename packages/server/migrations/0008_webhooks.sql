-- Webhook endpoints with their settings, deliveries and attempts.

alter table casenote.webhook_endpoints
  -- null: all, those that come later included.
  add column event_types text[] check (cardinality(event_types) > 0),
  add column enabled boolean not null default true,
  -- Why the service disabled it; null when the partner did.
  add column disabled_reason text check (disabled_reason in ('gone', 'failing')),
  add column digest_header text,
  -- A deleted endpoint stays, because its attempts are the record of what was sent where. No statement but the
  -- dispatcher's cancelling looks at it again.
  add column deleted_at timestamptz,
  add constraint webhook_endpoints_reason_of_disabled check (disabled_reason is null or not enabled);
drop index casenote.webhook_endpoints_one_primary;
create unique index webhook_endpoints_one_primary on casenote.webhook_endpoints (tenant_id)
  where is_primary and deleted_at is null;
create unique index webhook_endpoints_in_order on casenote.webhook_endpoints (tenant_id, seq);
revoke delete on casenote.webhook_endpoints from casenote_app;
-- The dispatcher reads where to send and disables what has gone; it must not be able to redirect anything.
grant select, update (enabled, disabled_reason) on casenote.webhook_endpoints to casenote_dispatcher;

-- One event on its way to one endpoint. The rows are the queue: what is pending and due is claimed and sent, whoever
-- made the row. A claim sets `delivering`, `leased_until` and raises `fence`; its outcome is written only while the
-- fence still stands, so a sender that was stopped past its lease cannot overwrite its successor.
create table casenote.webhook_deliveries (
  tenant_id uuid not null,
  delivery_id uuid not null,
  seq bigint generated always as identity,
  endpoint_id uuid not null,
  -- The webhook-id header. The body is the event's: the same bytes every time.
  event_id uuid not null,
  event_type text not null,
  -- `event`: because it happened. `test`: because the partner asked to see one; may repeat.
  trigger text not null check (trigger in ('event', 'test')),
  status text not null default 'pending' check (status in (
    'pending', 'delivering', 'succeeded', 'failed', 'cancelled')),
  next_attempt_at timestamptz default now(),
  -- Where in the retry schedule it is: back to 0 when it is sent again on request. Attempts are counted on.
  schedule_step int not null default 0 check (schedule_step >= 0),
  attempt_count int not null default 0 check (attempt_count >= 0),
  leased_until timestamptz,
  fence bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (tenant_id, delivery_id),
  foreign key (tenant_id, endpoint_id) references casenote.webhook_endpoints,
  foreign key (tenant_id, event_id) references casenote.events,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'delivering') = (leased_until is not null))
);
-- Fanning out, recovering and recovering twice at once: one delivery of an event to an endpoint.
create unique index webhook_deliveries_once
  on casenote.webhook_deliveries (tenant_id, event_id, endpoint_id) where trigger = 'event';
create unique index webhook_deliveries_of_endpoint
  on casenote.webhook_deliveries (tenant_id, endpoint_id, seq);
-- What is due, by endpoint: a slow endpoint with 100,000 waiting must not stand before the others.
create index webhook_deliveries_due
  on casenote.webhook_deliveries (tenant_id, endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_leased
  on casenote.webhook_deliveries (tenant_id, leased_until) where status = 'delivering';
select casenote.isolate_by_tenant('casenote.webhook_deliveries');
grant select, insert, update on casenote.webhook_deliveries to casenote_app, casenote_dispatcher;

-- What was tried, with how it went: written once, never changed.
create table casenote.webhook_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  attempt int not null check (attempt > 0),
  -- Of the claim that made it.
  fence bigint not null,
  started_at timestamptz not null,
  duration_ms int not null check (duration_ms >= 0),
  -- The HTTP status; null without an answer.
  status int,
  -- A short code of ours (`timeout`), never a text of the receiver's.
  error text,
  primary key (tenant_id, delivery_id, attempt),
  foreign key (tenant_id, delivery_id) references casenote.webhook_deliveries,
  check (status is not null or error is not null)
);
select casenote.isolate_by_tenant('casenote.webhook_attempts');
grant select on casenote.webhook_attempts to casenote_app;
grant select, insert on casenote.webhook_attempts to casenote_dispatcher;

-- For recovering since a moment.
create index events_by_time on casenote.events (tenant_id, created_at);

-- Which events have their deliveries. A flag on the row and not a cursor over seq: an event with a lower number may
-- commit after one with a higher, and a cursor would have passed it.
alter table casenote.events add column fanned_out_at timestamptz;
create index events_to_fan_out on casenote.events (tenant_id, seq) where fanned_out_at is null;
grant update (fanned_out_at) on casenote.events to casenote_dispatcher;
