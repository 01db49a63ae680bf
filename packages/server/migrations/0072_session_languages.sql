-- A session may be in any language that the speech engine knows; which these are is the installation's to say (decision 0052).
alter table casenote.sessions drop constraint sessions_language_check;
-- What is there says `en` or nothing, so no row has to be read again under the lock.
alter table casenote.sessions
  add constraint sessions_language_check check (language ~ '^[a-z]{2,3}$') not valid;
