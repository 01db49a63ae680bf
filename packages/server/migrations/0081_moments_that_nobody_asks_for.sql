-- Two moments that no program, function or export has ever read, and nothing was promised of. When an instrument was added stands in every log
-- (`instrument.add`), and when a refresh token was minted is seven days before it expires.
-- Programs from schema 74 on run with it.

alter table casenote.instruments drop column added_at;
alter table casenote.refresh_tokens drop column minted_at;

-- Read by nobody, either, and a record that cannot be made later: that somebody chose an answer about self-harm may be told long before it is known.
comment on column casenote.assessment_answers.saved_at is
  'When the service had the answer. The page may have been without a connection since given_at.';
