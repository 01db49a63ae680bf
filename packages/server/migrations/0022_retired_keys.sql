-- Keys that are retired: what a retired token key signed is refused, and nothing new is sealed with a retired data key. They are
-- kept for a while: to tell a token of ours that has ended from one that never was ours, and for recordings that browsers hold.
alter table casenote.tenant_keys add column retired_at timestamptz;
