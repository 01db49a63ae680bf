-- The language of the window that asked for a code: its mail is in the same.
alter table casenote.sign_in_codes add column language text not null default 'en' check (language in ('en', 'es'));
