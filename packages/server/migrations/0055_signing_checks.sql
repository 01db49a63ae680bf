-- Which checks before signing a partner wants, and whether they block (decision 0041). What is not named warns.
alter table casenote.tenants
  add column signing_checks jsonb not null default '{}'
    constraint tenants_signing_checks_check check (
      jsonb_typeof(signing_checks) = 'object'
      and not jsonb_path_exists(
        signing_checks,
        '$.* ? (@ != "off" && @ != "warn" && @ != "block_in_widget" && @ != "block_everywhere")'
      )
    );
