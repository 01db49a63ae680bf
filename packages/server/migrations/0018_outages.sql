-- Jobs that wait for an engine's server.

-- Since when a server that the job needs is away. Null: it was never found away. Whoever claims the job next knows from it
-- how long it has waited.
alter table casenote.jobs add column outage_since timestamptz;
