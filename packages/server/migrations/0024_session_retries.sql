-- A new session with the recording of one that failed: what failed stays failed, as partners were told.

alter table casenote.sessions add column retry_of uuid,
  add foreign key (tenant_id, retry_of) references casenote.sessions;
-- One for each: whoever asks twice gets no second note of the same hour. A retry that fails can be retried itself.
create unique index sessions_of_retry on casenote.sessions (tenant_id, retry_of) where retry_of is not null;
