-- The dialect of the queries that the connector of an integration runs, as it described itself in the last sync. Null: that of the type.
alter table integrations add column sql_dialect text;
