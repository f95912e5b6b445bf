-- Drafts are suggestions that Tablinum makes itself. `grounds` says what they are based on; `based_on` lists the resources whose texts they may
-- repeat, so that only people who see all of them see the draft.
alter table change_suggestions add column by text not null default 'user' check (by in ('user', 'agent', 'ai'));
update change_suggestions set by = 'agent' where by_agent;
alter table change_suggestions
  alter column by drop default,
  drop column by_agent,
  add column grounds jsonb not null default '[]',
  add column based_on uuid[] not null default '{}';
create index change_suggestions_drafts on change_suggestions (resource_id, field, status) where by = 'ai';

alter table background_jobs add column cancel_requested boolean not null default false;
