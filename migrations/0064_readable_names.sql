-- Names that say what a function, trigger or column does.

alter function access_changed rename to bump_access_version;
alter function lineage_edges_delete rename to delete_lineage_edges;
alter function lineage_edges_truncate rename to truncate_lineage_edges;
alter function move_monitors rename to update_monitor_tables;
alter function refers rename to has_resource_refs;
alter function refs_of rename to list_resource_refs;
alter function refs_added rename to insert_resource_refs;
alter function refs_removed rename to delete_resource_refs;
alter function refs_emptied rename to truncate_resource_refs;
alter function resource_links_truncate rename to truncate_resource_links;
alter function resources_edited rename to update_derived_rows;
alter function search_added rename to insert_search_rows;
alter function search_removed rename to delete_search_rows;
alter function search_emptied rename to truncate_search_rows;
alter function search_context_note_properties rename to queue_search_context_of_properties;
alter function search_context_rebuild rename to rebuild_search_context;
alter function search_context_vectors rename to build_search_context;
alter function search_docs rename to search_documentation_vector;
alter function search_finds rename to search_matches;
alter function search_is_part rename to is_part_of_parent;
alter function search_level rename to search_usage_level;
alter function search_marks rename to search_filter_lexemes;
alter function search_names rename to search_name_vector;
alter function search_new_words rename to find_new_search_words;
alter function search_parts rename to split_name_parts;
alter function search_plain rename to search_normalize;
alter function search_prose rename to search_prepare_text;
alter function search_reference_write rename to update_search_references;
alter function search_synonyms_of rename to list_search_synonyms;
alter function search_synonyms_write rename to update_search_synonyms;
alter function search_synonyms_emptied rename to truncate_search_synonyms;
alter function search_title rename to search_title_lexemes;
alter function search_typed rename to search_query_words;
alter function search_weighted rename to search_weight_a_vector;
alter function search_words rename to search_stem_vector;
alter function table_of rename to find_table_id;

alter trigger access_changed on sessions rename to bump_access_version;
alter trigger access_changed on team_members rename to bump_access_version;
alter trigger access_changed on teams rename to bump_access_version;
alter trigger access_changed on tokens rename to bump_access_version;
alter trigger access_changed_update on tokens rename to bump_access_version_update;
alter trigger access_changed on users rename to bump_access_version;
alter trigger access_changed_update on users rename to bump_access_version_update;
alter trigger lineage_edges_delete on resources rename to delete_lineage_edges;
alter trigger lineage_edges_truncate on resources rename to truncate_lineage_edges;
alter trigger move_monitors on resources rename to update_monitor_tables;
alter trigger refs_added on resources rename to insert_resource_refs;
alter trigger refs_removed on resources rename to delete_resource_refs;
alter trigger refs_emptied on resources rename to truncate_resource_refs;
alter trigger resources_edited on resources rename to update_derived_rows;
alter trigger search_added on resources rename to insert_search_rows;
alter trigger search_removed on resources rename to delete_search_rows;
alter trigger search_emptied on resources rename to truncate_search_rows;
alter trigger search_synonyms_insert on resources rename to update_search_synonyms_insert;
alter trigger search_synonyms_update on resources rename to update_search_synonyms_update;
alter trigger search_synonyms_delete on resources rename to update_search_synonyms_delete;
alter trigger search_synonyms_emptied on resources rename to truncate_search_synonyms;
alter trigger search_context_properties_insert on property_values rename to queue_search_context_insert;
alter trigger search_context_properties_update on property_values rename to queue_search_context_update;
alter trigger search_context_properties_delete on property_values rename to queue_search_context_delete;
alter trigger search_context_rebuild on search_context_changes rename to rebuild_search_context;
alter trigger resource_links_insert on search_texts rename to update_resource_links_insert;
alter trigger resource_links_delete on search_texts rename to update_resource_links_delete;
alter trigger resource_links_truncate on search_texts rename to truncate_resource_links;
alter trigger search_reference_write on groups rename to update_search_references;
alter trigger search_reference_write on tags rename to update_search_references;
alter trigger search_reference_write on users rename to update_search_references;

