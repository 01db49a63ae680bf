-- What a client reads, as the partner's record says it: a BCP 47 tag. Null: nobody said. Their pages and mails go by it.
alter table casenote.clients add column language text check (length(language) <= 35);
