-- A clinician's word that a session was in English, against what the service made of it: then it is not looked at again.
alter table casenote.sessions add column language text check (language in ('en'));
