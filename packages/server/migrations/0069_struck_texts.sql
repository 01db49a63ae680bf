-- What is struck takes the texts of the note with it, and a note without a text is being written, or has failed, as before its first one
-- (decision 0049). The numbers of the versions that went are not given again, and what is written then has an id of its own.
-- Programs of before would count its versions from nought again.
-- Programs from schema 69 on run with it.
alter table casenote.progress_notes
  add column versions_gone int not null default 0 check (versions_gone >= 0);

-- Null: struck, and not made anew yet. The row stays for its id, which partners have: as after a regeneration.
alter table casenote.mdm_elements alter column sealed_findings drop not null;
alter table casenote.summaries alter column sealed_summary drop not null;
