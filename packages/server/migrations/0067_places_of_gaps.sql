-- Where a struck stretch lies, as the recorder counts (decision 0049): in which of its segments, and how much recorded sound into it. Of the
-- whole recording nobody knows before it is joined; then begin and end are put right. Null: a frame of before told them by its clock alone.
alter table casenote.session_gaps
  add column from_segment int check (from_segment >= 0),
  add column from_ms bigint check (from_ms >= 0),
  add column to_segment int check (to_segment >= from_segment),
  add column to_ms bigint check (to_ms >= 0),
  add constraint session_gaps_place_check check (num_nulls(from_segment, from_ms, to_segment, to_ms) in (0, 4));
grant insert (from_segment, from_ms, to_segment, to_ms), update (start_ms, end_ms, lasted_ms) on casenote.session_gaps to casenote_app;
