-- Reactions to comments: each person can give each kind once. The resource is the one of the comment, for the trash.
create table comment_reactions (
  comment_id uuid not null references comments (id) on delete cascade,
  user_id uuid not null references users (id),
  kind text not null,
  resource_id uuid not null references resources (id) on delete cascade,
  created_at timestamptz not null,
  primary key (comment_id, user_id, kind),
  constraint comment_reactions_kind_check check (kind in ('thumbs_up', 'thumbs_down', 'heart', 'celebrate', 'eyes', 'thinking'))
);

create index comment_reactions_resource on comment_reactions (resource_id);
