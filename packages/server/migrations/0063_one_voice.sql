-- Only one voice was heard in a recording that is long enough to tell (decision 0050): perhaps the client was in the clinician's headphones.
-- Of transcripts from before, nobody looked.
alter table casenote.transcripts add column is_one_voice boolean not null default false;
