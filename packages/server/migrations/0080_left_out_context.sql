-- What a page knew beside a session, and the service refused: names of fields, so that the clinician hears what the note does without.
alter table casenote.session_contexts add column left_out text[] not null default '{}';
-- Names alone, and nothing that stood in a field. What is there has none, so no row has to be read again under the lock.
alter table casenote.session_contexts
  add constraint session_contexts_left_out_check check (left_out <@ array['diagnoses', 'medicines', 'goals', 'lastPlan',
    'pronouns', 'namesToKeepOut', 'serviceCode', 'startedAt', 'endedAt']) not valid;
