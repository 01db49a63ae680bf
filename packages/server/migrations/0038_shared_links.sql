-- In the widget assessments that are sent together have one link. Who takes one of them back leaves it to the others.
alter table casenote.assessment_assignments add column link_kept boolean not null default false
  check (not link_kept or status = 'revoked');
