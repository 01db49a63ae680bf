-- A third way: the clinician dictated what happened, and nobody else was recorded (decision 0053).
alter table casenote.sessions drop constraint sessions_source_check;
-- What is there was recorded or typed, so no row has to be read again under the lock.
alter table casenote.sessions
  add constraint sessions_source_check check (source in ('recording', 'typed', 'dictated')) not valid;
