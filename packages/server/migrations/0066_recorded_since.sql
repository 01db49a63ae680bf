-- When the widget's recorder began, by the service's clock (decision 0048): a recording that is made without a network has its session later,
-- and what was withdrawn between is about it. Null: a frame of before did not say, or the recording was made elsewhere.
alter table casenote.sessions add column recorded_since timestamptz;
