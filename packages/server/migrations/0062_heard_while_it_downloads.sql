-- One more kind of job: a recording is heard while its file is fetched (decision 0038).
do $$
declare
  kinds text;
begin
  select string_agg(quote_literal(found.kind[1]), ', ' order by found.place) into kinds
    from pg_constraint c,
      regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''::text', 'g') with ordinality as found (kind, place)
    where c.conrelid = 'casenote.jobs'::regclass and c.conname = 'jobs_kind_check';
  execute format('alter table casenote.jobs drop constraint jobs_kind_check, add constraint jobs_kind_check check (kind in (%s, %L))',
    kinds, 'hear_download');
end $$;
