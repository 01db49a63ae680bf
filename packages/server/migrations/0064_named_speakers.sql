-- Who is heard in a recording: the names and roles of its voices (decision 0051). Sealed, and apart from the lines: naming somebody changes no
-- line, so nothing is read anew for it. Null: nobody was named.
alter table casenote.transcripts add column sealed_speakers bytea;
