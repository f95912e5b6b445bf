-- The part of the address of a public link with which chats read its preview, and nothing else. Links from before have none.
alter table public_links add column preview_key text;
-- small table
create index public_links_preview on public_links (preview_key);