-- The texts of functions name other functions and have local names of their own. Parsed functions (`return`, `begin atomic`) follow by themselves.
do $$
declare
  functions constant jsonb := '{
    "access_changed": "bump_access_version", "lineage_edges_delete": "delete_lineage_edges", "lineage_edges_truncate": "truncate_lineage_edges", "move_monitors": "update_monitor_tables",
    "refers": "has_resource_refs", "refs_of": "list_resource_refs", "refs_added": "insert_resource_refs", "refs_removed": "delete_resource_refs",
    "refs_emptied": "truncate_resource_refs", "resource_links_truncate": "truncate_resource_links", "resources_edited": "update_derived_rows", "search_added": "insert_search_rows",
    "search_removed": "delete_search_rows", "search_emptied": "truncate_search_rows", "search_context_note_properties": "queue_search_context_of_properties", "search_context_rebuild": "rebuild_search_context",
    "search_context_vectors": "build_search_context", "search_docs": "search_documentation_vector", "search_finds": "search_matches", "search_is_part": "is_part_of_parent",
    "search_level": "search_usage_level", "search_marks": "search_filter_lexemes", "search_names": "search_name_vector", "search_new_words": "find_new_search_words",
    "search_parts": "split_name_parts", "search_plain": "search_normalize", "search_prose": "search_prepare_text", "search_reference_write": "update_search_references",
    "search_synonyms_of": "list_search_synonyms", "search_synonyms_write": "update_search_synonyms", "search_synonyms_emptied": "truncate_search_synonyms", "search_title": "search_title_lexemes",
    "search_typed": "search_query_words", "search_weighted": "search_weight_a_vector", "search_words": "search_stem_vector", "table_of": "find_table_id"
  }';
  locals constant jsonb := '{
    "update_derived_rows": {"wide": "max_logged_rows", "note_changes": "log_resource_changes", "loops": "nestloop_setting", "referred": "with_new_refs", "told": "rewritten", "retold": "redescribed", "marked": "with_new_filters", "retold_ids": "redescribed_ids", "retold_words": "redescribed_words", "spoken": "new_texts", "said": "text_changed", "only_described": "only_description", "proses": "descriptions", "prose": "prepared", "mark": "lexeme"},
    "insert_search_rows": {"proses": "descriptions", "prose": "prepared", "titled": "inserted_titles", "told": "inserted_texts"},
    "log_resource_changes": {"wide": "max_logged_rows"},
    "search_title_lexemes": {"longest": "max_prefix", "near": "max_heading_prefix"}
  }';
  function record;
  word record;
  definition text;
begin
  for function in
    select p.proname, pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = current_schema()::regnamespace and l.lanname in ('sql', 'plpgsql') and p.prosqlbody is null and p.prokind = 'f'
  loop
    definition := function.definition;
    for word in select w.key, w.value from jsonb_each_text(functions || coalesce(locals -> function.proname, '{}')) w loop
      definition := regexp_replace(definition, '\m' || word.key || '\M', word.value, 'g');
    end loop;
    if definition <> function.definition then execute definition; end if;
  end loop;
end $$;

alter table notification_alerts rename column about to subject_id;
alter table notification_alerts rename column place to table_id;
alter table notification_alerts rename column above to upstream_incident;
alter table notification_alerts rename column told_at to sent_at;
alter index notification_alerts_about rename to notification_alerts_subject;
alter index notification_alerts_place rename to notification_alerts_table;
alter table notification_windows rename column told_at to last_sent_at;
alter index notification_windows_told rename to notification_windows_last_sent;
alter table deliveries rename column handed_over_at to submitted_at;
alter table deliveries rename column doubtful_since to uncertain_since;

-- The same names in the alerts that are stored until they are sent.
update deliveries d
set alert = d.alert - 'together' || jsonb_build_object('same_cause', d.alert -> 'together', 'items', (
  select jsonb_agg(case when i.item ? 'place' then i.item - 'place' || jsonb_build_object('table_id', i.item -> 'place') else i.item end order by i.n)
  from jsonb_array_elements(d.alert -> 'items') with ordinality i (item, n)))
where d.alert ? 'together' and jsonb_array_length(d.alert -> 'items') > 0;
