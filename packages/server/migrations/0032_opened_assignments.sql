-- When a client first opened the link of an assignment, so that a clinician sees what became of what they sent.
alter table casenote.assessment_assignments add column opened_at timestamptz;
