-- A scan counts as done when it has been done. Before, `scanned_at` was set when the scan was queued, so one that failed was never repeated.
alter table pii_rules
  add column scan_job uuid, -- the scan that was queued last
  add column scan_failures integer not null default 0, -- scans in a row that could read nothing
  add column scan_retry_at timestamptz; -- no scan before this

comment on column pii_rules.scanned_at is 'When the last scan that succeeded began.';

-- Integrations whose last scan failed are scanned again.
update pii_rules p set scanned_at = null from integrations i
where i.id = p.integration and (
  select j.failed from background_jobs j where j.kind = 'scan_pii' and j.title = 'Look for PII in ' || i.name order by j.created_at desc limit 1);

-- Tables that a scan could not read. Each is tried again by itself.
create table pii_failed_scans (
  resource_id uuid primary key references resources on delete cascade, -- the table
  integration uuid not null references integrations on delete cascade,
  failures integer not null,
  retry_at timestamptz not null,
  error text not null
);
create index pii_failed_scans_retry on pii_failed_scans (integration, retry_at);
