-- What a person edited, asked and answered, for their page.
create index activities_performer_edits on activities (performer_id, logged_at desc) where performer_id is not null and version is not null;
create index activities_performer_questions on activities (performer_id, logged_at desc)
where version = 1 and resource_type in ('question', 'question_reply');

-- Entries of a person's "Needs you" list that they hid: until then, or for good without a time.
create table needs_you_hidden (
  user_id uuid not null references users (id),
  kind text not null,
  item_id uuid not null,
  until timestamptz,
  created_at timestamptz not null,
  primary key (user_id, kind, item_id)
);
create index needs_you_hidden_until on needs_you_hidden (until) where until is not null;

-- Open questions about what a person owns.
create index resources_open_questions on resources (base_entity_id) where entity_type = 'question' and question_status = 'open';
