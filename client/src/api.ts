// Made by `npm run client` from the document 22664d0984935c0cbd88c7b69122e00a7f8e58302564e3166d74ad0f93af4379. Do not edit.

export interface paths {
    "/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your tokens, or all tokens as an admin
         * @description Requires permission `tokens.own`.
         */
        get: operations["getAuthTokens"];
        put?: never;
        /**
         * Create a token
         * @description Requires permission `tokens.own`.
         */
        post: operations["postAuthTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a token
         * @description Requires permission `tokens.own`.
         */
        get: operations["getAuthTokensByTokenId"];
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description Takes effect immediately. Tokens created with it are revoked too.
         *
         *     Requires permission `tokens.own`.
         */
        delete: operations["deleteAuthTokensByTokenId"];
        options?: never;
        head?: never;
        /**
         * Rename a token
         * @description Requires permission `tokens.own`.
         */
        patch: operations["patchAuthTokensByTokenId"];
        trace?: never;
    };
    "/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Requires permission `people.read`.
         */
        get: operations["getUser"];
        put?: never;
        /**
         * Invite a user
         * @description Requires permission `people.manage`.
         */
        post: operations["postUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your user and permissions
         * @description Requires permission `self.read`.
         */
        get: operations["getUserMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Requires permission `people.read`.
         */
        get: operations["getUserByUserId"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description The user loses access immediately and is no longer listed. The name stays in history and as owner. To keep the record, disable the user instead.
         *
         *     Requires permission `people.manage`.
         */
        delete: operations["deleteUserByUserId"];
        options?: never;
        head?: never;
        /**
         * Edit, disable or enable a user
         * @description Requires permission `people.manage`.
         */
        patch: operations["patchUserByUserId"];
        trace?: never;
    };
    "/auth/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description Viewers and guests see only the teams they belong to.
         *
         *     Requires permission `teams.read`.
         */
        get: operations["getAuthTeams"];
        put?: never;
        /**
         * Create a team
         * @description Requires permission `people.manage`.
         */
        post: operations["postAuthTeams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/teams/{team_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a team
         * @description Requires permission `teams.read`.
         */
        get: operations["getAuthTeamsByTeamId"];
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description Requires permission `people.manage`.
         */
        delete: operations["deleteAuthTeamsByTeamId"];
        options?: never;
        head?: never;
        /**
         * Edit a team
         * @description Requires permission `people.manage`.
         */
        patch: operations["patchAuthTeamsByTeamId"];
        trace?: never;
    };
    "/auth/teams/{team_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add members to a team
         * @description Requires permission `people.manage`.
         */
        post: operations["postAuthTeamsByTeamIdMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/teams/{team_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from a team
         * @description Requires permission `people.manage`.
         */
        delete: operations["deleteAuthTeamsByTeamIdMembersByUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description Viewers and guests see only the groups they belong to.
         *
         *     Requires permission `teams.read`.
         */
        get: operations["getAuthGroup"];
        put?: never;
        /**
         * Create a group
         * @description Requires permission `people.manage`.
         */
        post: operations["postAuthGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/group/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a group
         * @description Requires permission `teams.read`.
         */
        get: operations["getAuthGroupByGroupId"];
        put?: never;
        post?: never;
        /**
         * Delete a group
         * @description Requires permission `people.manage`.
         */
        delete: operations["deleteAuthGroupByGroupId"];
        options?: never;
        head?: never;
        /**
         * Edit a group
         * @description Requires permission `people.manage`.
         */
        patch: operations["patchAuthGroupByGroupId"];
        trace?: never;
    };
    "/auth/group/{group_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add members to a group
         * @description Requires permission `people.manage`.
         */
        post: operations["postAuthGroupByGroupIdMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/group/{group_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from a group
         * @description Requires permission `people.manage`.
         */
        delete: operations["deleteAuthGroupByGroupIdMembersByUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill the catalog with the demo shop
         * @description Runs as a background job. If the demo already exists, nothing changes.
         *
         *     Requires permission `people.manage`.
         */
        post: operations["postDemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/background_jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List background jobs, newest first
         * @description Requires permission `jobs.read`.
         */
        get: operations["getBackgroundJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/background_jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a background job
         * @description Requires permission `jobs.read`.
         */
        get: operations["getBackgroundJobsByJobId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/background_jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a background job
         * @description Only for jobs that work in small steps, such as drafts: 409 for others. What was done until then stays.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postBackgroundJobsByJobIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/background_jobs/{job_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a background job
         * @description Server-sent events: a `job` event with the full record immediately and after every step, until the job is finished.
         *
         *     Requires permission `jobs.read`.
         */
        get: operations["getBackgroundJobsByJobIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integration types and their credential fields
         * @description Requires permission `integrations.read`.
         */
        get: operations["getIntegrationTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations by name
         * @description Requires permission `integrations.read`.
         */
        get: operations["getIntegrationIntegrations"];
        put?: never;
        /**
         * Create an integration
         * @description Without `credentials` the integration is not connected; it can still push metadata.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an integration
         * @description Requires permission `integrations.read`.
         */
        get: operations["getIntegrationIntegrationsByIntegrationId"];
        put?: never;
        post?: never;
        /**
         * Delete an integration with its resources and all their descendants
         * @description Up to 1,000 resources are deleted immediately (204). More are deleted in a background job (202 with the job).
         *
         *     Requires permission `integrations.manage`.
         */
        delete: operations["deleteIntegrationIntegrationsByIntegrationId"];
        options?: never;
        head?: never;
        /**
         * Edit an integration
         * @description Each field of `credentials` is edited separately: absent fields are unchanged, null clears a field; `credentials: null` clears all of them.
         *
         *     Requires permission `integrations.manage`.
         */
        patch: operations["patchIntegrationIntegrationsByIntegrationId"];
        trace?: never;
    };
    "/integration/integrations/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a connection before it is saved
         * @description Takes what creates an integration. Nothing is stored. A failed test returns 400 with the reason.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrationsTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/patterns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List what a source has before it is saved
         * @description Takes what creates an integration. Nothing is stored. Tells for each table, dashboard or job whether the patterns include it.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrationsPatterns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the connection to the source
         * @description A failed test returns 400 with the reason.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/patterns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview what include and exclude patterns match
         * @description Lists the source now, without writing anything, and tells for each table, dashboard or job whether the patterns include it.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdPatterns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sync the catalog with the source in a background job
         * @description If a sync is already queued or running, that one is returned. When the source lists nothing, or less than half of what it listed before, the sync fails with `needs_confirmation` and marks nothing as stale.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the syncs of an integration, newest first
         * @description Requires permission `integrations.read`.
         */
        get: operations["getIntegrationIntegrationsByIntegrationIdSyncs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/losses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the last sync could not take over
         * @description For integrations that receive the metadata of another catalog: each line names what is missing and why.
         *
         *     Requires permission `integrations.read`.
         */
        get: operations["getIntegrationIntegrationsByIntegrationIdLosses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/sync/{sync_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a queued or running sync
         * @description It stops within seconds. What it had already written stays, and nothing is marked as stale.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdSyncBySyncIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/sync/{sync_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a sync in a background job
         * @description Fields that still have the value the sync wrote are reset to their previous value; resources the sync created are deleted unless a user has edited them. Reset values count as edited by a user.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdSyncBySyncIdUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/dbt/{integration_id}/upload_artifacts/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload the artifacts of a dbt project
         * @description A multipart form with `manifest.json` (version 1 or later, written by dbt 0.19 or later) and optionally `catalog.json`,
         *     `run_results.json` and `sources.json`. Files are identified by file name or by field name. Files that are not sent keep their last uploaded version.
         *     Returns the background job that syncs the catalog.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postIntegrationDbtByIntegrationIdUploadArtifacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/query_log/{integration_id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a query log
         * @description A multipart form with a file of executed queries: CSV with a header, JSON lines, or Parquet. Columns with common names are found by
         *     themselves. Statements that differ only in literals are one. A background job derives the usage and lineage of tables from them. Sending a file again,
         *     or another file with the same executions, does not count them twice.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postIntegrationQueryLogByIntegrationIdUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/datahub/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send metadata events of DataHub connectors
         * @description A list of DataHub's metadata events (MCE and MCP), as `datahub ingest` writes them to a `file` sink. They are stored, and a background job
         *     builds the catalog from them; its log names everything that could not be taken over. Events belong to the given integration, or to the one with the name
         *     of their pipeline (`DataHub` without one), which is created if it does not exist. Sending the same events again changes nothing. At most 16 MB at
         *     once: send larger files in parts, as `tablinum ingest` does.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postIntegrationDatahubEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the catalog
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceCatalog"];
        put?: never;
        /**
         * Create a resource
         * @description Requires permission `catalog.write`.
         */
        post: operations["postResourceCatalog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a resource
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceId"];
        put?: never;
        post?: never;
        /**
         * Delete a resource and everything below it
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteResourceAllByResourceId"];
        options?: never;
        head?: never;
        /**
         * Edit a resource
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchResourceAllByResourceId"];
        trace?: never;
    };
    "/resource/all/bulk_update/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Edit up to 100 resources at once, all or nothing
         * @description Requires permission `catalog.write`.
         */
        post: operations["postResourceAllBulkUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDocument"];
        put?: never;
        /**
         * Create a document
         * @description Requires permission `catalog.write`.
         */
        post: operations["postDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/document/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDocumentByDocumentId"];
        put?: never;
        post?: never;
        /**
         * Delete a document
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteDocumentByDocumentId"];
        options?: never;
        head?: never;
        /**
         * Edit a document
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchDocumentByDocumentId"];
        trace?: never;
    };
    "/database/databases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List databases
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDatabaseDatabases"];
        put?: never;
        /**
         * Create a database
         * @description Requires permission `catalog.write`.
         */
        post: operations["postDatabaseDatabases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/database/databases/{database_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a database
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDatabaseDatabasesByDatabaseId"];
        put?: never;
        post?: never;
        /**
         * Delete a database
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteDatabaseDatabasesByDatabaseId"];
        options?: never;
        head?: never;
        /**
         * Edit a database
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchDatabaseDatabasesByDatabaseId"];
        trace?: never;
    };
    "/database/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schemas
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDatabaseSchemas"];
        put?: never;
        /**
         * Create a schema
         * @description Requires permission `catalog.write`.
         */
        post: operations["postDatabaseSchemas"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/database/schemas/{schema_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a schema
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDatabaseSchemasBySchemaId"];
        put?: never;
        post?: never;
        /**
         * Delete a schema
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteDatabaseSchemasBySchemaId"];
        options?: never;
        head?: never;
        /**
         * Edit a schema
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchDatabaseSchemasBySchemaId"];
        trace?: never;
    };
    "/table/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tables
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTableTables"];
        put?: never;
        /**
         * Create a table
         * @description Requires permission `catalog.write`.
         */
        post: operations["postTableTables"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/tables/{table_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a table
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTableTablesByTableId"];
        put?: never;
        post?: never;
        /**
         * Delete a table
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteTableTablesByTableId"];
        options?: never;
        head?: never;
        /**
         * Edit a table
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchTableTablesByTableId"];
        trace?: never;
    };
    "/table/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List columns
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTableColumns"];
        put?: never;
        /**
         * Create a column
         * @description Requires permission `catalog.write`.
         */
        post: operations["postTableColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/columns/{column_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a column
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTableColumnsByColumnId"];
        put?: never;
        post?: never;
        /**
         * Delete a column
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteTableColumnsByColumnId"];
        options?: never;
        head?: never;
        /**
         * Edit a column
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchTableColumnsByColumnId"];
        trace?: never;
    };
    "/table/column": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List columns
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTableColumn"];
        put?: never;
        /**
         * Create a column
         * @description Requires permission `catalog.write`.
         */
        post: operations["postTableColumn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/column/{column_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a column
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTableColumnByColumnId"];
        put?: never;
        post?: never;
        /**
         * Delete a column
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteTableColumnByColumnId"];
        options?: never;
        head?: never;
        /**
         * Edit a column
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchTableColumnByColumnId"];
        trace?: never;
    };
    "/dashboard/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dashboards
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDashboardDashboards"];
        put?: never;
        /**
         * Create a dashboard
         * @description Requires permission `catalog.write`.
         */
        post: operations["postDashboardDashboards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/dashboards/{dashboard_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a dashboard
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDashboardDashboardsByDashboardId"];
        put?: never;
        post?: never;
        /**
         * Delete a dashboard
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteDashboardDashboardsByDashboardId"];
        options?: never;
        head?: never;
        /**
         * Edit a dashboard
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchDashboardDashboardsByDashboardId"];
        trace?: never;
    };
    "/dashboard/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List charts
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDashboardCharts"];
        put?: never;
        /**
         * Create a chart
         * @description Requires permission `catalog.write`.
         */
        post: operations["postDashboardCharts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/charts/{chart_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a chart
         * @description Requires permission `catalog.read`.
         */
        get: operations["getDashboardChartsByChartId"];
        put?: never;
        post?: never;
        /**
         * Delete a chart
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteDashboardChartsByChartId"];
        options?: never;
        head?: never;
        /**
         * Edit a chart
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchDashboardChartsByChartId"];
        trace?: never;
    };
    "/query/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List queries
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getQueryQueries"];
        put?: never;
        /**
         * Create a query
         * @description Requires permission `catalog.write`.
         */
        post: operations["postQueryQueries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query/queries/{query_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a query
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getQueryQueriesByQueryId"];
        put?: never;
        post?: never;
        /**
         * Delete a query
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteQueryQueriesByQueryId"];
        options?: never;
        head?: never;
        /**
         * Edit a query
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchQueryQueriesByQueryId"];
        trace?: never;
    };
    "/collection/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List collections
         * @description Requires permission `catalog.read`.
         */
        get: operations["getCollectionCollections"];
        put?: never;
        /**
         * Create a collection
         * @description Requires permission `catalog.write`.
         */
        post: operations["postCollectionCollections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/collections/{collection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a collection
         * @description Requires permission `catalog.read`.
         */
        get: operations["getCollectionCollectionsByCollectionId"];
        put?: never;
        post?: never;
        /**
         * Delete a collection
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteCollectionCollectionsByCollectionId"];
        options?: never;
        head?: never;
        /**
         * Edit a collection
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchCollectionCollectionsByCollectionId"];
        trace?: never;
    };
    "/glossary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List glossary
         * @description Requires permission `catalog.read`.
         */
        get: operations["getGlossary"];
        put?: never;
        /**
         * Create a glossary term
         * @description Requires permission `catalog.write`.
         */
        post: operations["postGlossary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/glossary/{glossary_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a glossary term
         * @description Requires permission `catalog.read`.
         */
        get: operations["getGlossaryByGlossaryId"];
        put?: never;
        post?: never;
        /**
         * Delete a glossary term
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteGlossaryByGlossaryId"];
        options?: never;
        head?: never;
        /**
         * Edit a glossary term
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchGlossaryByGlossaryId"];
        trace?: never;
    };
    "/question/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List questions
         * @description Requires permission `catalog.read`.
         */
        get: operations["getQuestionQuestions"];
        put?: never;
        /**
         * Create a question
         * @description Requires permission `questions.ask`.
         */
        post: operations["postQuestionQuestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/question/questions/{question_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a question
         * @description Requires permission `catalog.read`.
         */
        get: operations["getQuestionQuestionsByQuestionId"];
        put?: never;
        post?: never;
        /**
         * Delete a question
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `questions.ask`.
         */
        delete: operations["deleteQuestionQuestionsByQuestionId"];
        options?: never;
        head?: never;
        /**
         * Edit a question
         * @description Requires permission `questions.ask`.
         */
        patch: operations["patchQuestionQuestionsByQuestionId"];
        trace?: never;
    };
    "/question/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List replies
         * @description Requires permission `catalog.read`.
         */
        get: operations["getQuestionReplies"];
        put?: never;
        /**
         * Create a reply
         * @description Requires permission `questions.ask`.
         */
        post: operations["postQuestionReplies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/question/replies/{reply_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a reply
         * @description Requires permission `catalog.read`.
         */
        get: operations["getQuestionRepliesByReplyId"];
        put?: never;
        post?: never;
        /**
         * Delete a reply
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `questions.ask`.
         */
        delete: operations["deleteQuestionRepliesByReplyId"];
        options?: never;
        head?: never;
        /**
         * Edit a reply
         * @description Requires permission `questions.ask`.
         */
        patch: operations["patchQuestionRepliesByReplyId"];
        trace?: never;
    };
    "/event/category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event categories
         * @description Requires permission `catalog.read`.
         */
        get: operations["getEventCategory"];
        put?: never;
        /**
         * Create an event category
         * @description Requires permission `catalog.write`.
         */
        post: operations["postEventCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event/category/{event_category_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event category
         * @description Requires permission `catalog.read`.
         */
        get: operations["getEventCategoryByEventCategoryId"];
        put?: never;
        post?: never;
        /**
         * Delete an event category
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteEventCategoryByEventCategoryId"];
        options?: never;
        head?: never;
        /**
         * Edit an event category
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchEventCategoryByEventCategoryId"];
        trace?: never;
    };
    "/event/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getEventEvents"];
        put?: never;
        /**
         * Create an event
         * @description Requires permission `catalog.write`.
         */
        post: operations["postEventEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @deprecated
         * @description Requires permission `catalog.read`.
         */
        get: operations["getEventEventsByEventId"];
        put?: never;
        post?: never;
        /**
         * Delete an event
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteEventEventsByEventId"];
        options?: never;
        head?: never;
        /**
         * Edit an event
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchEventEventsByEventId"];
        trace?: never;
    };
    "/event/event_properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event properties
         * @description Requires permission `catalog.read`.
         */
        get: operations["getEventEventProperties"];
        put?: never;
        /**
         * Create an event property
         * @description Requires permission `catalog.write`.
         */
        post: operations["postEventEventProperties"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event/event_properties/{event_property_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event property
         * @description Requires permission `catalog.read`.
         */
        get: operations["getEventEventPropertiesByEventPropertyId"];
        put?: never;
        post?: never;
        /**
         * Delete an event property
         * @description Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteEventEventPropertiesByEventPropertyId"];
        options?: never;
        head?: never;
        /**
         * Edit an event property
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchEventEventPropertiesByEventPropertyId"];
        trace?: never;
    };
    "/bookmark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your bookmarked resources
         * @description Requires permission `catalog.read`.
         */
        get: operations["getBookmark"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/bookmark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Bookmark a resource
         * @description Idempotent. This is not an edit: it does not create a version and `If-Match` is ignored.
         *
         *     Requires permission `self.write`.
         */
        put: operations["putResourceAllByResourceIdBookmark"];
        post?: never;
        /**
         * Remove a bookmark
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteResourceAllByResourceIdBookmark"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources you are subscribed to
         * @description Requires permission `catalog.read`.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Subscribe to a resource
         * @description Idempotent. This is not an edit: it does not create a version and `If-Match` is ignored.
         *
         *     Requires permission `self.write`.
         */
        put: operations["putResourceAllByResourceIdSubscription"];
        post?: never;
        /**
         * Unsubscribe from a resource
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteResourceAllByResourceIdSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTag"];
        put?: never;
        /**
         * Create a tag
         * @description Requires permission `catalog.write`.
         */
        post: operations["postTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tag/{tag_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tag
         * @description Requires permission `catalog.read`.
         */
        get: operations["getTagByTagId"];
        put?: never;
        post?: never;
        /**
         * Delete a tag and remove it from every resource
         * @description Requires permission `catalog.write`.
         */
        delete: operations["deleteTagByTagId"];
        options?: never;
        head?: never;
        /**
         * Edit a tag
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchTagByTagId"];
        trace?: never;
    };
    "/glossary/{glossary_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the resources with a glossary term
         * @description The resources themselves are in `/resource/catalog` with a filter on `terms`.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getGlossaryByGlossaryIdUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/glossary/{glossary_id}/named_alike": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find resources named like a glossary term
         * @description Tables, columns, dashboards, charts, reports and events whose name has the words of the term or of a synonym, and that do not have the term.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getGlossaryByGlossaryIdNamedAlike"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/term_suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest glossary terms for a resource and its columns
         * @description Terms with the same words in their title or in a synonym as the name of the resource or column.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdTermSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your saved views and those that are shared
         * @description Requires permission `self.read`.
         */
        get: operations["getView"];
        put?: never;
        /**
         * Save a view
         * @description Requires permission `self.write`.
         */
        post: operations["postView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/view/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a saved view
         * @description Requires permission `self.read`.
         */
        get: operations["getViewByViewId"];
        put?: never;
        post?: never;
        /**
         * Delete a saved view
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteViewByViewId"];
        options?: never;
        head?: never;
        /**
         * Edit a saved view
         * @description Requires permission `self.write`.
         */
        patch: operations["patchViewByViewId"];
        trace?: never;
    };
    "/view/{view_id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pin a saved view to your navigation
         * @description Requires permission `self.write`.
         */
        put: operations["putViewByViewIdPin"];
        post?: never;
        /**
         * Unpin a saved view
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteViewByViewIdPin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/backlinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources whose documentation links to a resource
         * @description A link is `/r/<id>` anywhere in the Markdown of the `definition` field.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdBacklinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity_log/resource_logs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the activities of a resource, newest first
         * @description Requires permission `catalog.write`.
         */
        get: operations["getActivityLogResourceLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a resource, newest first
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/versions/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions of a resource
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdVersionsCompare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a resource
         * @description Returns the full record after this version. The version of a deletion returns the record as it was before. Fields without history (usage, row count, bookmarks) have their current values.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdVersionsByVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of a resource, or a deleted resource
         * @description Creates a new version with the versioned fields of an earlier one. A deleted resource is restored under its ID if its parent still exists; for 90 days this includes everything below it, its lineage, custom property values, monitors, bookmarks and subscriptions, and `version` can be omitted. More than 10,000 resources are restored by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postResourceAllByResourceIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attachments of a resource
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdAttachments"];
        put?: never;
        /**
         * Upload an attachment
         * @description The body is the file, at most 10 MB. Its content decides its type, and which types are allowed.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postResourceAllByResourceIdAttachments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachment/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an attachment
         * @description The file. Images are shown by browsers; every other file, SVG included, is downloaded.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getAttachmentByAttachmentId"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * @description At once and for good. Texts that refer to it stay as they are.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteAttachmentByAttachmentId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted resources that can be restored, newest first
         * @description Lists resources deleted in the last 90 days. Restore one with `POST /resource/all/{id}/restore`.
         *
         *     Requires permission `catalog.write`.
         */
        get: operations["getTrash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trash/{resource_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a resource from the trash
         * @description The resource can no longer be restored. Its history is kept.
         *
         *     Requires permission `trash.delete`.
         */
        delete: operations["deleteTrashByResourceId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a user can or cannot see a resource
         * @description Any caller can check their own access. Checking another user requires the `people.read` permission.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity_log/audit_logs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Newest first unless `sort` or `cursor` is set. Fields: activity_type, created_at, id, integration_id, is_legacy, logged_at, parent_id, performer_id, performer_type, related_resource_ids, related_resource_type, resource_id, resource_title, resource_type, secoda_entity_type, updated_at, version, version_history_id.
         *
         *     Requires permission `audit.read`.
         */
        get: operations["getActivityLogAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all_v2/custom_properties/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom properties
         * @description Returns all custom properties, ordered by name.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllV2CustomProperties"];
        put?: never;
        /**
         * Create a custom property
         * @description Requires permission `catalog.write`.
         */
        post: operations["postResourceAllV2CustomProperties"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all_v2/custom_properties/{custom_property_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a custom property
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllV2CustomPropertiesByCustomPropertyId"];
        /**
         * Replace a custom property
         * @description Existing values must be valid for the new definition. Without `entity_types` the property applies to every type; without `options` the options are unchanged.
         *
         *     Requires permission `catalog.write`.
         */
        put: operations["putResourceAllV2CustomPropertiesByCustomPropertyId"];
        post?: never;
        /**
         * Delete a custom property and its values
         * @description The response is 204. A property with more than 10,000 values is deleted by a background job: the response is 202 with the job.
         *
         *     Requires permission `catalog.write`.
         */
        delete: operations["deleteResourceAllV2CustomPropertiesByCustomPropertyId"];
        options?: never;
        head?: never;
        /**
         * Edit a custom property
         * @description Existing values must be valid for the new definition.
         *
         *     Requires permission `catalog.write`.
         */
        patch: operations["patchResourceAllV2CustomPropertiesByCustomPropertyId"];
        trace?: never;
    };
    "/resource/all/{resource_id}/custom_properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom property values of a resource
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdCustomProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all_v2/custom_properties/{custom_property_id}/{entity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the value of a custom property
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId"];
        /**
         * Set the value of a custom property
         * @description An empty string deletes the value.
         *
         *     Requires permission `catalog.write`.
         */
        put: operations["putResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId"];
        post?: never;
        /**
         * Delete the value of a custom property
         * @description Requires permission `catalog.write`.
         */
        delete: operations["deleteResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId"];
        options?: never;
        head?: never;
        /**
         * Change the value of a custom property
         * @description An empty string deletes the value.
         *
         *     Requires permission `catalog.write`.
         */
        patch: operations["patchResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId"];
        trace?: never;
    };
    "/resource/all_v2/bulk_update/custom_properties/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the values of custom properties on many resources, all or nothing
         * @description Sets each value on each resource. An empty string deletes the value.
         *
         *     Requires permission `catalog.write`.
         */
        put: operations["putResourceAllV2BulkUpdateCustomProperties"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the values of custom properties on many resources, all or nothing
         * @description Sets each value on each resource. An empty string deletes the value.
         *
         *     Requires permission `catalog.write`.
         */
        patch: operations["patchResourceAllV2BulkUpdateCustomProperties"];
        trace?: never;
    };
    "/lineage/manual": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List manual lineage
         * @description Requires permission `catalog.read`.
         */
        get: operations["getLineageManual"];
        put?: never;
        /**
         * Add a manual lineage entry
         * @description The opposite entry is created automatically. Adding the same relation again returns the existing entry.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postLineageManual"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/manual/{lineage_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a lineage entry
         * @description Requires permission `catalog.read`.
         */
        get: operations["getLineageManualByLineageId"];
        put?: never;
        post?: never;
        /**
         * Delete a lineage entry and its mirror
         * @description Requires permission `catalog.write`.
         */
        delete: operations["deleteLineageManualByLineageId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/lineage_from_query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the lineage of a query
         * @description Requires permission `catalog.read`.
         */
        get: operations["getLineageLineageFromQuery"];
        put?: never;
        /**
         * Create lineage from a query
         * @description Edges are created between tables and columns in the catalog. Sending the same query again changes nothing.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postLineageLineageFromQuery"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Create lineage from a query, replacing the derived upstream of its target
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchLineageLineageFromQuery"];
        trace?: never;
    };
    "/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an OpenLineage event
         * @description Accepts run, job and dataset events of the OpenLineage standard. Facets that are not shown elsewhere are stored unchanged, within limits, in `display_metadata.facets` of the run, job or dataset. Sending an event again changes nothing. Events belong to
         *     the integration with the name of their job's namespace, which is created by the first event. A list of events, or an object with `events`, is accepted as well.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postLineage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send several OpenLineage events
         * @description Accepts run, job and dataset events of the OpenLineage standard. Facets that are not shown elsewhere are stored unchanged, within limits, in `display_metadata.facets` of the run, job or dataset. Sending an event again changes nothing. Events belong to
         *     the integration with the name of their job's namespace, which is created by the first event. If one is invalid, the error names it and none of them is accepted.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postLineageBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the lineage graph around a resource
         * @description The nearest nodes come first. A resource you may not see appears as a hidden node without a name, and only where it is the only connection to a resource you can see.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getLineageGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the code that defines or fills a resource
         * @description The definition of a view, the code of a dbt model or job, the text of a query, and up to 10 queries that its lineage was derived from: those whose tables you can all see.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List everything downstream of a resource
         * @description Requires permission `catalog.read`.
         */
        get: operations["getLineageImpact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/path": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the lineage paths between two resources
         * @description Requires permission `catalog.read`.
         */
        get: operations["getLineagePath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/what_if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a change and list what it would break
         * @description Nothing is changed. The response includes a Markdown comment for a pull request.
         *
         *     Requires permission `catalog.read`.
         */
        post: operations["postLineageWhatIf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/relationships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the foreign keys and joins of a table or schema
         * @description For a table: its foreign keys, those of other tables of its schema that refer to it, and its joins. For a schema or database: those of its tables. Joins come from the queries that lineage was derived from, if you can see everything they read and write.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdRelationships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a job
         * @description Newest first, with their state, duration, inputs and outputs. The last 50 runs of a job are kept.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of a resource over time
         * @description Uses in the source and views here on each day, and who queries it. Uses are counted for tables and dashboards.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List queries that read a table, the most useful first
         * @description How others query the table: verified and saved queries first, then by how many people run them and how often.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdQueries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/ranking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the ranking of search
         * @description The weights of the score, and the resources that are pinned or hidden for a query.
         *
         *     Requires permission `search.manage`.
         */
        get: operations["getSearchRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/ranking/weights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the weights of the ranking
         * @description Weights that are left out get their default value.
         *
         *     Requires permission `search.manage`.
         */
        put: operations["putSearchRankingWeights"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/ranking/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pin and hide resources for a query
         * @description Replaces what is pinned and hidden for this query.
         *
         *     Requires permission `search.manage`.
         */
        put: operations["putSearchRankingRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a field of the query language
         * @description Values that can follow `type:`, `owner:`, `tag:`, `team:`, `term:`, `in:`, `is:` or `property:`, as far as the caller can see them.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getSearchValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the catalog
         * @description Finds resources by title, description, documentation and context (path, columns, tags, owners, terms, custom properties), also by synonyms, abbreviations and with typing errors. Resources with every word come first; if there are few, those with most of the words follow. `"phrase"`, `-word`, `type:`, `owner:`, `tag:`, `team:`, `term:`, `in:`, `is:` and `property:` narrow the search. Archived resources come last.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the provenance of resource fields
         * @description For each field a source reports: whether the value comes from the source or was edited here. Empty for resources that no source reports.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdProvenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/provenance/take_back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a field to the value of its source
         * @description Later syncs update the field again.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postResourceAllByResourceIdProvenanceTakeBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/tables/{table_id}/schema_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how the columns of a table changed in its source, newest first
         * @description One entry for each sync that changed the columns. Columns you cannot see are left out.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getTableTablesByTableIdSchemaHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/change_suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suggested changes, newest first
         * @description Users who can edit see the suggestions for all resources they see; others see their own.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getChangeSuggestions"];
        put?: never;
        /**
         * Suggest a change
         * @description Nothing is changed until a person accepts it. Suggesting the same again returns the open suggestion.
         *
         *     Requires permission `questions.ask`.
         */
        post: operations["postChangeSuggestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/change_suggestions/{change_suggestion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a suggested change
         * @description Requires permission `catalog.read`.
         */
        get: operations["getChangeSuggestionsByChangeSuggestionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit an open suggestion before it is accepted
         * @description Requires permission `catalog.write`.
         */
        patch: operations["patchChangeSuggestionsByChangeSuggestionId"];
        trace?: never;
    };
    "/change_suggestions/{change_suggestion_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a suggested change and apply it
         * @description The resource is edited as by you and gets a new version.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postChangeSuggestionsByChangeSuggestionIdAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/change_suggestions/{change_suggestion_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a suggested change
         * @description Requires permission `catalog.write`.
         */
        post: operations["postChangeSuggestionsByChangeSuggestionIdReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List comments, thread by thread
         * @description The newest threads first, each from its first to its last comment. Comments on what you cannot see are left out.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getComments"];
        put?: never;
        /**
         * Comment on a resource or reply
         * @description Owners, subscribers, everyone who wrote in the thread and the people mentioned are notified.
         *
         *     Requires permission `questions.ask`.
         */
        post: operations["postComments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comments/{comment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a comment
         * @description Requires permission `catalog.read`.
         */
        get: operations["getCommentsByCommentId"];
        put?: never;
        post?: never;
        /**
         * Delete your comment
         * @description Admins delete any comment. The first comment of a thread with replies stays without its text.
         *
         *     Requires permission `questions.ask`.
         */
        delete: operations["deleteCommentsByCommentId"];
        options?: never;
        head?: never;
        /**
         * Edit your comment, or resolve or reopen its thread
         * @description Requires permission `questions.ask`.
         */
        patch: operations["patchCommentsByCommentId"];
        trace?: never;
    };
    "/comments/{comment_id}/reactions/{reaction}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * React to a comment
         * @description Each person can give each kind once. Nobody is notified.
         *
         *     Requires permission `questions.ask`.
         */
        put: operations["putCommentsByCommentIdReactionsByReaction"];
        post?: never;
        /**
         * Remove your reaction to a comment
         * @description Requires permission `questions.ask`.
         */
        delete: operations["deleteCommentsByCommentIdReactionsByReaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of the assistant
         * @description Requires permission `assistant.manage`.
         */
        get: operations["getAiSettings"];
        /**
         * Set the language model of the assistant and its limits
         * @description Changing `url` or `provider` requires `key` again, so that a stored key is never sent to another destination.
         *
         *     Requires permission `assistant.manage`.
         */
        put: operations["putAiSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/settings/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test question to the language model
         * @description Uses the saved settings, also while the assistant is turned off.
         *
         *     Requires permission `assistant.manage`.
         */
        post: operations["postAiSettingsTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft missing descriptions in a background job
         * @description Drafts are suggested changes with `by: ai` and their grounds (`GET /change_suggestions?by=ai`): people accept, edit or reject them. Without a model, columns inherit descriptions along lineage that passes values on unchanged, and names are put into words where that says something. Rejected drafts are not proposed again. Cancel with `POST /background_jobs/{job_id}/cancel`.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postAiDrafts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/preview_v2/table/{table_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the first rows of a table
         * @description At most 50 rows, read live from the source and not stored. Columns marked as PII are not read, and their cells contain •••; users who can edit the table can request them with `show_pii`, which is recorded in the audit log. For other users, columns with a pending PII suggestion are hidden as well. Requires `preview_enabled` on the integration; 409 explains why there is no preview.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourcePreviewV2TableByTableId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profile of a table or column
         * @description The stored profile. The source is not queried.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdProfile"];
        put?: never;
        /**
         * Profile a table or column in a background job
         * @description Reads a sample, or the whole table if requested. Also detects personal data (see `/pii/suggestions`). For columns that are or may be PII, only counts are stored.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postResourceAllByResourceIdProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/profile/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profiles of a table or column over time
         * @description Row counts of a table, nulls and distinct values of a column: the last profile of each day.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdProfileHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/profile/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the regular profiles of a table
         * @description Without a schedule, `schedule` is null.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdProfileSchedule"];
        /**
         * Profile a table regularly
         * @description 409 if the table has no source that can be queried.
         *
         *     Requires permission `catalog.write`.
         */
        put: operations["putResourceAllByResourceIdProfileSchedule"];
        post?: never;
        /**
         * Stop the regular profiles of a table
         * @description Requires permission `catalog.write`.
         */
        delete: operations["deleteResourceAllByResourceIdProfileSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/profile_schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the regular profiles of all tables of an integration
         * @description Without a schedule, `schedule` is null.
         *
         *     Requires permission `integrations.read`.
         */
        get: operations["getIntegrationIntegrationsByIntegrationIdProfileSchedule"];
        /**
         * Profile all tables of an integration regularly
         * @description Requires permission `integrations.manage`.
         */
        put: operations["putIntegrationIntegrationsByIntegrationIdProfileSchedule"];
        post?: never;
        /**
         * Stop the regular profiles of all tables of an integration
         * @description Requires permission `integrations.manage`.
         */
        delete: operations["deleteIntegrationIntegrationsByIntegrationIdProfileSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pii/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List PII suggestions, highest confidence first
         * @description Columns that may contain personal data, with confidence and evidence. The evidence contains patterns and counts, never values.
         *
         *     Requires permission `catalog.write`.
         */
        get: operations["getPiiSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pii/suggestions/{suggestion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a PII suggestion
         * @description Requires permission `catalog.write`.
         */
        get: operations["getPiiSuggestionsBySuggestionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pii/suggestions/{suggestion_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a PII suggestion and mark the column as PII
         * @description The column is edited and gets a new version.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postPiiSuggestionsBySuggestionIdAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pii/suggestions/{suggestion_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a PII suggestion
         * @description The column is not suggested again, unless another kind of personal data is detected later.
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postPiiSuggestionsBySuggestionIdReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pii/rules/{integration_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the PII rule of an integration
         * @description Requires permission `integrations.read`.
         */
        get: operations["getPiiRulesByIntegrationId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit the PII rule of an integration
         * @description Suggestions with a confidence of at least `accept_from` are accepted automatically: pending ones immediately, new ones when they are created.
         *
         *     Requires permission `integrations.manage`.
         */
        patch: operations["patchPiiRulesByIntegrationId"];
        trace?: never;
    };
    "/pii/scan/{integration_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scan all tables of an integration for PII in a background job
         * @description Checks column names and 300 rows of each table.
         *
         *     Requires permission `integrations.manage`.
         */
        post: operations["postPiiScanByIntegrationId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export resources
         * @description Exports everything the catalog list returns for these parameters, as one consistent snapshot. Ordered by `id` unless `sort` is set.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity_log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Requires permission `audit.read`.
         */
        get: operations["getActivityLogExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/import_metadata/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a CSV file
         * @description Each line is a resource, identified by its `databuilder_id`, or a lineage edge (`from_identifier`, `to_identifier`). A line of an existing resource changes
         *     only the fields it contains. Parents (`parent_databuilder_id`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (`Content-Encoding`).
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdImportMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/import_jsonl_metadata/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a JSONL file
         * @description Each line is a resource, identified by its `databuilder_id`, or a lineage edge (`from_identifier`, `to_identifier`). A line of an existing resource changes
         *     only the fields it contains. Parents (`parent_databuilder_id`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (`Content-Encoding`).
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdImportJsonlMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integration/integrations/{integration_id}/import_xlsx_metadata/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an XLSX file
         * @description Each line is a resource, identified by its `databuilder_id`, or a lineage edge (`from_identifier`, `to_identifier`). A line of an existing resource changes
         *     only the fields it contains. Parents (`parent_databuilder_id`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (`Content-Encoding`).
         *
         *     Requires permission `catalog.write`.
         */
        post: operations["postIntegrationIntegrationsByIntegrationIdImportXlsxMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export monitors as a YAML file
         * @description Contains the monitors you can see. The output is deterministic, so it can be committed to version control.
         *
         *     Requires permission `monitors.config`.
         */
        get: operations["getMonitorConfig"];
        /**
         * Apply a YAML file of monitors
         * @description Either the whole file is applied or nothing is changed; errors include line numbers. A monitor is identified by its name and the path of its target. Monitors that this file created and no longer contains are deleted unless `prune=false`.
         *
         *     Requires permission `monitors.write`.
         */
        put: operations["putMonitorConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether a pipeline should use a resource
         * @description Returns `fail` if a monitor of the resource (with `upstream=true`, also of any upstream resource) has an open incident, could not be measured, or is overdue. The HTTP status is 200 in either case unless `fail_status` is set.
         *
         *     Requires permission `monitors.read`.
         */
        get: operations["getMonitorGate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/monitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List monitors, newest first
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorMonitors"];
        put?: never;
        /**
         * Create a monitor
         * @description Without `condition_auto_sensitivity` and without manual limits, the thresholds are automatic with sensitivity 5. If the table has a timestamp column, earlier values are backfilled so that the expected range is available immediately.
         *
         *     Requires permission `monitors.write`.
         */
        post: operations["postMonitorMonitors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/monitors/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run monitors now, in a background job
         * @description Monitors that could not be measured are listed in the job’s `logs`.
         *
         *     Requires permission `monitors.run`.
         */
        post: operations["postMonitorMonitorsRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/monitors/{monitor_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a monitor
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorMonitorsByMonitorId"];
        put?: never;
        post?: never;
        /**
         * Delete a monitor with its measurements and incidents
         * @description Requires permission `monitors.write`.
         */
        delete: operations["deleteMonitorMonitorsByMonitorId"];
        options?: never;
        head?: never;
        /**
         * Edit a monitor
         * @description Setting a sensitivity makes the thresholds automatic; setting a minimum or maximum makes them manual. The target and the metric cannot be changed.
         *
         *     Requires permission `monitors.write`.
         */
        patch: operations["patchMonitorMonitorsByMonitorId"];
        trace?: never;
    };
    "/monitor/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incidents, newest first
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/incidents/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incidents by table: those with open ones first, by severity
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorIncidentsTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/incident/{incident_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an incident
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorIncidentByIncidentId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Acknowledge, snooze, resolve, assign or comment on an incident
         * @description Requires permission `monitors.write`.
         */
        patch: operations["patchMonitorIncidentByIncidentId"];
        trace?: never;
    };
    "/monitor/incidents/{incident_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an incident (plural path)
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorIncidentsByIncidentId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Acknowledge, snooze, resolve, assign or comment on an incident (plural path)
         * @description Requires permission `monitors.write`.
         */
        patch: operations["patchMonitorIncidentsByIncidentId"];
        trace?: never;
    };
    "/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count documentation, ownership, health, usage and incidents
         * @description Of the workspace, a team, an integration or an owner. Each number has the filter that lists what it counts.
         *
         *     Requires permission `monitors.read`.
         */
        get: operations["getInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/trends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the same numbers of each day
         * @description From a snapshot that is taken every day and kept for 92 days. Incidents are counted from their history.
         *
         *     Requires permission `monitors.read`.
         */
        get: operations["getInsightsTrends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/insights/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare teams, integrations or owners
         * @description Requires permission `monitors.read`.
         */
        get: operations["getInsightsGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lineage/root_cause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out why a number may be wrong
         * @description Checks the resource and everything upstream for open incidents, late data, changed columns, changed SQL, failed tests and failed job runs. Cut to what you can see.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getLineageRootCause"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/needs_you": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits for you
         * @description Incidents, questions, suggestions and gaps in what you own, cut to what you can see.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getNeedsYou"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/needs_you/hidden": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hide an entry from your list, for good or until a time
         * @description Only your own list changes: nothing is resolved or answered.
         *
         *     Requires permission `self.write`.
         */
        post: operations["postNeedsYouHidden"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/needs_you/hidden/{kind}/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Show a hidden entry again
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteNeedsYouHiddenByKindByItemId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/measurements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List measurements of a monitor or an incident, newest first
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorMeasurements"];
        put?: never;
        /**
         * Push measurements
         * @description Values measured outside Tablinum are checked against the limits like any others. Either all values are saved or none. A value for a time that already has a measurement is ignored.
         *
         *     Requires permission `monitors.write`.
         */
        post: operations["postMonitorMeasurements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/measurements/{measurement_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a measurement
         * @description Requires permission `monitors.read`.
         */
        get: operations["getMonitorMeasurementsByMeasurementId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mark a measurement as expected or as an incident
         * @description Requires permission `monitors.write`.
         */
        patch: operations["patchMonitorMeasurementsByMeasurementId"];
        trace?: never;
    };
    "/monitor/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate limits on past measurements
         * @description Returns the anomalies and incidents these settings would have produced, for the measurements of a monitor or for values in the request. Nothing is saved.
         *
         *     Requires permission `monitors.read`.
         */
        post: operations["postMonitorReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a monitor
         * @description Takes the same body as creating a monitor. Runs the metric once against the source, and a backfill if the table has a timestamp column. Nothing is saved.
         *
         *     Requires permission `monitors.write`.
         */
        post: operations["postMonitorPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/incidents/{incident_id}/failing_rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sample of the rows behind an incident
         * @description For checks that count rows: `accepted_values`, `pattern`, `range`, `duplicates`, `referential`. Stored for two weeks if `preview_enabled` is on for the integration, and returned to those who can preview the table; 409 explains why not. `sample` is null if there is none.
         *
         *     Requires permission `monitors.read`.
         */
        get: operations["getMonitorIncidentsByIncidentIdFailingRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List monitor suggestions for a table
         * @description Suggestions are based on the table’s columns and their profiles, its usage and its downstream resources. Each has a reason.
         *
         *     Requires permission `monitors.config`.
         */
        get: operations["getMonitorSuggestions"];
        put?: never;
        /**
         * Create monitors from suggestions
         * @description Requires permission `monitors.write`.
         */
        post: operations["postMonitorSuggestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your notifications, latest change first
         * @description Changes made by others to resources you own or subscribe to. Resources you can no longer see are left out.
         *
         *     Requires permission `self.read`.
         */
        get: operations["getNotificationInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/inbox/unread_count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count your unread notifications
         * @description Requires permission `self.read`.
         */
        get: operations["getNotificationInboxUnreadCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/inbox/read_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark all your notifications as read
         * @description Requires permission `self.write`.
         */
        post: operations["postNotificationInboxReadAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/inbox/{notification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification
         * @description Requires permission `self.read`.
         */
        get: operations["getNotificationInboxByNotificationId"];
        put?: never;
        post?: never;
        /**
         * Delete a notification
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteNotificationInboxByNotificationId"];
        options?: never;
        head?: never;
        /**
         * Mark a notification as read or unread
         * @description Requires permission `self.write`.
         */
        patch: operations["patchNotificationInboxByNotificationId"];
        trace?: never;
    };
    "/notification/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your notification settings
         * @description Requires permission `self.read`.
         */
        get: operations["getNotificationSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit your notification settings
         * @description The inbox is always on. To get no notifications about a resource, unsubscribe from it.
         *
         *     Requires permission `self.write`.
         */
        patch: operations["patchNotificationSettings"];
        trace?: never;
    };
    "/notification/explanation/incident/{incident_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why you were or were not notified of an incident
         * @description Of its latest opening. Admins can ask for any user.
         *
         *     Requires permission `self.read`.
         */
        get: operations["getNotificationExplanationIncidentByIncidentId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/explanation/activity/{activity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why you were or were not notified of an entry of the activity log
         * @description Admins can ask for any user.
         *
         *     Requires permission `self.read`.
         */
        get: operations["getNotificationExplanationActivityByActivityId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, newest first
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationDeliveriesByDeliveryId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed or uncertain delivery
         * @description Requires permission `notifications.manage`.
         */
        post: operations["postNotificationDeliveriesByDeliveryIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, newest first
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The secret is returned only in this response.
         *
         *     Requires permission `notifications.manage`.
         */
        post: operations["postNotificationWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationWebhooksByWebhookId"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Requires permission `notifications.manage`.
         */
        delete: operations["deleteNotificationWebhooksByWebhookId"];
        options?: never;
        head?: never;
        /**
         * Edit a webhook
         * @description Requires permission `notifications.manage`.
         */
        patch: operations["patchNotificationWebhooksByWebhookId"];
        trace?: never;
    };
    "/notification/webhooks/{webhook_id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description For one day deliveries are signed with both the new and the old secret.
         *
         *     Requires permission `notifications.manage`.
         */
        post: operations["postNotificationWebhooksByWebhookIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery to a webhook
         * @description Requires permission `notifications.manage`.
         */
        post: operations["postNotificationWebhooksByWebhookIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook, newest first
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationWebhooksByWebhookIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery of a webhook
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationWebhooksByWebhookIdDeliveriesByWebhookDeliveryId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again with the same ID
         * @description Requires permission `notifications.manage`.
         */
        post: operations["postNotificationWebhooksByWebhookIdDeliveriesByWebhookDeliveryIdRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification channels, newest first
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationChannels"];
        put?: never;
        /**
         * Create a notification channel
         * @description Needs `address` (e-mail, Slack), `url` (Teams, webhook) or `key` (PagerDuty, Opsgenie, webhook). Routing rules send to it.
         *
         *     Requires permission `notifications.manage`.
         */
        post: operations["postNotificationChannels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/channels/{notification_channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification channel
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationChannelsByNotificationChannelId"];
        put?: never;
        post?: never;
        /**
         * Delete a notification channel
         * @description Requires permission `notifications.manage`.
         */
        delete: operations["deleteNotificationChannelsByNotificationChannelId"];
        options?: never;
        head?: never;
        /**
         * Edit a notification channel
         * @description To change the URL of a pager or webhook, send its key again.
         *
         *     Requires permission `notifications.manage`.
         */
        patch: operations["patchNotificationChannelsByNotificationChannelId"];
        trace?: never;
    };
    "/notification/channels/{notification_channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message to a notification channel
         * @description Returns what the receiver answered. The alert of a pager is closed at once.
         *
         *     Requires permission `notifications.manage`.
         */
        post: operations["postNotificationChannelsByNotificationChannelIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List routing rules, in the order in which they are tried
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationRules"];
        put?: never;
        /**
         * Create a routing rule
         * @description Sends what meets all conditions to notification channels, besides the people and channels that are notified anyway.
         *
         *     Requires permission `notifications.manage`.
         */
        post: operations["postNotificationRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find which of the last 100 incidents meet conditions
         * @description Changes nothing.
         *
         *     Requires permission `notifications.manage`.
         */
        post: operations["postNotificationRulesPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/rules/{notification_rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a routing rule
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationRulesByNotificationRuleId"];
        put?: never;
        post?: never;
        /**
         * Delete a routing rule
         * @description Requires permission `notifications.manage`.
         */
        delete: operations["deleteNotificationRulesByNotificationRuleId"];
        options?: never;
        head?: never;
        /**
         * Edit or move a routing rule
         * @description Requires permission `notifications.manage`.
         */
        patch: operations["patchNotificationRulesByNotificationRuleId"];
        trace?: never;
    };
    "/notification/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the texts of messages, by kind of channel and event
         * @description Requires permission `notifications.manage`.
         */
        get: operations["getNotificationTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a text with the newest incident or schema change
         * @description Nothing is saved or sent.
         *
         *     Requires permission `notifications.manage`.
         */
        post: operations["postNotificationTemplatesPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/templates/{channel}/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the text of a message
         * @description An unknown placeholder is rejected. Values are escaped for the channel, so names in the catalog cannot add markup.
         *
         *     Requires permission `notifications.manage`.
         */
        put: operations["putNotificationTemplatesByChannelByEvent"];
        post?: never;
        /**
         * Reset the text of a message to the default
         * @description Requires permission `notifications.manage`.
         */
        delete: operations["deleteNotificationTemplatesByChannelByEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification/slack/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a click on a button of a Slack message
         * @description The request URL for interactivity of a Slack app. Only requests that Slack has signed are accepted.
         */
        post: operations["postNotificationSlackActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/monitors/{monitor_id}/chart.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chart of a monitor’s latest measurements
         * @description The line shows the measured values, the band the expected range, and red dots the values outside it.
         *
         *     Requires permission `monitors.read`.
         */
        get: operations["getMonitorMonitorsByMonitorIdChartPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/monitor/chart/{chart_file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chart by its signed URL
         * @description Incident notifications contain such URLs (`<monitor>.png`). They are valid for 30 days and need no token.
         */
        get: operations["getMonitorChartByChartFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of a resource with its reasons
         * @description Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/badge_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the link of a health badge
         * @description For wikis and BI tools. The link needs no token and ends when you lose access to the resource.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getResourceAllByResourceIdBadgeLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resource/all/{resource_id}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a health badge by its signed link */
        get: operations["getResourceAllByResourceIdBadgeSvg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sign-in methods */
        get: operations["getAuthSetup"];
        put?: never;
        /** Set the first admin’s password and sign in */
        post: operations["postAuthSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign_in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password
         * @description Sets an HTTP-only session cookie. Requests with this cookie that change something must send the header `X-Requested-With: tablinum`.
         */
        post: operations["postAuthSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign_in/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a token */
        post: operations["postAuthSignInToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the session cookie, if there is one.
         */
        post: operations["postAuthSignOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions, most recently used first
         * @description Requires permission `self.read`.
         */
        get: operations["getAuthSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteAuthSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Requires permission `self.write`.
         */
        delete: operations["deleteAuthSessionsBySessionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Your other sessions end. Your tokens stay unless `revoke_tokens` is set.
         *
         *     Requires permission `password.own`.
         */
        put: operations["putAuthPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{user_id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a one-time link for a user to set a password
         * @description For invited users and forgotten passwords. The link is sent by e-mail if e-mail is configured.
         *
         *     Requires permission `people.manage`.
         */
        post: operations["postUserByUserIdInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the user of a one-time link */
        post: operations["postAuthInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a password with a one-time link and sign in */
        post: operations["postAuthInvitationAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of mail server, Slack app and identity provider
         * @description Secrets are never returned.
         *
         *     Requires permission `server.manage`.
         */
        get: operations["getServerSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the mail server
         * @description Used by all processes at once. 409 if the environment of the server sets it.
         *
         *     Requires permission `server.manage`.
         */
        put: operations["putServerSettingsEmail"];
        post?: never;
        /**
         * Delete the stored settings of the mail server
         * @description Requires permission `server.manage`.
         */
        delete: operations["deleteServerSettingsEmail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings/slack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the Slack app
         * @description Used by all processes at once. 409 if the environment of the server sets it.
         *
         *     Requires permission `server.manage`.
         */
        put: operations["putServerSettingsSlack"];
        post?: never;
        /**
         * Delete the stored settings of the Slack app
         * @description Requires permission `server.manage`.
         */
        delete: operations["deleteServerSettingsSlack"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the identity provider
         * @description Used by all processes at once. 409 if the environment of the server sets it.
         *
         *     Requires permission `server.manage`.
         */
        put: operations["putServerSettingsOidc"];
        post?: never;
        /**
         * Delete the stored settings of the identity provider
         * @description Requires permission `server.manage`.
         */
        delete: operations["deleteServerSettingsOidc"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings/email/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test mail to yourself
         * @description Requires permission `server.manage`.
         */
        post: operations["postServerSettingsEmailTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings/slack/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the bot token and post a test message
         * @description To `channel`, or to your own Slack ID in your notification settings; without either only the token is checked.
         *
         *     Requires permission `server.manage`.
         */
        post: operations["postServerSettingsSlackTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server/settings/oidc/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the identity provider
         * @description Reads its metadata and tries the client ID and secret with a code that no one has. No one is signed in.
         *
         *     Requires permission `server.manage`.
         */
        post: operations["postServerSettingsOidcTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the access an application asks for
         * @description Requires permission `tokens.own`.
         */
        get: operations["getAuthAuthorization"];
        put?: never;
        /**
         * Allow or deny the access an application asks for
         * @description The response says where to send the browser. The application then exchanges the code for a token.
         *
         *     Requires permission `tokens.own`.
         */
        post: operations["postAuthAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/mcp/tools/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools for agents
         * @description Requires permission `catalog.read`.
         */
        get: operations["getAiMcpTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/mcp/tools/call/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool
         * @description The tools `search_data_assets`, `search_documentation`, `retrieve_entity`, `entity_lineage` and `glossary` return JSON as text. A failed call returns 200 with `isError`.
         *
         *     Requires permission `catalog.read`.
         */
        post: operations["postAiMcpToolsCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether the assistant is available and what you have used today
         * @description Requires permission `assistant.use`.
         */
        get: operations["getAiStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your conversations, latest first
         * @description Requires permission `assistant.use`.
         */
        get: operations["getAiConversations"];
        put?: never;
        /**
         * Ask the assistant a question
         * @description Starts a conversation. The answer is written in the background: read `/ai/answers/{answer_id}/events`. 409 without a language model, 429 if you have reached a daily limit.
         *
         *     Requires permission `assistant.use`.
         */
        post: operations["postAiConversations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversation
         * @description Requires permission `assistant.use`.
         */
        get: operations["getAiConversationsByConversationId"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description A running answer is cancelled.
         *
         *     Requires permission `assistant.use`.
         */
        delete: operations["deleteAiConversationsByConversationId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/conversations/{conversation_id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the next question of a conversation
         * @description Requires permission `assistant.use`.
         */
        post: operations["postAiConversationsByConversationIdAnswers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/answers/{answer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an answer
         * @description Requires permission `assistant.use`.
         */
        get: operations["getAiAnswersByAnswerId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/answers/{answer_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch an answer
         * @description Server-sent events: `answer` with the whole record immediately, after each step and at the end; `text` with what was added to its text.
         *
         *     Requires permission `assistant.use`.
         */
        get: operations["getAiAnswersByAnswerIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/answers/{answer_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an answer
         * @description It ends within a second or two, with the text written so far.
         *
         *     Requires permission `assistant.use`.
         */
        post: operations["postAiAnswersByAnswerIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the initial data of the web app
         * @description Requires permission `self.read`.
         */
        get: operations["getUiBootstrap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the home page
         * @description Requires permission `catalog.read`.
         */
        get: operations["getUiHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up names by ID
         * @description Requires permission `catalog.read`.
         */
        get: operations["getUiNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of resources
         * @description Requires permission `catalog.read`.
         */
        get: operations["getUiHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/person/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a person with what they edited, asked and answered
         * @description Without `people.read`: yourself, owners of what you see, and authors of comments on it.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getUiPersonByUserId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/resource/{resource_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a resource with everything its page shows
         * @description The `ETag` header is that of the resource.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getUiResourceByResourceId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/columns/{table_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read keys, statistics, lineage counts and health of the columns of a table
         * @description Requires permission `catalog.read`.
         */
        get: operations["getUiColumnsByTableId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one level of the resource tree
         * @description Lists integrations by default, the top level of an integration with `integration_id`, or the children of a resource with `parent_id`.
         *
         *     Requires permission `catalog.read`.
         */
        get: operations["getUiTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ui/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events
         * @description Server-sent events about everything visible to the caller: `hello`, `job`, `incident`, `monitor`, `resource.changed`, `inbox` and `access`. Send `Last-Event-ID` to resume an interrupted stream. The stream ends when the session or token ends.
         *
         *     Requires permission `self.read`.
         */
        get: operations["getUiStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AcceptedSuggestions */
        AcceptedSuggestions: {
            monitors: components["schemas"]["Monitor"][];
        };
        /** Access */
        Access: {
            /** Format: uuid */
            user: string;
            read: boolean;
            write: boolean;
            /** @description Whether the user can run monitors on the resource. */
            execute: boolean;
            reasons: {
                /** @enum {string} */
                code: "published" | "unpublished" | "own_team" | "other_teams" | "closed_team_member" | "closed_team" | "role" | "disabled" | "role_reads_only" | "token_scope";
                /** @description Whether this reason grants access. A single reason that does not is enough to deny it. */
                allows: boolean;
                /** @enum {string} */
                about: "read" | "write";
                detail: string;
            }[];
        };
        /** Affected */
        Affected: {
            /** Format: uuid */
            id: string;
            /** @description A node you may not see. All fields except its position in the graph are null. */
            hidden: boolean;
            title: string | null;
            title_full: string | null;
            entity_type: string | null;
            native_type: string | null;
            icon: string | null;
            /** Format: uuid */
            integration: string | null;
            integration_type: string | null;
            published: boolean | null;
            archived: boolean | null;
            verified: boolean | null;
            pii: boolean | null;
            stale: boolean | null;
            deprecated: boolean | null;
            /** @enum {string|null} */
            health: "incident" | "warning" | "ok" | "unknown" | null;
            /** @description The table of a column, the dashboard of a chart. */
            group: {
                /** Format: uuid */
                id: string;
                title: string;
                title_full: string;
                entity_type: string;
            } | null;
            distance: number;
            /** @description False when a step of the path is known only at table level. */
            certain: boolean;
            /** @description Its owners, or the owners of its nearest parent that has any. */
            owners: components["schemas"]["LineageOwner"][];
            /** @description One of the shortest paths from the start node, including both ends. */
            path: components["schemas"]["LineageResource"][];
        };
        /**
         * AnswerSource
         * @description A resource that the answer links to. A tool returned it while the question was answered.
         */
        AnswerSource: {
            /** Format: uuid */
            id: string;
            title: string;
            type: string | null;
        };
        /** AnswerStep */
        AnswerStep: {
            tool: string;
            title: string;
            /** @description As the model wrote them. */
            arguments: unknown;
            failed: boolean;
            /** @description Number of items the tool returned. */
            returned: number | null;
            /** @description Number of items there are. */
            total: number | null;
            error: string | null;
        };
        /** AssistantAnswer */
        AssistantAnswer: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            completed_at: string | null;
            question: string;
            /**
             * @description `interrupted`: the server that was answering stopped.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled" | "interrupted";
            /** @description Markdown. Its only links are `/r/<id>` of the sources. Grows while the answer is running. */
            text: string;
            /** @description Why there is no answer, or only a part of it. */
            error: string | null;
            /** @description The tools that were called. */
            steps: components["schemas"]["AnswerStep"][];
            sources: components["schemas"]["AnswerSource"][];
            model: string;
            input_tokens: number;
            output_tokens: number;
        };
        /** AssistantConversation */
        AssistantConversation: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The beginning of the first question. */
            title: string;
            /**
             * Format: uuid
             * @description The resource it is about.
             */
            resource_id: string | null;
            /** @description Null if you can no longer see the resource. */
            resource_title: string | null;
            answers: components["schemas"]["AssistantAnswer"][];
        };
        /** AssistantConversationCreate */
        AssistantConversationCreate: {
            question: string;
            /** @description A UUID, with or without dashes. */
            resource_id?: string | null;
        };
        /** AssistantConversationEntry */
        AssistantConversationEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The beginning of the first question. */
            title: string;
            /**
             * Format: uuid
             * @description The resource it is about.
             */
            resource_id: string | null;
        };
        /** AssistantConversationPage */
        AssistantConversationPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["AssistantConversationEntry"][];
        };
        /** AssistantQuestion */
        AssistantQuestion: {
            question: string;
        };
        /** AssistantSettings */
        AssistantSettings: {
            /** @description Whether people can use the assistant. */
            enabled: boolean;
            /**
             * @description `openai`: chat completions, as OpenAI, Ollama, vLLM and others serve them. `anthropic`: messages.
             * @enum {string}
             */
            provider: "openai" | "anthropic";
            /** @description The base URL: requests go to `<url>/chat/completions` or `<url>/v1/messages`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`. */
            url: string;
            /** @description The name of the model. */
            model: string;
            /** @description Whether the model may see rows and statistics of tables. Without it, it sees only what the catalog says about them. */
            share_values: boolean;
            /** @description Tokens a user may use on a day (UTC). */
            tokens_per_day: number;
            /** @description What a user may cost on a day. Needs the prices. */
            cost_per_day: number | null;
            /** @description Price of a million input tokens. */
            input_price: number | null;
            /** @description Price of a million output tokens. */
            output_price: number | null;
            /** @description How long the model may be silent. */
            timeout_seconds: number;
            /** @description Conversations are deleted this long after their last answer. */
            retention_days: number;
            /** @description Whether an API key is stored. It is never returned. */
            has_key: boolean;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** AssistantSettingsEdit */
        AssistantSettingsEdit: {
            /** @description Whether people can use the assistant. */
            enabled: boolean;
            /**
             * @description `openai`: chat completions, as OpenAI, Ollama, vLLM and others serve them. `anthropic`: messages.
             * @enum {string}
             */
            provider: "openai" | "anthropic";
            /** @description The base URL: requests go to `<url>/chat/completions` or `<url>/v1/messages`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`. */
            url: string;
            /** @description The name of the model. */
            model: string;
            /** @description Whether the model may see rows and statistics of tables. Without it, it sees only what the catalog says about them. */
            share_values: boolean;
            /** @description Tokens a user may use on a day (UTC). */
            tokens_per_day: number;
            /** @description What a user may cost on a day. Needs the prices. */
            cost_per_day: number | null;
            /** @description Price of a million input tokens. */
            input_price: number | null;
            /** @description Price of a million output tokens. */
            output_price: number | null;
            /** @description How long the model may be silent. */
            timeout_seconds: number;
            /** @description Conversations are deleted this long after their last answer. */
            retention_days: number;
            /** @description The API key. Absent: the stored one is kept, unless the URL or the provider changes. Null: none is sent. */
            key?: string | null;
        };
        /** AssistantStatus */
        AssistantStatus: {
            /** @description Whether a language model is configured. */
            enabled: boolean;
            model: string | null;
            /** @description Tokens you have used today (UTC). */
            tokens_used: number;
            tokens_per_day: number;
            cost_used: number;
            cost_per_day: number | null;
        };
        /** Attachment */
        Attachment: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The resource that it belongs to. Whoever can see the resource can read the attachment.
             */
            resource_id: string;
            name: string;
            /** @description Decided by the content of the file. */
            media_type: string;
            byte_size: number;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string | null;
            /** @description The path for Markdown: `![name](url)` for an image, `[name](url)` for another file. */
            url: string;
        };
        /** AuditLogPage */
        AuditLogPage: {
            results: components["schemas"]["LogEntry"][];
            /** @description Exact number of entries. */
            count: number;
            total_pages: number;
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
                /** @description With `cursor`: the cursor to continue with later. Never null, even at the end of the log. */
                follow_cursor?: string;
                count: number;
                total_pages: number;
            };
        };
        /** Authorization */
        Authorization: {
            /** @description As the application calls itself. */
            client_name: string;
            /** @description The host that vouches for the application. Null if it registered itself: the name may be anyone’s. */
            client_host: string | null;
            /** @description Where the user is sent with the authorization code. */
            redirect_host: string;
            /** @enum {string} */
            scope: "read" | "write";
            /** @description Set if the request is invalid: send the browser there at once. */
            redirect_to: string | null;
        };
        /** AuthorizationDecision */
        AuthorizationDecision: {
            client_id: string;
            redirect_uri: string;
            response_type?: string;
            code_challenge?: string;
            code_challenge_method?: string;
            scope?: string;
            state?: string;
            resource?: string;
            approve: boolean;
            /**
             * @description What the user grants. Default: what the application asked for.
             * @enum {string}
             */
            granted_scope?: "read" | "write";
        };
        /** BadgeLink */
        BadgeLink: {
            /** @description An SVG image that needs no token. It shows the status as you see it. */
            url: string;
        };
        /** Bootstrap */
        Bootstrap: {
            me: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                email: string;
                first_name: string | null;
                last_name: string | null;
                /** @description First and last name, or the e-mail address if neither is set. */
                name: string;
                /** @description The same as `name`. */
                display_name: string;
                /** @enum {string} */
                role: "admin" | "editor" | "viewer" | "guest";
                /** @description The user can no longer sign in. */
                disabled: boolean;
                /** Format: date-time */
                disabled_at: string | null;
                /**
                 * Format: uuid
                 * @description The user who invited this one.
                 */
                invited_by: string | null;
                /**
                 * Format: date-time
                 * @description Updated at most once a minute.
                 */
                last_seen_at: string | null;
                /** @description Team IDs. */
                teams: string[];
                /** @description Group IDs. */
                groups: string[];
                /** Format: uuid */
                workspace_id: string;
                /**
                 * Format: uuid
                 * @description The token of this request.
                 */
                token_id: string | null;
                /**
                 * @description The scope of the token or session.
                 * @enum {string}
                 */
                scope: "read" | "write" | "admin";
                /** @description Your permissions with this token. */
                permissions: ("catalog.read" | "catalog.write" | "people.read" | "people.manage" | "teams.read" | "tokens.own" | "self.read" | "self.write" | "password.own" | "questions.ask" | "jobs.read" | "integrations.read" | "integrations.manage" | "monitors.read" | "monitors.config" | "monitors.write" | "monitors.run" | "audit.read" | "notifications.manage" | "search.manage" | "assistant.use" | "assistant.manage" | "server.manage" | "trash.delete")[];
                initials: string;
            };
            workspace: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            session: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Updated at most once a minute.
                 */
                last_used_at: string;
                /**
                 * Format: date-time
                 * @description Latest end of the session; it ends earlier if unused.
                 */
                expires_at: string;
                /**
                 * @description How the user signed in.
                 * @enum {string}
                 */
                method: "password" | "token" | "oidc" | "invitation";
                /** @description IP address of the sign-in. */
                address: string | null;
                /** @description User agent of the sign-in. */
                user_agent: string | null;
                /**
                 * @description A session started with a token has the scope of the token and ends with it.
                 * @enum {string}
                 */
                scope: "read" | "write" | "admin";
                /**
                 * Format: uuid
                 * @description The user of the session.
                 */
                user: string;
                /** @description Whether it is the session of this request. */
                current: boolean;
                has_password: boolean;
            } | null;
            unread_count: number;
            settings: {
                version: string;
                public_url: string | null;
                /** @description Whether e-mail is configured. */
                email: boolean;
                /** @description Whether Slack is configured. */
                slack: boolean;
                /** @description Whether you can ask the assistant. */
                assistant: boolean;
            };
            tags: {
                /** Format: uuid */
                id: string;
                name: string;
                color: string | null;
            }[];
            teams: {
                /** Format: uuid */
                id: string;
                name: string;
                icon: string | null;
                closed: boolean;
            }[];
            groups: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
            integrations: {
                /** Format: uuid */
                id: string;
                name: string;
                type: string;
            }[];
            properties: components["schemas"]["CustomProperty"][];
            /** @description Saved views that you pinned. */
            pinned_views: {
                /** Format: uuid */
                id: string;
                name: string;
                query: string;
            }[];
            /** @description Whether the caller sees no resources at all. */
            empty: boolean;
        };
        /** Break */
        Break: {
            /** Format: uuid */
            id: string;
            /** @description A node you may not see. All fields except its position in the graph are null. */
            hidden: boolean;
            title: string | null;
            title_full: string | null;
            entity_type: string | null;
            native_type: string | null;
            icon: string | null;
            /** Format: uuid */
            integration: string | null;
            integration_type: string | null;
            published: boolean | null;
            archived: boolean | null;
            verified: boolean | null;
            pii: boolean | null;
            stale: boolean | null;
            deprecated: boolean | null;
            /** @enum {string|null} */
            health: "incident" | "warning" | "ok" | "unknown" | null;
            /** @description The table of a column, the dashboard of a chart. */
            group: {
                /** Format: uuid */
                id: string;
                title: string;
                title_full: string;
                entity_type: string;
            } | null;
            distance: number;
            /** @description False when a step of the path is known only at table level. */
            certain: boolean;
            /** @description Its owners, or the owners of its nearest parent that has any. */
            owners: components["schemas"]["LineageOwner"][];
            /** @description One of the shortest paths from the start node, including both ends. */
            path: components["schemas"]["LineageResource"][];
            /** @description Why it breaks, as a sentence. */
            reason: string;
            reason_translatable: components["schemas"]["Translatable"];
            /**
             * Format: uuid
             * @description The changed resource that causes the break.
             */
            cause: string;
        };
        /**
         * BulkCustomPropertyValues
         * @description At most 50000 values in total.
         */
        BulkCustomPropertyValues: {
            /** @description At most 10000 resources. */
            entity_ids: string[];
            /** @description Values by property ID or name. Names may be URL-encoded. At most 100 properties. */
            properties: {
                [key: string]: string;
            };
        };
        /**
         * BulkUpdate
         * @description At most 100 resources.
         */
        BulkUpdate: {
            /** @description A UUID, with or without dashes. */
            id: string;
            add?: components["schemas"]["ListChange"];
            /**
             * ListChange
             * @description IDs to remove from lists.
             */
            remove?: {
                teams?: string[];
                owners?: string[];
                owners_groups?: string[];
                collections?: string[];
                tags?: string[];
                terms?: string[];
                subscribers?: string[];
            };
            data: {
                title?: string;
                /** @enum {string} */
                entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
                description?: string | null;
                /** @description Markdown documentation. */
                definition?: string | null;
                native_type?: string | null;
                icon?: string | null;
                url?: string | null;
                /** @description A UUID, with or without dashes. */
                integration?: string | null;
                /** @description A UUID, with or without dashes. */
                parent?: string | null;
                pii?: boolean | null;
                verified?: boolean | null;
                deprecation?: components["schemas"]["DeprecationInput"];
                published?: boolean | null;
                archived?: boolean | null;
                teams?: string[] | null;
                owners?: string[] | null;
                owners_groups?: string[] | null;
                collections?: string[] | null;
                tags?: string[] | null;
                terms?: string[] | null;
                subscribers?: string[] | null;
            };
        }[];
        /** CategoryCreate */
        CategoryCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration: string;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** Cause */
        Cause: {
            /**
             * @description `late`: an incident of freshness. `out_of_range`: its incident was resolved, but the last value is still out of range. `stale`: missing from its source. `schema_change`, `sql_change`: its columns or the SQL that fills it changed in the last 7 days. `failed_test`: a test of dbt or OpenLineage. `failed_run`: the last run of a job that writes it failed.
             * @enum {string}
             */
            kind: "incident" | "late" | "out_of_range" | "stale" | "schema_change" | "sql_change" | "failed_test" | "failed_run";
            text: string;
            text_translatable: components["schemas"]["Translatable"];
            /** Format: date-time */
            since: string;
            /**
             * Format: uuid
             * @description The resource upstream, or the resource itself.
             */
            resource_id: string;
            /** @description Its full title. */
            resource: string;
            entity_type: string;
            /**
             * Format: uuid
             * @description The incident, if it is one.
             */
            incident: string | null;
            /**
             * Format: uuid
             * @description The job whose last run failed.
             */
            job: string | null;
            /** @description Steps upstream; 0 is the resource itself. */
            distance: number;
            /** @description The shortest way from there to the resource, both included. */
            path: {
                /**
                 * Format: uuid
                 * @description Null for a resource you cannot see.
                 */
                id: string | null;
                title: string | null;
                entity_type: string | null;
            }[];
        };
        /** ChangeSuggestion */
        ChangeSuggestion: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uuid
             * @description The resource to change. Null for a glossary term that is about no resource.
             */
            resource_id: string | null;
            resource_title: string | null;
            resource_title_full: string | null;
            /**
             * @description `description`: replaces the description. `tag`: adds a tag, which is created if it does not exist. `owner`: adds an owner. `term`: adds a glossary term, which is created if it does not exist.
             * @enum {string}
             */
            field: "description" | "tag" | "owner" | "term";
            /** @description The description, the name of the tag, the ID or e-mail address of the owner, or the title of the term. */
            value: string;
            /** @description The definition of the term. */
            detail: string | null;
            /** @description Why, as stated by who suggested it. */
            reason: string | null;
            /** @enum {string} */
            status: "open" | "accepted" | "rejected";
            /** Format: uuid */
            created_by: string | null;
            created_by_name: string | null;
            /**
             * @description `agent`: on behalf of the user. `ai`: a draft that Tablinum made when the user asked for drafts.
             * @enum {string}
             */
            by: "user" | "agent" | "ai";
            /** @description What a draft is based on. */
            grounds: components["schemas"]["SuggestionGround"][];
            /** Format: uuid */
            decided_by: string | null;
            /** Format: date-time */
            decided_at: string | null;
        };
        /** ChangeSuggestionCreate */
        ChangeSuggestionCreate: {
            /** @description A UUID, with or without dashes. */
            resource_id?: string | null;
            /**
             * @description `description`: replaces the description. `tag`: adds a tag, which is created if it does not exist. `owner`: adds an owner. `term`: adds a glossary term, which is created if it does not exist.
             * @enum {string}
             */
            field: "description" | "tag" | "owner" | "term";
            value: string;
            /** @description The definition of a term. */
            detail?: string | null;
            reason?: string | null;
        };
        /** ChangeSuggestionEdit */
        ChangeSuggestionEdit: {
            value?: string;
            detail?: string | null;
        };
        /** ChangeSuggestionPage */
        ChangeSuggestionPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["ChangeSuggestion"][];
        };
        /** ChartCreate */
        ChartCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** Code */
        Code: {
            blocks: components["schemas"]["CodeBlock"][];
        };
        /** CodeBlock */
        CodeBlock: {
            /**
             * @description The definition of a view or routine, a dbt model as written or compiled, the code of a job, the text of a query, or a query that lineage was derived from.
             * @enum {string}
             */
            kind: "view" | "dbt" | "dbt_compiled" | "job" | "query" | "derived";
            /** @description The SQL dialect if it is known, else `sql`; for jobs the language they are written in. */
            language: string;
            code: string;
            columns: {
                /**
                 * Format: uuid
                 * @description The column that is filled.
                 */
                id: string;
                title: string;
                /** @description The expressions that the column is computed from. */
                spans: {
                    /** @description Position in the code, in UTF-16 code units from 0. */
                    start: number;
                    end: number;
                    /**
                     * Format: uuid
                     * @description The column it is computed from.
                     */
                    from: string;
                    /** @description Its title with the title of its table. */
                    from_title: string;
                }[];
            }[];
        };
        /** CollectionCreate */
        CollectionCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** Column */
        Column: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /** Format: uuid */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            question_priority: string | null;
            /** Format: uuid */
            question_answered_by: string | null;
            /** Format: uuid */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
            /** @description The data type. Defaults to the native type. */
            type: string | null;
            /** @description Position among the columns of the table. */
            sort_order: number | null;
            /** @description Whether the column is part of the primary key. */
            is_pk: boolean;
            /** @description Whether the column is hidden in the column list. */
            hidden: boolean;
            /** @description The title of the database. */
            table_database: string | null;
            /** @description The title of the schema. */
            table_schema: string | null;
            /** @description The title of the table. For a nested column, the path from the table to its parent column. */
            table_title: string | null;
        };
        /** ColumnCreate */
        ColumnCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description The data type. Defaults to the native type. */
            type?: string | null;
            /** @description Position among the columns of the table. */
            sort_order?: number | null;
            /** @description Whether the column is part of the primary key. */
            is_pk?: boolean | null;
            /** @description Whether the column is hidden in the column list. */
            hidden?: boolean | null;
        };
        /** ColumnDescriptor */
        ColumnDescriptor: {
            /**
             * Format: uuid
             * @description Null when it is not in the catalog.
             */
            id: string | null;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            title: string;
            schema_name: string | null;
            database_name: string | null;
            native_type: string | null;
            /** Format: uuid */
            integration_id: string | null;
            integration_title: string | null;
            integration_type: string | null;
            /** @enum {string} */
            entity_type: "column";
            /** @description The data type of the column. */
            type: string | null;
            /** @description The title of its table. Null for the result of a bare SELECT. */
            table_name: string | null;
            /** Format: uuid */
            table_id: string | null;
        };
        /** ColumnEdit */
        ColumnEdit: {
            title?: string;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description The data type. Defaults to the native type. */
            type?: string | null;
            /** @description Position among the columns of the table. */
            sort_order?: number | null;
            /** @description Whether the column is part of the primary key. */
            is_pk?: boolean | null;
            /** @description Whether the column is hidden in the column list. */
            hidden?: boolean | null;
        };
        /** ColumnFacts */
        ColumnFacts: {
            /** @enum {string} */
            health: "incident" | "warning" | "ok" | "unknown";
            /** @description The target of its foreign key. */
            references: {
                /** Format: uuid */
                table_id: string;
                table: string;
                column: string | null;
            } | null;
            /** @description From the last profile, as are the distinct values. */
            null_percentage: number | null;
            distinct_values: number | null;
            distinct_approximate: boolean;
            /** @description The open PII suggestion with the highest confidence. Only for callers who can accept it. */
            suspected_pii: {
                /** @enum {string} */
                class: "email" | "phone" | "iban" | "card" | "national_id" | "ip" | "person_name" | "birth_date" | "address";
                confidence: number;
            } | null;
            /** @description Number of direct upstream columns. */
            upstream: number;
            /** @description Number of direct downstream columns. */
            downstream: number;
            /** @description Number of open discussions. */
            discussions: number;
            /** @description `person`, or the type of the integration whose description it has. Null without a description. */
            described_by: string | null;
        };
        /**
         * ColumnFactsById
         * @description By column ID: all columns of the table that the caller can see.
         */
        ColumnFactsById: {
            [key: string]: components["schemas"]["ColumnFacts"];
        };
        /** ColumnLineage */
        ColumnLineage: {
            from_column: components["schemas"]["ColumnDescriptor"];
            to_column: components["schemas"]["ColumnDescriptor"];
            /**
             * @description How the value is transformed: copied unchanged, computed by an expression, or aggregated with other rows.
             * @enum {string}
             */
            kind: "identity" | "expression" | "aggregation";
            /** @description Start position in the SQL text, in UTF-16 code units from 0. */
            start: number;
            end: number;
        };
        /** ColumnPage */
        ColumnPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Column"][];
        };
        /** ColumnProfile */
        ColumnProfile: {
            /**
             * Format: uuid
             * @description The column.
             */
            resource_id: string;
            /** @description Title of the column. */
            name: string;
            native_type: string | null;
            /** Format: date-time */
            profiled_at: string;
            /**
             * Format: uuid
             * @description The job that created the profile.
             */
            job: string | null;
            /**
             * @description Who computed it: Tablinum, or a pipeline that reported it in an OpenLineage event.
             * @enum {string}
             */
            source: "profile" | "openlineage";
            /**
             * Format: uuid
             * @description The run that reported it, if you can see it.
             */
            reported_by: string | null;
            /**
             * @description Which rows were read: all, a random sample, or the first ones.
             * @enum {string}
             */
            sampled: "all" | "random" | "first";
            rows_read: number;
            nulls: number;
            null_percentage: number | null;
            /** @description Distinct values in the rows read. */
            distinct_values: number | null;
            /** @description Whether `distinct_values` is an estimate of the source. */
            distinct_approximate: boolean;
            /** @description Distinct values in percent of non-null values. */
            unique_percentage: number | null;
            /**
             * @description Why no values are stored: the column is marked as PII, or has a pending PII suggestion. Null: values are stored.
             * @enum {string|null}
             */
            withheld: "pii" | "suspected" | null;
            /** @description The smallest number or date, or the first text in the sort order of the source; at most 200 characters. */
            min: string | null;
            max: string | null;
            mean: number | null;
            /** @description For numbers and dates: bins of equal width. */
            histogram: {
                /** @description Inclusive. */
                from: string;
                /** @description Exclusive, except in the last bin. */
                to: string;
                count: number;
            }[] | null;
            /** @description The most frequent values. Null if almost all values are unique. */
            top_values: {
                value: string;
                count: number;
            }[] | null;
            /** @description Values by quantile, e.g. `0.5`. Only pipelines report them. */
            quantiles: {
                [key: string]: number;
            } | null;
        };
        /** Comment */
        Comment: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uuid
             * @description The resource or column it is about.
             */
            resource_id: string;
            resource_title: string;
            /** @description The entity type of the resource. */
            resource_type: string;
            /**
             * Format: uuid
             * @description The first comment of the thread; its own ID if it starts one.
             */
            thread_id: string;
            /** @description Markdown. Null if it was deleted and has replies. */
            text: string | null;
            /** Format: uuid */
            created_by: string | null;
            created_by_name: string | null;
            /** Format: date-time */
            edited_at: string | null;
            /**
             * @description Of the thread.
             * @enum {string}
             */
            status: "open" | "resolved";
            /**
             * Format: uuid
             * @description Only on the first comment of a thread.
             */
            resolved_by: string | null;
            resolved_by_name: string | null;
            /** Format: date-time */
            resolved_at: string | null;
            /** @description Kinds that somebody gave. */
            reactions: {
                /** @enum {string} */
                kind: "thumbs_up" | "thumbs_down" | "heart" | "celebrate" | "eyes" | "thinking";
                count: number;
                /** @description Whether it is also yours. */
                mine: boolean;
                /** @description The first 20 who gave it. */
                users: {
                    /** Format: uuid */
                    id: string;
                    name: string;
                }[];
            }[];
        };
        /** CommentCreate */
        CommentCreate: {
            /** @description The resource or column. Required unless `thread_id` is given. */
            resource_id?: string | null;
            /** @description Reply in this thread. */
            thread_id?: string | null;
            /** @description Markdown. `@ada@example.com` mentions a person. */
            text: string;
        };
        /** CommentEdit */
        CommentEdit: {
            /** @description Markdown. `@ada@example.com` mentions a person. */
            text?: string;
            /**
             * @description Resolves or reopens the thread that this comment starts.
             * @enum {string}
             */
            status?: "open" | "resolved";
        };
        /** CommentPage */
        CommentPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Comment"][];
        };
        /** ConnectionTest */
        ConnectionTest: {
            /** @enum {string} */
            status: "OK";
            detail: string;
        };
        /** CustomProperty */
        CustomProperty: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Unique, case-insensitive. Must not be a UUID. */
            name: string;
            /**
             * @description The type of its values.
             * @enum {string}
             */
            value_type: "string" | "number" | "boolean" | "date" | "select" | "multi_select" | "user" | "resource" | "tag" | "url";
            /** @description The entity types it applies to. `all` means every type. */
            entity_types: ("all" | "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group")[];
            /** @description The allowed values of a `select` or `multi_select`, in display order. Null or an empty list allows any text. */
            options: string[] | null;
        };
        /** CustomPropertyCreate */
        CustomPropertyCreate: {
            /** @description Unique, case-insensitive. Must not be a UUID. */
            name: string;
            /**
             * @description The type of its values.
             * @enum {string}
             */
            value_type: "string" | "number" | "boolean" | "date" | "select" | "multi_select" | "user" | "resource" | "tag" | "url";
            /** @description The entity types it applies to. `all`, an empty list or no list means every type. */
            entity_types?: ("all" | "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group")[] | null;
            /** @description The allowed values of a `select` or `multi_select`, in display order. Null or an empty list allows any text. */
            options?: string[] | null;
        };
        /** CustomPropertyEdit */
        CustomPropertyEdit: {
            /** @description Unique, case-insensitive. Must not be a UUID. */
            name?: string;
            /**
             * @description The type of its values.
             * @enum {string}
             */
            value_type?: "string" | "number" | "boolean" | "date" | "select" | "multi_select" | "user" | "resource" | "tag" | "url";
            /** @description The entity types it applies to. `all`, an empty list or no list means every type. */
            entity_types?: ("all" | "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group")[] | null;
            /** @description The allowed values of a `select` or `multi_select`, in display order. Null or an empty list allows any text. */
            options?: string[] | null;
        };
        /** CustomPropertyValue */
        CustomPropertyValue: {
            /**
             * Format: uuid
             * @description ID of the custom property.
             */
            custom_property: string;
            /**
             * Format: uuid
             * @description ID of the resource.
             */
            entity_id: string;
            /** @description The name of the custom property. */
            name: string;
            /**
             * @description The type of its values.
             * @enum {string}
             */
            value_type: "string" | "number" | "boolean" | "date" | "select" | "multi_select" | "user" | "resource" | "tag" | "url";
            /** @description The value in the normal form of its type. */
            value: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** CustomPropertyValueBody */
        CustomPropertyValueBody: {
            /** @description An empty string deletes the value. */
            value: string;
        };
        /** DashboardCreate */
        DashboardCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** DatabaseCreate */
        DatabaseCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** Delivery */
        Delivery: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uuid
             * @description Recipient. Null if it was sent to a channel.
             */
            user: string | null;
            /** @description Slack channel of a monitor, if it was sent there. */
            address: string | null;
            /**
             * Format: uuid
             * @description Notification channel, if it was sent to one.
             */
            channel_id: string | null;
            /** @enum {string} */
            channel: "email" | "slack" | "teams" | "pagerduty" | "opsgenie" | "webhook";
            /**
             * @description `alert`: about an incident, or to a notification channel.
             * @enum {string}
             */
            kind: "changes" | "alert";
            /**
             * @description `uncertain`: the server stopped while sending, so the message may have been delivered. `dropped`: the message was no longer needed.
             * @enum {string}
             */
            status: "pending" | "sending" | "sent" | "failed" | "uncertain" | "dropped";
            attempts: number;
            /**
             * Format: date-time
             * @description Time of the next attempt.
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description End of the quiet hours that held it back.
             */
            held_until: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /** @description Why the last attempt failed. */
            error: string | null;
            /** @description Number of resources in the message. */
            resources_count: number;
        };
        /** DeliveryPage */
        DeliveryPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Delivery"][];
        };
        /**
         * Deprecation
         * @description Set if the resource should no longer be used.
         */
        Deprecation: {
            /** @description Why it should no longer be used. */
            reason: string | null;
            /**
             * Format: uuid
             * @description The resource to use instead.
             */
            replacement_id: string | null;
            /** Format: date-time */
            since: string;
        } | null;
        /**
         * DeprecationInput
         * @description Marks the resource as no longer to be used. Null removes the mark.
         */
        DeprecationInput: {
            /** @description Why it should no longer be used. */
            reason?: string | null;
            /** @description A UUID, with or without dashes. */
            replacement_id?: string | null;
            /** @description ISO 8601. Default: the previous value, else the current time. */
            since?: string | null;
        } | null;
        /** DeprecationWarning */
        DeprecationWarning: {
            /** Format: uuid */
            resource_id: string;
            /** @description Full title of the resource. */
            resource: string;
            /** @description Readable description. */
            text: string;
            text_translatable: components["schemas"]["Translatable"];
            /** Format: date-time */
            since: string;
            /**
             * Format: uuid
             * @description The resource to use instead, if you can see it.
             */
            replacement_id: string | null;
        };
        /** Document */
        Document: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /**
             * Format: uuid
             * @description ID of the resource it refers to.
             */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            question_priority: string | null;
            /** Format: uuid */
            question_answered_by: string | null;
            /** Format: uuid */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
            /** @description Position among the documents with the same parent. Those without one come last, by title. */
            sort_order: number | null;
            /** @description Whether new documents can be created from it. */
            is_template: boolean;
        };
        /** DocumentCreate */
        DocumentCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description ID of the resource it refers to. */
            base_entity_id?: string | null;
            /** @description Position among the documents with the same parent. Those without one come last, by title. */
            sort_order?: number | null;
            /** @description Whether new documents can be created from it. */
            is_template?: boolean | null;
            /** @description A document marked as a template: its title, description and text are copied unless they are given. */
            template?: string | null;
        };
        /** DocumentEdit */
        DocumentEdit: {
            title?: string;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description ID of the resource it refers to. */
            base_entity_id?: string | null;
            /** @description Position among the documents with the same parent. Those without one come last, by title. */
            sort_order?: number | null;
            /** @description Whether new documents can be created from it. */
            is_template?: boolean | null;
        };
        /** DocumentPage */
        DocumentPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Document"][];
        };
        /** DraftRequest */
        DraftRequest: {
            /** @description A table, or anything above tables: all tables below it. */
            resource_id?: string;
            /** @description All tables of an integration. Either this or `resource_id`. */
            integration_id?: string;
            /**
             * @description Also ask the language model of the assistant. It counts towards your daily limits.
             * @default false
             */
            use_model?: boolean;
        };
        /** EmailSettings */
        EmailSettings: {
            /**
             * @description Where the settings come from. `environment`: from variables of the server, which win over stored settings and cannot be changed here.
             * @enum {string}
             */
            source: "environment" | "stored" | "none";
            /** @description Why the stored settings cannot be used. */
            problem: string | null;
            /** Format: date-time */
            updated_at: string | null;
            host: string | null;
            port: number | null;
            /**
             * @description `tls`: encrypted from the start (port 465). `starttls`: encryption is required (port 587). `none`: encrypted only if the server offers it.
             * @enum {string|null}
             */
            security: "tls" | "starttls" | "none" | null;
            user: string | null;
            from: string | null;
            /** @description Whether a password is set. It is never returned. */
            has_password: boolean;
        };
        /** EmailSettingsEdit */
        EmailSettingsEdit: {
            /** @description Name or address of the mail server. */
            host: string;
            port: number;
            /**
             * @description `tls`: encrypted from the start (port 465). `starttls`: encryption is required (port 587). `none`: encrypted only if the server offers it.
             * @enum {string}
             */
            security: "tls" | "starttls" | "none";
            /** @description User name; null if the server needs none. */
            user: string | null;
            /** @description Sender, e.g. `Tablinum <tablinum@example.com>`. */
            from: string;
            /** @description Absent: the stored one is kept, unless the host, the port or the encryption changes. */
            password?: string;
        };
        /** Error */
        Error: {
            /** @description A readable explanation. */
            detail: string;
            /** @enum {string} */
            code: "validation_failed" | "malformed_json" | "invalid_filter" | "invalid_sort" | "invalid_page" | "window_exceeded" | "too_many_entities" | "sql_unparsable" | "unauthenticated" | "permission_denied" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "unavailable";
            errors?: {
                [key: string]: string[];
            };
            /** @description The same texts as templates with their values, as far as they can be translated. */
            translatable?: {
                detail?: components["schemas"]["Translatable"];
                errors?: {
                    [key: string]: components["schemas"]["Translatable"][];
                };
            };
            request_id: string;
        };
        /** EventCreate */
        EventCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration: string;
            /** @description A UUID, with or without dashes. */
            parent: string;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** EventProperty */
        EventProperty: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /** Format: uuid */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            question_priority: string | null;
            /** Format: uuid */
            question_answered_by: string | null;
            /** Format: uuid */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
            /** @description The data type. Defaults to the native type. */
            type: string | null;
        };
        /** EventPropertyCreate */
        EventPropertyCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent: string;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description The data type. Defaults to the native type. */
            type?: string | null;
        };
        /** EventPropertyEdit */
        EventPropertyEdit: {
            title?: string;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description The data type. Defaults to the native type. */
            type?: string | null;
        };
        /** EventPropertyPage */
        EventPropertyPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["EventProperty"][];
        };
        /** ExampleQuery */
        ExampleQuery: {
            /**
             * Format: uuid
             * @description The query.
             */
            id: string;
            title: string;
            /** @description Its text, which may be Markdown with SQL. */
            sql: string | null;
            description: string | null;
            verified: boolean;
            /**
             * Format: uuid
             * @description The user who added it. Null if a source reported it.
             */
            author: string | null;
            author_name: string | null;
            /** @description Who ran it, as named by the source. */
            people: string[];
            /** @description How often it was run, according to the source. */
            executions: number;
            /** Format: date-time */
            last_run_at: string | null;
            /** @description True if its SQL was parsed and reads the table; false if its text only mentions the table. */
            parsed: boolean;
        };
        /** ExampleQueryPage */
        ExampleQueryPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["ExampleQuery"][];
        };
        /** FailingRows */
        FailingRows: {
            /** Format: uuid */
            incident: string;
            sample: {
                /**
                 * Format: uuid
                 * @description The measurement it belongs to.
                 */
                measurement: string;
                /** Format: date-time */
                measured_at: string;
                /** @description The checked column first. Columns with personal data are left out. */
                columns: {
                    /**
                     * Format: uuid
                     * @description The column.
                     */
                    resource_id: string;
                    name: string;
                    title: string;
                    native_type: string | null;
                }[];
                /** @description At most 10 rows, one cell per column. */
                rows: (string | number | boolean | null)[][];
                /** @description Of duplicates and missing references: how many rows have the values of each row. */
                counts: number[] | null;
                /** @description Whether there are more. */
                truncated: boolean;
            } | null;
        };
        /** FieldChange */
        FieldChange: {
            field: string;
            from: unknown;
            to: unknown;
            /** @description The texts are shortened, because the page holds more than 4 MB of them. Read or compare the versions for the full texts. */
            shortened?: boolean;
        };
        /** Gate */
        Gate: {
            /**
             * @description `unknown`: there are no measurements.
             * @enum {string}
             */
            status: "pass" | "fail" | "unknown";
            /** Format: uuid */
            resource_id: string;
            /** @description Full title of the resource. */
            resource: string;
            /** @description Why the gate fails: nearest resource first, at most 100. */
            reasons: components["schemas"]["GateReason"][];
            /** @description Total number of reasons. */
            reasons_count: number;
            /** @description Deprecated resources among those checked. They do not make the gate fail. */
            warnings: components["schemas"]["DeprecationWarning"][];
            monitors_checked: number;
            resources_checked: number;
            /** @description True if there are more upstream resources than were checked. */
            truncated: boolean;
            /** Format: date-time */
            checked_at: string;
            /** @description The result as one sentence. */
            summary: string;
        };
        /** GateReason */
        GateReason: {
            /** @enum {string} */
            code: "incident" | "error" | "stale";
            /** @description Readable description. */
            text: string;
            text_translatable: components["schemas"]["Translatable"];
            /** Format: uuid */
            resource_id: string;
            /** @description Full title of the resource. */
            resource: string;
            upstream: boolean;
            /** Format: uuid */
            monitor: string;
            /** Format: uuid */
            incident: string | null;
            /** Format: date-time */
            since: string | null;
        };
        /** Glossary */
        Glossary: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /** Format: uuid */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            question_priority: string | null;
            /** Format: uuid */
            question_answered_by: string | null;
            /** Format: uuid */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
            /** @description Other words for the term. Search finds one by the other. */
            synonyms: string[];
        };
        /** GlossaryCreate */
        GlossaryCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description Other words for the term. Search finds one by the other. */
            synonyms?: string[] | null;
        };
        /** GlossaryEdit */
        GlossaryEdit: {
            title?: string;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description Other words for the term. Search finds one by the other. */
            synonyms?: string[] | null;
        };
        /** GlossaryPage */
        GlossaryPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Glossary"][];
        };
        /** Group */
        Group: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            description: string | null;
            /** @description User IDs. */
            members: string[];
        };
        /** GroupCreate */
        GroupCreate: {
            name: string;
            description?: string | null;
            members?: string[] | null;
        };
        /** GroupEdit */
        GroupEdit: {
            name?: string;
            description?: string | null;
            members?: string[] | null;
        };
        /** GroupPage */
        GroupPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Group"][];
        };
        /**
         * Health
         * @description By resource ID. Resources that you cannot see are left out.
         */
        Health: {
            [key: string]: {
                /** @enum {string} */
                status: "incident" | "warning" | "ok" | "unknown";
                deprecated: boolean;
            };
        };
        /** HealthReason */
        HealthReason: {
            /**
             * @description `failed_test`: a test of dbt or OpenLineage. `out_of_range`: an incident was resolved, but the last value is still out of range. `upstream_deprecated`: something that it reads directly is deprecated. `stale`: missing from its source.
             * @enum {string}
             */
            kind: "incident" | "failed_test" | "upstream_incident" | "out_of_range" | "deprecated" | "upstream_deprecated" | "stale" | "schema_change";
            /** @description Readable description. */
            text: string;
            text_translatable: components["schemas"]["Translatable"];
            /**
             * Format: uuid
             * @description The resource it is about: this one, one of its columns, or one upstream.
             */
            resource_id: string;
            /** @description Full title of that resource. */
            resource: string;
            /** Format: date-time */
            since: string | null;
            /**
             * Format: uuid
             * @description The open incident.
             */
            incident: string | null;
            /** @enum {string|null} */
            incident_status: "active" | "acknowledged" | "resolved" | null;
            /** @description Who works on the incident: its assignee, else who acknowledged it. */
            assignee: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            /**
             * Format: uuid
             * @description The resource to use instead of the deprecated one, if you can see it.
             */
            replacement_id: string | null;
        };
        /** Home */
        Home: {
            /** @description Changes to resources you own or subscribe to, newest first. */
            changes: components["schemas"]["Notification"][];
            /** @description Open incidents. Those of resources you own or subscribe to come first. */
            incidents: components["schemas"]["OpenIncident"][];
            /** @description Your bookmarks by title, at most 50 regardless of `limit`. */
            bookmarks: components["schemas"]["ResourceBrief"][];
            /** @description Your unpublished documents. */
            drafts: components["schemas"]["ResourceBrief"][];
            /** @description Open questions that you asked, own, subscribe to or are assigned to. */
            questions: components["schemas"]["ResourceBrief"][];
            most_used: components["schemas"]["ResourceBrief"][];
            /** @description Recently viewed resources. */
            recent: {
                /** Format: uuid */
                id: string;
                title: string;
                title_full: string;
                title_cased: string;
                /** @enum {string} */
                entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
                native_type: string | null;
                icon: string;
                /** @description The first 300 characters of the description. */
                description: string | null;
                published: boolean;
                archived: boolean;
                verified: boolean;
                pii: boolean;
                stale: boolean;
                deprecation: components["schemas"]["Deprecation"];
                /** @description User IDs. */
                owners: string[];
                /** @description Tag IDs. */
                tags: string[];
                /** @description Glossary term IDs. */
                terms: string[];
                /** Format: uuid */
                integration: string | null;
                /** Format: uuid */
                parent: string | null;
                /** Format: date-time */
                updated_at: string;
                /** @description The sum of `external_usage` and `internal_usage`. */
                total_usage: number;
                /** @description Number of queries in the source in the 24 hours before the last sync. */
                external_usage: number;
                /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
                internal_usage: number;
                /** @description Number of direct children visible to the caller. */
                children_count: number;
                /** Format: date-time */
                viewed_at: string;
            }[];
            names: components["schemas"]["Names"];
        };
        /** Impact */
        Impact: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Affected"][];
            level: string;
            /** @description True when more than 100,000 resources are affected: only the nearest are counted and listed. */
            truncated: boolean;
            summary: {
                total: number;
                by_entity_type: {
                    [key: string]: number;
                };
                by_distance: {
                    [key: string]: number;
                };
                /** @description Owners with the most affected resources first, at most 100. */
                by_owner: {
                    /** Format: uuid */
                    id: string;
                    /** @enum {string} */
                    type: "user" | "group";
                    /** @description Null when you may not see the name, or when it is unknown. */
                    name: string | null;
                    email: string | null;
                    count: number;
                }[];
                unowned: number;
                dashboards: number;
            };
        };
        /** ImportResult */
        ImportResult: {
            dry_run: boolean;
            /** @description Number of non-empty lines. */
            lines: number;
            created: number;
            updated: number;
            unchanged: number;
            /** @description Existing databases, schemas and other containers that are published because something in them is. */
            containers_published: number;
            lineage_created: number;
            lineage_unchanged: number;
            /** @description Unknown fields that were ignored. */
            ignored_fields: string[];
            /** @description Only for a dry run: the first 100 resources that would change. */
            differences: {
                line: number;
                /** @enum {string} */
                change: "created" | "updated";
                /** Format: uuid */
                id: string | null;
                databuilder_id: string | null;
                title: string | null;
                changes: {
                    field: string;
                    from: unknown;
                    to: unknown;
                }[];
            }[];
        };
        /** Incident */
        Incident: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            monitor: string;
            /** Format: uuid */
            target: string;
            name: string;
            /** @description What is wrong, by how much, since when, and what is expected. */
            summary: string;
            summary_translatable: components["schemas"]["Translatable"];
            /** @enum {string} */
            status: "active" | "acknowledged" | "resolved";
            /**
             * @description Copied from the monitor when the incident was opened.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description Latest value outside the limits. */
            value: number;
            lower_threshold: number | null;
            upper_threshold: number | null;
            explanation: string | null;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: date-time */
            last_notified_at: string | null;
            /** Format: date-time */
            acknowledged_at: string | null;
            /** Format: date-time */
            resolved_at: string | null;
            /**
             * Format: uuid
             * @description User responsible for the incident.
             */
            assignee: string | null;
            /**
             * Format: date-time
             * @description Until then no one is notified of it. Null if it is not snoozed.
             */
            snoozed_until: string | null;
            /**
             * Format: uuid
             * @description User who snoozed it.
             */
            snoozed_by: string | null;
            /** @description True if the incident is resolved although the latest value of its monitor is still outside the limits. */
            still_outside: boolean;
            /** @description Number of measurements outside the limits. */
            runs_outside: number;
            /**
             * Format: uuid
             * @description An incident that was open upstream when this one was opened.
             */
            upstream_incident: string | null;
            actions: {
                /** @enum {string} */
                type: "notification_initial" | "notification_resolved" | "acknowledged" | "resolved" | "comment" | "marked_normal" | "marked_incident" | "assigned" | "reopened" | "severity_changed" | "snoozed" | "unsnoozed" | "snooze_ended";
                /** Format: uuid */
                user_id: string | null;
                user_name: string;
                /** @description Text of the comment; for an assignment the name of the assignee, for a changed severity the new one, for a snooze its end. */
                comment: string | null;
                /** @description For notifications: number of people notified. Null until it is sent. */
                people: number | null;
                /** @description For notifications: the Slack channel it was sent to. */
                channel: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Resources downstream that you can see, and their owners. Only when a single incident is requested. */
            downstream?: {
                total: number;
                dashboards: number;
                owners: {
                    /** Format: uuid */
                    id: string;
                    /** @enum {string} */
                    type: "user" | "group";
                    name: string | null;
                    count: number;
                }[];
                truncated: boolean;
                /** @description The impact as one sentence. */
                summary: string;
            };
            display_metadata: {
                monitor: {
                    label: string;
                };
                target: {
                    icon: string | null;
                    /** @description Full title of the target. */
                    label: string;
                    entity_type: string;
                    /** Format: uuid */
                    integration: string | null;
                    integration_type: string | null;
                };
            };
        };
        /** IncidentEdit */
        IncidentEdit: {
            /**
             * @description `active` → `acknowledged` → `resolved`. Setting `active` reopens a resolved incident.
             * @enum {string}
             */
            status?: "active" | "acknowledged" | "resolved";
            /** @description Adds a comment. Commenting on an active incident also acknowledges it. */
            comment?: string | null;
            /** @description A UUID, with or without dashes. */
            assignee?: string | null;
            /** @enum {string} */
            severity?: "low" | "medium" | "high" | "critical";
            /** @description No one is notified of the incident until then: a time in the future, at most a year away. Null ends the snooze. */
            snoozed_until?: string | null;
            /**
             * @description `normal`: the values were expected; the thresholds learn from them and the incident is resolved. `incident`: the thresholds never learn from them.
             * @enum {string}
             */
            marked?: "normal" | "incident";
        };
        /** IncidentPage */
        IncidentPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Incident"][];
        };
        /** IncidentTable */
        IncidentTable: {
            /**
             * Format: uuid
             * @description The table; a column if you cannot see its table.
             */
            id: string;
            title: string;
            /** @description Number of its incidents that match. */
            count: number;
            active: number;
            acknowledged: number;
            /** @description Open ones that are snoozed. */
            snoozed: number;
            /**
             * @description The most serious one.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** Format: date-time */
            last_opened_at: string;
            /** @description The newest five. */
            incidents: components["schemas"]["Incident"][];
            display_metadata: {
                target: {
                    icon: string | null;
                    /** @description Full title of the target. */
                    label: string;
                    entity_type: string;
                    /** Format: uuid */
                    integration: string | null;
                    integration_type: string | null;
                };
            };
        };
        /** IncidentTablePage */
        IncidentTablePage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["IncidentTable"][];
        };
        /** InsightGroups */
        InsightGroups: {
            /** @description Whether only the groups with the most tables are listed. */
            truncated: boolean;
            /** @description Those with the most tables first. */
            results: {
                /** Format: uuid */
                id: string;
                /** @description Null if the caller may not know it. */
                name: string | null;
                numbers: components["schemas"]["InsightNumbers"];
            }[];
        };
        /** InsightNumbers */
        InsightNumbers: {
            tables?: number;
            tables_described?: number;
            tables_owned?: number;
            tables_verified?: number;
            tables_deprecated?: number;
            tables_stale?: number;
            tables_unused?: number;
            tables_incident?: number;
            tables_warning?: number;
            tables_ok?: number;
            tables_unknown?: number;
            columns?: number;
            columns_described?: number;
            columns_with_terms?: number;
            rows?: number;
            bytes?: number;
            stale_rows?: number;
            stale_bytes?: number;
            unused_rows?: number;
            unused_bytes?: number;
            queries?: number;
            views?: number;
        };
        /** InsightTrends */
        InsightTrends: {
            /**
             * @description What the daily numbers count. `everything`: for admins. `internal`: what no closed team hides, for editors. `published`: of that what is published, for viewers. `nothing`: guests see no daily numbers.
             * @enum {string}
             */
            counted: "everything" | "internal" | "published" | "nothing";
            /** @description Oldest first; only days with a snapshot. */
            days: {
                /** Format: date */
                day: string;
                numbers: components["schemas"]["InsightNumbers"];
            }[];
            /** @description Every day, oldest first: incidents of resources that the caller can see. */
            incidents: {
                /** Format: date */
                day: string;
                opened: number;
                resolved: number;
                /** @description Of those resolved on this day. */
                median_hours_to_resolve: number | null;
            }[];
        };
        /** Insights */
        Insights: {
            /** Format: date-time */
            as_of: string;
            /** @description Counts of what the caller can see, without archived resources. */
            metrics: {
                /** @enum {string} */
                name: "tables" | "tables_described" | "tables_owned" | "tables_verified" | "tables_deprecated" | "tables_stale" | "tables_unused" | "tables_incident" | "tables_warning" | "tables_ok" | "tables_unknown" | "columns" | "columns_described" | "columns_with_terms";
                count: number;
                /** @description The rows of these tables, as far as they are known. */
                rows?: number;
                /** @description The size of these tables, as far as it is known. */
                bytes?: number;
                /** @description The filter of `/resource/catalog` that lists them. */
                filter: string;
            }[];
            usage: {
                /** @description Queries of these tables in the 24 hours before their last sync. */
                queries: number;
                /** @description Views of their pages in 90 days. */
                views: number;
            };
            /** @description Open incidents, and those opened and resolved since then. `/monitor/incidents` lists them. */
            incidents: {
                open: number;
                opened: number;
                resolved: number;
                median_hours_to_resolve: number | null;
                /** Format: date-time */
                since: string;
            };
        };
        /** Integration */
        Integration: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            /** @description The same as `name`. */
            title: string;
            /** @enum {string} */
            type: "custom" | "openlineage" | "datahub" | "query_log" | "postgres" | "mysql" | "sqlite" | "duckdb" | "clickhouse" | "redshift" | "snowflake" | "bigquery" | "databricks" | "trino" | "sqlserver" | "oracle" | "kafka" | "mongodb" | "elasticsearch" | "dynamodb" | "cassandra" | "unity_catalog" | "hive" | "glue" | "iceberg" | "lake_s3" | "lake_gcs" | "lake_azure" | "lake_files" | "dbt" | "metabase" | "superset" | "tableau" | "powerbi" | "looker" | "redash" | "grafana" | "mode" | "airflow" | "dagster" | "prefect" | "fivetran" | "airbyte" | "dbt_cloud" | "connector";
            icon: string;
            /** Format: uuid */
            workspace_id: string;
            /** @description Team IDs. With a closed team among them, only its members and admins see the integration. */
            teams: string[];
            /** @description The credentials that are not secret; null without the permission to manage integrations. */
            connection: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description The names of the secrets that are set. Their values are never returned. */
            secrets_set: string[];
            /** @description When the integration syncs: either an interval or a cron expression. */
            schedule: {
                /** @description Minutes between syncs. */
                interval_minutes?: number;
                /**
                 * @description `minute hour day month weekday`, in `timezone`.
                 * @example 0 3 * * *
                 */
                cron?: string;
                /**
                 * @description IANA time zone of the cron expression; absent: UTC.
                 * @example Europe/Berlin
                 */
                timezone?: string;
            } | null;
            /** @description Whether users can preview the first rows of its tables. */
            preview_enabled: boolean;
            /** Format: date-time */
            last_synced_at: string | null;
            /** @enum {string|null} */
            last_sync_status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | null;
            last_sync_error: string | null;
            /** Format: date-time */
            next_sync_at: string | null;
            /** @description Number of its resources that you can see; exact. */
            resource_count: number;
            /**
             * Format: uuid
             * @description The background job that is deleting it.
             */
            removal_job: string | null;
        };
        /** IntegrationCreate */
        IntegrationCreate: {
            name: string;
            /**
             * @description Default: `custom`.
             * @enum {string}
             */
            type?: "custom" | "openlineage" | "datahub" | "query_log" | "postgres" | "mysql" | "sqlite" | "duckdb" | "clickhouse" | "redshift" | "snowflake" | "bigquery" | "databricks" | "trino" | "sqlserver" | "oracle" | "kafka" | "mongodb" | "elasticsearch" | "dynamodb" | "cassandra" | "unity_catalog" | "hive" | "glue" | "iceberg" | "lake_s3" | "lake_gcs" | "lake_azure" | "lake_files" | "dbt" | "metabase" | "superset" | "tableau" | "powerbi" | "looker" | "redash" | "grafana" | "mode" | "airflow" | "dagster" | "prefect" | "fivetran" | "airbyte" | "dbt_cloud" | "connector";
            teams?: string[] | null;
            /** @description When the integration syncs: either an interval or a cron expression. */
            schedule?: {
                /** @description Minutes between syncs. */
                interval_minutes?: number;
                /**
                 * @description `minute hour day month weekday`, in `timezone`.
                 * @example 0 3 * * *
                 */
                cron?: string;
                /**
                 * @description IANA time zone of the cron expression; absent: UTC.
                 * @example Europe/Berlin
                 */
                timezone?: string;
            } | null;
            /**
             * @description Let everyone who can see a table preview its first rows, without personal data.
             * @default false
             */
            preview_enabled?: boolean;
            /** @description How to connect to the source. Write-only; `GET /integration/types` lists the fields of each type. */
            credentials?: {
                archive_after_days?: number | null;
                dialect?: string | null;
                warehouse?: string | null;
                database?: string | null;
                schema?: string | null;
                log_integration?: string | null;
                log_table?: string | null;
                sql_column?: string | null;
                time_column?: string | null;
                user_column?: string | null;
                duration_column?: string | null;
                database_column?: string | null;
                schema_column?: string | null;
                host?: string | null;
                port?: number | null;
                user?: string | null;
                password?: string | null;
                ssl?: boolean | null;
                ca?: string | null;
                max_million_rows?: number | null;
                allowed_functions?: string | null;
                include?: string | null;
                exclude?: string | null;
                query_history?: boolean | null;
                path?: string | null;
                account?: string | null;
                private_key?: string | null;
                role?: string | null;
                project?: string | null;
                location?: string | null;
                service_account?: string | null;
                max_gigabytes?: number | null;
                http_path?: string | null;
                token?: string | null;
                catalog?: string | null;
                service?: string | null;
                brokers?: string | null;
                mechanism?: string | null;
                registry_url?: string | null;
                registry_user?: string | null;
                registry_password?: string | null;
                url?: string | null;
                auth_source?: string | null;
                sample_size?: number | null;
                api_key?: string | null;
                region?: string | null;
                access_key_id?: string | null;
                secret_access_key?: string | null;
                session_token?: string | null;
                hosts?: string | null;
                datacenter?: string | null;
                keyspace?: string | null;
                keys?: boolean | null;
                engine?: string | null;
                catalog_id?: string | null;
                client_id?: string | null;
                client_secret?: string | null;
                login_url?: string | null;
                scope?: string | null;
                bucket?: string | null;
                prefix?: string | null;
                container?: string | null;
                sas_token?: string | null;
                account_key?: string | null;
                personal_collections?: boolean | null;
                provider?: string | null;
                site?: string | null;
                token_name?: string | null;
                token_secret?: string | null;
                tenant?: string | null;
                personal_workspaces?: boolean | null;
                personal_folders?: boolean | null;
                workspace?: string | null;
                openlineage_namespace?: string | null;
                api_secret?: string | null;
                account_id?: string | null;
                project_id?: string | null;
                connector?: string | null;
                settings?: string | null;
                secrets?: string | null;
            } | null;
        };
        /** IntegrationEdit */
        IntegrationEdit: {
            name?: string;
            /** @enum {string} */
            type?: "custom" | "openlineage" | "datahub" | "query_log" | "postgres" | "mysql" | "sqlite" | "duckdb" | "clickhouse" | "redshift" | "snowflake" | "bigquery" | "databricks" | "trino" | "sqlserver" | "oracle" | "kafka" | "mongodb" | "elasticsearch" | "dynamodb" | "cassandra" | "unity_catalog" | "hive" | "glue" | "iceberg" | "lake_s3" | "lake_gcs" | "lake_azure" | "lake_files" | "dbt" | "metabase" | "superset" | "tableau" | "powerbi" | "looker" | "redash" | "grafana" | "mode" | "airflow" | "dagster" | "prefect" | "fivetran" | "airbyte" | "dbt_cloud" | "connector";
            teams?: string[] | null;
            /** @description When the integration syncs: either an interval or a cron expression. */
            schedule?: {
                /** @description Minutes between syncs. */
                interval_minutes?: number;
                /**
                 * @description `minute hour day month weekday`, in `timezone`.
                 * @example 0 3 * * *
                 */
                cron?: string;
                /**
                 * @description IANA time zone of the cron expression; absent: UTC.
                 * @example Europe/Berlin
                 */
                timezone?: string;
            } | null;
            /**
             * @description Let everyone who can see a table preview its first rows, without personal data.
             * @default false
             */
            preview_enabled?: boolean;
            /** @description How to connect to the source. Write-only; `GET /integration/types` lists the fields of each type. */
            credentials?: {
                archive_after_days?: number | null;
                dialect?: string | null;
                warehouse?: string | null;
                database?: string | null;
                schema?: string | null;
                log_integration?: string | null;
                log_table?: string | null;
                sql_column?: string | null;
                time_column?: string | null;
                user_column?: string | null;
                duration_column?: string | null;
                database_column?: string | null;
                schema_column?: string | null;
                host?: string | null;
                port?: number | null;
                user?: string | null;
                password?: string | null;
                ssl?: boolean | null;
                ca?: string | null;
                max_million_rows?: number | null;
                allowed_functions?: string | null;
                include?: string | null;
                exclude?: string | null;
                query_history?: boolean | null;
                path?: string | null;
                account?: string | null;
                private_key?: string | null;
                role?: string | null;
                project?: string | null;
                location?: string | null;
                service_account?: string | null;
                max_gigabytes?: number | null;
                http_path?: string | null;
                token?: string | null;
                catalog?: string | null;
                service?: string | null;
                brokers?: string | null;
                mechanism?: string | null;
                registry_url?: string | null;
                registry_user?: string | null;
                registry_password?: string | null;
                url?: string | null;
                auth_source?: string | null;
                sample_size?: number | null;
                api_key?: string | null;
                region?: string | null;
                access_key_id?: string | null;
                secret_access_key?: string | null;
                session_token?: string | null;
                hosts?: string | null;
                datacenter?: string | null;
                keyspace?: string | null;
                keys?: boolean | null;
                engine?: string | null;
                catalog_id?: string | null;
                client_id?: string | null;
                client_secret?: string | null;
                login_url?: string | null;
                scope?: string | null;
                bucket?: string | null;
                prefix?: string | null;
                container?: string | null;
                sas_token?: string | null;
                account_key?: string | null;
                personal_collections?: boolean | null;
                provider?: string | null;
                site?: string | null;
                token_name?: string | null;
                token_secret?: string | null;
                tenant?: string | null;
                personal_workspaces?: boolean | null;
                personal_folders?: boolean | null;
                workspace?: string | null;
                openlineage_namespace?: string | null;
                api_secret?: string | null;
                account_id?: string | null;
                project_id?: string | null;
                connector?: string | null;
                settings?: string | null;
                secrets?: string | null;
            } | null;
        };
        /** IntegrationPage */
        IntegrationPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Integration"][];
        };
        /** IntegrationType */
        IntegrationType: {
            type: string;
            label: string;
            icon: string;
            /** @enum {string} */
            category: "push" | "database" | "warehouse" | "transformation" | "bi" | "orchestration" | "connector";
            /** @description A push integration: it sends metadata through the API and has no connection. */
            pushes_only: boolean;
            /** @description Whether this version can test and sync it. */
            connects: boolean;
            /** @description What its user needs to be allowed to do in the source, at the least. */
            grants: string | null;
            /** @description The npm package of its driver, if it has to be installed first. */
            missing_package: string | null;
            /** @description The fields of its `credentials`, in form order. */
            fields: {
                name: string;
                label: string;
                /** @enum {string} */
                kind: "text" | "number" | "boolean";
                /** @description Required to connect to the source. */
                required: boolean;
                /** @description Write-only: never returned. */
                secret: boolean;
                /** @description Affects where secrets are sent or how they are protected: when it changes, secrets must be entered again. */
                destination: boolean;
                multiline: boolean;
                default: (string | number | boolean) | null;
                help: string | null;
            }[];
        };
        /** Invitation */
        Invitation: {
            /** @description Returned only in this response. A replay with the same `Idempotency-Key` does not contain it. Without `PUBLIC_URL` it is a path on this server. */
            link?: string;
            /** @description The code in the link. */
            code?: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether the link was sent to the user by e-mail. */
            mailed: boolean;
        };
        /** InvitationAccept */
        InvitationAccept: {
            /** @description From a one-time link. */
            code: string;
            /** @description At least 10 characters. */
            password: string;
            first_name?: string | null;
            last_name?: string | null;
        };
        /** InvitationLook */
        InvitationLook: {
            /** @description From a one-time link. */
            code: string;
        };
        /** Invited */
        Invited: {
            email: string;
            name: string;
            /** Format: date-time */
            expires_at: string;
            /** @description The link is for the first admin: continue with `POST /auth/setup`. */
            setup: boolean;
        };
        /** Job */
        Job: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uuid
             * @description The user who started the job.
             */
            user: string | null;
            title: string;
            /** @enum {string} */
            status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
            progress: number;
            /** @description Whether the job failed. */
            failed: boolean;
            /** Format: date-time */
            started: string;
            /** Format: date-time */
            completed: string | null;
            logs: string;
            has_artifact: boolean;
        };
        /** JobPage */
        JobPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Job"][];
        };
        /** JobRun */
        JobRun: {
            /**
             * Format: uuid
             * @description The run, which is a resource.
             */
            id: string;
            title: string;
            /**
             * @description Null if the source does not report it.
             * @enum {string|null}
             */
            state: "RUNNING" | "COMPLETED" | "FAILED" | "ABORTED" | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Null until it has ended, or if a time is unknown. */
            duration_seconds: number | null;
            rows_written: number | null;
            bytes_written: number | null;
            error: string | null;
            /** @description What it read, as far as you may see it. */
            inputs: components["schemas"]["RunDataset"][];
            /** @description What it wrote, as far as you may see it. */
            outputs: components["schemas"]["RunDataset"][];
        };
        /** JobRunPage */
        JobRunPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["JobRun"][];
        };
        /** LineageCreate */
        LineageCreate: {
            /** @description A UUID, with or without dashes. */
            from_entity: string;
            /** @description A UUID, with or without dashes. */
            to_entity: string;
            /**
             * @description DOWNSTREAM: data flows from `from_entity` to `to_entity`. UPSTREAM: from `to_entity` to `from_entity`.
             * @enum {string}
             */
            direction: "UPSTREAM" | "DOWNSTREAM";
        };
        /** LineageEdge */
        LineageEdge: {
            from: string;
            to: string;
            /** @description Added manually. */
            is_manual: boolean;
            /** @description Derived from a query. */
            is_derived: boolean;
            /** @description How data flows according to the queries; empty for edges that were only added manually. */
            kinds: ("table" | "identity" | "expression" | "aggregation" | "filter")[];
            /** @description Number of queries the edge was derived from. */
            queries: number;
            /** @description The connection goes through resources excluded by the filters. */
            indirect: boolean;
        };
        /** LineageEntry */
        LineageEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            from_entity: string;
            /** Format: uuid */
            to_entity: string;
            /**
             * @description DOWNSTREAM: data flows from `from_entity` to `to_entity`. UPSTREAM: from `to_entity` to `from_entity`.
             * @enum {string}
             */
            direction: "UPSTREAM" | "DOWNSTREAM";
            is_manual: boolean;
        };
        /** LineageEvidence */
        LineageEvidence: {
            is_manual: boolean;
            /** @enum {string|null} */
            kind: "table" | "identity" | "expression" | "aggregation" | "filter" | null;
            /** @description The title of the source column, if the edge starts at one. */
            from_column: string | null;
            to_column: string | null;
            /** Format: date-time */
            created_at: string;
            dialect: string | null;
            engine_version: string | null;
            /**
             * Format: uuid
             * @description The job that reported the edge, if it was not derived from a query.
             */
            job: string | null;
            /** @description The query. Null for manual edges, and when it reads or writes resources you may not see. */
            sql: string | null;
            /** @description Start position in the query text, in UTF-16 code units from 0. */
            start: number | null;
            end: number | null;
        };
        /** LineageFromQuery */
        LineageFromQuery: {
            /** @description One statement or a script, at most 1 MB. */
            sql: string;
            /**
             * @description The SQL dialect, e.g. `postgresql` or `bigquery`.
             * @default postgres
             */
            dialect?: string | null;
            /** @description Completes names without a database. */
            default_database?: string | null;
            /** @description Completes names without a schema. */
            default_schema?: string | null;
            /** @description The integration the query runs in. Its tables are preferred when a name matches several. */
            integration_id?: string | null;
            /** @description The target table. Required to create lineage from a bare SELECT. */
            table_id?: string | null;
        };
        /** LineageGraph */
        LineageGraph: {
            /** Format: uuid */
            resource_id: string;
            /** @enum {string} */
            direction: "UPSTREAM" | "DOWNSTREAM" | "BOTH";
            depth: number;
            /** @enum {string} */
            level: "table" | "column";
            /** @description Nearest first. */
            nodes: components["schemas"]["LineageNode"][];
            edges: components["schemas"]["LineageEdge"][];
            /** @description True when the requested depth contains more nodes or edges than this response. */
            truncated: boolean;
            totals: {
                nodes: number;
                edges: number;
                /** @description How many of the nodes you may not see. */
                hidden: number;
                /** @description The sum of `more_upstream` and `more_downstream` over all nodes. */
                more: number;
            };
        };
        /** LineageNode */
        LineageNode: {
            /** @description The ID of the resource. For a hidden node a placeholder that is valid in this response only, e.g. `hidden-1`. */
            id: string;
            /** @description A node you may not see. All fields except its position in the graph are null. */
            hidden: boolean;
            title: string | null;
            title_full: string | null;
            entity_type: string | null;
            native_type: string | null;
            icon: string | null;
            /** Format: uuid */
            integration: string | null;
            integration_type: string | null;
            published: boolean | null;
            archived: boolean | null;
            verified: boolean | null;
            pii: boolean | null;
            stale: boolean | null;
            deprecated: boolean | null;
            /** @enum {string|null} */
            health: "incident" | "warning" | "ok" | "unknown" | null;
            /** @description The table of a column, the dashboard of a chart. */
            group: {
                /** Format: uuid */
                id: string;
                title: string;
                title_full: string;
                entity_type: string;
            } | null;
            /** @description Number of steps from the start node, which has 0. */
            distance: number;
            /**
             * @description The side of the start node it is on. BOTH on a cycle, null for the start node itself.
             * @enum {string|null}
             */
            direction: "UPSTREAM" | "DOWNSTREAM" | "BOTH" | null;
            /** @description Upstream neighbours that are not in this response. */
            more_upstream: number;
            /** @description Downstream neighbours that are not in this response. */
            more_downstream: number;
        };
        /** LineageOwner */
        LineageOwner: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            type: "user" | "group";
            /** @description Null when you may not see the name, or when it is unknown. */
            name: string | null;
            email: string | null;
        };
        /** LineagePage */
        LineagePage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["LineageEntry"][];
        };
        /** LineagePaths */
        LineagePaths: {
            /** Format: uuid */
            from: string;
            /** Format: uuid */
            to: string;
            /** @enum {string} */
            level: "table" | "column";
            /** @description Number of steps of the shortest path; null when there is no path. */
            length: number | null;
            paths: string[][];
            nodes: components["schemas"]["LineageResource"][];
            edges: {
                from: string;
                to: string;
                /** @description Added manually. */
                is_manual: boolean;
                /** @description Derived from a query. */
                is_derived: boolean;
                /** @description How data flows according to the queries; empty for edges that were only added manually. */
                kinds: ("table" | "identity" | "expression" | "aggregation" | "filter")[];
                /** @description Number of queries the edge was derived from. */
                queries: number;
                /** @description At most 20. */
                evidence: components["schemas"]["LineageEvidence"][];
            }[];
            /** @description True when more paths of this length exist, or the search stopped at its limit. */
            truncated: boolean;
        };
        /** LineageResource */
        LineageResource: {
            /** @description The ID of the resource. For a hidden node a placeholder that is valid in this response only, e.g. `hidden-1`. */
            id: string;
            /** @description A node you may not see. All fields except its position in the graph are null. */
            hidden: boolean;
            title: string | null;
            title_full: string | null;
            entity_type: string | null;
            native_type: string | null;
            icon: string | null;
            /** Format: uuid */
            integration: string | null;
            integration_type: string | null;
            published: boolean | null;
            archived: boolean | null;
            verified: boolean | null;
            pii: boolean | null;
            stale: boolean | null;
            deprecated: boolean | null;
            /** @enum {string|null} */
            health: "incident" | "warning" | "ok" | "unknown" | null;
            /** @description The table of a column, the dashboard of a chart. */
            group: {
                /** Format: uuid */
                id: string;
                title: string;
                title_full: string;
                entity_type: string;
            } | null;
        };
        /**
         * ListChange
         * @description IDs to add to lists, after `data` and `remove` were applied.
         */
        ListChange: {
            teams?: string[];
            owners?: string[];
            owners_groups?: string[];
            collections?: string[];
            tags?: string[];
            terms?: string[];
            subscribers?: string[];
        };
        /**
         * LogEntry
         * @example {
         *       "id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
         *       "parent_id": null,
         *       "activity_type": "resource_updated",
         *       "performer_id": "018f3d1c-0000-7000-8000-00000000ada0",
         *       "performer_type": "USER",
         *       "performer_metadata": {
         *         "id": "018f3d1c-0000-7000-8000-00000000ada0",
         *         "email": "ada@example.com",
         *         "first_name": "Ada",
         *         "last_name": "Lovelace",
         *         "name": "Ada Lovelace"
         *       },
         *       "resource_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
         *       "resource_type": "table",
         *       "resource_metadata": {
         *         "id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
         *         "title": "orders",
         *         "name": "orders",
         *         "icon": null,
         *         "type": "table",
         *         "integration_id": null
         *       },
         *       "related_resource_ids": [],
         *       "related_resource_type": null,
         *       "event_blocks": [
         *         {
         *           "type": "performer",
         *           "style": "normal",
         *           "value": "Ada Lovelace"
         *         },
         *         {
         *           "type": "text",
         *           "style": "normal",
         *           "value": "verified"
         *         },
         *         {
         *           "type": "resource",
         *           "style": "normal",
         *           "value": "orders"
         *         }
         *       ],
         *       "translatable": {
         *         "template": "{performer} verified {resource}",
         *         "values": {
         *           "performer": "Ada Lovelace",
         *           "resource": "orders"
         *         }
         *       },
         *       "logged_at": "2026-01-15T08:30:00.000Z",
         *       "created_at": "2026-01-15T08:30:00.000Z",
         *       "updated_at": "2026-01-15T08:30:00.000Z",
         *       "is_legacy": false,
         *       "version_history_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
         *       "secoda_entity_type": "table"
         *     }
         */
        LogEntry: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The activity that caused this one.
             */
            parent_id: string | null;
            /** @description `<noun>_<verb>`, e.g. `resource_updated`. */
            activity_type: string;
            /** Format: uuid */
            performer_id: string | null;
            /** @enum {string} */
            performer_type: "USER" | "API" | "SYSTEM" | "INTEGRATION";
            performer_metadata: {
                /** Format: uuid */
                id: string | null;
                email: string | null;
                first_name: string | null;
                last_name: string | null;
                /** @description Display name. */
                name: string;
            };
            /** Format: uuid */
            resource_id: string | null;
            resource_type: string | null;
            resource_metadata: {
                /** Format: uuid */
                id: string | null;
                /** @description Its title after the change. */
                title: string | null;
                /** @description The same as `title`. */
                name: string | null;
                icon: string | null;
                type: string | null;
                /** Format: uuid */
                integration_id: string | null;
            };
            related_resource_ids: string[];
            related_resource_type: string | null;
            /** @description A sentence that describes the activity; join the values with spaces. */
            event_blocks: {
                /**
                 * @description What this part of the sentence names.
                 * @enum {string}
                 */
                type: "performer" | "text" | "resource";
                /** @enum {string} */
                style: "normal";
                value: string;
            }[];
            translatable: components["schemas"]["Translatable"];
            /** Format: date-time */
            logged_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            is_legacy: boolean;
            /**
             * Format: uuid
             * @description Set if the activity created a version.
             */
            version_history_id: string | null;
            /** @description The same as `resource_type`. */
            secoda_entity_type: string | null;
        };
        /** Loss */
        Loss: {
            number: number;
            /** @description What is missing, and why. */
            line: string;
        };
        /** LossPage */
        LossPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Loss"][];
        };
        /** Me */
        Me: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            email: string;
            first_name: string | null;
            last_name: string | null;
            /** @description First and last name, or the e-mail address if neither is set. */
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            /** @enum {string} */
            role: "admin" | "editor" | "viewer" | "guest";
            /** @description The user can no longer sign in. */
            disabled: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: uuid
             * @description The user who invited this one.
             */
            invited_by: string | null;
            /**
             * Format: date-time
             * @description Updated at most once a minute.
             */
            last_seen_at: string | null;
            /** @description Team IDs. */
            teams: string[];
            /** @description Group IDs. */
            groups: string[];
            /** Format: uuid */
            workspace_id: string;
            /**
             * Format: uuid
             * @description The token of this request.
             */
            token_id: string | null;
            /**
             * @description The scope of the token or session.
             * @enum {string}
             */
            scope: "read" | "write" | "admin";
            /** @description Your permissions with this token. */
            permissions: ("catalog.read" | "catalog.write" | "people.read" | "people.manage" | "teams.read" | "tokens.own" | "self.read" | "self.write" | "password.own" | "questions.ask" | "jobs.read" | "integrations.read" | "integrations.manage" | "monitors.read" | "monitors.config" | "monitors.write" | "monitors.run" | "audit.read" | "notifications.manage" | "search.manage" | "assistant.use" | "assistant.manage" | "server.manage" | "trash.delete")[];
        };
        /** Measurement */
        Measurement: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description Time of the measurement.
             */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            monitor: string;
            value: number;
            /** @description Number of rows a percentage was computed from. */
            row_count: number | null;
            /** @description Null while the expected range is still being learned, or if there is no lower limit. */
            lower_threshold: number | null;
            upper_threshold: number | null;
            /** @description How the limits were determined. */
            explanation: string | null;
            /** @description Version of the automatic thresholds that computed the limits. Null for manual limits and while the expected range is still being learned. */
            thresholds_version: number | null;
            outside: boolean;
            /** @enum {string} */
            origin: "run" | "pushed" | "history";
            /**
             * @description Feedback from a user.
             * @enum {string|null}
             */
            marked: "normal" | "incident" | null;
            /** Format: uuid */
            incident: string | null;
            incident_metadata: {
                name: string;
                /** @enum {string} */
                status: "active" | "acknowledged" | "resolved";
            } | null;
        };
        /** MeasurementEdit */
        MeasurementEdit: {
            /**
             * @description `normal`: the value was expected; the thresholds learn from it and its incident is resolved. `incident`: the thresholds do not learn from it.
             * @enum {string|null}
             */
            marked: "normal" | "incident" | null;
        };
        /** MeasurementPage */
        MeasurementPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Measurement"][];
        };
        /** MeasurementPush */
        MeasurementPush: {
            measurements: {
                /** @description A UUID, with or without dashes. */
                monitor?: string;
                /** @description Key of the monitor, instead of its ID. */
                key?: string;
                value: number;
                /**
                 * Format: date-time
                 * @description Default: now.
                 */
                measured_at?: string;
                row_count?: number | null;
            }[];
        };
        /** MeasurementsPushed */
        MeasurementsPushed: {
            results: components["schemas"]["Measurement"][];
        };
        /** MessageTemplate */
        MessageTemplate: {
            /** @enum {string} */
            channel: "email" | "slack" | "teams" | "pagerduty" | "opsgenie";
            /** @enum {string} */
            event: "incident_opened" | "incident_resolved" | "schema_changed";
            title: string;
            body: string;
            /** @description False: the default is sent. */
            custom: boolean;
            /** Format: date-time */
            updated_at: string | null;
            placeholders: {
                name: string;
                description: string;
            }[];
        };
        /** MessageTemplateEdit */
        MessageTemplateEdit: {
            /** @description One line with placeholders such as `{{resource}}`. */
            title: string;
            /** @description Plain text with placeholders. Markup is sent as text. */
            body: string;
        };
        /** MessageTemplatePreview */
        MessageTemplatePreview: {
            /**
             * Format: uuid
             * @description The newest incident, which the preview is about. Null for schema changes.
             */
            incident: string | null;
            /** @description What the preview is about. Null if there is nothing yet, and the values are examples. */
            resource_title: string | null;
            subject: string;
            title: string;
            lines: string[];
            link: string | null;
            /** @description The text as the channel gets it, escaped. */
            text: string;
        };
        /** MessageTemplatePreviewRequest */
        MessageTemplatePreviewRequest: {
            /** @enum {string} */
            channel: "email" | "slack" | "teams" | "pagerduty" | "opsgenie";
            /** @enum {string} */
            event: "incident_opened" | "incident_resolved" | "schema_changed";
            /** @description One line with placeholders such as `{{resource}}`. */
            title: string;
            /** @description Plain text with placeholders. Markup is sent as text. */
            body: string;
        };
        /** ModelTest */
        ModelTest: {
            ok: boolean;
            /** @description What the model answered, or why it did not. */
            message: string;
        };
        /** Monitor */
        Monitor: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uuid
             * @description The integration the target belongs to.
             */
            integration: string | null;
            /**
             * Format: uuid
             * @description The monitored table or column.
             */
            target: string;
            /** Format: uuid */
            workspace: string;
            /** @description Your key for this monitor, used to push measurements without its ID. */
            key: string | null;
            /** @enum {string} */
            metric_type: "row_count" | "freshness" | "custom_sql" | "null_percentage" | "unique_percentage" | "cardinality" | "min" | "max" | "mean" | "row_count_change" | "partition_freshness" | "partition_gaps" | "partition_row_count" | "duplicates" | "schema" | "accepted_values" | "pattern" | "range" | "referential" | "pushed";
            metric_config: {
                /** @description For `custom_sql`: one SELECT that returns one row with one number. Ignored for other metrics. */
                query_select?: string;
                /** @description SQL condition: only rows that match it are measured. */
                where?: string;
                /** @description Column that says when a row was written. Used by `freshness` and for the backfill, and as the partition date of `partition_freshness`, `partition_gaps` and `partition_row_count`. */
                timestamp_column?: string;
                /** @description For `partition_gaps`: how many days before today must have a partition, as far as the table goes back. Default: 30. */
                days?: number;
                /** @description For `accepted_values`: the values a row may have. Numbers of numeric columns as text. */
                values?: string[];
                /** @description For `pattern`: a regular expression of the source that each value must contain a match of. Anchor it with `^` and `$`. */
                pattern?: string;
                /** @description For `range`: the smallest allowed value. */
                min_value?: number;
                /** @description For `range`: the largest allowed value. */
                max_value?: number;
                /** @description For `duplicates`: the columns that identify a row. Default: the primary key. */
                columns?: string[];
                /** @description For `referential`: full title of the column of the same integration in which each value must exist, e.g. `shop.public.customers.id`. */
                references?: string;
                /** @description For `schema`: changes that are not counted. Default: `added` and `reordered`. */
                allowed?: ("added" | "dropped" | "retyped" | "renamed" | "reordered" | "nullability")[];
            };
            schedule: {
                /** @enum {string} */
                cadence: "hourly" | "daily" | "weekly";
                hour: number;
                day: number | null;
                /** @description Hours between runs. */
                frequency: number;
                /** @description IANA time zone of `hour` and `day`; absent: UTC. */
                timezone?: string;
            };
            /** @description Hours between runs. */
            frequency: number;
            name: string;
            is_enabled: boolean;
            /**
             * @description How serious its incidents are.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            notify_slack_channel: string | null;
            /** @description 1 to 10; a higher value narrows the expected range. Null for manual limits. */
            condition_auto_sensitivity: number | null;
            condition_manual_min: number | null;
            condition_manual_max: number | null;
            /** @enum {string} */
            status: "pending" | "normal" | "incident" | "error";
            /** Format: date-time */
            last_attempted_at: string | null;
            /** Format: date-time */
            last_success_at: string | null;
            /** Format: date-time */
            last_error_at: string | null;
            last_error_message: string | null;
            /** Format: uuid */
            last_measurement: string | null;
            last_measurement_value: number | null;
            /** Format: uuid */
            last_incident: string | null;
            /** Format: date-time */
            next_run_at: string | null;
            display_metadata: {
                target: {
                    icon: string | null;
                    /** @description Full title of the target. */
                    label: string;
                    entity_type: string;
                    /** Format: uuid */
                    integration: string | null;
                    integration_type: string | null;
                };
            };
            /** @description Latest measurements, oldest first. Only in lists requested with `recent`. */
            recent?: {
                /** Format: date-time */
                created_at: string;
                value: number;
                outside: boolean;
            }[];
        };
        /** MonitorConfigResult */
        MonitorConfigResult: {
            dry_run: boolean;
            file: string;
            created: number;
            updated: number;
            deleted: number;
            unchanged: number;
            /** @description In the order of the file, deletions last. */
            changes: {
                /** @enum {string} */
                action: "create" | "update" | "delete";
                name: string;
                target: string;
                /**
                 * Format: uuid
                 * @description Null in a dry run for a monitor that would be created.
                 */
                monitor: string | null;
                line: number | null;
                changes: {
                    field: string;
                    from: unknown;
                    to: unknown;
                }[];
            }[];
        };
        /** MonitorCreate */
        MonitorCreate: {
            /** @description A UUID, with or without dashes. */
            target?: string | null;
            /**
             * @description Default: `row_count` for tables, `null_percentage` for columns.
             * @enum {string|null}
             */
            metric_type?: "row_count" | "freshness" | "custom_sql" | "null_percentage" | "unique_percentage" | "cardinality" | "min" | "max" | "mean" | "row_count_change" | "partition_freshness" | "partition_gaps" | "partition_row_count" | "duplicates" | "schema" | "accepted_values" | "pattern" | "range" | "referential" | "pushed" | null;
            is_enabled?: boolean | null;
            name?: string | null;
            /** @description Any unique key of your choice. */
            key?: string | null;
            metric_config?: {
                /** @description For `custom_sql`: one SELECT that returns one row with one number. Ignored for other metrics. */
                query_select?: string | null;
                /** @description SQL condition: only rows that match it are measured. */
                where?: string | null;
                /** @description Column that says when a row was written. Used by `freshness` and for the backfill, and as the partition date of `partition_freshness`, `partition_gaps` and `partition_row_count`. */
                timestamp_column?: string | null;
                /** @description For `partition_gaps`: how many days before today must have a partition, as far as the table goes back. Default: 30. */
                days?: number | null;
                /** @description For `accepted_values`: the values a row may have. Numbers of numeric columns as text. */
                values?: string[] | null;
                /** @description For `pattern`: a regular expression of the source that each value must contain a match of. Anchor it with `^` and `$`. */
                pattern?: string | null;
                /** @description For `range`: the smallest allowed value. */
                min_value?: number | null;
                /** @description For `range`: the largest allowed value. */
                max_value?: number | null;
                /** @description For `duplicates`: the columns that identify a row. Default: the primary key. */
                columns?: string[] | null;
                /** @description For `referential`: full title of the column of the same integration in which each value must exist, e.g. `shop.public.customers.id`. */
                references?: string | null;
                /** @description For `schema`: changes that are not counted. Default: `added` and `reordered`. */
                allowed?: ("added" | "dropped" | "retyped" | "renamed" | "reordered" | "nullability")[] | null;
            } | null;
            /** @description Default: daily at 00:00 UTC. */
            schedule?: {
                /** @enum {string|null} */
                cadence?: "hourly" | "daily" | "weekly" | null;
                /** @description Hour of the day, in `timezone`. */
                hour?: number | null;
                /** @description For weekly schedules: day of the week, 0 is Sunday. */
                day?: number | null;
                /** @description For hourly schedules: hours between runs (1, 3, 6 or 12). */
                frequency?: number | null;
                /**
                 * @description IANA time zone. Default: UTC.
                 * @example Europe/Berlin
                 */
                timezone?: string | null;
            } | null;
            /** @description Default: 5; null when manual limits are set, and for checks that count what should not be there: their default maximum is 0. A higher value narrows the expected range. */
            condition_auto_sensitivity?: number | null;
            condition_manual_min?: number | null;
            condition_manual_max?: number | null;
            /**
             * @description How serious its incidents are. Default: `medium`.
             * @enum {string|null}
             */
            severity?: "low" | "medium" | "high" | "critical" | null;
            /** @description Slack channel that is notified of incidents. */
            notify_slack_channel?: string | null;
            /**
             * @description Subscribe the creator to the target, so that at least one person is notified of incidents.
             * @default true
             */
            subscribe?: boolean | null;
            /** @description Compute earlier measurements from existing rows. Requires a timestamp column. */
            back_fill?: boolean | null;
        };
        /** MonitorEdit */
        MonitorEdit: {
            /** @description A UUID, with or without dashes. */
            target?: string | null;
            /** @enum {string|null} */
            metric_type?: "row_count" | "freshness" | "custom_sql" | "null_percentage" | "unique_percentage" | "cardinality" | "min" | "max" | "mean" | "row_count_change" | "partition_freshness" | "partition_gaps" | "partition_row_count" | "duplicates" | "schema" | "accepted_values" | "pattern" | "range" | "referential" | "pushed" | null;
            is_enabled?: boolean | null;
            name?: string | null;
            /** @description Any unique key of your choice. */
            key?: string | null;
            metric_config?: {
                /** @description For `custom_sql`: one SELECT that returns one row with one number. Ignored for other metrics. */
                query_select?: string | null;
                /** @description SQL condition: only rows that match it are measured. */
                where?: string | null;
                /** @description Column that says when a row was written. Used by `freshness` and for the backfill, and as the partition date of `partition_freshness`, `partition_gaps` and `partition_row_count`. */
                timestamp_column?: string | null;
                /** @description For `partition_gaps`: how many days before today must have a partition, as far as the table goes back. Default: 30. */
                days?: number | null;
                /** @description For `accepted_values`: the values a row may have. Numbers of numeric columns as text. */
                values?: string[] | null;
                /** @description For `pattern`: a regular expression of the source that each value must contain a match of. Anchor it with `^` and `$`. */
                pattern?: string | null;
                /** @description For `range`: the smallest allowed value. */
                min_value?: number | null;
                /** @description For `range`: the largest allowed value. */
                max_value?: number | null;
                /** @description For `duplicates`: the columns that identify a row. Default: the primary key. */
                columns?: string[] | null;
                /** @description For `referential`: full title of the column of the same integration in which each value must exist, e.g. `shop.public.customers.id`. */
                references?: string | null;
                /** @description For `schema`: changes that are not counted. Default: `added` and `reordered`. */
                allowed?: ("added" | "dropped" | "retyped" | "renamed" | "reordered" | "nullability")[] | null;
            } | null;
            /** @description Default: daily at 00:00 UTC. */
            schedule?: {
                /** @enum {string|null} */
                cadence?: "hourly" | "daily" | "weekly" | null;
                /** @description Hour of the day, in `timezone`. */
                hour?: number | null;
                /** @description For weekly schedules: day of the week, 0 is Sunday. */
                day?: number | null;
                /** @description For hourly schedules: hours between runs (1, 3, 6 or 12). */
                frequency?: number | null;
                /**
                 * @description IANA time zone. Default: UTC.
                 * @example Europe/Berlin
                 */
                timezone?: string | null;
            } | null;
            /** @description Default: 5; null when manual limits are set, and for checks that count what should not be there: their default maximum is 0. A higher value narrows the expected range. */
            condition_auto_sensitivity?: number | null;
            condition_manual_min?: number | null;
            condition_manual_max?: number | null;
            /**
             * @description How serious its incidents are. Default: `medium`.
             * @enum {string|null}
             */
            severity?: "low" | "medium" | "high" | "critical" | null;
            /** @description Slack channel that is notified of incidents. */
            notify_slack_channel?: string | null;
        };
        /** MonitorPage */
        MonitorPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Monitor"][];
        };
        /** MonitorPreview */
        MonitorPreview: {
            /** @description Name the monitor would get. */
            name: string;
            /** @enum {string} */
            metric_type: "row_count" | "freshness" | "custom_sql" | "null_percentage" | "unique_percentage" | "cardinality" | "min" | "max" | "mean" | "row_count_change" | "partition_freshness" | "partition_gaps" | "partition_row_count" | "duplicates" | "schema" | "accepted_values" | "pattern" | "range" | "referential" | "pushed";
            frequency: number;
            /** @description Current value. */
            value: number | null;
            /** @description Number of rows a percentage was computed from. */
            row_count: number | null;
            /** @description Why the metric could not be measured. */
            problem: string | null;
            /** @description Backfilled values, oldest first, if the table has a timestamp column. Can be passed to `/monitor/replay`. */
            past: {
                /** Format: date-time */
                measured_at: string;
                value: number;
            }[];
            /** @description Why no values could be backfilled. */
            past_problem: string | null;
        };
        /** MonitorSuggestion */
        MonitorSuggestion: {
            /** @description Key for accepting this suggestion. */
            key: string;
            /** Format: uuid */
            target: string;
            target_title: string;
            /** @enum {string} */
            metric_type: "row_count" | "freshness" | "custom_sql" | "null_percentage" | "unique_percentage" | "cardinality" | "min" | "max" | "mean" | "row_count_change" | "partition_freshness" | "partition_gaps" | "partition_row_count" | "duplicates" | "schema" | "accepted_values" | "pattern" | "range" | "referential" | "pushed";
            name: string;
            /** @description Why this monitor is useful. */
            reason: string;
            reason_translatable: components["schemas"]["Translatable"];
            metric_config: {
                timestamp_column?: string;
            };
            condition_auto_sensitivity: number | null;
            condition_manual_min: number | null;
            condition_manual_max: number | null;
        };
        /** MonitorSuggestions */
        MonitorSuggestions: {
            /** Format: uuid */
            resource_id: string;
            /** @description Most useful first, without monitors that already exist. */
            suggestions: components["schemas"]["MonitorSuggestion"][];
            /** @description What the suggestions are based on: names and types of the columns, or their profiles. */
            based_on: string | null;
            /**
             * Translatable
             * @description The same text as a template with its values, for translation.
             */
            based_on_translatable: {
                /** @description English, with placeholders: `{who} added {n:# tag|# tags}`. */
                template: string;
                /** @description By placeholder: a text, a number, another such template, or a list of these. */
                values: {
                    [key: string]: unknown;
                };
            } | null;
        };
        /** Named */
        Named: {
            /** @enum {string} */
            type: "user" | "group" | "team" | "tag" | "integration" | "resource";
            name: string;
            /** @description Only for users, groups and teams: shown instead of a picture. */
            initials?: string;
            /** @description Only for tags. */
            color?: string | null;
            /** @description Only for resources. */
            entity_type?: string;
            /** @description Only for resources. */
            icon?: string;
            /** @description Only for integrations. */
            integration_type?: string;
            /** @description Only for glossary terms: the first 300 characters of the description. */
            description?: string;
            /** @description Only for questions and replies: the name of the author. */
            author?: string;
        };
        /** NamedLikeTerm */
        NamedLikeTerm: {
            /** @description Whether there may be more. */
            truncated: boolean;
            /** @description The most used first. */
            results: components["schemas"]["ResourceBrief"][];
        };
        /**
         * Names
         * @description Names by ID. IDs that do not exist or are not visible to the caller are left out.
         */
        Names: {
            [key: string]: components["schemas"]["Named"];
        };
        /** NeedHide */
        NeedHide: {
            /** @enum {string} */
            kind: "incidents" | "questions" | "discussions" | "suggestions" | "pii" | "syncs" | "undocumented" | "unowned";
            /** @description A UUID, with or without dashes. */
            id: string;
            /**
             * Format: date-time
             * @description When it appears again. Null or absent: never.
             */
            until?: string | null;
        };
        /** NeedItem */
        NeedItem: {
            /**
             * Format: uuid
             * @description Of the incident, question, thread, suggestion, integration or resource.
             */
            id: string;
            /** @enum {string} */
            kind: "incidents" | "questions" | "discussions" | "suggestions" | "pii" | "syncs" | "undocumented" | "unowned";
            /** @description What it says, if it is a text of a user. */
            text: string | null;
            /** Format: date-time */
            since: string;
            /** ResourceBrief */
            resource: {
                /** Format: uuid */
                id: string;
                title: string;
                title_full: string;
                title_cased: string;
                /** @enum {string} */
                entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
                native_type: string | null;
                icon: string;
                /** @description The first 300 characters of the description. */
                description: string | null;
                published: boolean;
                archived: boolean;
                verified: boolean;
                pii: boolean;
                stale: boolean;
                deprecation: components["schemas"]["Deprecation"];
                /** @description User IDs. */
                owners: string[];
                /** @description Tag IDs. */
                tags: string[];
                /** @description Glossary term IDs. */
                terms: string[];
                /** Format: uuid */
                integration: string | null;
                /** Format: uuid */
                parent: string | null;
                /** Format: date-time */
                updated_at: string;
                /** @description The sum of `external_usage` and `internal_usage`. */
                total_usage: number;
                /** @description Number of queries in the source in the 24 hours before the last sync. */
                external_usage: number;
                /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
                internal_usage: number;
                /** @description Number of direct children visible to the caller. */
                children_count: number;
            } | null;
            /**
             * Format: uuid
             * @description The integration whose sync failed.
             */
            integration: string | null;
        };
        /** NeedsYou */
        NeedsYou: {
            /** @description The sum of the counts. */
            total: number;
            /** @description Only sections with entries. */
            sections: {
                /**
                 * @description `incidents`: open, on what you own or assigned to you. `questions`: open, about what you own or assigned to you. `discussions`: open discussions of what you own in which somebody else wrote last. `suggestions`: suggested changes of what you own. `pii`: possible personal data in what you own. `syncs`: sources whose last sync failed (for admins). `undocumented`: used tables that you own without a description. `unowned`: resources of your teams without an owner.
                 * @enum {string}
                 */
                kind: "incidents" | "questions" | "discussions" | "suggestions" | "pii" | "syncs" | "undocumented" | "unowned";
                /** @description At most 1,000. */
                count: number;
                items: components["schemas"]["NeedItem"][];
            }[];
        };
        /** NewMembers */
        NewMembers: {
            members: string[];
        };
        /** NewToken */
        NewToken: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            /** @description The last characters of the token, to tell tokens apart. */
            hint: string;
            /**
             * @description Limits the permissions of the user the token acts as.
             * @enum {string}
             */
            scope: "read" | "write" | "admin";
            /**
             * Format: uuid
             * @description The user the token acts as.
             */
            user: string;
            /** @description The application the user connected with this token. Null for tokens that were created here. */
            client: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Updated at most once a minute.
             */
            last_used_at: string | null;
            /** @description Returned only in this response. A replay with the same `Idempotency-Key` does not contain it. */
            token?: string;
        };
        /** NewWebhook */
        NewWebhook: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            url: string;
            events: string[];
            entity_types: string[];
            integrations: string[];
            enabled: boolean;
            /** @description Why the webhook was disabled automatically. */
            disabled_reason: string | null;
            /** Format: date-time */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description Time since which all deliveries have failed. Null if the last delivery succeeded.
             */
            failing_since: string | null;
            /** @description Secret used to sign deliveries. Returned only once; a replay with the same `Idempotency-Key` does not contain it. */
            secret?: string;
        };
        /** Notification */
        Notification: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            resource_id: string;
            /** @description Entity type of the resource. */
            resource_type: string;
            resource_title: string;
            resource_deleted: boolean;
            /** @description URL of the resource. Null if `PUBLIC_URL` is not set or the resource was deleted. */
            link: string | null;
            /** @description The latest change, as a sentence. */
            text: string;
            /** @description The latest changes, newest first, at most 20. */
            changes: components["schemas"]["ToldChange"][];
            /** @description Total number of changes in this notification. */
            changes_count: number;
            /** Format: date-time */
            last_change_at: string;
            read: boolean;
            /** Format: date-time */
            read_at: string | null;
        };
        /** NotificationChannel */
        NotificationChannel: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            /** @enum {string} */
            type: "email" | "slack" | "teams" | "pagerduty" | "opsgenie" | "webhook";
            /** @description The e-mail address, the Slack channel, the URL of the pager or webhook, or the host of the Teams workflow. */
            address: string;
            enabled: boolean;
            /** @description False if this server cannot send e-mail or Slack messages. */
            available: boolean;
            /** Format: date-time */
            last_sent_at: string | null;
            /** @description Why the latest message could not be delivered. Null if it was. */
            last_error: string | null;
        };
        /** NotificationChannelCreate */
        NotificationChannelCreate: {
            name: string;
            /** @enum {string} */
            type: "email" | "slack" | "teams" | "pagerduty" | "opsgenie" | "webhook";
            /** @description An e-mail address, or a Slack channel ID such as `C024BE7LH`. */
            address?: string;
            /** @description The URL of a webhook or of a Teams workflow (secret), or of the API of a pager if it is not the default, e.g. `https://api.eu.opsgenie.com`. */
            url?: string;
            /** @description Integration (routing) key of PagerDuty, API key of Opsgenie, or the secret that signs the requests to a webhook (at least 16 characters). Never returned. */
            key?: string;
            /** @default true */
            enabled?: boolean;
        };
        /** NotificationChannelEdit */
        NotificationChannelEdit: {
            name?: string;
            /** @description An e-mail address, or a Slack channel ID such as `C024BE7LH`. */
            address?: string;
            /** @description The URL of a webhook or of a Teams workflow (secret), or of the API of a pager if it is not the default, e.g. `https://api.eu.opsgenie.com`. */
            url?: string;
            /** @description Integration (routing) key of PagerDuty, API key of Opsgenie, or the secret that signs the requests to a webhook (at least 16 characters). Never returned. */
            key?: string;
            enabled?: boolean;
        };
        /** NotificationChannelPage */
        NotificationChannelPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["NotificationChannel"][];
        };
        /** NotificationChannelTest */
        NotificationChannelTest: {
            delivered: boolean;
            /** @description HTTP status of the response. */
            response_status: number | null;
            /** @description What the receiver answered. */
            response_body: string | null;
            response_ms: number;
            error: string | null;
        };
        /** NotificationEdit */
        NotificationEdit: {
            read: boolean;
        };
        /** NotificationExplanation */
        NotificationExplanation: {
            /** Format: uuid */
            user: string;
            /** Format: uuid */
            activity: string;
            /** Format: uuid */
            incident: string | null;
            /** Format: uuid */
            resource_id: string;
            /**
             * @description Why the change concerns the user now.
             * @enum {string}
             */
            relation: "owner" | "owner_group" | "subscriber" | "addressed" | "downstream" | "rule" | "none";
            inbox: {
                /** @enum {string} */
                reason: "notified" | "own_action" | "cannot_see" | "no_relation" | "kind_not_notified" | "snoozed" | "not_processed_yet" | "not_in_inbox" | "user_disabled";
                /** @description The reason as a sentence. */
                text: string;
            };
            /** @description Messages to the user. */
            channels: {
                /** @enum {string} */
                channel: "email" | "slack";
                /** @enum {string} */
                reason: "sent" | "held" | "waiting" | "retrying" | "failed" | "uncertain" | "dropped" | "off" | "not_available" | "not_notified" | "not_sent";
                /** @description The reason as a sentence. */
                text: string;
                /** Format: date-time */
                at: string | null;
            }[];
            /** @description Routing rules of incidents and schema changes: the matching ones, for admins all. Rules changed since then are shown as they are now. */
            rules: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @enum {string} */
                result: "matched" | "not_matched" | "not_reached" | "disabled";
                /**
                 * @description The first condition that was not met.
                 * @enum {string|null}
                 */
                failed: "event" | "severity" | "restricted" | "tag" | "team" | "owner" | "location" | null;
                channels: {
                    /** Format: uuid */
                    id: string;
                    name: string;
                    /** @enum {string} */
                    type: "email" | "slack" | "teams" | "pagerduty" | "opsgenie" | "webhook";
                    /** @enum {string} */
                    reason: "sent" | "held" | "waiting" | "retrying" | "failed" | "uncertain" | "dropped" | "off" | "not_available" | "not_notified" | "not_sent";
                    /** @description The reason as a sentence. */
                    text: string;
                    /** Format: date-time */
                    at: string | null;
                }[];
            }[];
        };
        /** NotificationPage */
        NotificationPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Notification"][];
            /** @description Number of unread notifications in the inbox. */
            unread_count: number;
        };
        /** NotificationRule */
        NotificationRule: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            /** @description Rules are tried in this order, from 1. */
            position: number;
            enabled: boolean;
            /** @description `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers. */
            events: ("incident" | "schema_changed")[];
            /**
             * @description Only incidents of at least this severity; schema changes have none. Null: all.
             * @enum {string|null}
             */
            min_severity: "low" | "medium" | "high" | "critical" | null;
            /** @description Also resources of closed teams that `teams` does not name. Members of the channels read about them. */
            include_restricted: boolean;
            /** @description Only resources with one of these tags. Empty: all. */
            tags: string[];
            /** @description Only resources of one of these teams. Empty: all. */
            teams: string[];
            /** @description Only resources owned by one of these users or groups. Empty: all. */
            owners: string[];
            /** @description Only these resources and what is below them, e.g. a schema. Empty: all. */
            below: string[];
            /** @description Notification channels. Empty: what matches goes to no channel. */
            channels: string[];
            /** @description Users, groups and teams whose members are notified: in their inbox, and by e-mail and Slack as each of them has set. Only those who can see the resource. */
            recipients: string[];
            /** @description Also try the following rules. Otherwise the first rule that matches decides. */
            continues: boolean;
        };
        /** NotificationRuleCreate */
        NotificationRuleCreate: {
            name: string;
            /** @description `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers. */
            events?: ("incident" | "schema_changed")[];
            /**
             * @description Only incidents of at least this severity; schema changes have none. Null: all.
             * @enum {string|null}
             */
            min_severity?: "low" | "medium" | "high" | "critical" | null;
            /** @description Also resources of closed teams that `teams` does not name. Members of the channels read about them. */
            include_restricted?: boolean;
            /** @description Only resources with one of these tags. Empty: all. */
            tags?: string[];
            /** @description Only resources of one of these teams. Empty: all. */
            teams?: string[];
            /** @description Only resources owned by one of these users or groups. Empty: all. */
            owners?: string[];
            /** @description Only these resources and what is below them, e.g. a schema. Empty: all. */
            below?: string[];
            /** @description Notification channels. */
            channels?: string[];
            /** @description Users, groups and teams whose members are notified: in their inbox, and by e-mail and Slack as each of them has set. Only those who can see the resource. */
            recipients?: string[];
            continues?: boolean;
            enabled?: boolean;
            /** @description Default: last. */
            position?: number;
        };
        /** NotificationRuleEdit */
        NotificationRuleEdit: {
            name?: string;
            /** @description `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers. */
            events?: ("incident" | "schema_changed")[];
            /**
             * @description Only incidents of at least this severity; schema changes have none. Null: all.
             * @enum {string|null}
             */
            min_severity?: "low" | "medium" | "high" | "critical" | null;
            /** @description Also resources of closed teams that `teams` does not name. Members of the channels read about them. */
            include_restricted?: boolean;
            /** @description Only resources with one of these tags. Empty: all. */
            tags?: string[];
            /** @description Only resources of one of these teams. Empty: all. */
            teams?: string[];
            /** @description Only resources owned by one of these users or groups. Empty: all. */
            owners?: string[];
            /** @description Only these resources and what is below them, e.g. a schema. Empty: all. */
            below?: string[];
            /** @description Notification channels. */
            channels?: string[];
            /** @description Users, groups and teams whose members are notified: in their inbox, and by e-mail and Slack as each of them has set. Only those who can see the resource. */
            recipients?: string[];
            continues?: boolean;
            enabled?: boolean;
            /** @description Default: last. */
            position?: number;
        };
        /** NotificationRulePage */
        NotificationRulePage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["NotificationRule"][];
        };
        /** NotificationRulePreview */
        NotificationRulePreview: {
            /** @description How many of the last incidents were compared, at most 100. */
            checked: number;
            /** @description Those that meet the conditions, newest first. */
            matched: {
                /** Format: uuid */
                incident: string;
                name: string;
                /** @enum {string} */
                severity: "low" | "medium" | "high" | "critical";
                /** Format: uuid */
                resource_id: string;
                resource_title: string;
                /** Format: date-time */
                opened_at: string | null;
            }[];
        };
        /** NotificationRulePreviewRequest */
        NotificationRulePreviewRequest: {
            /** @description `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers. */
            events?: ("incident" | "schema_changed")[];
            /**
             * @description Only incidents of at least this severity; schema changes have none. Null: all.
             * @enum {string|null}
             */
            min_severity?: "low" | "medium" | "high" | "critical" | null;
            /** @description Also resources of closed teams that `teams` does not name. Members of the channels read about them. */
            include_restricted?: boolean;
            /** @description Only resources with one of these tags. Empty: all. */
            tags?: string[];
            /** @description Only resources of one of these teams. Empty: all. */
            teams?: string[];
            /** @description Only resources owned by one of these users or groups. Empty: all. */
            owners?: string[];
            /** @description Only these resources and what is below them, e.g. a schema. Empty: all. */
            below?: string[];
        };
        /** NotificationSettings */
        NotificationSettings: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Send notifications by e-mail. */
            email: boolean;
            /** @description E-mail is configured for this workspace. */
            email_available: boolean;
            /** @description Send notifications to Slack. */
            slack: boolean;
            /** @description Your Slack user ID, or a channel ID. */
            slack_id: string | null;
            /** @description Slack is configured for this workspace. */
            slack_available: boolean;
            quiet_hours: components["schemas"]["QuietHours"];
        };
        /** NotificationSettingsEdit */
        NotificationSettingsEdit: {
            email?: boolean;
            slack?: boolean;
            /** @description Slack member or channel ID, e.g. `U024BE7LH`. */
            slack_id?: string | null;
            quiet_hours?: components["schemas"]["QuietHours"];
        };
        /** OidcSettings */
        OidcSettings: {
            /**
             * @description Where the settings come from. `environment`: from variables of the server, which win over stored settings and cannot be changed here.
             * @enum {string}
             */
            source: "environment" | "stored" | "none";
            /** @description Why the stored settings cannot be used. */
            problem: string | null;
            /** Format: date-time */
            updated_at: string | null;
            issuer: string | null;
            client_id: string | null;
            /** @description Text of the button on the sign-in page. Empty: the host of the issuer. */
            name: string;
            /** @description Only e-mail addresses of these domains can sign in; empty: any. */
            domains: string[];
            /**
             * @description Unknown people become users with this role; null: only existing users can sign in.
             * @enum {string|null}
             */
            role: "editor" | "viewer" | "guest" | null;
            /** @description Trust addresses although the provider does not report them as verified, as with Entra ID. */
            trust_emails: boolean;
            has_client_secret: boolean;
            /** @description To register with the provider. */
            redirect_uri: string;
        };
        /** OidcSettingsEdit */
        OidcSettingsEdit: {
            /** @description URL of the provider, as in its `/.well-known/openid-configuration`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`. */
            issuer: string;
            client_id: string;
            /** @description Text of the button on the sign-in page. Empty: the host of the issuer. */
            name: string;
            /** @description Only e-mail addresses of these domains can sign in; empty: any. */
            domains: string[];
            /**
             * @description Unknown people become users with this role; null: only existing users can sign in.
             * @enum {string|null}
             */
            role: "editor" | "viewer" | "guest" | null;
            /** @description Trust addresses although the provider does not report them as verified, as with Entra ID. */
            trust_emails: boolean;
            /** @description Absent: the stored one is kept, unless the issuer or the client ID changes. */
            client_secret?: string;
        };
        /** OpenIncident */
        OpenIncident: {
            /** Format: uuid */
            id: string;
            name: string;
            status: string;
            summary: string;
            summary_translatable: components["schemas"]["Translatable"];
            value: number;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: uuid */
            monitor: string;
            target: components["schemas"]["ResourceBrief"];
        };
        /**
         * OpenLineageBatch
         * @description At most 1,000 events: a list, or an object with `events`.
         */
        OpenLineageBatch: Record<string, never> | unknown[];
        /**
         * OpenLineageEvent
         * @description RunEvent, JobEvent or DatasetEvent, as https://openlineage.io/spec/2-0-2/OpenLineage.json defines them.
         */
        OpenLineageEvent: Record<string, never> | unknown[];
        /** OpenLineageReceived */
        OpenLineageReceived: {
            /** @description Number of accepted events. */
            received: number;
        };
        /** PasswordChange */
        PasswordChange: {
            /** @description Required if you have a password. */
            current_password?: string;
            /** @description At least 10 characters. */
            password: string;
            /**
             * @description Also revoke your tokens, except the one of this request.
             * @default false
             */
            revoke_tokens?: boolean;
        };
        /** PatternMatches */
        PatternMatches: {
            included: number;
            excluded: number;
            /** @description Whether everything the source has was listed. False after 5,000 names or 30 seconds. */
            complete: boolean;
            names: {
                name: string;
                /** @description From the outermost container down. */
                path: string[];
                entity_type: string;
                included: boolean;
            }[];
        };
        /** PatternQuery */
        PatternQuery: {
            /** @description Absent: that of the integration. */
            include?: string | null;
            /** @description Absent: that of the integration. */
            exclude?: string | null;
        } | null;
        /** PersonView */
        PersonView: {
            /** Format: uuid */
            id: string;
            name: string;
            initials: string;
            /** @description Only for callers with `people.read` and for oneself, like the role. */
            email: string | null;
            role: string | null;
            disabled: boolean;
            teams: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
            groups: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
            /** @description Recently edited resources, at most 10. */
            edited: {
                /** Format: uuid */
                id: string;
                title: string;
                title_full: string;
                title_cased: string;
                /** @enum {string} */
                entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
                native_type: string | null;
                icon: string;
                /** @description The first 300 characters of the description. */
                description: string | null;
                published: boolean;
                archived: boolean;
                verified: boolean;
                pii: boolean;
                stale: boolean;
                deprecation: components["schemas"]["Deprecation"];
                /** @description User IDs. */
                owners: string[];
                /** @description Tag IDs. */
                tags: string[];
                /** @description Glossary term IDs. */
                terms: string[];
                /** Format: uuid */
                integration: string | null;
                /** Format: uuid */
                parent: string | null;
                /** Format: date-time */
                updated_at: string;
                /** @description The sum of `external_usage` and `internal_usage`. */
                total_usage: number;
                /** @description Number of queries in the source in the 24 hours before the last sync. */
                external_usage: number;
                /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
                internal_usage: number;
                /** @description Number of direct children visible to the caller. */
                children_count: number;
                /** Format: date-time */
                edited_at: string;
            }[];
            /** @description Open questions that the person asked or is assigned to, at most 10. */
            questions: components["schemas"]["ResourceBrief"][];
            /** @description Questions that the person replied to, at most 10. */
            answers: components["schemas"]["ResourceBrief"][];
        };
        /** PiiEvidence */
        PiiEvidence: {
            /** @description The matching words in the column name. */
            name: string | null;
            /** @description Number of distinct values checked. */
            checked: number;
            /** @description Number of them that match. */
            matched: number;
            /** @description Patterns of the matching values, with letters and digits replaced. */
            shapes: {
                shape: string;
                count: number;
            }[];
            /** @description The national ID formats they match. */
            kinds?: string[];
        };
        /** PiiRule */
        PiiRule: {
            /** Format: uuid */
            integration_id: string;
            /** @description Suggestions with at least this confidence are accepted automatically. Null: users decide. */
            accept_from: number | null;
            /** @description Scan for PII after each sync: all tables the first time, then tables with new columns. */
            scan_after_sync: boolean;
            /** Format: date-time */
            scanned_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** PiiRuleEdit */
        PiiRuleEdit: {
            accept_from?: number | null;
            scan_after_sync?: boolean;
        };
        /** PiiSuggestion */
        PiiSuggestion: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uuid
             * @description The column.
             */
            resource_id: string;
            resource_title: string;
            resource_title_full: string;
            /**
             * Format: uuid
             * @description The table of the column.
             */
            table_id: string | null;
            /** Format: uuid */
            integration_id: string;
            /** @description Whether the column is currently marked as PII. */
            pii: boolean;
            /**
             * @description The kind of personal data.
             * @enum {string}
             */
            class: "email" | "phone" | "iban" | "card" | "national_id" | "ip" | "person_name" | "birth_date" | "address";
            /** @description Confidence from 0 to 1. */
            confidence: number;
            evidence: components["schemas"]["PiiEvidence"];
            /** @enum {string} */
            status: "open" | "accepted" | "rejected";
            /** Format: date-time */
            decided_at: string | null;
            /**
             * Format: uuid
             * @description The user who decided. Null if accepted by rule.
             */
            decided_by: string | null;
        };
        /** PiiSuggestionPage */
        PiiSuggestionPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["PiiSuggestion"][];
        };
        /** Preview */
        Preview: {
            /**
             * Format: uuid
             * @description The table.
             */
            resource_id: string;
            /** Format: date-time */
            asked_at: string;
            /** @description The columns you can see, in order. */
            columns: {
                /**
                 * Format: uuid
                 * @description The column.
                 */
                resource_id: string;
                /** @description Name in the source. */
                name: string;
                /** @description Title in the catalog. */
                title: string;
                native_type: string | null;
                pii: boolean;
                /** @description Its values were not read: each cell contains •••. If `pii` is false, the column has a pending PII suggestion. */
                masked: boolean;
            }[];
            /** @description The first rows (at most 50), one cell per column. Numbers too large for a double, dates and similar types are text. */
            rows: (string | number | boolean | null)[][];
            /** @description Whether there are more rows. */
            truncated: boolean;
        };
        /** Profile */
        Profile: {
            /**
             * Format: uuid
             * @description The requested table or column.
             */
            resource_id: string;
            /** @description The profiled columns you can see. Empty if no profile has been created. */
            columns: components["schemas"]["ColumnProfile"][];
        };
        /** ProfileHistory */
        ProfileHistory: {
            /**
             * Format: uuid
             * @description The table or column.
             */
            resource_id: string;
            /** @description One for each day with a profile, oldest first. Kept for 400 days. */
            points: {
                /** Format: date */
                day: string;
                /** Format: date-time */
                profiled_at: string;
                /** @enum {string} */
                sampled: "all" | "random" | "first";
                rows_read: number;
                /** @description Of a table: its rows, counted or as the source reports them. */
                row_count: number | null;
                /** @description Of a column, like the following. */
                nulls: number | null;
                null_percentage: number | null;
                distinct_values: number | null;
                distinct_approximate: boolean;
                /** @description By the last run of the day that wrote the table and reported it. */
                rows_written: number | null;
                bytes_written: number | null;
                /** @enum {string} */
                source: "profile" | "openlineage";
            }[];
        };
        /** ProfileRequest */
        ProfileRequest: {
            /**
             * @description Read the whole table, which is a full scan in the source.
             * @default false
             */
            whole?: boolean;
            /**
             * @description Number of rows to sample, unless `whole` is set.
             * @default 10000
             */
            sample_rows?: number;
        };
        /** ProfileSchedule */
        ProfileSchedule: {
            /** @description Null: not profiled regularly. */
            schedule: {
                /** @enum {string} */
                cadence: "daily" | "weekly";
                hour: number;
                /** @description Day of the week, 0 is Sunday; of weekly schedules. */
                day: number | null;
                /** @description Hours between runs. */
                frequency: number;
                /** @description Null: UTC. */
                timezone: string | null;
            } | null;
            /** @description Number of rows to sample. */
            sample_rows: number;
            /** Format: date-time */
            next_run_at: string | null;
            /** Format: date-time */
            last_run_at: string | null;
            /**
             * Format: uuid
             * @description The job of the last run.
             */
            job: string | null;
        };
        /** ProfileScheduleEdit */
        ProfileScheduleEdit: {
            /** @enum {string} */
            cadence: "daily" | "weekly";
            /** @default 0 */
            hour?: number;
            /**
             * @description Day of the week, 0 is Sunday.
             * @default 0
             */
            day?: number;
            /** @description IANA time zone. Default: UTC. */
            timezone?: string;
            /** @description Number of rows to sample. */
            sample_rows?: number;
        };
        /** Provenance */
        Provenance: {
            field: string;
            /**
             * @description Whether the value comes from a source or was edited by a user. Edits by users are never overwritten.
             * @enum {string}
             */
            by: "source" | "person";
            /** @description The current value. */
            value: unknown;
            /** @description The type of the source that reports the field. There can be several, e.g. a warehouse and dbt. */
            source: string;
            /** @description The value the source last reported. */
            source_value: unknown;
        };
        /** Query */
        Query: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /** Format: uuid */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            question_priority: string | null;
            /** Format: uuid */
            question_answered_by: string | null;
            /** Format: uuid */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
            /** @description The type of query, as named by the source. */
            type: string | null;
            /** @description How often the query was executed. */
            freq: number;
        };
        /** QueryCreate */
        QueryCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description The type of query, as named by the source. */
            type?: string | null;
            /** @description How often the query was executed. */
            freq?: number | null;
        };
        /** QueryEdit */
        QueryEdit: {
            title?: string;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description The type of query, as named by the source. */
            type?: string | null;
            /** @description How often the query was executed. */
            freq?: number | null;
        };
        /** QueryLineage */
        QueryLineage: {
            sql: string;
            dialect: string;
            source_tables: components["schemas"]["TableDescriptor"][];
            column_lineages: components["schemas"]["ColumnLineage"][];
            /** TableDescriptor */
            target_table: {
                /**
                 * Format: uuid
                 * @description Null when it is not in the catalog.
                 */
                id: string | null;
                /** Format: date-time */
                created_at: string | null;
                /** Format: date-time */
                updated_at: string | null;
                title: string;
                schema_name: string | null;
                database_name: string | null;
                native_type: string | null;
                /** Format: uuid */
                integration_id: string | null;
                integration_title: string | null;
                integration_type: string | null;
            } | null;
            /** @description Every table the SQL writes, except those it drops or renames again, in order. `target_table` is one of them. */
            target_tables: components["schemas"]["TableDescriptor"][];
            statements: {
                kind: string;
                /** @description Start position in the SQL text, in UTF-16 code units from 0. */
                start: number;
                end: number;
                source_tables: components["schemas"]["TableDescriptor"][];
                column_lineages: components["schemas"]["ColumnLineage"][];
                /** TableDescriptor */
                target_table: {
                    /**
                     * Format: uuid
                     * @description Null when it is not in the catalog.
                     */
                    id: string | null;
                    /** Format: date-time */
                    created_at: string | null;
                    /** Format: date-time */
                    updated_at: string | null;
                    title: string;
                    schema_name: string | null;
                    database_name: string | null;
                    native_type: string | null;
                    /** Format: uuid */
                    integration_id: string | null;
                    integration_title: string | null;
                    integration_type: string | null;
                } | null;
                target_tables: components["schemas"]["TableDescriptor"][];
            }[];
            unresolved: {
                name: string;
                /** @enum {string} */
                type: "table" | "column" | "name";
                /** @description `not_in_catalog`, `ambiguous`, or why the SQL does not determine the source. */
                reason: string;
                /** @description Start position in the SQL text, in UTF-16 code units from 0. */
                start: number;
                end: number;
                /** @description The tables an ambiguous name could refer to. */
                candidates: {
                    /** Format: uuid */
                    id: string;
                    title_full: string;
                    /** Format: uuid */
                    integration_id: string | null;
                }[];
            }[];
            /** @description Positions in the SQL that could not be parsed. The rest of the SQL was parsed. */
            problems: {
                line: number;
                column: number;
                message: string;
                hint: string | null;
            }[];
            /** @description Why the result is incomplete (`time`, `size`, `depth`, `internal`). Null when it is complete. */
            incomplete: string | null;
        };
        /** QueryLogReport */
        QueryLogReport: {
            /** @description The columns of the file. */
            columns: string[];
            /** @description The column of each field. */
            mapping: {
                [key: string]: string;
            };
            /** @description Rows read. */
            rows: number;
            /** @description Different statements, without their literals, that were not known before. */
            statements: number;
            /** @description Executions that were not known before. */
            executions: number;
            /** Format: date-time */
            first_at: string | null;
            /** Format: date-time */
            last_at: string | null;
            skipped: {
                reason: string;
                rows: number;
                first_line: number;
            }[];
            /** @description The first rows, as they were understood. */
            sample: {
                [key: string]: string;
            }[];
            /** @description The same file was uploaded before: nothing was saved. */
            repeated: boolean;
            /** Job */
            job: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                /**
                 * Format: uuid
                 * @description The user who started the job.
                 */
                user: string | null;
                title: string;
                /** @enum {string} */
                status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
                progress: number;
                /** @description Whether the job failed. */
                failed: boolean;
                /** Format: date-time */
                started: string;
                /** Format: date-time */
                completed: string | null;
                logs: string;
                has_artifact: boolean;
            } | null;
        };
        /** QueryPage */
        QueryPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Query"][];
        };
        /** Question */
        Question: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /**
             * Format: uuid
             * @description ID of the resource it refers to.
             */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            /** @description Free-form priority. */
            question_priority: string | null;
            /**
             * Format: uuid
             * @description ID of the user who answered. Defaults to the author of the accepted reply.
             */
            question_answered_by: string | null;
            /**
             * Format: uuid
             * @description ID of the user who should answer.
             */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
            /**
             * Format: uuid
             * @description ID of the accepted reply. Setting it marks the question as answered, clearing it reopens the question.
             */
            accepted_reply: string | null;
        };
        /** QuestionCreate */
        QuestionCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description ID of the resource it refers to. */
            base_entity_id?: string | null;
            /**
             * @description Setting it to `open` clears the accepted reply.
             * @enum {string|null}
             */
            question_status?: "open" | "answered" | null;
            /** @description Free-form priority. */
            question_priority?: string | null;
            /** @description ID of the user who answered. Defaults to the author of the accepted reply. */
            question_answered_by?: string | null;
            /** @description ID of the user who should answer. */
            question_assigned_to?: string | null;
        };
        /** QuestionEdit */
        QuestionEdit: {
            title?: string;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description ID of the resource it refers to. */
            base_entity_id?: string | null;
            /**
             * @description Setting it to `open` clears the accepted reply.
             * @enum {string|null}
             */
            question_status?: "open" | "answered" | null;
            /** @description Free-form priority. */
            question_priority?: string | null;
            /** @description ID of the user who answered. Defaults to the author of the accepted reply. */
            question_answered_by?: string | null;
            /** @description ID of the user who should answer. */
            question_assigned_to?: string | null;
            /** @description ID of the accepted reply. Setting it marks the question as answered, clearing it reopens the question. */
            accepted_reply?: string | null;
        };
        /** QuestionPage */
        QuestionPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Question"][];
        };
        /** QuestionReplyCreate */
        QuestionReplyCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent: string;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /**
         * QuietHours
         * @description Messages by e-mail and Slack are held back and sent afterwards. The inbox is not affected.
         */
        QuietHours: {
            /**
             * @description IANA time zone.
             * @example Europe/Berlin
             */
            timezone: string;
            /** @description Days on which they begin, 1 = Monday to 7 = Sunday. */
            days: number[];
            /** @example 20:00 */
            from: string;
            /**
             * @description On the next day if it is not later than `from`.
             * @example 08:00
             */
            to: string;
            /**
             * @description Send messages about critical incidents anyway.
             * @default true
             */
            except_critical: boolean;
        } | null;
        /** Reason */
        Reason: {
            /**
             * @description How it matches: by its title, its description, its documentation, its context (path, columns, tags, owners, properties, synonyms), or by some of the words only (`partial`).
             * @enum {string}
             */
            tier: "exact_title" | "title_prefix" | "title_phrase" | "title_words" | "description" | "documentation" | "context" | "partial" | "usage";
            /** @description The number of words that match. */
            matched: number;
            /** @description The number of words in the search. */
            words: number;
            /** @description Where each word matches, for results of the tiers `context` and `partial`. */
            matches?: {
                word: string;
                /**
                 * @description Where the word matches.
                 * @enum {string}
                 */
                match: "none" | "title" | "title_beginning" | "named" | "title_synonym" | "reference" | "part_phrase" | "part" | "path" | "property" | "description" | "namesake" | "context_synonym" | "description_synonym" | "documentation" | "title_related" | "context_related" | "description_related" | "meaning";
            }[];
            /** @description Whether an admin pinned it for this query. */
            pinned?: boolean;
            /**
             * @description The field that matched.
             * @enum {string}
             */
            field: "title" | "description" | "definition";
            /** @description The text around the first match. */
            snippet: string;
            /** @description The matching parts of the snippet: start and end in UTF-16 code units. */
            ranges: number[][];
        };
        /** RelatedTable */
        RelatedTable: {
            /** Format: uuid */
            id: string;
            title: string;
            title_full: string;
            /** @enum {string} */
            health: "incident" | "warning" | "ok" | "unknown";
            deprecated: boolean;
            verified: boolean;
            /** @description Primary keys and the columns of its relationships. */
            columns: {
                /** Format: uuid */
                id: string;
                title: string;
                type: string | null;
                is_pk: boolean;
            }[];
        };
        /** Relationship */
        Relationship: {
            /**
             * @description A foreign key that the source reported, or a join seen in queries.
             * @enum {string}
             */
            kind: "foreign_key" | "join";
            /** @description The name of the foreign key. */
            name: string | null;
            /**
             * Format: uuid
             * @description The table with the foreign key; for a join, either table.
             */
            from: string;
            /** Format: uuid */
            to: string;
            columns: {
                /** @description Column of `from`. */
                from: {
                    /**
                     * Format: uuid
                     * @description Null if the column is not in the catalog.
                     */
                    id: string | null;
                    title: string;
                };
                /** @description Column of `to`. */
                to: {
                    /**
                     * Format: uuid
                     * @description Null if the column is not in the catalog.
                     */
                    id: string | null;
                    title: string;
                };
            }[];
            /** @description For a join: the number of queries with it. */
            queries: number | null;
        };
        /** Relationships */
        Relationships: {
            /** @description Those with the most relationships first, at most 200. */
            tables: components["schemas"]["RelatedTable"][];
            relationships: components["schemas"]["Relationship"][];
            /** @description Whether tables were left out. */
            truncated: boolean;
        };
        /** Replay */
        Replay: {
            /** @description Number of measurements checked. */
            measurements: number;
            /** @description Number of measurements before the first limits were available. */
            learning: number;
            outside: number;
            /** @description Incidents these settings would have opened. */
            incidents: {
                /** Format: date-time */
                first_seen_at: string;
                /** Format: date-time */
                last_seen_at: string;
                /** Format: date-time */
                resolved_at: string | null;
                /** @description First value outside the limits. */
                value: number;
                runs_outside: number;
            }[];
            /** @description The latest 2,000 measurements, oldest first. */
            results: {
                /** Format: date-time */
                created_at: string;
                value: number;
                lower_threshold: number | null;
                upper_threshold: number | null;
                outside: boolean;
            }[];
        };
        /** ReplayRequest */
        ReplayRequest: {
            /** @description A UUID, with or without dashes. */
            monitor?: string | null;
            /** @enum {string|null} */
            metric_type?: "row_count" | "freshness" | "custom_sql" | "null_percentage" | "unique_percentage" | "cardinality" | "min" | "max" | "mean" | "row_count_change" | "partition_freshness" | "partition_gaps" | "partition_row_count" | "duplicates" | "schema" | "accepted_values" | "pattern" | "range" | "referential" | "pushed" | null;
            /** @description Hours between runs. */
            frequency?: number | null;
            /** @description Your own values, instead of those of a monitor. */
            measurements?: {
                /** Format: date-time */
                measured_at: string;
                value: number;
            }[] | null;
            condition_auto_sensitivity?: number | null;
            condition_manual_min?: number | null;
            condition_manual_max?: number | null;
        };
        /** Resource */
        Resource: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /** Format: uuid */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            question_priority: string | null;
            /** Format: uuid */
            question_answered_by: string | null;
            /** Format: uuid */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
        };
        /** ResourceBrief */
        ResourceBrief: {
            /** Format: uuid */
            id: string;
            title: string;
            title_full: string;
            title_cased: string;
            /** @enum {string} */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            native_type: string | null;
            icon: string;
            /** @description The first 300 characters of the description. */
            description: string | null;
            published: boolean;
            archived: boolean;
            verified: boolean;
            pii: boolean;
            stale: boolean;
            deprecation: components["schemas"]["Deprecation"];
            /** @description User IDs. */
            owners: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. */
            terms: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: uuid */
            parent: string | null;
            /** Format: date-time */
            updated_at: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
        };
        /** ResourceBriefPage */
        ResourceBriefPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["ResourceBrief"][];
        };
        /** ResourceCreate */
        ResourceCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** ResourceEdit */
        ResourceEdit: {
            title?: string;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** ResourceHealth */
        ResourceHealth: {
            /**
             * @description `incident`: an open incident of its own. `warning`: any other reason. `ok`: it is monitored and there is no reason. `unknown`: nothing checks it.
             * @enum {string}
             */
            status: "incident" | "warning" | "ok" | "unknown";
            /** @description Cut to what you can see; most severe first, at most 20 incidents of each kind and 20 deprecated resources upstream. */
            reasons: components["schemas"]["HealthReason"][];
        };
        /** ResourceLogPage */
        ResourceLogPage: {
            /** @description The entries of this page that created no version. */
            non_versioned_logs: components["schemas"]["LogEntry"][];
            /** @description The entries of this page that created a version. */
            version_histories: components["schemas"]["VersionHistory"][];
            /** @description Exact number of entries. */
            count: number;
            total_pages: number;
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
                /** @description With `cursor`: the cursor to continue with later. Never null, even at the end of the log. */
                follow_cursor?: string;
                count: number;
                total_pages: number;
            };
        };
        /** ResourcePage */
        ResourcePage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Resource"][];
        };
        /** ResourceUsage */
        ResourceUsage: {
            /** Format: uuid */
            resource_id: string;
            /** @description Every day, oldest first. The last one is today. */
            days: {
                /** Format: date */
                day: string;
                /** @description Uses in the source. Null before the first day that was counted. */
                uses: number | null;
                /** @description Views here. They are kept for 90 days. */
                views: number;
                /** @description People who viewed it here. */
                viewers: number;
            }[];
            /** @description At most 10. */
            top_users: {
                /** @description As the source names them. */
                name: string;
                /** @description Queries that read it and that they ran. Null if the source does not say which. */
                queries: number | null;
                /** @description How often these queries were run, by anyone. */
                executions: number | null;
            }[];
        };
        /** ResourceView */
        ResourceView: {
            resource: components["schemas"]["Resource"];
            health: components["schemas"]["ResourceHealth"];
            /** @description Ancestors from the top down. Those not visible to the caller are left out. */
            breadcrumbs: {
                /** Format: uuid */
                id: string;
                title: string;
                entity_type: string;
                icon: string;
            }[];
            names: components["schemas"]["Names"];
            properties: components["schemas"]["CustomPropertyValue"][];
            bookmarked: boolean;
            subscribed: boolean;
            /**
             * Format: date-time
             * @description When the data was last updated: the newest row according to its freshness monitor, else what the source reports.
             */
            data_updated_at: string | null;
            tabs: {
                /** @description Number of direct children. */
                children: number;
                /** @description Number of columns that exist in the source. */
                columns: number;
                /** @description Number of columns that are missing from the source. */
                columns_gone: number;
                /** @description Number of direct upstream resources. */
                upstream: number;
                /** @description Number of direct downstream resources. */
                downstream: number;
                /** @description Number of monitors on the resource and its columns. */
                monitors: number;
                /** @description Number of open incidents of these monitors. */
                incidents: number;
                /** @description Number of questions about the resource. */
                questions: number;
                /** @description Number of open discussions of the resource and its columns. */
                discussions: number;
                /** @description Number of queries that its lineage is derived from. */
                queries: number;
                /** @description Number of code blocks: definitions and queries that define or fill it. */
                code: number;
                /** @description Number of open suggested changes of the resource and its columns that you can accept. */
                suggestions: number;
                /** @description Number of resources whose documentation links to it. */
                backlinks: number;
                /** @description Number of versions. */
                versions: number;
            };
        };
        /** Restore */
        Restore: {
            /**
             * @description The version number.
             * @example 2
             */
            version?: number;
        };
        /** RootCause */
        RootCause: {
            /** Format: uuid */
            resource_id: string;
            /** @description How many resources were checked: it and everything upstream that you can see. */
            checked: number;
            /** @description There is more upstream, or there are more causes, than this response has. */
            truncated: boolean;
            /** @description The most likely first: by kind, then the nearest, then the latest. */
            causes: components["schemas"]["Cause"][];
        };
        /** RunDataset */
        RunDataset: {
            /** Format: uuid */
            id: string;
            title: string;
            title_full: string;
            entity_type: string;
        };
        /** RunMonitors */
        RunMonitors: {
            monitors: string[];
        };
        /** SchemaCreate */
        SchemaCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
            /** @description The title of the database, as an alternative to `parent`. */
            database?: string | null;
        };
        /**
         * SchemaHistoryEntry
         * @example {
         *       "id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
         *       "at": "2026-01-15T08:30:00.000Z",
         *       "sync_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e60",
         *       "changes": [
         *         {
         *           "kind": "retyped",
         *           "column": "tax",
         *           "from": "numeric",
         *           "to": "text"
         *         }
         *       ]
         *     }
         */
        SchemaHistoryEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * Format: uuid
             * @description The sync that found the change; null if the source pushed it.
             */
            sync_id: string | null;
            changes: {
                /** @enum {string} */
                kind: "added" | "dropped" | "retyped" | "renamed" | "reordered" | "nullability";
                /** @description Name of the column after the change. */
                column: string;
                /** @description `retyped` and `dropped`: the former type. `renamed`: the former name. `reordered`: the former position. `nullability`: `nullable` or `not null`. */
                from: string | null;
                /** @description The same after the change. `added`: the type. */
                to: string | null;
            }[];
        };
        /** SchemaHistoryPage */
        SchemaHistoryPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["SchemaHistoryEntry"][];
        };
        /** SearchPage */
        SearchPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description The number of matches. A lower bound if `capped` is true. */
            count: number;
            total_pages: number;
            results: components["schemas"]["SearchResult"][];
            /** @description Whether there are more matches than were counted: with `facets=false`, or without search words. */
            capped: boolean;
            /** @description Unknown words and the words that were searched instead. */
            corrections: {
                typed: string;
                meant: string[];
            }[];
            /** @description Counts by `entity_type`, `integration`, `owners`, `tags`, `teams`, `health`, `terms`, `published`, `verified`, `pii`, `stale`, and by `custom_property:<id>` for properties with values to choose from. Each facet is counted as if nothing were selected in it. */
            facets?: {
                [key: string]: {
                    /** @description Whether there are more matches than were counted. If so, each count is a lower bound. */
                    capped: boolean;
                    /** @description The name of the custom property. */
                    label?: string;
                    values: {
                        value: string | boolean;
                        count: number;
                        selected: boolean;
                        /** @description The name of the tag or glossary term, or null if it does not exist. */
                        label?: string | null;
                    }[];
                };
            };
        };
        /** SearchRanking */
        SearchRanking: {
            weights: components["schemas"]["SearchWeights"];
            defaults: components["schemas"]["SearchWeights"];
            rules: {
                query: string;
                /** @enum {string} */
                action: "pin" | "hide";
                /** Format: uuid */
                resource: string;
                /** @description Null if the resource was deleted. */
                title: string | null;
                title_full: string | null;
                entity_type: string | null;
            }[];
        };
        /** SearchResult */
        SearchResult: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Increases by one with every recorded change. The ETag is derived from it. */
            version: number;
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
            /** @description The type as named by the source. */
            native_type: string | null;
            icon: string;
            title: string;
            /** @description The titles from the database down to the resource, joined with dots. */
            title_full: string;
            /** @description The title formatted for display. */
            title_cased: string;
            description: string | null;
            /** @description Markdown documentation. */
            definition: string | null;
            definition_version: number;
            multiplayers: unknown[];
            /**
             * Format: uuid
             * @description ID of the user who last changed the documentation.
             */
            multiplayer_last_modified_by: string | null;
            /** Format: date-time */
            multiplayer_last_modified: string | null;
            /** @description User IDs. */
            owners: string[];
            /** @description Group IDs. */
            owners_groups: string[];
            /** @description Collection IDs. */
            collections: string[];
            /** @description Tag IDs. */
            tags: string[];
            /** @description Glossary term IDs. Those of a glossary term are its related terms. */
            terms: string[];
            /** Format: uuid */
            workspace_id: string;
            /** @description The sum of `external_usage` and `internal_usage`. */
            total_usage: number;
            /** @description Visible to viewers. */
            published: boolean;
            archived: boolean;
            /** Format: date-time */
            archived_at: string | null;
            /** @description Contains personally identifiable information. */
            pii: boolean;
            verified: boolean;
            deprecation: components["schemas"]["Deprecation"];
            url: string | null;
            /** Format: uuid */
            parent: string | null;
            /**
             * Format: uuid
             * @description The same as `parent`.
             */
            parent_id: string | null;
            /** Format: uuid */
            base_entity_id: string | null;
            /** @description Number of direct children visible to the caller. */
            children_count: number;
            /** @description Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included. */
            bookmarked_by: string[];
            /** Format: uuid */
            integration: string | null;
            /** Format: date-time */
            external_updated_at: string | null;
            /** @description Page views in Tablinum in the last 90 days. Each user is counted once per day. */
            internal_usage: number;
            /** @description Number of queries in the source in the 24 hours before the last sync. */
            external_usage: number;
            /** @description The users who viewed it most recently, at most 20. Updated once an hour. */
            internal_users: string[];
            external_users: string[];
            /** @description The key that identifies the resource in its integration. */
            databuilder_id: string | null;
            search_metadata: {
                cluster: string | null;
                database: string | null;
                schema: string | null;
                type: string;
            };
            sources: string[];
            /** @description IDs of users who are notified about changes. */
            subscribers: string[];
            /** @description Team IDs. */
            teams: string[];
            /** @description Whether the resource is no longer found in its source. */
            stale: boolean;
            /** Format: date-time */
            stale_at: string | null;
            forced_unstale_by_user: boolean;
            current_user_permissions: {
                read: boolean;
                write: boolean;
                execute: boolean;
            };
            row_count: number | null;
            byte_size: number | null;
            display_metadata: {
                [key: string]: unknown;
            };
            question_status: string | null;
            question_priority: string | null;
            /** Format: uuid */
            question_answered_by: string | null;
            /** Format: uuid */
            question_assigned_to: string | null;
            /**
             * @description In lists with `include=health` and in search results.
             * @enum {string}
             */
            health?: "incident" | "warning" | "ok" | "unknown";
            reason: components["schemas"]["Reason"];
            score?: components["schemas"]["SearchScore"];
        };
        /** SearchRulesEdit */
        SearchRulesEdit: {
            /** @description The whole query. Case and spaces do not matter. */
            query: string;
            /** @description Resources that come first, in this order. */
            pinned: string[];
            /** @description Resources that are not found. */
            hidden: string[];
        };
        /** SearchScore */
        SearchScore: {
            /** @description Null for results that are listed in the order of the index, after the ranked ones. */
            total: number | null;
            /** @description The parts whose sum is the total. */
            parts: {
                name: string;
                value: number;
            }[];
            words: {
                word: string;
                /**
                 * @description Where the word matches.
                 * @enum {string}
                 */
                match: "none" | "title" | "title_beginning" | "named" | "title_synonym" | "reference" | "part_phrase" | "part" | "path" | "property" | "description" | "namesake" | "context_synonym" | "description_synonym" | "documentation" | "title_related" | "context_related" | "description_related" | "meaning";
            }[];
        };
        /** SearchValueSuggestion */
        SearchValueSuggestion: {
            /** @description The text to insert; values with spaces are quoted. */
            term: string;
            value: string;
            /** @description An address, or the type of the resource or custom property. */
            detail: string | null;
        };
        /** SearchValueSuggestions */
        SearchValueSuggestions: {
            results: components["schemas"]["SearchValueSuggestion"][];
        };
        /** SearchWeights */
        SearchWeights: {
            /** @description How well the words match, by where they match. */
            text: number;
            /** @description How much of the title the words cover. */
            title: number;
            /** @description Queries in the source. */
            usage: number;
            /** @description Views of its page. */
            views: number;
            /** @description How close the meaning is to the query, if an embeddings service is set. */
            meaning: number;
            /** @description Verified resources. */
            verified: number;
            /** @description Resources with a description. */
            described: number;
            /** @description Resources of the caller and their teams. */
            own: number;
            /** @description Resources that are no longer in their source. */
            stale: number;
            /** @description Deprecated resources. */
            deprecated: number;
            /** @description Columns and event properties. */
            part: number;
            /** @description Raw, staging, temporary, test, archived or copied data, judged by its path. */
            layer: number;
        };
        /** SearchWeightsEdit */
        SearchWeightsEdit: {
            /** @description How well the words match, by where they match. */
            text?: number;
            /** @description How much of the title the words cover. */
            title?: number;
            /** @description Queries in the source. */
            usage?: number;
            /** @description Views of its page. */
            views?: number;
            /** @description How close the meaning is to the query, if an embeddings service is set. */
            meaning?: number;
            /** @description Verified resources. */
            verified?: number;
            /** @description Resources with a description. */
            described?: number;
            /** @description Resources of the caller and their teams. */
            own?: number;
            /** @description Resources that are no longer in their source. */
            stale?: number;
            /** @description Deprecated resources. */
            deprecated?: number;
            /** @description Columns and event properties. */
            part?: number;
            /** @description Raw, staging, temporary, test, archived or copied data, judged by its path. */
            layer?: number;
        };
        /** ServerSettings */
        ServerSettings: {
            email: components["schemas"]["EmailSettings"];
            slack: components["schemas"]["SlackSettings"];
            oidc: components["schemas"]["OidcSettings"];
        };
        /** ServerSettingsTest */
        ServerSettingsTest: {
            ok: boolean;
            /** @description What was done, or why it failed. */
            message: string;
            translatable: components["schemas"]["Translatable"];
        };
        /** Session */
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Updated at most once a minute.
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description Latest end of the session; it ends earlier if unused.
             */
            expires_at: string;
            /**
             * @description How the user signed in.
             * @enum {string}
             */
            method: "password" | "token" | "oidc" | "invitation";
            /** @description IP address of the sign-in. */
            address: string | null;
            /** @description User agent of the sign-in. */
            user_agent: string | null;
            /**
             * @description A session started with a token has the scope of the token and ends with it.
             * @enum {string}
             */
            scope: "read" | "write" | "admin";
            /**
             * Format: uuid
             * @description The user of the session.
             */
            user: string;
            /** @description Whether it is the session of this request. */
            current: boolean;
        };
        /** SessionPage */
        SessionPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Session"][];
        };
        /** Setup */
        Setup: {
            /** @description No admin has a password yet. */
            setup_needed: boolean;
            /** @description At least one user can sign in with a password. */
            has_passwords: boolean;
            /** @description Sign-in with a password is available. */
            password: boolean;
            /** @description Sign-in with a token is available. */
            token: boolean;
            oidc: {
                /** @description Display name of the identity provider. */
                name: string;
                /** @description URL that starts the sign-in at the identity provider; `return_to` is the path to return to. */
                url: string;
            } | null;
        };
        /** SetupBody */
        SetupBody: {
            /** @description The setup code printed at startup, or the admin’s token. */
            code: string;
            /** @description At least 10 characters. */
            password: string;
            /** Format: email */
            email?: string;
            /** @description The name of the workspace. Empty: unchanged. */
            workspace_name?: string;
            first_name?: string | null;
            last_name?: string | null;
        };
        /** SignIn */
        SignIn: {
            /** @description E-mail address, its part before the @, or full name. */
            login: string;
            password: string;
        };
        /** SignedIn */
        SignedIn: {
            session: components["schemas"]["Session"];
            user: components["schemas"]["User"];
        };
        /** SlackSettings */
        SlackSettings: {
            /**
             * @description Where the settings come from. `environment`: from variables of the server, which win over stored settings and cannot be changed here.
             * @enum {string}
             */
            source: "environment" | "stored" | "none";
            /** @description Why the stored settings cannot be used. */
            problem: string | null;
            /** Format: date-time */
            updated_at: string | null;
            has_bot_token: boolean;
            /** @description Whether messages about incidents have buttons. */
            has_signing_secret: boolean;
        };
        /** SlackSettingsEdit */
        SlackSettingsEdit: {
            /** @description `xoxb-…`, with the scope `chat:write`. Absent: the stored one is kept. */
            bot_token?: string;
            /** @description Absent: the stored one is kept. Null: messages have no buttons. */
            signing_secret?: string | null;
        };
        /** SuggestionAccept */
        SuggestionAccept: {
            /** @description A UUID, with or without dashes. */
            resource_id: string;
            /** @description Keys of the suggestions to accept. Default: all. */
            accept?: string[];
            notify_slack_channel?: string;
        };
        /** SuggestionGround */
        SuggestionGround: {
            /**
             * @description `lineage`: a column with the same values upstream. `name`: its own name. `sql`: the code that fills it. `neighbour`: a resource beside it. `profile`: its statistics. `model`: the language model that wrote it.
             * @enum {string}
             */
            type: "lineage" | "name" | "sql" | "neighbour" | "profile" | "model";
            /** @description E.g. the path of the resource, or the name of the model. */
            text: string;
            /** Format: uuid */
            resource_id: string | null;
        };
        /** Sync */
        Sync: {
            /**
             * Format: uuid
             * @description The background job of the sync.
             */
            id: string;
            /** Format: uuid */
            integration: string;
            /** @enum {string} */
            status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            error: string | null;
            report: {
                /** @description Counts by entity type. */
                new: {
                    [key: string]: number;
                };
                /** @description Counts by entity type. */
                changed: {
                    [key: string]: number;
                };
                /** @description Counts by entity type. */
                facts: {
                    [key: string]: number;
                };
                /** @description Counts by entity type. */
                kept: {
                    [key: string]: number;
                };
                /** @description Counts by entity type. */
                unchanged: {
                    [key: string]: number;
                };
                /** @description Counts by entity type. */
                stale: {
                    [key: string]: number;
                };
                /** @description Counts by entity type. */
                back: {
                    [key: string]: number;
                };
                /** @description Counts by entity type. */
                archived: {
                    [key: string]: number;
                };
                lineage: {
                    read: number;
                    unreadable: number;
                };
                /** @description Added, removed and changed columns of tables that existed before; at most 100 tables. */
                schema_changes?: {
                    /** Format: uuid */
                    table_id: string;
                    /** @description Full title of the table. */
                    table: string;
                    added: string[];
                    removed: string[];
                    retyped: {
                        name: string;
                        from: string | null;
                        to: string | null;
                    }[];
                    renamed: {
                        from: string;
                        to: string;
                    }[];
                    reordered?: string[];
                    nullability?: {
                        name: string;
                        nullable: boolean;
                    }[];
                    /** @description Total number of changed columns. Each list names at most 50. */
                    columns: number;
                }[];
            } | null;
            /** @description Too many resources were missing, so nothing was marked as stale. New and changed resources were written. Sync with `confirm_removals` to accept the removals. */
            needs_confirmation: {
                /** @description Number of resources of this integration before the sync. */
                known: number;
                /** @description Number of them that the source did not list. */
                missing: number;
                /** @description Databases and schemas that are now empty. */
                emptied: string[];
            } | null;
            /** Format: date-time */
            undone_at: string | null;
            /** Format: date-time */
            cancelled_at: string | null;
        };
        /** SyncPage */
        SyncPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Sync"][];
        };
        /** SyncRequest */
        SyncRequest: {
            /**
             * @description Marks the resources that the last sync found missing (`needs_confirmation`) as stale. If more are missing by then, confirmation is required again.
             * @default false
             */
            confirm_removals?: boolean;
        } | null;
        /** TableCreate */
        TableCreate: {
            title?: string | null;
            /** @enum {string|null} */
            entity_type?: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group" | null;
            description?: string | null;
            /** @description Markdown documentation. */
            definition?: string | null;
            native_type?: string | null;
            icon?: string | null;
            url?: string | null;
            /** @description A UUID, with or without dashes. */
            integration?: string | null;
            /** @description A UUID, with or without dashes. */
            parent?: string | null;
            pii?: boolean | null;
            verified?: boolean | null;
            deprecation?: components["schemas"]["DeprecationInput"];
            published?: boolean | null;
            archived?: boolean | null;
            teams?: string[] | null;
            owners?: string[] | null;
            owners_groups?: string[] | null;
            collections?: string[] | null;
            tags?: string[] | null;
            terms?: string[] | null;
            subscribers?: string[] | null;
        };
        /** TableDescriptor */
        TableDescriptor: {
            /**
             * Format: uuid
             * @description Null when it is not in the catalog.
             */
            id: string | null;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            title: string;
            schema_name: string | null;
            database_name: string | null;
            native_type: string | null;
            /** Format: uuid */
            integration_id: string | null;
            integration_title: string | null;
            integration_type: string | null;
        };
        /** Tag */
        Tag: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            description: string | null;
            /** @description The color as `#rrggbb`. */
            color: string | null;
            /** @description Number of resources with this tag that are visible to the caller. */
            resource_count: number;
        };
        /** TagCreate */
        TagCreate: {
            /** @description Unique, case-insensitive. */
            name: string;
            description?: string | null;
            /** @description The color as `#rrggbb`. */
            color?: string | null;
        };
        /** TagEdit */
        TagEdit: {
            /** @description Unique, case-insensitive. */
            name?: string;
            description?: string | null;
            /** @description The color as `#rrggbb`. */
            color?: string | null;
        };
        /** TagPage */
        TagPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Tag"][];
        };
        /** TakeBack */
        TakeBack: {
            field: string;
            /** @description The type of the source. Default: the source the resource belongs to. */
            source?: string;
        };
        /** Team */
        Team: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            description: string | null;
            icon: string | null;
            closed: boolean;
            /** @description User IDs. */
            members: string[];
        };
        /** TeamCreate */
        TeamCreate: {
            name: string;
            description?: string | null;
            members?: string[] | null;
            icon?: string | null;
            /** @description Only members and admins can see the resources of the team. */
            closed?: boolean;
        };
        /** TeamEdit */
        TeamEdit: {
            name?: string;
            description?: string | null;
            members?: string[] | null;
            icon?: string | null;
            /** @description Only members and admins can see the resources of the team. */
            closed?: boolean;
        };
        /** TeamPage */
        TeamPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Team"][];
        };
        /** TermSuggestions */
        TermSuggestions: {
            /** @description Whether there may be more. */
            truncated: boolean;
            results: {
                /**
                 * Format: uuid
                 * @description The resource itself or one of its columns.
                 */
                resource_id: string;
                resource_title: string;
                /** Format: uuid */
                term_id: string;
                term_title: string;
                term_description: string | null;
            }[];
        };
        /** TermUsage */
        TermUsage: {
            /** @description Number of resources with this term that are visible to the caller. */
            count: number;
            /** @description The same by entity type, the most frequent first. */
            by_type: {
                /** @enum {string} */
                entity_type: "table" | "column" | "schema" | "database" | "cluster" | "dashboard" | "dashboard_group" | "chart" | "job" | "job_group" | "run" | "query" | "test_suite" | "test" | "test_run" | "document" | "glossary" | "collection" | "question" | "question_reply" | "event" | "event_property" | "category" | "announcement" | "task" | "report" | "user" | "user_group";
                count: number;
            }[];
        };
        /** Token */
        Token: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            /** @description The last characters of the token, to tell tokens apart. */
            hint: string;
            /**
             * @description Limits the permissions of the user the token acts as.
             * @enum {string}
             */
            scope: "read" | "write" | "admin";
            /**
             * Format: uuid
             * @description The user the token acts as.
             */
            user: string;
            /** @description The application the user connected with this token. Null for tokens that were created here. */
            client: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Updated at most once a minute.
             */
            last_used_at: string | null;
        };
        /** TokenCreate */
        TokenCreate: {
            name: string;
            /**
             * @description At most the scope of the token of this request, which is also the default.
             * @enum {string}
             */
            scope?: "read" | "write" | "admin";
            /**
             * Format: date-time
             * @description Not after the expiry of the token of this request, which is also the default.
             */
            expires_at?: string | null;
            /** @description A UUID, with or without dashes. */
            user?: string;
        };
        /** TokenEdit */
        TokenEdit: {
            name?: string;
        };
        /** TokenPage */
        TokenPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Token"][];
        };
        /** TokenSignIn */
        TokenSignIn: {
            token: string;
        };
        /** ToldChange */
        ToldChange: {
            /**
             * Format: uuid
             * @description ID of the activity.
             */
            id: string;
            activity_type: string;
            /**
             * Format: uuid
             * @description User who made the change.
             */
            performer_id: string | null;
            performer_name: string;
            /** @description What happened, as a sentence. */
            text: string;
            /** @description The same sentence in parts. */
            event_blocks: {
                /**
                 * @description What this part of the sentence names.
                 * @enum {string}
                 */
                type: "performer" | "text" | "resource";
                /** @enum {string} */
                style: "normal";
                value: string;
            }[];
            translatable: components["schemas"]["Translatable"];
            /** Format: date-time */
            logged_at: string;
        };
        /** ToolCall */
        ToolCall: {
            name: string;
            arguments?: {
                [key: string]: unknown;
            };
        };
        /** ToolList */
        ToolList: {
            tools: {
                name: string;
                title: string;
                description: string;
                inputSchema: unknown;
                annotations: unknown;
            }[];
        };
        /** ToolResult */
        ToolResult: {
            content: {
                /** @enum {string} */
                type: "text";
                text: string;
            }[];
            /** @description True if the call failed: the text says why. */
            isError: boolean;
        };
        /**
         * Translatable
         * @description The same text as a template with its values, for translation.
         */
        Translatable: {
            /** @description English, with placeholders: `{who} added {n:# tag|# tags}`. */
            template: string;
            /** @description By placeholder: a text, a number, another such template, or a list of these. */
            values: {
                [key: string]: unknown;
            };
        };
        /** TrashEntry */
        TrashEntry: {
            /**
             * Format: uuid
             * @description ID of the deleted resource.
             */
            id: string;
            title: string;
            /** @description The full title at the time of deletion. */
            title_full: string;
            entity_type: string;
            icon: string;
            /**
             * Format: uuid
             * @description ID of the former parent.
             */
            parent: string | null;
            /** @description Number of resources below it that were deleted with it. */
            resources_below: number;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: uuid
             * @description ID of the user who deleted it.
             */
            deleted_by: string | null;
            /**
             * Format: date-time
             * @description When the resource can no longer be restored.
             */
            expires_at: string;
        };
        /** TrashPage */
        TrashPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["TrashEntry"][];
        };
        /** TreeNode */
        TreeNode: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "integration" | "resource";
            title: string;
            entity_type: string;
            native_type: string | null;
            icon: string;
            /** @description Number of direct children; for an integration, of all its resources. */
            children_count: number;
            published: boolean;
            verified: boolean;
            stale: boolean;
            deprecated: boolean;
            /** @enum {string} */
            health: "incident" | "warning" | "ok" | "unknown";
            /** Format: uuid */
            integration: string | null;
        };
        /** TreePage */
        TreePage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["TreeNode"][];
        };
        /** Unread */
        Unread: {
            /** @description Number of unread notifications in the inbox. */
            unread_count: number;
        };
        /** User */
        User: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            email: string;
            first_name: string | null;
            last_name: string | null;
            /** @description First and last name, or the e-mail address if neither is set. */
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            /** @enum {string} */
            role: "admin" | "editor" | "viewer" | "guest";
            /** @description The user can no longer sign in. */
            disabled: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: uuid
             * @description The user who invited this one.
             */
            invited_by: string | null;
            /**
             * Format: date-time
             * @description Updated at most once a minute.
             */
            last_seen_at: string | null;
            /** @description Team IDs. */
            teams: string[];
            /** @description Group IDs. */
            groups: string[];
        };
        /** UserEdit */
        UserEdit: {
            first_name?: string | null;
            last_name?: string | null;
            /** @enum {string} */
            role?: "admin" | "editor" | "viewer" | "guest";
            disabled?: boolean;
        };
        /** UserInvite */
        UserInvite: {
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "admin" | "editor" | "viewer" | "guest";
            first_name?: string | null;
            last_name?: string | null;
            teams?: string[] | null;
            groups?: string[] | null;
        };
        /** UserPage */
        UserPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["User"][];
        };
        /**
         * VersionHistory
         * @example {
         *       "id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
         *       "resource_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
         *       "version": 2,
         *       "activity_type": "resource_updated",
         *       "parent_id": null,
         *       "created_at": "2026-01-15T08:30:00.000Z",
         *       "performer_id": "018f3d1c-0000-7000-8000-00000000ada0",
         *       "performer_type": "USER",
         *       "performer_metadata": {
         *         "id": "018f3d1c-0000-7000-8000-00000000ada0",
         *         "email": "ada@example.com",
         *         "first_name": "Ada",
         *         "last_name": "Lovelace",
         *         "name": "Ada Lovelace"
         *       },
         *       "changes": [
         *         {
         *           "field": "verified",
         *           "from": false,
         *           "to": true
         *         }
         *       ],
         *       "event_blocks": [
         *         {
         *           "type": "performer",
         *           "style": "normal",
         *           "value": "Ada Lovelace"
         *         },
         *         {
         *           "type": "text",
         *           "style": "normal",
         *           "value": "verified"
         *         },
         *         {
         *           "type": "resource",
         *           "style": "normal",
         *           "value": "orders"
         *         }
         *       ],
         *       "translatable": {
         *         "template": "{performer} verified {resource}",
         *         "values": {
         *           "performer": "Ada Lovelace",
         *           "resource": "orders"
         *         }
         *       }
         *     }
         */
        VersionHistory: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            resource_id: string;
            version: number;
            activity_type: string;
            /**
             * Format: uuid
             * @description The activity that caused this one.
             */
            parent_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            performer_id: string | null;
            /** @enum {string} */
            performer_type: "USER" | "API" | "SYSTEM" | "INTEGRATION";
            performer_metadata: {
                /** Format: uuid */
                id: string | null;
                email: string | null;
                first_name: string | null;
                last_name: string | null;
                /** @description Display name. */
                name: string;
            };
            changes: components["schemas"]["FieldChange"][];
            event_blocks: {
                /**
                 * @description What this part of the sentence names.
                 * @enum {string}
                 */
                type: "performer" | "text" | "resource";
                /** @enum {string} */
                style: "normal";
                value: string;
            }[];
            translatable: components["schemas"]["Translatable"];
        };
        /** VersionHistoryPage */
        VersionHistoryPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
                /** @description With `cursor`: the cursor to continue with later. Never null, even at the end of the log. */
                follow_cursor?: string;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["VersionHistory"][];
        };
        /** View */
        View: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            /** @description The query string of the page that the view shows. */
            query: string;
            /** @description The page the view belongs to. */
            page_name: string;
            /** @description Whether everyone can see the view. Its results still depend on what each user can see. */
            shared: boolean;
            /** @description Whether the owner is notified about new matches (views of the catalog only). Checked every 15 minutes, at most 20 at a time. */
            notify: boolean;
            /**
             * Format: uuid
             * @description ID of the user who created the view.
             */
            user: string;
            mine: boolean;
            /** @description Whether you pinned it to your navigation. */
            pinned: boolean;
        };
        /** ViewCreate */
        ViewCreate: {
            name: string;
            /** @description The query string of the page that the view shows. */
            query: string;
            /** @default catalog */
            page_name?: string;
            /** @description Whether everyone can see the view. Its results still depend on what each user can see. */
            shared?: boolean;
            /** @description Whether the owner is notified about new matches (views of the catalog only). Checked every 15 minutes, at most 20 at a time. */
            notify?: boolean;
        };
        /** ViewEdit */
        ViewEdit: {
            name?: string;
            /** @description The query string of the page that the view shows. */
            query?: string;
            /** @description Whether everyone can see the view. Its results still depend on what each user can see. */
            shared?: boolean;
            /** @description Whether the owner is notified about new matches (views of the catalog only). Checked every 15 minutes, at most 20 at a time. */
            notify?: boolean;
        };
        /** ViewPage */
        ViewPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["View"][];
        };
        /** Webhook */
        Webhook: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            url: string;
            events: string[];
            entity_types: string[];
            integrations: string[];
            enabled: boolean;
            /** @description Why the webhook was disabled automatically. */
            disabled_reason: string | null;
            /** Format: date-time */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description Time since which all deliveries have failed. Null if the last delivery succeeded.
             */
            failing_since: string | null;
        };
        /** WebhookCreate */
        WebhookCreate: {
            name?: string;
            /** @description `https://…` or `http://…`. */
            url: string;
            /** @description Activity types as in the activity log. `incident_*` matches all types with this prefix. */
            events?: string[];
            /** @description Only activities of these entity types. Absent or empty: all. */
            entity_types?: string[] | null;
            integrations?: string[] | null;
            /** @default true */
            enabled?: boolean;
        };
        /**
         * WebhookDelivery
         * @description The `id` is sent as the `webhook-id` header.
         */
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            webhook: string;
            event: string;
            /**
             * Format: uuid
             * @description ID of the activity. Null for a test.
             */
            activity_id: string | null;
            /**
             * @description `pending`: will be sent or retried at `due_at`.
             * @enum {string}
             */
            status: "pending" | "sending" | "delivered" | "failed";
            attempts: number;
            /**
             * Format: date-time
             * @description Time of the next attempt.
             */
            due_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description HTTP status of the response to the last attempt. */
            response_status: number | null;
            /** @description First characters of the response body. */
            response_body: string | null;
            response_ms: number | null;
            /** @description Why the last attempt failed. */
            error: string | null;
        };
        /** WebhookDeliveryPage */
        WebhookDeliveryPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["WebhookDelivery"][];
        };
        /** WebhookEdit */
        WebhookEdit: {
            name?: string;
            /** @description `https://…` or `http://…`. */
            url?: string;
            /** @description Activity types as in the activity log. `incident_*` matches all types with this prefix. */
            events?: string[];
            /** @description Only activities of these entity types. Absent or empty: all. */
            entity_types?: string[] | null;
            integrations?: string[] | null;
            /** @description Enabling a webhook again sends its waiting deliveries. */
            enabled?: boolean;
        };
        /** WebhookPage */
        WebhookPage: {
            links: {
                next: string | null;
                previous: string | null;
            };
            meta: {
                page: number | null;
                previous_page: number | "None";
                next_page: number | null;
                /** @description The cursor of the next page when reading with `cursor`; null on the last page. */
                next_cursor?: string | null;
            };
            /** @description Exact number of matches. */
            count: number;
            total_pages: number;
            results: components["schemas"]["Webhook"][];
        };
        /** WhatIf */
        WhatIf: {
            /** @description The changed query of `table_id`, or of the table the SQL writes. */
            sql?: string;
            /** @default postgres */
            dialect?: string | null;
            default_database?: string | null;
            default_schema?: string | null;
            /** @description The table that `sql` writes, and whose columns can be referenced by title. */
            table_id?: string | null;
            /** @description Column IDs, or titles of columns of `table_id`. */
            dropped_columns?: string[];
            /** @description `column` as in `dropped_columns`. */
            renamed_columns?: {
                column: string;
                to: string;
            }[];
            dropped_tables?: string[];
            /** @description The `manifest.json` of a dbt project, version 10 or later, with compiled models. */
            manifest?: Record<string, never>;
        };
        /** WhatIfAnswer */
        WhatIfAnswer: {
            changes: {
                /** Format: uuid */
                id: string;
                title_full: string;
                entity_type: string;
                /**
                 * @description `column_lost`: the changed query no longer returns it. `column_rewired`: its values come from other columns.
                 * @enum {string}
                 */
                change: "table_dropped" | "column_dropped" | "column_renamed" | "column_lost" | "column_rewired";
                detail: string;
                detail_translatable: components["schemas"]["Translatable"];
            }[];
            /** @description Resources that lose their source, nearest first, at most 1,000. */
            breaks: components["schemas"]["Break"][];
            owners: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                type: "user" | "group";
                /** @description Null when you may not see the name, or when it is unknown. */
                name: string | null;
                email: string | null;
                count: number;
            }[];
            totals: {
                breaks: number;
                /** @description How many of the listed breaks are known at column level. */
                certain: number;
                by_entity_type: {
                    [key: string]: number;
                };
                unowned: number;
            };
            /** @description Names in the changed queries that do not resolve to one resource of the catalog. */
            unresolved: {
                /** @description The table whose query contains the name. */
                table: string;
                name: string;
                /** @description `not_in_catalog`, `ambiguous`, or why the SQL does not determine the source. */
                reason: string;
            }[];
            /** @description What is changed and deprecated, and deprecated tables that the changed queries read or write. */
            warnings: components["schemas"]["DeprecationWarning"][];
            /** @description What could not be compared, and why. */
            notes: string[];
            truncated: boolean;
            /** @description The result as a Markdown comment for a pull request. */
            comment: string;
        };
    };
    responses: never;
    parameters: {
        /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
        IfMatch: string;
        /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description The version of the record, for `If-Match`. */
        ETag: string;
        /** @description Unknown fields and parameters that were ignored: `199 - "ignored fields: titel"`. On deprecated operations also the replacement. */
        Warning: string;
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": number;
        /** @description Allowed requests per minute and token. Absent if there is no limit. */
        "RateLimit-Limit": number;
        /** @description Requests left in this minute. */
        "RateLimit-Remaining": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAuthTokens: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Filters by part of the name. */
                name?: string;
                /** @description A UUID, with or without dashes. */
                user?: string;
                scope?: "read" | "write" | "admin";
                /** @description Neither revoked nor expired. */
                active?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPage"];
                };
            };
        };
    };
    postAuthTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly sync",
                 *       "scope": "write",
                 *       "expires_at": "2030-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["TokenCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewToken"];
                };
            };
        };
    };
    getAuthTokensByTokenId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    deleteAuthTokensByTokenId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchAuthTokensByTokenId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Hourly sync"
                 *     }
                 */
                "application/json": components["schemas"]["TokenEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Filters by part of the e-mail address. */
                email?: string;
                /** @description Filters by part of the name. */
                name?: string;
                role?: "admin" | "editor" | "viewer" | "guest";
                disabled?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
        };
    };
    postUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "first_name": "Ada",
                 *       "last_name": "Lovelace",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["UserInvite"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    getUserMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    getUserByUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    deleteUserByUserId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchUserByUserId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["UserEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    getAuthTeams: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Filters by part of the name. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamPage"];
                };
            };
        };
    };
    postAuthTeams: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Finance",
                 *       "closed": true,
                 *       "members": [
                 *         "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TeamCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
        };
    };
    getAuthTeamsByTeamId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
        };
    };
    deleteAuthTeamsByTeamId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchAuthTeamsByTeamId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "closed": false
                 *     }
                 */
                "application/json": components["schemas"]["TeamEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
        };
    };
    postAuthTeamsByTeamIdMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "members": [
                 *         "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewMembers"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
        };
    };
    deleteAuthTeamsByTeamIdMembersByUserId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                team_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuthGroup: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Filters by part of the name. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
        };
    };
    postAuthGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Data stewards",
                 *       "members": [
                 *         "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GroupCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    getAuthGroupByGroupId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    deleteAuthGroupByGroupId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchAuthGroupByGroupId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "members": []
                 *     }
                 */
                "application/json": components["schemas"]["GroupEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    postAuthGroupByGroupIdMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "members": [
                 *         "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewMembers"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    deleteAuthGroupByGroupIdMembersByUserId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                group_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postDemo: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getBackgroundJobs: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                status?: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
        };
    };
    getBackgroundJobsByJobId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    postBackgroundJobsByJobIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getBackgroundJobsByJobIdEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getIntegrationTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationType"][];
                };
            };
        };
    };
    getIntegrationIntegrations: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                type?: "custom" | "openlineage" | "datahub" | "query_log" | "postgres" | "mysql" | "sqlite" | "duckdb" | "clickhouse" | "redshift" | "snowflake" | "bigquery" | "databricks" | "trino" | "sqlserver" | "oracle" | "kafka" | "mongodb" | "elasticsearch" | "dynamodb" | "cassandra" | "unity_catalog" | "hive" | "glue" | "iceberg" | "lake_s3" | "lake_gcs" | "lake_azure" | "lake_files" | "dbt" | "metabase" | "superset" | "tableau" | "powerbi" | "looker" | "redash" | "grafana" | "mode" | "airflow" | "dagster" | "prefect" | "fivetran" | "airbyte" | "dbt_cloud" | "connector";
                /** @description Matches part of the name. */
                name?: string;
                /** @description Matches part of the name. */
                title?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationPage"];
                };
            };
        };
    };
    postIntegrationIntegrations: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Warehouse",
                 *       "type": "postgres",
                 *       "credentials": {
                 *         "host": "db.example.com",
                 *         "port": 5432,
                 *         "database": "shop",
                 *         "user": "reader",
                 *         "password": "correct horse",
                 *         "ssl": true
                 *       },
                 *       "schedule": {
                 *         "interval_minutes": 60
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IntegrationCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
        };
    };
    getIntegrationIntegrationsByIntegrationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
        };
    };
    deleteIntegrationIntegrationsByIntegrationId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchIntegrationIntegrationsByIntegrationId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Old warehouse",
                 *       "credentials": {
                 *         "password": "battery staple"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IntegrationEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
        };
    };
    postIntegrationIntegrationsTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Warehouse",
                 *       "type": "postgres",
                 *       "credentials": {
                 *         "host": "db.example.com",
                 *         "port": 5432,
                 *         "database": "shop",
                 *         "user": "reader",
                 *         "password": "correct horse",
                 *         "ssl": true
                 *       },
                 *       "schedule": {
                 *         "interval_minutes": 60
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IntegrationCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
        };
    };
    postIntegrationIntegrationsPatterns: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Warehouse",
                 *       "type": "postgres",
                 *       "credentials": {
                 *         "host": "db.example.com",
                 *         "port": 5432,
                 *         "database": "shop",
                 *         "user": "reader",
                 *         "password": "correct horse",
                 *         "ssl": true
                 *       },
                 *       "schedule": {
                 *         "interval_minutes": 60
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IntegrationCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatternMatches"];
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdPatterns: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "include": "public.*",
                 *       "exclude": "*.tmp_*"
                 *     }
                 */
                "application/json": components["schemas"]["PatternQuery"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatternMatches"];
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm_removals": true
                 *     }
                 */
                "application/json": components["schemas"]["SyncRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getIntegrationIntegrationsByIntegrationIdSyncs: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncPage"];
                };
            };
        };
    };
    getIntegrationIntegrationsByIntegrationIdLosses: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LossPage"];
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdSyncBySyncIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                integration_id: string;
                /** @description The job of the sync. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdSyncBySyncIdUndo: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                integration_id: string;
                /** @description The job of the sync. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    postIntegrationDbtByIntegrationIdUploadArtifacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description An integration of type `dbt`. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    postIntegrationQueryLogByIntegrationIdUpload: {
        parameters: {
            query?: {
                /** @description The column with the SQL of the query. Default: by its name. */
                sql?: string;
                /** @description The column with who executed it. Default: by its name. */
                user?: string;
                /** @description The column with when it was executed: a timestamp, or seconds or milliseconds since 1970; without a time zone, UTC. Default: by its name. */
                time?: string;
                /** @description The column with how long it took, in milliseconds. Default: by its name. */
                duration?: string;
                /** @description The column with the database it was executed in. Default: by its name. */
                database?: string;
                /** @description The column with the schema it was executed in. Default: by its name. */
                schema?: string;
                /** @description Reads the file and reports what would be saved. */
                dry_run?: boolean;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description An integration of type `query_log`. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryLogReport"];
                };
            };
        };
    };
    postIntegrationDatahubEvents: {
        parameters: {
            query?: {
                /** @description The ID of an integration of type `datahub`. */
                integration?: string;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description A list of events, or one event. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "entityType": "dataset",
                 *         "entityUrn": "urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)",
                 *         "changeType": "UPSERT",
                 *         "aspectName": "datasetProperties",
                 *         "aspect": {
                 *           "json": {
                 *             "description": "Placed orders."
                 *           }
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The number of changed aspects. */
                        received: number;
                        jobs: components["schemas"]["Job"][];
                    };
                };
            };
        };
    };
    getResourceCatalog: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                entity_type?: string;
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postResourceCatalog: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "orders",
                 *       "entity_type": "table",
                 *       "description": "One row for each order."
                 *     }
                 */
                "application/json": components["schemas"]["ResourceCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getResourceAllByResourceId: {
        parameters: {
            query?: {
                /**
                 * @description Returns the resource as it was at this time. Fields without history (usage, row count, bookmarks) have their current values.
                 * @example 2026-01-15T08:30:00Z
                 */
                as_of?: string;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteResourceAllByResourceId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchResourceAllByResourceId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    postResourceAllBulkUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 resources. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *         "data": {
                 *           "verified": true
                 *         },
                 *         "add": {
                 *           "tags": [
                 *             "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5e"
                 *           ]
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["BulkUpdate"];
            };
        };
        responses: {
            /** @description The IDs of the updated resources, in the order sent. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
        };
    };
    postDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Handbook",
                 *       "definition": "# How we work with data"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    getDocumentByDocumentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    deleteDocumentByDocumentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchDocumentByDocumentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5e",
                 *       "sort_order": 2048
                 *     }
                 */
                "application/json": components["schemas"]["DocumentEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    getDatabaseDatabases: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postDatabaseDatabases: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "shop",
                 *       "integration": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *     }
                 */
                "application/json": components["schemas"]["DatabaseCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getDatabaseDatabasesByDatabaseId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                database_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteDatabaseDatabasesByDatabaseId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                database_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchDatabaseDatabasesByDatabaseId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                database_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getDatabaseSchemas: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postDatabaseSchemas: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "public",
                 *       "database": "shop"
                 *     }
                 */
                "application/json": components["schemas"]["SchemaCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getDatabaseSchemasBySchemaId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteDatabaseSchemasBySchemaId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchDatabaseSchemasBySchemaId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getTableTables: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postTableTables: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "orders",
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "native_type": "table"
                 *     }
                 */
                "application/json": components["schemas"]["TableCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getTableTablesByTableId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                table_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteTableTablesByTableId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                table_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchTableTablesByTableId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                table_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getTableColumns: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ColumnPage"];
                };
            };
        };
    };
    postTableColumns: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "order_id",
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "type": "bigint",
                 *       "sort_order": 1,
                 *       "is_pk": true
                 *     }
                 */
                "application/json": components["schemas"]["ColumnCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Column"];
                };
            };
        };
    };
    getTableColumnsByColumnId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                column_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Column"];
                };
            };
        };
    };
    deleteTableColumnsByColumnId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                column_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchTableColumnsByColumnId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                column_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sort_order": 2,
                 *       "hidden": true
                 *     }
                 */
                "application/json": components["schemas"]["ColumnEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Column"];
                };
            };
        };
    };
    getTableColumn: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ColumnPage"];
                };
            };
        };
    };
    postTableColumn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "order_id",
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "type": "bigint",
                 *       "sort_order": 1,
                 *       "is_pk": true
                 *     }
                 */
                "application/json": components["schemas"]["ColumnCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Column"];
                };
            };
        };
    };
    getTableColumnByColumnId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                column_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Column"];
                };
            };
        };
    };
    deleteTableColumnByColumnId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                column_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchTableColumnByColumnId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                column_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sort_order": 2,
                 *       "hidden": true
                 *     }
                 */
                "application/json": components["schemas"]["ColumnEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Column"];
                };
            };
        };
    };
    getDashboardDashboards: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postDashboardDashboards: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Morning numbers",
                 *       "url": "https://dashboards.example.com/morning"
                 *     }
                 */
                "application/json": components["schemas"]["DashboardCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getDashboardDashboardsByDashboardId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dashboard_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteDashboardDashboardsByDashboardId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                dashboard_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchDashboardDashboardsByDashboardId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                dashboard_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getDashboardCharts: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postDashboardCharts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Orders per day",
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "native_type": "line"
                 *     }
                 */
                "application/json": components["schemas"]["ChartCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getDashboardChartsByChartId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chart_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteDashboardChartsByChartId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                chart_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchDashboardChartsByChartId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                chart_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getQueryQueries: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryPage"];
                };
            };
        };
    };
    postQueryQueries: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Late orders",
                 *       "definition": "select …",
                 *       "type": "saved",
                 *       "freq": 12
                 *     }
                 */
                "application/json": components["schemas"]["QueryCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Query"];
                };
            };
        };
    };
    getQueryQueriesByQueryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                query_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Query"];
                };
            };
        };
    };
    deleteQueryQueriesByQueryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                query_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchQueryQueriesByQueryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                query_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "freq": 13
                 *     }
                 */
                "application/json": components["schemas"]["QueryEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Query"];
                };
            };
        };
    };
    getCollectionCollections: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postCollectionCollections: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Start here",
                 *       "description": "The tables that answer most questions."
                 *     }
                 */
                "application/json": components["schemas"]["CollectionCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getCollectionCollectionsByCollectionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                collection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteCollectionCollectionsByCollectionId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchCollectionCollectionsByCollectionId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getGlossary: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GlossaryPage"];
                };
            };
        };
    };
    postGlossary: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Revenue",
                 *       "description": "Money from orders, after refunds."
                 *     }
                 */
                "application/json": components["schemas"]["GlossaryCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Glossary"];
                };
            };
        };
    };
    getGlossaryByGlossaryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                glossary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Glossary"];
                };
            };
        };
    };
    deleteGlossaryByGlossaryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                glossary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchGlossaryByGlossaryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                glossary_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "A better description."
                 *     }
                 */
                "application/json": components["schemas"]["GlossaryEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Glossary"];
                };
            };
        };
    };
    getQuestionQuestions: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionPage"];
                };
            };
        };
    };
    postQuestionQuestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Do refunds count?",
                 *       "question_priority": "high"
                 *     }
                 */
                "application/json": components["schemas"]["QuestionCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
        };
    };
    getQuestionQuestionsByQuestionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
        };
    };
    deleteQuestionQuestionsByQuestionId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                question_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchQuestionQuestionsByQuestionId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                question_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accepted_reply": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *     }
                 */
                "application/json": components["schemas"]["QuestionEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
        };
    };
    getQuestionReplies: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postQuestionReplies: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "title": "They do",
                 *       "description": "On the day of the order."
                 *     }
                 */
                "application/json": components["schemas"]["QuestionReplyCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getQuestionRepliesByReplyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reply_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteQuestionRepliesByReplyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                reply_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchQuestionRepliesByReplyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                reply_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getEventCategory: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postEventCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Checkout",
                 *       "integration": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *     }
                 */
                "application/json": components["schemas"]["CategoryCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getEventCategoryByEventCategoryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_category_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteEventCategoryByEventCategoryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                event_category_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchEventCategoryByEventCategoryId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                event_category_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getEventEvents: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    postEventEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "order_placed",
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "integration": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5e"
                 *     }
                 */
                "application/json": components["schemas"]["EventCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getEventEventsByEventId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteEventEventsByEventId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    patchEventEventsByEventId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "One row for each order.",
                 *       "verified": true
                 *     }
                 */
                "application/json": components["schemas"]["ResourceEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    getEventEventProperties: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPropertyPage"];
                };
            };
        };
    };
    postEventEventProperties: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "coupon",
                 *       "parent": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "type": "text"
                 *     }
                 */
                "application/json": components["schemas"]["EventPropertyCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventProperty"];
                };
            };
        };
    };
    getEventEventPropertiesByEventPropertyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_property_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventProperty"];
                };
            };
        };
    };
    deleteEventEventPropertiesByEventPropertyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                event_property_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchEventEventPropertiesByEventPropertyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                event_property_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "A better description."
                 *     }
                 */
                "application/json": components["schemas"]["EventPropertyEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventProperty"];
                };
            };
        };
    };
    getBookmark: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                entity_type?: string;
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    putResourceAllByResourceIdBookmark: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteResourceAllByResourceIdBookmark: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                entity_type?: string;
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
        };
    };
    putResourceAllByResourceIdSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    deleteResourceAllByResourceIdSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getTag: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Matches part of the name. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagPage"];
                };
            };
        };
    };
    postTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "source of truth",
                 *       "color": "#2f855a"
                 *     }
                 */
                "application/json": components["schemas"]["TagCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    getTagByTagId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    deleteTagByTagId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchTagByTagId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "color": "#c53030"
                 *     }
                 */
                "application/json": components["schemas"]["TagEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    getGlossaryByGlossaryIdUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                glossary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermUsage"];
                };
            };
        };
    };
    getGlossaryByGlossaryIdNamedAlike: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                glossary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedLikeTerm"];
                };
            };
        };
    };
    getResourceAllByResourceIdTermSuggestions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermSuggestions"];
                };
            };
        };
    };
    getView: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Only views of this page. */
                page_name?: string;
                /** @description Only shared (`true`) or private (`false`) views. */
                shared?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewPage"];
                };
            };
        };
    };
    postView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tables without an owner",
                 *       "query": "type=table&owners=none"
                 *     }
                 */
                "application/json": components["schemas"]["ViewCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    getViewByViewId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    deleteViewByViewId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchViewByViewId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shared": false
                 *     }
                 */
                "application/json": components["schemas"]["ViewEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    putViewByViewIdPin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    deleteViewByViewIdPin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    getResourceAllByResourceIdBacklinks: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceBriefPage"];
                };
            };
        };
    };
    getActivityLogResourceLogs: {
        parameters: {
            query: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Returns entries in commit order, oldest first, so that a follower misses none, not even of a transaction that started early and commits late. An empty value starts with the first entry, `now` with what is committed from now on. Continue with `meta.next_cursor`, or poll later with `meta.follow_cursor`. */
                cursor?: string;
                /** @description A UUID, with or without dashes. */
                resource_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceLogPage"];
                };
            };
        };
    };
    getResourceAllByResourceIdVersions: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Returns entries in commit order, oldest first, so that a follower misses none, not even of a transaction that started early and commits late. An empty value starts with the first entry, `now` with what is committed from now on. Continue with `meta.next_cursor`, or poll later with `meta.follow_cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionHistoryPage"];
                };
            };
        };
    };
    getResourceAllByResourceIdVersionsCompare: {
        parameters: {
            query: {
                /**
                 * @description The version number.
                 * @example 2
                 */
                from: number;
                /**
                 * @description The version number.
                 * @example 2
                 */
                to: number;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versioned fields that differ. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FieldChange"][];
                };
            };
        };
    };
    getResourceAllByResourceIdVersionsByVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
                /**
                 * @description The version number.
                 * @example 2
                 */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    postResourceAllByResourceIdRestore: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 2
                 *     }
                 */
                "application/json": components["schemas"]["Restore"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getResourceAllByResourceIdAttachments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"][];
                };
            };
        };
    };
    postResourceAllByResourceIdAttachments: {
        parameters: {
            query: {
                /** @description The file name, for people and for downloads. */
                name: string;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
        };
    };
    getAttachmentByAttachmentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attachment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    deleteAttachmentByAttachmentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attachment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getTrash: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrashPage"];
                };
            };
        };
    };
    deleteTrashByResourceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getResourceAllByResourceIdAccess: {
        parameters: {
            query?: {
                /** @description A user ID. Defaults to the caller. */
                user?: string;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Access"];
                };
            };
        };
    };
    getActivityLogAuditLogs: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Returns entries in commit order, oldest first, so that a follower misses none, not even of a transaction that started early and commits late. An empty value starts with the first entry, `now` with what is committed from now on. Continue with `meta.next_cursor`, or poll later with `meta.follow_cursor`. */
                cursor?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"performer_type","value":"API"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON. Not with `cursor`.
                 * @example {"field":"logged_at","order":"desc"}
                 */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogPage"];
                };
            };
        };
    };
    getResourceAllV2CustomProperties: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomProperty"][];
                };
            };
        };
    };
    postResourceAllV2CustomProperties: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomPropertyCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomProperty"];
                };
            };
        };
    };
    getResourceAllV2CustomPropertiesByCustomPropertyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomProperty"];
                };
            };
        };
    };
    putResourceAllV2CustomPropertiesByCustomPropertyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomPropertyCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomProperty"];
                };
            };
        };
    };
    deleteResourceAllV2CustomPropertiesByCustomPropertyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchResourceAllV2CustomPropertiesByCustomPropertyId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Data tier"
                 *     }
                 */
                "application/json": components["schemas"]["CustomPropertyEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomProperty"];
                };
            };
        };
    };
    getResourceAllByResourceIdCustomProperties: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomPropertyValue"][];
                };
            };
        };
    };
    getResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomPropertyValue"];
                };
            };
        };
    };
    putResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "gold"
                 *     }
                 */
                "application/json": components["schemas"]["CustomPropertyValueBody"];
            };
        };
        responses: {
            /** @description No content. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchResourceAllV2CustomPropertiesByCustomPropertyIdByEntityId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or URL-encoded name of a custom property. */
                custom_property_id: string;
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "gold"
                 *     }
                 */
                "application/json": components["schemas"]["CustomPropertyValueBody"];
            };
        };
        responses: {
            /** @description No content. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putResourceAllV2BulkUpdateCustomProperties: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 50000 values in total. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entity_ids": [
                 *         "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *       ],
                 *       "properties": {
                 *         "Tier": "gold",
                 *         "Cost%20centre": ""
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BulkCustomPropertyValues"];
            };
        };
        responses: {
            /** @description No content. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchResourceAllV2BulkUpdateCustomProperties: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 50000 values in total. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entity_ids": [
                 *         "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f"
                 *       ],
                 *       "properties": {
                 *         "Tier": "gold",
                 *         "Cost%20centre": ""
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BulkCustomPropertyValues"];
            };
        };
        responses: {
            /** @description No content. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getLineageManual: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Entries from this resource. */
                from_entity?: string;
                /** @description The same as `from_entity`. */
                from_entity_id?: string;
                /** @description Entries from any of these resources: comma-separated IDs, at most 1,000. */
                from_entity__in?: string;
                /** @description Entries to this resource. */
                to_entity?: string;
                /** @description The same as `to_entity`. */
                to_entity_id?: string;
                /** @description Entries to any of these resources: comma-separated IDs, at most 1,000. */
                to_entity__in?: string;
                /** @description Entries with a resource of an integration of this type at either end. */
                integration_type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineagePage"];
                };
            };
        };
    };
    postLineageManual: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from_entity": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "to_entity": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e60",
                 *       "direction": "DOWNSTREAM"
                 *     }
                 */
                "application/json": components["schemas"]["LineageCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageEntry"];
                };
            };
        };
    };
    getLineageManualByLineageId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                lineage_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageEntry"];
                };
            };
        };
    };
    deleteLineageManualByLineageId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                lineage_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getLineageLineageFromQuery: {
        parameters: {
            query: {
                /** @description One statement or a script, at most 1 MB. */
                sql: string;
                /** @description The SQL dialect, e.g. `postgresql` or `bigquery`. */
                dialect?: string | null;
                /** @description Completes names without a database. */
                default_database?: string | null;
                /** @description Completes names without a schema. */
                default_schema?: string | null;
                /** @description The integration the query runs in. Its tables are preferred when a name matches several. */
                integration_id?: string | null;
                /** @description The target table. Required to create lineage from a bare SELECT. */
                table_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryLineage"];
                };
            };
        };
    };
    postLineageLineageFromQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sql": "insert into daily_sales select day, sum(price) from orders group by day",
                 *       "dialect": "postgresql"
                 *     }
                 */
                "application/json": components["schemas"]["LineageFromQuery"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryLineage"];
                };
            };
        };
    };
    patchLineageLineageFromQuery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sql": "insert into daily_sales select day, sum(price) from orders group by day",
                 *       "dialect": "postgresql"
                 *     }
                 */
                "application/json": components["schemas"]["LineageFromQuery"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryLineage"];
                };
            };
        };
    };
    postLineage: {
        parameters: {
            query?: {
                /** @description ID of the integration the events belong to. Default: the integration with the name of the namespace. */
                integration?: string;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description RunEvent, JobEvent or DatasetEvent, as https://openlineage.io/spec/2-0-2/OpenLineage.json defines them. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventType": "COMPLETE",
                 *       "eventTime": "2026-01-02T03:04:05.678Z",
                 *       "run": {
                 *         "runId": "0190d3a0-5f4a-7c3e-9d2f-0a1b2c3d4e5f",
                 *         "facets": {}
                 *       },
                 *       "job": {
                 *         "namespace": "airflow",
                 *         "name": "shop.load_orders",
                 *         "facets": {}
                 *       },
                 *       "inputs": [
                 *         {
                 *           "namespace": "postgres://db.example.com:5432",
                 *           "name": "shop.public.raw_orders",
                 *           "facets": {}
                 *         }
                 *       ],
                 *       "outputs": [
                 *         {
                 *           "namespace": "postgres://db.example.com:5432",
                 *           "name": "shop.public.orders",
                 *           "facets": {}
                 *         }
                 *       ],
                 *       "producer": "https://github.com/OpenLineage/OpenLineage/tree/main/client/python",
                 *       "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
                 *     }
                 */
                "application/json": components["schemas"]["OpenLineageEvent"];
            };
        };
        responses: {
            /** @description Accepted, no body. */
            201: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postLineageBatch: {
        parameters: {
            query?: {
                /** @description ID of the integration the events belong to. Default: the integration with the name of the namespace. */
                integration?: string;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1,000 events: a list, or an object with `events`. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "eventType": "COMPLETE",
                 *         "eventTime": "2026-01-02T03:04:05.678Z",
                 *         "run": {
                 *           "runId": "0190d3a0-5f4a-7c3e-9d2f-0a1b2c3d4e5f",
                 *           "facets": {}
                 *         },
                 *         "job": {
                 *           "namespace": "airflow",
                 *           "name": "shop.load_orders",
                 *           "facets": {}
                 *         },
                 *         "inputs": [
                 *           {
                 *             "namespace": "postgres://db.example.com:5432",
                 *             "name": "shop.public.raw_orders",
                 *             "facets": {}
                 *           }
                 *         ],
                 *         "outputs": [
                 *           {
                 *             "namespace": "postgres://db.example.com:5432",
                 *             "name": "shop.public.orders",
                 *             "facets": {}
                 *           }
                 *         ],
                 *         "producer": "https://github.com/OpenLineage/OpenLineage/tree/main/client/python",
                 *         "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["OpenLineageBatch"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenLineageReceived"];
                };
            };
        };
    };
    getLineageGraph: {
        parameters: {
            query: {
                /** @description ID of the start node. */
                resource_id: string;
                direction?: "UPSTREAM" | "DOWNSTREAM" | "BOTH";
                /** @description Steps in each direction. */
                depth?: number;
                level?: "table" | "column";
                /** @description Maximum number of nodes in the response. */
                limit?: number;
                /** @description At column level: include edges from a column to a table whose rows it filters. */
                include_filters?: boolean;
                /** @description At table level: show the jobs that move data between resources as nodes, in place of the edges they cause. */
                include_jobs?: boolean;
                /** @description Only these types, comma-separated. Other resources are traversed but not shown. */
                entity_type?: string;
                /** @description All types except these, comma-separated, e.g. `dashboard,chart`. */
                without_entity_type?: string;
                /** @description Only resources of these integrations: comma-separated IDs. */
                integration_id?: string;
                /** @description Whether to include archived resources. */
                include_archived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageGraph"];
                };
            };
        };
    };
    getResourceAllByResourceIdCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Code"];
                };
            };
        };
    };
    getLineageImpact: {
        parameters: {
            query: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description ID of the start node. */
                resource_id: string;
                /** @description Only the impact of these columns of the table: comma-separated titles or IDs. */
                column?: string;
                depth?: number;
                /** @description Defaults to column when the resource is a column or `column` is set, else table. */
                level?: "table" | "column";
                /** @description CSV contains all rows, without pagination. */
                format?: "json" | "csv";
                /** @description Only these types, comma-separated. Other resources are traversed but not shown. */
                entity_type?: string;
                /** @description All types except these, comma-separated, e.g. `dashboard,chart`. */
                without_entity_type?: string;
                /** @description Only resources of these integrations: comma-separated IDs. */
                integration_id?: string;
                /** @description Whether to include archived resources. */
                include_archived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of affected resources with a summary of all of them, or a CSV file. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Impact"];
                    "text/csv": string;
                };
            };
        };
    };
    getLineagePath: {
        parameters: {
            query: {
                from: string;
                to: string;
                /** @description Defaults to column between two columns, else table. */
                level?: "table" | "column";
                /** @description Maximum number of paths: several can have the same length. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineagePaths"];
                };
            };
        };
    };
    postLineageWhatIf: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "table_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "dropped_columns": [
                 *         "price"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WhatIf"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhatIfAnswer"];
                };
            };
        };
    };
    getResourceAllByResourceIdRelationships: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Relationships"];
                };
            };
        };
    };
    getResourceAllByResourceIdRuns: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRunPage"];
                };
            };
        };
    };
    getResourceAllByResourceIdUsage: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceUsage"];
                };
            };
        };
    };
    getResourceAllByResourceIdQueries: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExampleQueryPage"];
                };
            };
        };
    };
    getSearchRanking: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchRanking"];
                };
            };
        };
    };
    putSearchRankingWeights: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "usage": 2,
                 *       "verified": 1
                 *     }
                 */
                "application/json": components["schemas"]["SearchWeightsEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchRanking"];
                };
            };
        };
    };
    putSearchRankingRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "revenue",
                 *       "pinned": [],
                 *       "hidden": []
                 *     }
                 */
                "application/json": components["schemas"]["SearchRulesEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchRanking"];
                };
            };
        };
    };
    getSearchValues: {
        parameters: {
            query: {
                /** @description The field of the query language. */
                field: "type" | "owner" | "tag" | "team" | "term" | "in" | "is" | "property";
                /**
                 * @description What was typed after the colon, without quotes.
                 * @example mar
                 */
                value?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "term": "owner:\"Maria Lopez\"",
                     *           "value": "Maria Lopez",
                     *           "detail": "maria@example.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SearchValueSuggestions"];
                };
            };
        };
    };
    getSearch: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /**
                 * @description Search words; the last one may be a prefix. Without it, all resources are returned, the most used first.
                 * @example order items
                 */
                q?: string;
                /** @description Set to `false` to omit facets and to stop counting after this page, e.g. for type-ahead. */
                facets?: boolean;
                /** @description Set to `true` to return the score of each result with its parts. */
                explain?: boolean;
                /**
                 * @description A ranking to try out, as JSON with `weights`, `pinned` and `hidden`. It requires the search.manage permission.
                 * @example {"weights":{"usage":2}}
                 */
                ranking?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description A filter as JSON, as in `/resource/catalog`. */
                filter?: string;
                /** @description Only these entity types, separated by commas. */
                entity_type?: string;
                /** @description Only resources of these integrations: IDs separated by commas. */
                integration?: string;
                /** @description Only resources with one of these owners: IDs separated by commas. */
                owners?: string;
                /** @description Only resources with one of these tags: IDs separated by commas. */
                tags?: string;
                /** @description Only resources of one of these teams: IDs separated by commas. */
                teams?: string;
                /** @description Only resources with one of these glossary terms: IDs separated by commas. */
                terms?: string;
                /**
                 * @description Only resources with one of these values of a custom property: JSON with lists of values by property ID or name.
                 * @example {"Tier":["gold","silver"]}
                 */
                properties?: string;
                /** @description Only resources with one of these statuses, separated by commas: incident, warning, ok, unknown. */
                health?: string;
                /** @description Only published (`true`) or unpublished (`false`) resources. */
                published?: boolean;
                /** @description Only verified (`true`) or unverified (`false`) resources. */
                verified?: boolean;
                /** @description Only resources with (`true`) or without (`false`) personal data. */
                pii?: boolean;
                /** @description Only resources that are missing from their source (`true`), or only the others (`false`). */
                stale?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": {
                     *         "next": null,
                     *         "previous": null
                     *       },
                     *       "meta": {
                     *         "page": 1,
                     *         "previous_page": "None",
                     *         "next_page": null
                     *       },
                     *       "count": 0,
                     *       "total_pages": 0,
                     *       "capped": false,
                     *       "corrections": [
                     *         {
                     *           "typed": "custmer",
                     *           "meant": [
                     *             "customer"
                     *           ]
                     *         }
                     *       ],
                     *       "facets": {
                     *         "entity_type": {
                     *           "capped": false,
                     *           "values": []
                     *         }
                     *       },
                     *       "results": []
                     *     }
                     */
                    "application/json": components["schemas"]["SearchPage"];
                };
            };
        };
    };
    getResourceAllByResourceIdProvenance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Provenance"][];
                };
            };
        };
    };
    postResourceAllByResourceIdProvenanceTakeBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "field": "description"
                 *     }
                 */
                "application/json": components["schemas"]["TakeBack"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Provenance"][];
                };
            };
        };
    };
    getTableTablesByTableIdSchemaHistory: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                table_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaHistoryPage"];
                };
            };
        };
    };
    getChangeSuggestions: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                status?: "open" | "accepted" | "rejected";
                by?: "user" | "agent" | "ai";
                /** @description Only suggestions for this resource or its columns. */
                resource_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSuggestionPage"];
                };
            };
        };
    };
    postChangeSuggestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resource_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "field": "description",
                 *       "value": "One row for each order."
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSuggestionCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSuggestion"];
                };
            };
        };
    };
    getChangeSuggestionsByChangeSuggestionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                change_suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSuggestion"];
                };
            };
        };
    };
    patchChangeSuggestionsByChangeSuggestionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                change_suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "One row for each order, including cancelled ones."
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSuggestionEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSuggestion"];
                };
            };
        };
    };
    postChangeSuggestionsByChangeSuggestionIdAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                change_suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSuggestion"];
                };
            };
        };
    };
    postChangeSuggestionsByChangeSuggestionIdReject: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                change_suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSuggestion"];
                };
            };
        };
    };
    getComments: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Only comments on this resource and its columns. */
                resource_id?: string;
                /** @description Only this thread. */
                thread_id?: string;
                /** @description Only comments of this user. */
                created_by?: string;
                /** @description Only threads with this status. */
                status?: "open" | "resolved";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentPage"];
                };
            };
        };
    };
    postComments: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resource_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "text": "Does this include refunds?"
                 *     }
                 */
                "application/json": components["schemas"]["CommentCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    getCommentsByCommentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                comment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    deleteCommentsByCommentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                comment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchCommentsByCommentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                comment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "resolved"
                 *     }
                 */
                "application/json": components["schemas"]["CommentEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    putCommentsByCommentIdReactionsByReaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                comment_id: string;
                reaction: "thumbs_up" | "thumbs_down" | "heart" | "celebrate" | "eyes" | "thinking";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    deleteCommentsByCommentIdReactionsByReaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                comment_id: string;
                reaction: "thumbs_up" | "thumbs_down" | "heart" | "celebrate" | "eyes" | "thinking";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
        };
    };
    getAiSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantSettings"];
                };
            };
        };
    };
    putAiSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "provider": "openai",
                 *       "url": "https://api.openai.com/v1",
                 *       "model": "gpt-5-mini",
                 *       "key": "sk-…",
                 *       "share_values": false,
                 *       "tokens_per_day": 500000,
                 *       "cost_per_day": null,
                 *       "input_price": null,
                 *       "output_price": null,
                 *       "timeout_seconds": 60,
                 *       "retention_days": 90
                 *     }
                 */
                "application/json": components["schemas"]["AssistantSettingsEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantSettings"];
                };
            };
        };
    };
    postAiSettingsTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelTest"];
                };
            };
        };
    };
    postAiDrafts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resource_id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "use_model": false
                 *     }
                 */
                "application/json": components["schemas"]["DraftRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getResourcePreviewV2TableByTableId: {
        parameters: {
            query?: {
                /** @description Include columns marked as PII. Requires permission to edit the table and is recorded in the audit log; other callers are rejected. */
                show_pii?: boolean;
            };
            header?: never;
            path: {
                table_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource_id": "01980000-0000-7000-8000-000000000001",
                     *       "asked_at": "2026-11-15T20:00:00.000Z",
                     *       "columns": [
                     *         {
                     *           "resource_id": "01980000-0000-7000-8000-000000000002",
                     *           "name": "id",
                     *           "title": "id",
                     *           "native_type": "integer",
                     *           "pii": false,
                     *           "masked": false
                     *         },
                     *         {
                     *           "resource_id": "01980000-0000-7000-8000-000000000003",
                     *           "name": "email",
                     *           "title": "E-mail",
                     *           "native_type": "text",
                     *           "pii": true,
                     *           "masked": true
                     *         }
                     *       ],
                     *       "rows": [
                     *         [
                     *           1,
                     *           "•••"
                     *         ]
                     *       ],
                     *       "truncated": true
                     *     }
                     */
                    "application/json": components["schemas"]["Preview"];
                };
            };
        };
    };
    getResourceAllByResourceIdProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource_id": "01980000-0000-7000-8000-000000000001",
                     *       "columns": [
                     *         {
                     *           "resource_id": "01980000-0000-7000-8000-000000000002",
                     *           "name": "status",
                     *           "native_type": "text",
                     *           "profiled_at": "2026-11-15T20:00:00.000Z",
                     *           "job": "01980000-0000-7000-8000-000000000009",
                     *           "source": "profile",
                     *           "reported_by": null,
                     *           "sampled": "random",
                     *           "rows_read": 10000,
                     *           "nulls": 12,
                     *           "null_percentage": 0.12,
                     *           "distinct_values": 3,
                     *           "distinct_approximate": false,
                     *           "unique_percentage": 0.03,
                     *           "withheld": null,
                     *           "min": "cancelled",
                     *           "max": "shipped",
                     *           "mean": null,
                     *           "histogram": null,
                     *           "top_values": [
                     *             {
                     *               "value": "shipped",
                     *               "count": 9000
                     *             },
                     *             {
                     *               "value": "open",
                     *               "count": 900
                     *             },
                     *             {
                     *               "value": "cancelled",
                     *               "count": 88
                     *             }
                     *           ],
                     *           "quantiles": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Profile"];
                };
            };
        };
    };
    postResourceAllByResourceIdProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sample_rows": 10000
                 *     }
                 */
                "application/json": components["schemas"]["ProfileRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getResourceAllByResourceIdProfileHistory: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileHistory"];
                };
            };
        };
    };
    getResourceAllByResourceIdProfileSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileSchedule"];
                };
            };
        };
    };
    putResourceAllByResourceIdProfileSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cadence": "daily",
                 *       "hour": 3
                 *     }
                 */
                "application/json": components["schemas"]["ProfileScheduleEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileSchedule"];
                };
            };
        };
    };
    deleteResourceAllByResourceIdProfileSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getIntegrationIntegrationsByIntegrationIdProfileSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileSchedule"];
                };
            };
        };
    };
    putIntegrationIntegrationsByIntegrationIdProfileSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cadence": "daily",
                 *       "hour": 3
                 *     }
                 */
                "application/json": components["schemas"]["ProfileScheduleEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileSchedule"];
                };
            };
        };
    };
    deleteIntegrationIntegrationsByIntegrationIdProfileSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPiiSuggestions: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                status?: "open" | "accepted" | "rejected";
                /** @description The kind of personal data. */
                class?: "email" | "phone" | "iban" | "card" | "national_id" | "ip" | "person_name" | "birth_date" | "address";
                /** @description Minimum confidence. */
                min_confidence?: number;
                /** @description A UUID, with or without dashes. */
                integration_id?: string;
                /** @description A column, or a table for all its columns. */
                resource_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PiiSuggestionPage"];
                };
            };
        };
    };
    getPiiSuggestionsBySuggestionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PiiSuggestion"];
                };
            };
        };
    };
    postPiiSuggestionsBySuggestionIdAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PiiSuggestion"];
                };
            };
        };
    };
    postPiiSuggestionsBySuggestionIdReject: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PiiSuggestion"];
                };
            };
        };
    };
    getPiiRulesByIntegrationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "integration_id": "01980000-0000-7000-8000-000000000004",
                     *       "accept_from": 0.95,
                     *       "scan_after_sync": true,
                     *       "scanned_at": null,
                     *       "updated_at": "2026-11-15T20:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PiiRule"];
                };
            };
        };
    };
    patchPiiRulesByIntegrationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accept_from": 0.95,
                 *       "scan_after_sync": true
                 *     }
                 */
                "application/json": components["schemas"]["PiiRuleEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "integration_id": "01980000-0000-7000-8000-000000000004",
                     *       "accept_from": 0.95,
                     *       "scan_after_sync": true,
                     *       "scanned_at": null,
                     *       "updated_at": "2026-11-15T20:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PiiRule"];
                };
            };
        };
    };
    postPiiScanByIntegrationId: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getResourceExport: {
        parameters: {
            query?: {
                format?: "csv" | "jsonl" | "xlsx";
                /** @description The columns to export, separated by commas: id, databuilder_id, parent_databuilder_id, parent, integration, entity_type, native_type, title, title_full, description, definition, icon, url, published, verified, deprecation, pii, archived, owners, owners_groups, teams, collections, tags, terms, subscribers, external_usage, external_updated_at, external_users, row_count, byte_size, sources, created_at, updated_at, version, title_cased, cluster, database, schema, definition_version, multiplayer_last_modified_by, multiplayer_last_modified, total_usage, internal_usage, internal_users, archived_at, stale, stale_at, forced_unstale_by_user, base_entity_id, children_count, bookmarked_by, display_metadata, question_status, question_priority, question_answered_by, question_assigned_to, owner_names, tag_names, term_names, team_names, integration_name, type, sort_order, is_pk, hidden, is_template, freq, synonyms, property:<ID or name of a custom property>. */
                fields?: string;
                /** @description Adds a last column with custom property values by name, as JSON. Imports ignore it. */
                properties?: boolean;
                /** @description Adds a column `property:<name>` for every custom property. An import reads these columns. */
                property_columns?: boolean;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"type","value":"table"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON.
                 * @example {"field":"title","order":"asc"}
                 */
                sort?: string;
                /** @description Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set. */
                search_term?: string;
                /** @description Set to `off` to search unknown words as they are typed, without spelling corrections. */
                spelling?: "on" | "off";
                /** @description Adds the field `health` to each resource. */
                include?: "health";
                entity_type?: string;
                integration_id?: string;
                parent_id?: string;
                /** @description Matches part of the title. */
                title?: string;
                /** @description A team ID. */
                teams?: string;
                /** @description The title of the database that contains the resource. */
                database?: string;
                /** @description The title of the schema that contains the resource. */
                schema?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as a stream. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    getActivityLogExport: {
        parameters: {
            query?: {
                format?: "csv" | "jsonl" | "xlsx";
                /** @description The columns to export, separated by commas: id, logged_at, activity_type, performer_id, performer_type, performer_email, resource_id, resource_type, resource_title, integration_id, related_resource_ids, related_resource_type, parent_id, version, changes. */
                fields?: string;
                /**
                 * @description A filter as JSON.
                 * @example {"operator":"exact","field":"performer_type","value":"API"}
                 */
                filter?: string;
                /**
                 * @description A sort as JSON. Not with `cursor`.
                 * @example {"field":"logged_at","order":"desc"}
                 */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as a stream. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdImportMetadata: {
        parameters: {
            query?: {
                /** @description Reports what would change without changing it. */
                dry_run?: boolean;
                /** @description Returns a job as soon as the file is read. The log of the job contains the result. */
                background?: boolean;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The integration that reports the metadata. It is created if it does not exist. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": unknown;
                "multipart/form-data": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResult"] | components["schemas"]["Job"];
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdImportJsonlMetadata: {
        parameters: {
            query?: {
                /** @description Reports what would change without changing it. */
                dry_run?: boolean;
                /** @description Returns a job as soon as the file is read. The log of the job contains the result. */
                background?: boolean;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The integration that reports the metadata. It is created if it does not exist. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": unknown;
                "application/jsonl": unknown;
                "multipart/form-data": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResult"] | components["schemas"]["Job"];
                };
            };
        };
    };
    postIntegrationIntegrationsByIntegrationIdImportXlsxMetadata: {
        parameters: {
            query?: {
                /** @description Reports what would change without changing it. */
                dry_run?: boolean;
                /** @description Returns a job as soon as the file is read. The log of the job contains the result. */
                background?: boolean;
            };
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The integration that reports the metadata. It is created if it does not exist. */
                integration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                "multipart/form-data": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResult"] | components["schemas"]["Job"];
                };
            };
        };
    };
    getMonitorConfig: {
        parameters: {
            query?: {
                /** @description Only monitors that belong to this file. Default: all monitors. */
                file?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
        };
    };
    putMonitorConfig: {
        parameters: {
            query?: {
                /** @description Return the changes without applying them. */
                dry_run?: boolean;
                /** @description Delete monitors that belong to this file but are no longer in it. */
                prune?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example version: 1
                 *     monitors:
                 *       - name: Row count of orders
                 *         target: shop.public.orders
                 *         metric_type: row_count
                 *         schedule: { cadence: daily, hour: 3 }
                 *         notify_slack_channel: C024BE91L
                 */
                "application/yaml": string;
                /**
                 * @example version: 1
                 *     monitors:
                 *       - name: Row count of orders
                 *         target: shop.public.orders
                 *         metric_type: row_count
                 *         schedule: { cadence: daily, hour: 3 }
                 *         notify_slack_channel: C024BE91L
                 */
                "text/yaml": string;
                /**
                 * @example version: 1
                 *     monitors:
                 *       - name: Row count of orders
                 *         target: shop.public.orders
                 *         metric_type: row_count
                 *         schedule: { cadence: daily, hour: 3 }
                 *         notify_slack_channel: C024BE91L
                 */
                "application/x-yaml": string;
                /**
                 * @example version: 1
                 *     monitors:
                 *       - name: Row count of orders
                 *         target: shop.public.orders
                 *         metric_type: row_count
                 *         schedule: { cadence: daily, hour: 3 }
                 *         notify_slack_channel: C024BE91L
                 */
                "text/x-yaml": string;
                /**
                 * @example version: 1
                 *     monitors:
                 *       - name: Row count of orders
                 *         target: shop.public.orders
                 *         metric_type: row_count
                 *         schedule: { cadence: daily, hour: 3 }
                 *         notify_slack_channel: C024BE91L
                 */
                "text/plain": string;
                /**
                 * @example version: 1
                 *     monitors:
                 *       - name: Row count of orders
                 *         target: shop.public.orders
                 *         metric_type: row_count
                 *         schedule: { cadence: daily, hour: 3 }
                 *         notify_slack_channel: C024BE91L
                 */
                "application/json": string;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorConfigResult"];
                };
            };
        };
    };
    getMonitorGate: {
        parameters: {
            query?: {
                /** @description ID of the resource the pipeline is about to use. */
                resource_id?: string;
                /** @description Full title of the resource instead of its ID, e.g. `shop.public.orders`. */
                path?: string;
                /** @description Also check everything upstream. */
                upstream?: boolean;
                /** @description Comma-separated list of checks: `incidents`, `errors`, `stale`. Default: all. */
                checks?: string;
                /** @description Ignore acknowledged incidents. */
                ignore_acknowledged?: boolean;
                /** @description HTTP status of the response when the result is `fail`. Use e.g. 424 to make `curl -f` fail. */
                fail_status?: 200 | 409 | 412 | 424;
            };
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
        };
    };
    getMonitorMonitors: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                status?: "pending" | "normal" | "incident" | "error";
                /** @description Only the monitor with this ID. */
                monitor?: string;
                /** @description Only monitors of this resource. */
                target?: string;
                /** @description Only monitors of this resource or, if it is a table, of its columns. */
                resource_id?: string;
                /** @description Only monitors of resources of this integration. */
                integration_id?: string;
                metric_type?: "row_count" | "freshness" | "custom_sql" | "null_percentage" | "unique_percentage" | "cardinality" | "min" | "max" | "mean" | "row_count_change" | "partition_freshness" | "partition_gaps" | "partition_row_count" | "duplicates" | "schema" | "accepted_values" | "pattern" | "range" | "referential" | "pushed";
                severity?: "low" | "medium" | "high" | "critical";
                is_enabled?: boolean;
                /** @description Text contained in the name. */
                name?: string;
                /** @description Number of latest measurements to include with each monitor, e.g. for sparklines. */
                recent?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorPage"];
                };
            };
        };
    };
    postMonitorMonitors: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": "0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60",
                 *       "metric_type": "null_percentage",
                 *       "is_enabled": true,
                 *       "condition_auto_sensitivity": 5,
                 *       "schedule": {
                 *         "cadence": "daily",
                 *         "hour": 3
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MonitorCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    postMonitorMonitorsRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "monitors": [
                 *         "0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RunMonitors"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getMonitorMonitorsByMonitorId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    deleteMonitorMonitorsByMonitorId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchMonitorMonitorsByMonitorId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "condition_auto_sensitivity": 7,
                 *       "schedule": {
                 *         "cadence": "hourly",
                 *         "frequency": 6
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MonitorEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    getMonitorIncidents: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description `open`: active or acknowledged. */
                status?: "active" | "acknowledged" | "resolved" | "open";
                severity?: "low" | "medium" | "high" | "critical";
                /** @description `true`: only snoozed incidents; `false`: only others. */
                snoozed?: boolean;
                /** @description Only incidents of this monitor. */
                monitor?: string;
                /** @description Only incidents of this resource. */
                target?: string;
                /** @description Only incidents of this resource or, if it is a table, of its columns. */
                resource_id?: string;
                /** @description Only incidents assigned to this user. */
                assignee?: string;
                /** @description Only incidents of tables of this team. */
                team_id?: string;
                /** @description Only incidents of tables of this integration. */
                integration_id?: string;
                /** @description Only incidents of tables that this user or group owns. */
                owner_id?: string;
                /** @description Only incidents opened since then. */
                opened_since?: string;
                /** @description Only incidents resolved since then. */
                resolved_since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentPage"];
                };
            };
        };
    };
    getMonitorIncidentsTables: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description `open`: active or acknowledged. */
                status?: "active" | "acknowledged" | "resolved" | "open";
                severity?: "low" | "medium" | "high" | "critical";
                /** @description `true`: only snoozed incidents; `false`: only others. */
                snoozed?: boolean;
                /** @description Only incidents of this monitor. */
                monitor?: string;
                /** @description Only incidents of this resource. */
                target?: string;
                /** @description Only incidents of this resource or, if it is a table, of its columns. */
                resource_id?: string;
                /** @description Only incidents assigned to this user. */
                assignee?: string;
                /** @description Only incidents of tables of this team. */
                team_id?: string;
                /** @description Only incidents of tables of this integration. */
                integration_id?: string;
                /** @description Only incidents of tables that this user or group owns. */
                owner_id?: string;
                /** @description Only incidents opened since then. */
                opened_since?: string;
                /** @description Only incidents resolved since then. */
                resolved_since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentTablePage"];
                };
            };
        };
    };
    getMonitorIncidentByIncidentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                incident_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    patchMonitorIncidentByIncidentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                incident_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "The loader is being restarted."
                 *     }
                 */
                "application/json": components["schemas"]["IncidentEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    getMonitorIncidentsByIncidentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                incident_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    patchMonitorIncidentsByIncidentId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                incident_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "The loader is being restarted."
                 *     }
                 */
                "application/json": components["schemas"]["IncidentEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    getInsights: {
        parameters: {
            query?: {
                /** @description Only resources of this team. */
                team_id?: string;
                /** @description Only resources of this integration. */
                integration_id?: string;
                /** @description Only resources of this user or group. Columns are not counted: owners are set on tables. */
                owner_id?: string;
                /** @description How many days back. */
                days?: number;
                /** @description The format of the response. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers, or a CSV file. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Insights"];
                    "text/csv": string;
                };
            };
        };
    };
    getInsightsTrends: {
        parameters: {
            query?: {
                /** @description Only resources of this team. */
                team_id?: string;
                /** @description Only resources of this integration. */
                integration_id?: string;
                /** @description Only resources of this user or group. Columns are not counted: owners are set on tables. */
                owner_id?: string;
                /** @description How many days back. */
                days?: number;
                /** @description The format of the response. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers, or a CSV file. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsightTrends"];
                    "text/csv": string;
                };
            };
        };
    };
    getInsightsGroups: {
        parameters: {
            query?: {
                /** @description Only resources of this team. */
                team_id?: string;
                /** @description Only resources of this integration. */
                integration_id?: string;
                /** @description Only resources of this user or group. Columns are not counted: owners are set on tables. */
                owner_id?: string;
                /** @description What to compare. Default: `integration`. */
                by?: "team" | "integration" | "owner";
                /** @description The format of the response. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers, or a CSV file. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsightGroups"];
                    "text/csv": string;
                };
            };
        };
    };
    getLineageRootCause: {
        parameters: {
            query: {
                /** @description The dashboard, chart, table or column whose values look wrong. */
                resource_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RootCause"];
                };
            };
        };
    };
    getNeedsYou: {
        parameters: {
            query?: {
                /** @description Entries per section. */
                limit?: number;
                /** @description Only this section. */
                kind?: "incidents" | "questions" | "discussions" | "suggestions" | "pii" | "syncs" | "undocumented" | "unowned";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NeedsYou"];
                };
            };
        };
    };
    postNeedsYouHidden: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "undocumented",
                 *       "id": "018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f",
                 *       "until": "2030-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["NeedHide"];
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteNeedsYouHiddenByKindByItemId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "incidents" | "questions" | "discussions" | "suggestions" | "pii" | "syncs" | "undocumented" | "unowned";
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getMonitorMeasurements: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Measurements of this monitor. */
                monitor?: string;
                /** @description Measurements of this incident. Either `monitor` or `incident_id` is required. */
                incident_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasurementPage"];
                };
            };
        };
    };
    postMonitorMeasurements: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "measurements": [
                 *         {
                 *           "monitor": "0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60",
                 *           "value": 1042
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MeasurementPush"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasurementsPushed"];
                };
            };
        };
    };
    getMonitorMeasurementsByMeasurementId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                measurement_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Measurement"];
                };
            };
        };
    };
    patchMonitorMeasurementsByMeasurementId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                measurement_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "marked": "normal"
                 *     }
                 */
                "application/json": components["schemas"]["MeasurementEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Measurement"];
                };
            };
        };
    };
    postMonitorReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "monitor": "0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60",
                 *       "condition_auto_sensitivity": 8
                 *     }
                 */
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    postMonitorPreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": "0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60",
                 *       "metric_type": "null_percentage",
                 *       "is_enabled": true,
                 *       "condition_auto_sensitivity": 5,
                 *       "schedule": {
                 *         "cadence": "daily",
                 *         "hour": 3
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MonitorCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorPreview"];
                };
            };
        };
    };
    getMonitorIncidentsByIncidentIdFailingRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                incident_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailingRows"];
                };
            };
        };
    };
    getMonitorSuggestions: {
        parameters: {
            query: {
                /** @description ID of a table. */
                resource_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorSuggestions"];
                };
            };
        };
    };
    postMonitorSuggestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resource_id": "0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60",
                 *       "accept": [
                 *         "row_count:0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SuggestionAccept"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSuggestions"];
                };
            };
        };
    };
    getNotificationInbox: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description `true`: only unread notifications. `false`: only read ones. */
                unread?: boolean;
                /** @description A UUID, with or without dashes. */
                resource_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
        };
    };
    getNotificationInboxUnreadCount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unread"];
                };
            };
        };
    };
    postNotificationInboxReadAll: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of notifications that were unread. */
                        read: number;
                    };
                };
            };
        };
    };
    getNotificationInboxByNotificationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    deleteNotificationInboxByNotificationId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchNotificationInboxByNotificationId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "read": true
                 *     }
                 */
                "application/json": components["schemas"]["NotificationEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    getNotificationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
        };
    };
    patchNotificationSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": false,
                 *       "slack": true,
                 *       "slack_id": "U024BE7LH"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationSettingsEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
        };
    };
    getNotificationExplanationIncidentByIncidentId: {
        parameters: {
            query?: {
                /** @description For whom; default: you. Others need the permission `notifications.manage`. */
                user?: string;
            };
            header?: never;
            path: {
                incident_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationExplanation"];
                };
            };
        };
    };
    getNotificationExplanationActivityByActivityId: {
        parameters: {
            query?: {
                /** @description For whom; default: you. Others need the permission `notifications.manage`. */
                user?: string;
            };
            header?: never;
            path: {
                activity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationExplanation"];
                };
            };
        };
    };
    getNotificationDeliveries: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                status?: "pending" | "sending" | "sent" | "failed" | "uncertain" | "dropped";
                channel?: "email" | "slack" | "teams" | "pagerduty" | "opsgenie" | "webhook";
                /** @description A UUID, with or without dashes. */
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    getNotificationDeliveriesByDeliveryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    postNotificationDeliveriesByDeliveryIdRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    getNotificationWebhooks: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
        };
    };
    postNotificationWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "On-call",
                 *       "url": "https://hooks.example.com/tablinum",
                 *       "events": [
                 *         "incident_opened",
                 *         "incident_resolved"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    getNotificationWebhooksByWebhookId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteNotificationWebhooksByWebhookId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchNotificationWebhooksByWebhookId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "incident_*",
                 *         "monitor_*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    postNotificationWebhooksByWebhookIdRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    postNotificationWebhooksByWebhookIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The `id` is sent as the `webhook-id` header. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    getNotificationWebhooksByWebhookIdDeliveries: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                status?: "pending" | "sending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    getNotificationWebhooksByWebhookIdDeliveriesByWebhookDeliveryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
                webhook_delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The `id` is sent as the `webhook-id` header. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    postNotificationWebhooksByWebhookIdDeliveriesByWebhookDeliveryIdRedeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhook_id: string;
                webhook_delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The `id` is sent as the `webhook-id` header. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    getNotificationChannels: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannelPage"];
                };
            };
        };
    };
    postNotificationChannels: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Data team",
                 *       "type": "email",
                 *       "address": "data-team@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationChannelCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
        };
    };
    getNotificationChannelsByNotificationChannelId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
        };
    };
    deleteNotificationChannelsByNotificationChannelId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchNotificationChannelsByNotificationChannelId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["NotificationChannelEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
        };
    };
    postNotificationChannelsByNotificationChannelIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                notification_channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannelTest"];
                };
            };
        };
    };
    getNotificationRules: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRulePage"];
                };
            };
        };
    };
    postNotificationRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Page on critical incidents",
                 *       "min_severity": "critical"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationRuleCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
                };
            };
        };
    };
    postNotificationRulesPreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "min_severity": "high"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationRulePreviewRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRulePreview"];
                };
            };
        };
    };
    getNotificationRulesByNotificationRuleId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
                };
            };
        };
    };
    deleteNotificationRulesByNotificationRuleId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchNotificationRulesByNotificationRuleId: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "min_severity": "high"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationRuleEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
                };
            };
        };
    };
    getNotificationTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageTemplate"][];
                };
            };
        };
    };
    postNotificationTemplatesPreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "slack",
                 *       "event": "incident_opened",
                 *       "title": "{{resource}}",
                 *       "body": "{{summary}}"
                 *     }
                 */
                "application/json": components["schemas"]["MessageTemplatePreviewRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageTemplatePreview"];
                };
            };
        };
    };
    putNotificationTemplatesByChannelByEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel: "email" | "slack" | "teams" | "pagerduty" | "opsgenie";
                event: "incident_opened" | "incident_resolved" | "schema_changed";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "{{severity}}: {{resource}}",
                 *       "body": "{{monitor}} is {{value}}.\n{{link}}"
                 *     }
                 */
                "application/json": components["schemas"]["MessageTemplateEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageTemplate"];
                };
            };
        };
    };
    deleteNotificationTemplatesByChannelByEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel: "email" | "slack" | "teams" | "pagerduty" | "opsgenie";
                event: "incident_opened" | "incident_resolved" | "schema_changed";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postNotificationSlackActions: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getMonitorMonitorsByMonitorIdChartPng: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description PNG image, 1200 × 400 pixels. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    getMonitorChartByChartFile: {
        parameters: {
            query: {
                /** @description Expiry time in seconds since 1970. */
                exp: string;
                sig: string;
            };
            header?: never;
            path: {
                chart_file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description PNG image, 1200 × 400 pixels. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    getResourceAllByResourceIdHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceHealth"];
                };
            };
        };
    };
    getResourceAllByResourceIdBadgeLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadgeLink"];
                };
            };
        };
    };
    getResourceAllByResourceIdBadgeSvg: {
        parameters: {
            query: {
                /** @description The user who created the link. */
                by: string;
                signature: string;
            };
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SVG image. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
        };
    };
    getAuthSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setup"];
                };
            };
        };
    };
    postAuthSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "tbl_…",
                 *       "password": "a long sentence will do",
                 *       "email": "ada@example.com",
                 *       "first_name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["SetupBody"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    postAuthSignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "login": "ada@example.com",
                 *       "password": "a long sentence will do"
                 *     }
                 */
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    postAuthSignInToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "tbl_…"
                 *     }
                 */
                "application/json": components["schemas"]["TokenSignIn"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    postAuthSignOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuthSessions: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description Sessions of this user. Requires `people.manage` for other users. */
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    deleteAuthSessions: {
        parameters: {
            query?: {
                /** @description Keep the session of this request. */
                others?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteAuthSessionsBySessionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putAuthPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "a long sentence will do",
                 *       "password": "a longer one does better"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postUserByUserIdInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    postAuthInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "wyVn0…"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationLook"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invited"];
                };
            };
        };
    };
    postAuthInvitationAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "wyVn0…",
                 *       "password": "a long sentence will do"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationAccept"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    getServerSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerSettings"];
                };
            };
        };
    };
    putServerSettingsEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "localhost",
                 *       "port": 25,
                 *       "security": "none",
                 *       "user": null,
                 *       "from": "Tablinum <tablinum@example.com>"
                 *     }
                 */
                "application/json": components["schemas"]["EmailSettingsEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerSettings"];
                };
            };
        };
    };
    deleteServerSettingsEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putServerSettingsSlack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bot_token": "xoxb-…"
                 *     }
                 */
                "application/json": components["schemas"]["SlackSettingsEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerSettings"];
                };
            };
        };
    };
    deleteServerSettingsSlack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putServerSettingsOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "issuer": "https://login.example.com",
                 *       "client_id": "tablinum",
                 *       "client_secret": "…",
                 *       "name": "Example",
                 *       "domains": [
                 *         "example.com"
                 *       ],
                 *       "role": "viewer",
                 *       "trust_emails": false
                 *     }
                 */
                "application/json": components["schemas"]["OidcSettingsEdit"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerSettings"];
                };
            };
        };
    };
    deleteServerSettingsOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postServerSettingsEmailTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description As for saving. Absent: the settings in use are tested. */
                    settings?: {
                        /** @description Name or address of the mail server. */
                        host: string;
                        port: number;
                        /**
                         * @description `tls`: encrypted from the start (port 465). `starttls`: encryption is required (port 587). `none`: encrypted only if the server offers it.
                         * @enum {string}
                         */
                        security: "tls" | "starttls" | "none";
                        /** @description User name; null if the server needs none. */
                        user: string | null;
                        /** @description Sender, e.g. `Tablinum <tablinum@example.com>`. */
                        from: string;
                        /** @description Absent: the stored one is kept, unless the host, the port or the encryption changes. */
                        password?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerSettingsTest"];
                };
            };
        };
    };
    postServerSettingsSlackTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description As for saving. Absent: the settings in use are tested. */
                    settings?: {
                        /** @description `xoxb-…`, with the scope `chat:write`. Absent: the stored one is kept. */
                        bot_token?: string;
                        /** @description Absent: the stored one is kept. Null: messages have no buttons. */
                        signing_secret?: string | null;
                    };
                    /** @description ID of a channel or person. */
                    channel?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerSettingsTest"];
                };
            };
        };
    };
    postServerSettingsOidcTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description As for saving. Absent: the settings in use are tested. */
                    settings?: {
                        /** @description URL of the provider, as in its `/.well-known/openid-configuration`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`. */
                        issuer: string;
                        client_id: string;
                        /** @description Text of the button on the sign-in page. Empty: the host of the issuer. */
                        name: string;
                        /** @description Only e-mail addresses of these domains can sign in; empty: any. */
                        domains: string[];
                        /**
                         * @description Unknown people become users with this role; null: only existing users can sign in.
                         * @enum {string|null}
                         */
                        role: "editor" | "viewer" | "guest" | null;
                        /** @description Trust addresses although the provider does not report them as verified, as with Entra ID. */
                        trust_emails: boolean;
                        /** @description Absent: the stored one is kept, unless the issuer or the client ID changes. */
                        client_secret?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerSettingsTest"];
                };
            };
        };
    };
    getAuthAuthorization: {
        parameters: {
            query: {
                client_id: string;
                redirect_uri: string;
                response_type?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                scope?: string;
                state?: string;
                resource?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
        };
    };
    postAuthAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "https://assistant.example.com/client.json",
                 *       "redirect_uri": "https://assistant.example.com/callback",
                 *       "response_type": "code",
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "code_challenge_method": "S256",
                 *       "approve": true
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationDecision"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        redirect_to: string;
                    };
                };
            };
        };
    };
    getAiMcpTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
        };
    };
    postAiMcpToolsCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "search_data_assets",
                 *       "arguments": {
                 *         "query": "orders"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ToolCall"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolResult"];
                };
            };
        };
    };
    getAiStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantStatus"];
                };
            };
        };
    };
    getAiConversations: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantConversationPage"];
                };
            };
        };
    };
    postAiConversations: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "Which table has our revenue by country?"
                 *     }
                 */
                "application/json": components["schemas"]["AssistantConversationCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantConversation"];
                };
            };
        };
    };
    getAiConversationsByConversationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantConversation"];
                };
            };
        };
    };
    deleteAiConversationsByConversationId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postAiConversationsByConversationIdAnswers: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "Who owns it?"
                 *     }
                 */
                "application/json": components["schemas"]["AssistantQuestion"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantAnswer"];
                };
            };
        };
    };
    getAiAnswersByAnswerId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                answer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantAnswer"];
                };
            };
        };
    };
    getAiAnswersByAnswerIdEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                answer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    postAiAnswersByAnswerIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                answer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantAnswer"];
                };
            };
        };
    };
    getUiBootstrap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bootstrap"];
                };
            };
        };
    };
    getUiHome: {
        parameters: {
            query?: {
                /** @description Number of entries per section. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Home"];
                };
            };
        };
    };
    getUiNames: {
        parameters: {
            query: {
                /** @description At most 200 IDs, separated by commas. */
                ids: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names by ID. IDs that do not exist or are not visible to the caller are left out. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Names"];
                };
            };
        };
    };
    getUiHealth: {
        parameters: {
            query: {
                /** @description At most 200 IDs, separated by commas. */
                ids: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By resource ID. Resources that you cannot see are left out. */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getUiPersonByUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonView"];
                };
            };
        };
    };
    getUiResourceByResourceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceView"];
                };
            };
        };
    };
    getUiColumnsByTableId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                table_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By column ID: all columns of the table that the caller can see. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ColumnFactsById"];
                };
            };
        };
    };
    getUiTree: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. */
                page?: number;
                /** @description Records per page. */
                page_size?: number;
                /** @description Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`. */
                cursor?: string;
                /** @description List the children of this resource. */
                parent_id?: string;
                /** @description List the top level of this integration. */
                integration_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    Warning: components["headers"]["Warning"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TreePage"];
                };
            };
        };
    };
    getUiStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
}
