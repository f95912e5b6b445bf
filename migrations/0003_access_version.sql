-- Grows with every change of who may do and see what: tokens, users, teams and their members. What a process remembers of a caller
-- holds as long as this stands still, so a request asks for one number instead of everything about its caller.
create table access_version (version bigint not null);
create unique index one_access_version on access_version ((true));
insert into access_version values (1);

create function access_changed() returns trigger language plpgsql as $$
begin
  update access_version set version = version + 1;
  return null;
end $$;

-- When a token was last used and a user last seen decides nothing.
create trigger access_changed after insert or delete or truncate on tokens for each statement execute function access_changed();
create trigger access_changed_edited after update of user_id, hash, scope, expires_at, revoked_at on tokens for each statement execute function access_changed();
create trigger access_changed after insert or delete or truncate on users for each statement execute function access_changed();
create trigger access_changed_edited after update of role, disabled_at on users for each statement execute function access_changed();
create trigger access_changed after insert or update or delete or truncate on teams for each statement execute function access_changed();
create trigger access_changed after insert or update or delete or truncate on team_members for each statement execute function access_changed();
