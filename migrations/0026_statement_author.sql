-- Whose rights a monitor's own SQL runs with: who wrote its condition or its query last. Null: nobody wrote one, or the product did.
alter table monitors add column statement_by uuid;
update monitors set statement_by = created_by where metric_config ? 'where' or metric_config ? 'query_select';
