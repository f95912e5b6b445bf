-- When a user has seen or skipped the tour of the web app. Those who are here already know their way.
alter table users add column toured_at timestamptz default now();
alter table users alter column toured_at drop default;
