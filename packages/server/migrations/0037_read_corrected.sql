-- Words that are put right are read anew, by a job of its own.
alter table casenote.jobs drop constraint jobs_kind_check,
  add constraint jobs_kind_check check (kind in
    ('fetch_audio', 'join_audio', 'transcribe', 'write_note', 'derive_mdm', 'summarize', 'read_transcript', 'send_mail',
      'send_code'));

-- A version never changes. What its sentences rest on, and what it leaves out, is judged again when its transcript was put
-- right: this stands in the place of the version's own for as long as the note has that version.
alter table casenote.progress_notes
  add column judged_version int,
  add column judged_at timestamptz,
  add column sealed_judged_sections bytea,
  add column sealed_judged_review bytea,
  add constraint progress_notes_judged_check check (
    num_nulls(judged_version, judged_at, sealed_judged_sections, sealed_judged_review) in (0, 4));
