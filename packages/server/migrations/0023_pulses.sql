-- Signs of life of the running processes: whether the database takes changes is known by making some.

create table casenote.pulses (
  process_id uuid primary key,
  role text not null,
  beaten_at timestamptz not null
);

-- Writes a row and, past the memory that sorting is allowed, a file: a disk that is full still takes a change to a page
-- that it has, for a while, so the row alone would not tell. What has been silent for a day has ended.
create function casenote.keep_pulse(process_id uuid, role text) returns void
language plpgsql security definer set search_path = '' set work_mem = '64kB' as $$
begin
  insert into casenote.pulses as p values ($1, $2, clock_timestamp())
    on conflict on constraint pulses_pkey do update set beaten_at = excluded.beaten_at;
  delete from casenote.pulses p where p.beaten_at < now() - interval '1 day';
  perform n from generate_series(1, 5000) n order by n desc offset 4999;
end $$;
revoke execute on function casenote.keep_pulse(uuid, text) from public;
grant execute on function casenote.keep_pulse(uuid, text) to casenote_app, casenote_dispatcher;
