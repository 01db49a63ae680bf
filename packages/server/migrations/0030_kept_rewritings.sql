-- When a clinician said of a magic edit, or of a note that was written again, that it stays as it is. Until then what it
-- changed and what it dropped is shown beside the note, in whatever browser it is opened.
alter table casenote.note_generations add column kept_at timestamptz;
-- What was written before nobody was asked about; it is not asked about now.
update casenote.note_generations set kept_at = ended_at where status = 'completed';
