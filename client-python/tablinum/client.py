# Made by `npm run client` from the document 43bbc5863ad5cdae932eb230e0a1b36f40fa51e99693089fb609058588d9502c. Do not edit.
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Mapping, Optional, Union

from ._transport import File, Transport

if TYPE_CHECKING:
    from . import types as t


class Client(Transport):
    """Every operation of the API as a method, named after its method and path.

    A list also has a method `all_…`, which iterates over all of its records.
    """

    def get_auth_tokens(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        name: Optional[str] = None,
        user: Optional[str] = None,
        scope: Optional[Literal["read", "write", "admin"]] = None,
        active: Optional[bool] = None,
    ) -> t.TokenPage:
        """List your tokens, or all tokens as an admin

        Requires permission `tokens.own`.

        GET /auth/tokens
        """
        return self._call("GET", "/auth/tokens", query={"page": page, "page_size": page_size, "cursor": cursor, "name": name, "user": user, "scope": scope, "active": active})

    def all_auth_tokens(
        self,
        *,
        page_size: Optional[int] = None,
        name: Optional[str] = None,
        user: Optional[str] = None,
        scope: Optional[Literal["read", "write", "admin"]] = None,
        active: Optional[bool] = None,
    ) -> Iterator[t.Token]:
        """List your tokens, or all tokens as an admin

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `tokens.own`.

        GET /auth/tokens
        """
        return self._all("/auth/tokens", query={"page_size": page_size, "name": name, "user": user, "scope": scope, "active": active})

    def post_auth_tokens(self, body: t.TokenCreate, *, idempotency_key: Optional[str] = None) -> t.NewToken:
        """Create a token

        Requires permission `tokens.own`.

        POST /auth/tokens
        """
        return self._call("POST", "/auth/tokens", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_auth_tokens_by_token_id(self, token_id: str) -> t.Token:
        """Get a token

        Requires permission `tokens.own`.

        GET /auth/tokens/{token_id}
        """
        return self._call("GET", "/auth/tokens/{token_id}", params={"token_id": token_id})

    def patch_auth_tokens_by_token_id(
        self,
        token_id: str,
        body: t.TokenEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Token:
        """Rename a token

        Requires permission `tokens.own`.

        PATCH /auth/tokens/{token_id}
        """
        return self._call("PATCH", "/auth/tokens/{token_id}", params={"token_id": token_id}, body=body, headers={"If-Match": if_match})

    def delete_auth_tokens_by_token_id(self, token_id: str, *, if_match: Optional[str] = None) -> None:
        """Revoke a token

        Takes effect immediately. Tokens created with it are revoked too.

        Requires permission `tokens.own`.

        DELETE /auth/tokens/{token_id}
        """
        return self._call("DELETE", "/auth/tokens/{token_id}", params={"token_id": token_id}, headers={"If-Match": if_match})

    def get_user(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        email: Optional[str] = None,
        name: Optional[str] = None,
        role: Optional[Literal["admin", "editor", "viewer", "guest"]] = None,
        disabled: Optional[bool] = None,
    ) -> t.UserPage:
        """List users

        Requires permission `people.read`.

        GET /user
        """
        return self._call("GET", "/user", query={"page": page, "page_size": page_size, "cursor": cursor, "email": email, "name": name, "role": role, "disabled": disabled})

    def all_user(
        self,
        *,
        page_size: Optional[int] = None,
        email: Optional[str] = None,
        name: Optional[str] = None,
        role: Optional[Literal["admin", "editor", "viewer", "guest"]] = None,
        disabled: Optional[bool] = None,
    ) -> Iterator[t.User]:
        """List users

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `people.read`.

        GET /user
        """
        return self._all("/user", query={"page_size": page_size, "email": email, "name": name, "role": role, "disabled": disabled})

    def post_user(self, body: t.UserInvite, *, idempotency_key: Optional[str] = None) -> t.User:
        """Invite a user

        Requires permission `people.manage`.

        POST /user
        """
        return self._call("POST", "/user", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_user_me(self) -> t.Me:
        """Get your user and permissions

        Requires permission `self.read`.

        GET /user/me
        """
        return self._call("GET", "/user/me")

    def get_user_by_user_id(self, user_id: str) -> t.User:
        """Get a user

        Requires permission `people.read`.

        GET /user/{user_id}
        """
        return self._call("GET", "/user/{user_id}", params={"user_id": user_id})

    def patch_user_by_user_id(self, user_id: str, body: t.UserEdit, *, if_match: Optional[str] = None) -> t.User:
        """Edit, disable or enable a user

        Requires permission `people.manage`.

        PATCH /user/{user_id}
        """
        return self._call("PATCH", "/user/{user_id}", params={"user_id": user_id}, body=body, headers={"If-Match": if_match})

    def delete_user_by_user_id(self, user_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a user

        The user loses access immediately and is no longer listed. The name stays in history and as owner. To keep the record, disable the user instead.

        Requires permission `people.manage`.

        DELETE /user/{user_id}
        """
        return self._call("DELETE", "/user/{user_id}", params={"user_id": user_id}, headers={"If-Match": if_match})

    def get_auth_teams(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        name: Optional[str] = None,
    ) -> t.TeamPage:
        """List teams

        Viewers and guests see only the teams they belong to.

        Requires permission `teams.read`.

        GET /auth/teams
        """
        return self._call("GET", "/auth/teams", query={"page": page, "page_size": page_size, "cursor": cursor, "name": name})

    def all_auth_teams(self, *, page_size: Optional[int] = None, name: Optional[str] = None) -> Iterator[t.Team]:
        """List teams

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Viewers and guests see only the teams they belong to.

        Requires permission `teams.read`.

        GET /auth/teams
        """
        return self._all("/auth/teams", query={"page_size": page_size, "name": name})

    def post_auth_teams(self, body: t.TeamCreate, *, idempotency_key: Optional[str] = None) -> t.Team:
        """Create a team

        Requires permission `people.manage`.

        POST /auth/teams
        """
        return self._call("POST", "/auth/teams", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_auth_teams_by_team_id(self, team_id: str) -> t.Team:
        """Get a team

        Requires permission `teams.read`.

        GET /auth/teams/{team_id}
        """
        return self._call("GET", "/auth/teams/{team_id}", params={"team_id": team_id})

    def patch_auth_teams_by_team_id(self, team_id: str, body: t.TeamEdit, *, if_match: Optional[str] = None) -> t.Team:
        """Edit a team

        Requires permission `people.manage`.

        PATCH /auth/teams/{team_id}
        """
        return self._call("PATCH", "/auth/teams/{team_id}", params={"team_id": team_id}, body=body, headers={"If-Match": if_match})

    def delete_auth_teams_by_team_id(self, team_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a team

        Requires permission `people.manage`.

        DELETE /auth/teams/{team_id}
        """
        return self._call("DELETE", "/auth/teams/{team_id}", params={"team_id": team_id}, headers={"If-Match": if_match})

    def post_auth_teams_by_team_id_members(
        self,
        team_id: str,
        body: t.NewMembers,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> t.Team:
        """Add members to a team

        Requires permission `people.manage`.

        POST /auth/teams/{team_id}/members
        """
        return self._call("POST", "/auth/teams/{team_id}/members", params={"team_id": team_id}, body=body, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def delete_auth_teams_by_team_id_members_by_user_id(
        self,
        team_id: str,
        user_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Remove a member from a team

        Requires permission `people.manage`.

        DELETE /auth/teams/{team_id}/members/{user_id}
        """
        return self._call("DELETE", "/auth/teams/{team_id}/members/{user_id}", params={"team_id": team_id, "user_id": user_id}, headers={"If-Match": if_match})

    def get_auth_group(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        name: Optional[str] = None,
    ) -> t.GroupPage:
        """List groups

        Viewers and guests see only the groups they belong to.

        Requires permission `teams.read`.

        GET /auth/group
        """
        return self._call("GET", "/auth/group", query={"page": page, "page_size": page_size, "cursor": cursor, "name": name})

    def all_auth_group(self, *, page_size: Optional[int] = None, name: Optional[str] = None) -> Iterator[t.Group]:
        """List groups

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Viewers and guests see only the groups they belong to.

        Requires permission `teams.read`.

        GET /auth/group
        """
        return self._all("/auth/group", query={"page_size": page_size, "name": name})

    def post_auth_group(self, body: t.GroupCreate, *, idempotency_key: Optional[str] = None) -> t.Group:
        """Create a group

        Requires permission `people.manage`.

        POST /auth/group
        """
        return self._call("POST", "/auth/group", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_auth_group_by_group_id(self, group_id: str) -> t.Group:
        """Get a group

        Requires permission `teams.read`.

        GET /auth/group/{group_id}
        """
        return self._call("GET", "/auth/group/{group_id}", params={"group_id": group_id})

    def patch_auth_group_by_group_id(
        self,
        group_id: str,
        body: t.GroupEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Group:
        """Edit a group

        Requires permission `people.manage`.

        PATCH /auth/group/{group_id}
        """
        return self._call("PATCH", "/auth/group/{group_id}", params={"group_id": group_id}, body=body, headers={"If-Match": if_match})

    def delete_auth_group_by_group_id(self, group_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a group

        Requires permission `people.manage`.

        DELETE /auth/group/{group_id}
        """
        return self._call("DELETE", "/auth/group/{group_id}", params={"group_id": group_id}, headers={"If-Match": if_match})

    def post_auth_group_by_group_id_members(
        self,
        group_id: str,
        body: t.NewMembers,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> t.Group:
        """Add members to a group

        Requires permission `people.manage`.

        POST /auth/group/{group_id}/members
        """
        return self._call("POST", "/auth/group/{group_id}/members", params={"group_id": group_id}, body=body, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def delete_auth_group_by_group_id_members_by_user_id(
        self,
        group_id: str,
        user_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Remove a member from a group

        Requires permission `people.manage`.

        DELETE /auth/group/{group_id}/members/{user_id}
        """
        return self._call("DELETE", "/auth/group/{group_id}/members/{user_id}", params={"group_id": group_id, "user_id": user_id}, headers={"If-Match": if_match})

    def post_demo(self, *, idempotency_key: Optional[str] = None) -> t.Job:
        """Fill the catalog with the demo shop

        Runs as a background job. If the demo already exists, nothing changes.

        Requires permission `people.manage`.

        POST /demo
        """
        return self._call("POST", "/demo", headers={"Idempotency-Key": idempotency_key})

    def get_background_jobs(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]] = None,
    ) -> t.JobPage:
        """List background jobs, newest first

        Requires permission `jobs.read`.

        GET /background_jobs
        """
        return self._call("GET", "/background_jobs", query={"page": page, "page_size": page_size, "cursor": cursor, "status": status})

    def all_background_jobs(
        self,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]] = None,
    ) -> Iterator[t.Job]:
        """List background jobs, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `jobs.read`.

        GET /background_jobs
        """
        return self._all("/background_jobs", query={"page_size": page_size, "status": status})

    def get_background_jobs_by_job_id(self, job_id: str) -> t.Job:
        """Get a background job

        Requires permission `jobs.read`.

        GET /background_jobs/{job_id}
        """
        return self._call("GET", "/background_jobs/{job_id}", params={"job_id": job_id})

    def post_background_jobs_by_job_id_cancel(self, job_id: str, *, idempotency_key: Optional[str] = None) -> t.Job:
        """Cancel a background job

        Only for jobs that work in small steps, such as drafts and the undo of an import: 409 for others. What was done until then stays.

        Requires permission `catalog.write`.

        POST /background_jobs/{job_id}/cancel
        """
        return self._call("POST", "/background_jobs/{job_id}/cancel", params={"job_id": job_id}, headers={"Idempotency-Key": idempotency_key})

    def get_integration_types(self) -> List[t.IntegrationType]:
        """List integration types and their credential fields

        Requires permission `integrations.read`.

        GET /integration/types
        """
        return self._call("GET", "/integration/types")

    def get_integration_integrations(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        type: Optional[Literal["custom", "openlineage", "datahub", "query_log", "postgres", "mysql", "sqlite", "duckdb", "sqlserver", "oracle", "kafka", "mongodb", "elasticsearch", "dynamodb", "cassandra", "clickhouse", "redshift", "snowflake", "bigquery", "databricks", "trino", "unity_catalog", "hive", "glue", "iceberg", "lake_s3", "lake_gcs", "lake_azure", "lake_files", "dbt", "dbt_cloud", "metabase", "superset", "tableau", "powerbi", "looker", "redash", "grafana", "mode", "airflow", "dagster", "prefect", "fivetran", "airbyte", "connector"]] = None,
        name: Optional[str] = None,
        title: Optional[str] = None,
    ) -> t.IntegrationPage:
        """List integrations by name

        Requires permission `integrations.read`.

        GET /integration/integrations
        """
        return self._call("GET", "/integration/integrations", query={"page": page, "page_size": page_size, "cursor": cursor, "type": type, "name": name, "title": title})

    def all_integration_integrations(
        self,
        *,
        page_size: Optional[int] = None,
        type: Optional[Literal["custom", "openlineage", "datahub", "query_log", "postgres", "mysql", "sqlite", "duckdb", "sqlserver", "oracle", "kafka", "mongodb", "elasticsearch", "dynamodb", "cassandra", "clickhouse", "redshift", "snowflake", "bigquery", "databricks", "trino", "unity_catalog", "hive", "glue", "iceberg", "lake_s3", "lake_gcs", "lake_azure", "lake_files", "dbt", "dbt_cloud", "metabase", "superset", "tableau", "powerbi", "looker", "redash", "grafana", "mode", "airflow", "dagster", "prefect", "fivetran", "airbyte", "connector"]] = None,
        name: Optional[str] = None,
        title: Optional[str] = None,
    ) -> Iterator[t.Integration]:
        """List integrations by name

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `integrations.read`.

        GET /integration/integrations
        """
        return self._all("/integration/integrations", query={"page_size": page_size, "type": type, "name": name, "title": title})

    def post_integration_integrations(
        self,
        body: t.IntegrationCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Integration:
        """Create an integration

        Without `credentials` the integration is not connected; it can still push metadata.

        Requires permission `integrations.manage`.

        POST /integration/integrations
        """
        return self._call("POST", "/integration/integrations", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_integration_integrations_by_integration_id(self, integration_id: str) -> t.Integration:
        """Get an integration

        Requires permission `integrations.read`.

        GET /integration/integrations/{integration_id}
        """
        return self._call("GET", "/integration/integrations/{integration_id}", params={"integration_id": integration_id})

    def patch_integration_integrations_by_integration_id(
        self,
        integration_id: str,
        body: t.IntegrationEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Integration:
        """Edit an integration

        Each field of `credentials` is edited separately: absent fields are unchanged, null clears a field; `credentials: null` clears all of them.

        Requires permission `integrations.manage`.

        PATCH /integration/integrations/{integration_id}
        """
        return self._call("PATCH", "/integration/integrations/{integration_id}", params={"integration_id": integration_id}, body=body, headers={"If-Match": if_match})

    def delete_integration_integrations_by_integration_id(
        self,
        integration_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete an integration with its resources and all their descendants

        Up to 1,000 resources are deleted immediately (204). More are deleted in a background job (202 with the job).

        Requires permission `integrations.manage`.

        DELETE /integration/integrations/{integration_id}
        """
        return self._call("DELETE", "/integration/integrations/{integration_id}", params={"integration_id": integration_id}, headers={"If-Match": if_match})

    def post_integration_integrations_test(
        self,
        body: t.IntegrationCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ConnectionTest:
        """Test a connection before it is saved

        Takes what creates an integration. Nothing is stored. A failed test returns 400 with the reason.

        Requires permission `integrations.manage`.

        POST /integration/integrations/test
        """
        return self._call("POST", "/integration/integrations/test", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_integration_integrations_patterns(
        self,
        body: t.IntegrationCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.PatternMatches:
        """List what a source has before it is saved

        Takes what creates an integration. Nothing is stored. Tells for each table, dashboard or job whether the patterns include it.

        Requires permission `integrations.manage`.

        POST /integration/integrations/patterns
        """
        return self._call("POST", "/integration/integrations/patterns", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_integration_integrations_by_integration_id_test(
        self,
        integration_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ConnectionTest:
        """Test the connection to the source

        A failed test returns 400 with the reason.

        Requires permission `integrations.manage`.

        POST /integration/integrations/{integration_id}/test
        """
        return self._call("POST", "/integration/integrations/{integration_id}/test", params={"integration_id": integration_id}, headers={"Idempotency-Key": idempotency_key})

    def post_integration_integrations_by_integration_id_patterns(
        self,
        integration_id: str,
        body: t.PatternQuery,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.PatternMatches:
        """Preview what include and exclude patterns match

        Lists the source now, without writing anything, and tells for each table, dashboard or job whether the patterns include it.

        Requires permission `integrations.manage`.

        POST /integration/integrations/{integration_id}/patterns
        """
        return self._call("POST", "/integration/integrations/{integration_id}/patterns", params={"integration_id": integration_id}, body=body, headers={"Idempotency-Key": idempotency_key})

    def post_integration_integrations_by_integration_id_sync(
        self,
        integration_id: str,
        body: t.SyncRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Job:
        """Sync the catalog with the source in a background job

        If a sync is already queued or running, that one is returned. When the source lists nothing, or less than half of what it listed before, the sync fails with `needs_confirmation` and marks nothing as stale.

        Requires permission `integrations.manage`.

        POST /integration/integrations/{integration_id}/sync
        """
        return self._call("POST", "/integration/integrations/{integration_id}/sync", params={"integration_id": integration_id}, body=body, headers={"Idempotency-Key": idempotency_key})

    def get_integration_integrations_by_integration_id_syncs(
        self,
        integration_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.SyncPage:
        """List the syncs of an integration, newest first

        Requires permission `integrations.read`.

        GET /integration/integrations/{integration_id}/syncs
        """
        return self._call("GET", "/integration/integrations/{integration_id}/syncs", params={"integration_id": integration_id}, query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_integration_integrations_by_integration_id_syncs(
        self,
        integration_id: str,
        *,
        page_size: Optional[int] = None,
    ) -> Iterator[t.Sync]:
        """List the syncs of an integration, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `integrations.read`.

        GET /integration/integrations/{integration_id}/syncs
        """
        return self._all("/integration/integrations/{integration_id}/syncs", params={"integration_id": integration_id}, query={"page_size": page_size})

    def get_integration_integrations_by_integration_id_losses(
        self,
        integration_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.LossPage:
        """List what the last sync could not take over

        For integrations that receive the metadata of another catalog: each line names what is missing and why.

        Requires permission `integrations.read`.

        GET /integration/integrations/{integration_id}/losses
        """
        return self._call("GET", "/integration/integrations/{integration_id}/losses", params={"integration_id": integration_id}, query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_integration_integrations_by_integration_id_losses(
        self,
        integration_id: str,
        *,
        page_size: Optional[int] = None,
    ) -> Iterator[t.Loss]:
        """List what the last sync could not take over

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        For integrations that receive the metadata of another catalog: each line names what is missing and why.

        Requires permission `integrations.read`.

        GET /integration/integrations/{integration_id}/losses
        """
        return self._all("/integration/integrations/{integration_id}/losses", params={"integration_id": integration_id}, query={"page_size": page_size})

    def post_integration_integrations_by_integration_id_sync_by_sync_id_cancel(
        self,
        integration_id: str,
        sync_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Job:
        """Cancel a queued or running sync

        It stops within seconds. What it had already written stays, and nothing is marked as stale.

        Requires permission `integrations.manage`.

        POST /integration/integrations/{integration_id}/sync/{sync_id}/cancel
        """
        return self._call("POST", "/integration/integrations/{integration_id}/sync/{sync_id}/cancel", params={"integration_id": integration_id, "sync_id": sync_id}, headers={"Idempotency-Key": idempotency_key})

    def post_integration_integrations_by_integration_id_sync_by_sync_id_undo(
        self,
        integration_id: str,
        sync_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Job:
        """Undo a sync in a background job

        Fields that still have the value the sync wrote are reset to their previous value; resources the sync created are deleted unless a user has edited them. Reset values count as edited by a user.

        Requires permission `integrations.manage`.

        POST /integration/integrations/{integration_id}/sync/{sync_id}/undo
        """
        return self._call("POST", "/integration/integrations/{integration_id}/sync/{sync_id}/undo", params={"integration_id": integration_id, "sync_id": sync_id}, headers={"Idempotency-Key": idempotency_key})

    def get_integration_drivers(self) -> List[t.Driver]:
        """List optional drivers

        State on the server that answers this request.

        Requires permission `server.manage`.

        GET /integration/drivers
        """
        return self._call("GET", "/integration/drivers")

    def post_integration_drivers_by_name_install(
        self,
        name: Literal["bigquery", "cassandra", "databricks", "duckdb", "kafka", "mongodb", "oracle", "snowflake", "sqlserver"],
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Job:
        """Install a driver in a background job

        Runs npm on the server, without scripts, and installs exactly the packages this release was tested with. While it is queued or running, its job is returned; cancel that job to stop it. 409 if it is installed, or if this server cannot install it, with the reason.

        Requires permission `server.manage`.

        POST /integration/drivers/{name}/install
        """
        return self._call("POST", "/integration/drivers/{name}/install", params={"name": name}, headers={"Idempotency-Key": idempotency_key})

    def post_integration_dbt_by_integration_id_upload_artifacts(
        self,
        integration_id: str,
        body: File,
        *,
        content_type: Literal["multipart/form-data"],
        idempotency_key: Optional[str] = None,
    ) -> t.Job:
        """Upload the artifacts of a dbt project

        A multipart form with `manifest.json` (version 1 or later, written by dbt 0.19 or later) and optionally `catalog.json`,
        `run_results.json` and `sources.json`. Files are identified by file name or by field name. Files that are not sent keep their last uploaded version.
        Returns the background job that syncs the catalog.

        Requires permission `catalog.write`.

        POST /integration/dbt/{integration_id}/upload_artifacts/
        """
        return self._call("POST", "/integration/dbt/{integration_id}/upload_artifacts/", params={"integration_id": integration_id}, body=body, headers={"Idempotency-Key": idempotency_key, "Content-Type": content_type})

    def post_integration_query_log_by_integration_id_upload(
        self,
        integration_id: str,
        body: File,
        *,
        content_type: Literal["multipart/form-data"],
        sql: Optional[str] = None,
        user: Optional[str] = None,
        time: Optional[str] = None,
        duration: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
        dry_run: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.QueryLogReport:
        """Upload a query log

        A multipart form with a file of executed queries: CSV with a header, JSON lines, or Parquet. Columns with common names are found
        automatically. Statements that differ only in literals are one. A background job derives the usage and lineage of tables from them. Sending a file again,
        or another file with the same executions, does not count them twice.

        Requires permission `catalog.write`.

        POST /integration/query_log/{integration_id}/upload
        """
        return self._call("POST", "/integration/query_log/{integration_id}/upload", params={"integration_id": integration_id}, query={"sql": sql, "user": user, "time": time, "duration": duration, "database": database, "schema": schema, "dry_run": dry_run}, body=body, headers={"Idempotency-Key": idempotency_key, "Content-Type": content_type})

    def post_integration_datahub_events(
        self,
        body: Any,
        *,
        integration: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.PostIntegrationDatahubEventsResponse:
        """Send metadata events of DataHub connectors

        A list of DataHub's metadata events (MCE and MCP), as `datahub ingest` writes them to a `file` sink. They are stored, and a background job
        builds the catalog from them; its log names everything that could not be taken over. Events belong to the given integration, or to the one with the name
        of their pipeline (`DataHub` without one), which is created if it does not exist. Sending the same events again changes nothing. An event that cannot be
        read is named in `rejected` and in the log; without any other, the request is rejected. At most 16 MB at once: send larger files in parts, as
        `tablinum ingest` does.

        Requires permission `catalog.write`.

        POST /integration/datahub/events
        """
        return self._call("POST", "/integration/datahub/events", query={"integration": integration}, body=body, headers={"Idempotency-Key": idempotency_key})

    def get_resource_catalog(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List the catalog

        Requires permission `catalog.read`.

        GET /resource/catalog
        """
        return self._call("GET", "/resource/catalog", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "entity_type": entity_type, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_resource_catalog(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List the catalog

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /resource/catalog
        """
        return self._all("/resource/catalog", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "entity_type": entity_type, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_resource_catalog(self, body: t.ResourceCreate, *, idempotency_key: Optional[str] = None) -> t.Resource:
        """Create a resource

        Requires permission `catalog.write`.

        POST /resource/catalog
        """
        return self._call("POST", "/resource/catalog", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_resource_all_by_resource_id(
        self,
        resource_id: str,
        *,
        as_of: Optional[str] = None,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get a resource

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}
        """
        return self._call("GET", "/resource/all/{resource_id}", params={"resource_id": resource_id}, query={"as_of": as_of, "include": include})

    def patch_resource_all_by_resource_id(
        self,
        resource_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a resource

        Requires permission `catalog.write`.

        PATCH /resource/all/{resource_id}
        """
        return self._call("PATCH", "/resource/all/{resource_id}", params={"resource_id": resource_id}, body=body, headers={"If-Match": if_match})

    def delete_resource_all_by_resource_id(
        self,
        resource_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete a resource and everything below it

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /resource/all/{resource_id}
        """
        return self._call("DELETE", "/resource/all/{resource_id}", params={"resource_id": resource_id}, headers={"If-Match": if_match})

    def post_resource_all_bulk_update(
        self,
        body: t.BulkUpdate,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> List[str]:
        """Edit up to 100 resources at once, all or nothing

        Requires permission `catalog.write`.

        POST /resource/all/bulk_update/
        """
        return self._call("POST", "/resource/all/bulk_update/", body=body, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def get_document(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.DocumentPage:
        """List documents

        Requires permission `catalog.read`.

        GET /document
        """
        return self._call("GET", "/document", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_document(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Document]:
        """List documents

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /document
        """
        return self._all("/document", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_document(self, body: t.DocumentCreate, *, idempotency_key: Optional[str] = None) -> t.Document:
        """Create a document

        Requires permission `catalog.write`.

        POST /document
        """
        return self._call("POST", "/document", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_document_by_document_id(
        self,
        document_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Document:
        """Get a document

        Requires permission `catalog.read`.

        GET /document/{document_id}
        """
        return self._call("GET", "/document/{document_id}", params={"document_id": document_id}, query={"include": include})

    def patch_document_by_document_id(
        self,
        document_id: str,
        body: t.DocumentEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Document:
        """Edit a document

        Requires permission `catalog.write`.

        PATCH /document/{document_id}
        """
        return self._call("PATCH", "/document/{document_id}", params={"document_id": document_id}, body=body, headers={"If-Match": if_match})

    def delete_document_by_document_id(self, document_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a document

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /document/{document_id}
        """
        return self._call("DELETE", "/document/{document_id}", params={"document_id": document_id}, headers={"If-Match": if_match})

    def get_database_databases(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List databases

        Deprecated.

        Requires permission `catalog.read`.

        GET /database/databases
        """
        return self._call("GET", "/database/databases", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_database_databases(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List databases

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Deprecated.

        Requires permission `catalog.read`.

        GET /database/databases
        """
        return self._all("/database/databases", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_database_databases(self, body: t.DatabaseCreate, *, idempotency_key: Optional[str] = None) -> t.Resource:
        """Create a database

        Requires permission `catalog.write`.

        POST /database/databases
        """
        return self._call("POST", "/database/databases", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_database_databases_by_database_id(
        self,
        database_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get a database

        Deprecated.

        Requires permission `catalog.read`.

        GET /database/databases/{database_id}
        """
        return self._call("GET", "/database/databases/{database_id}", params={"database_id": database_id}, query={"include": include})

    def patch_database_databases_by_database_id(
        self,
        database_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a database

        Requires permission `catalog.write`.

        PATCH /database/databases/{database_id}
        """
        return self._call("PATCH", "/database/databases/{database_id}", params={"database_id": database_id}, body=body, headers={"If-Match": if_match})

    def delete_database_databases_by_database_id(
        self,
        database_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete a database

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /database/databases/{database_id}
        """
        return self._call("DELETE", "/database/databases/{database_id}", params={"database_id": database_id}, headers={"If-Match": if_match})

    def get_database_schemas(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List schemas

        Deprecated.

        Requires permission `catalog.read`.

        GET /database/schemas
        """
        return self._call("GET", "/database/schemas", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_database_schemas(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List schemas

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Deprecated.

        Requires permission `catalog.read`.

        GET /database/schemas
        """
        return self._all("/database/schemas", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_database_schemas(self, body: t.SchemaCreate, *, idempotency_key: Optional[str] = None) -> t.Resource:
        """Create a schema

        Requires permission `catalog.write`.

        POST /database/schemas
        """
        return self._call("POST", "/database/schemas", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_database_schemas_by_schema_id(
        self,
        schema_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get a schema

        Deprecated.

        Requires permission `catalog.read`.

        GET /database/schemas/{schema_id}
        """
        return self._call("GET", "/database/schemas/{schema_id}", params={"schema_id": schema_id}, query={"include": include})

    def patch_database_schemas_by_schema_id(
        self,
        schema_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a schema

        Requires permission `catalog.write`.

        PATCH /database/schemas/{schema_id}
        """
        return self._call("PATCH", "/database/schemas/{schema_id}", params={"schema_id": schema_id}, body=body, headers={"If-Match": if_match})

    def delete_database_schemas_by_schema_id(
        self,
        schema_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete a schema

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /database/schemas/{schema_id}
        """
        return self._call("DELETE", "/database/schemas/{schema_id}", params={"schema_id": schema_id}, headers={"If-Match": if_match})

    def get_table_tables(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List tables

        Requires permission `catalog.read`.

        GET /table/tables
        """
        return self._call("GET", "/table/tables", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_table_tables(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List tables

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /table/tables
        """
        return self._all("/table/tables", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_table_tables(self, body: t.TableCreate, *, idempotency_key: Optional[str] = None) -> t.Resource:
        """Create a table

        Requires permission `catalog.write`.

        POST /table/tables
        """
        return self._call("POST", "/table/tables", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_table_tables_by_table_id(self, table_id: str, *, include: Optional[Literal["health"]] = None) -> t.Resource:
        """Get a table

        Requires permission `catalog.read`.

        GET /table/tables/{table_id}
        """
        return self._call("GET", "/table/tables/{table_id}", params={"table_id": table_id}, query={"include": include})

    def patch_table_tables_by_table_id(
        self,
        table_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a table

        Requires permission `catalog.write`.

        PATCH /table/tables/{table_id}
        """
        return self._call("PATCH", "/table/tables/{table_id}", params={"table_id": table_id}, body=body, headers={"If-Match": if_match})

    def delete_table_tables_by_table_id(self, table_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a table

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /table/tables/{table_id}
        """
        return self._call("DELETE", "/table/tables/{table_id}", params={"table_id": table_id}, headers={"If-Match": if_match})

    def get_table_columns(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ColumnPage:
        """List columns

        Requires permission `catalog.read`.

        GET /table/columns
        """
        return self._call("GET", "/table/columns", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_table_columns(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Column]:
        """List columns

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /table/columns
        """
        return self._all("/table/columns", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_table_columns(self, body: t.ColumnCreate, *, idempotency_key: Optional[str] = None) -> t.Column:
        """Create a column

        Requires permission `catalog.write`.

        POST /table/columns
        """
        return self._call("POST", "/table/columns", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_table_columns_by_column_id(
        self,
        column_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Column:
        """Get a column

        Requires permission `catalog.read`.

        GET /table/columns/{column_id}
        """
        return self._call("GET", "/table/columns/{column_id}", params={"column_id": column_id}, query={"include": include})

    def patch_table_columns_by_column_id(
        self,
        column_id: str,
        body: t.ColumnEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Column:
        """Edit a column

        Requires permission `catalog.write`.

        PATCH /table/columns/{column_id}
        """
        return self._call("PATCH", "/table/columns/{column_id}", params={"column_id": column_id}, body=body, headers={"If-Match": if_match})

    def delete_table_columns_by_column_id(self, column_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a column

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /table/columns/{column_id}
        """
        return self._call("DELETE", "/table/columns/{column_id}", params={"column_id": column_id}, headers={"If-Match": if_match})

    def get_table_column(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ColumnPage:
        """List columns

        Requires permission `catalog.read`.

        GET /table/column
        """
        return self._call("GET", "/table/column", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_table_column(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Column]:
        """List columns

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /table/column
        """
        return self._all("/table/column", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_table_column(self, body: t.ColumnCreate, *, idempotency_key: Optional[str] = None) -> t.Column:
        """Create a column

        Requires permission `catalog.write`.

        POST /table/column
        """
        return self._call("POST", "/table/column", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_table_column_by_column_id(self, column_id: str, *, include: Optional[Literal["health"]] = None) -> t.Column:
        """Get a column

        Requires permission `catalog.read`.

        GET /table/column/{column_id}
        """
        return self._call("GET", "/table/column/{column_id}", params={"column_id": column_id}, query={"include": include})

    def patch_table_column_by_column_id(
        self,
        column_id: str,
        body: t.ColumnEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Column:
        """Edit a column

        Requires permission `catalog.write`.

        PATCH /table/column/{column_id}
        """
        return self._call("PATCH", "/table/column/{column_id}", params={"column_id": column_id}, body=body, headers={"If-Match": if_match})

    def delete_table_column_by_column_id(self, column_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a column

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /table/column/{column_id}
        """
        return self._call("DELETE", "/table/column/{column_id}", params={"column_id": column_id}, headers={"If-Match": if_match})

    def get_dashboard_dashboards(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List dashboards

        Requires permission `catalog.read`.

        GET /dashboard/dashboards
        """
        return self._call("GET", "/dashboard/dashboards", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_dashboard_dashboards(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List dashboards

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /dashboard/dashboards
        """
        return self._all("/dashboard/dashboards", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_dashboard_dashboards(
        self,
        body: t.DashboardCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Resource:
        """Create a dashboard

        Requires permission `catalog.write`.

        POST /dashboard/dashboards
        """
        return self._call("POST", "/dashboard/dashboards", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_dashboard_dashboards_by_dashboard_id(
        self,
        dashboard_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get a dashboard

        Requires permission `catalog.read`.

        GET /dashboard/dashboards/{dashboard_id}
        """
        return self._call("GET", "/dashboard/dashboards/{dashboard_id}", params={"dashboard_id": dashboard_id}, query={"include": include})

    def patch_dashboard_dashboards_by_dashboard_id(
        self,
        dashboard_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a dashboard

        Requires permission `catalog.write`.

        PATCH /dashboard/dashboards/{dashboard_id}
        """
        return self._call("PATCH", "/dashboard/dashboards/{dashboard_id}", params={"dashboard_id": dashboard_id}, body=body, headers={"If-Match": if_match})

    def delete_dashboard_dashboards_by_dashboard_id(
        self,
        dashboard_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete a dashboard

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /dashboard/dashboards/{dashboard_id}
        """
        return self._call("DELETE", "/dashboard/dashboards/{dashboard_id}", params={"dashboard_id": dashboard_id}, headers={"If-Match": if_match})

    def get_dashboard_charts(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List charts

        Requires permission `catalog.read`.

        GET /dashboard/charts
        """
        return self._call("GET", "/dashboard/charts", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_dashboard_charts(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List charts

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /dashboard/charts
        """
        return self._all("/dashboard/charts", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_dashboard_charts(self, body: t.ChartCreate, *, idempotency_key: Optional[str] = None) -> t.Resource:
        """Create a chart

        Requires permission `catalog.write`.

        POST /dashboard/charts
        """
        return self._call("POST", "/dashboard/charts", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_dashboard_charts_by_chart_id(
        self,
        chart_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get a chart

        Requires permission `catalog.read`.

        GET /dashboard/charts/{chart_id}
        """
        return self._call("GET", "/dashboard/charts/{chart_id}", params={"chart_id": chart_id}, query={"include": include})

    def patch_dashboard_charts_by_chart_id(
        self,
        chart_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a chart

        Requires permission `catalog.write`.

        PATCH /dashboard/charts/{chart_id}
        """
        return self._call("PATCH", "/dashboard/charts/{chart_id}", params={"chart_id": chart_id}, body=body, headers={"If-Match": if_match})

    def delete_dashboard_charts_by_chart_id(self, chart_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a chart

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /dashboard/charts/{chart_id}
        """
        return self._call("DELETE", "/dashboard/charts/{chart_id}", params={"chart_id": chart_id}, headers={"If-Match": if_match})

    def get_query_queries(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.QueryPage:
        """List queries

        Deprecated.

        Requires permission `catalog.read`.

        GET /query/queries
        """
        return self._call("GET", "/query/queries", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_query_queries(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Query]:
        """List queries

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Deprecated.

        Requires permission `catalog.read`.

        GET /query/queries
        """
        return self._all("/query/queries", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_query_queries(self, body: t.QueryCreate, *, idempotency_key: Optional[str] = None) -> t.Query:
        """Create a query

        Requires permission `catalog.write`.

        POST /query/queries
        """
        return self._call("POST", "/query/queries", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_query_queries_by_query_id(self, query_id: str, *, include: Optional[Literal["health"]] = None) -> t.Query:
        """Get a query

        Deprecated.

        Requires permission `catalog.read`.

        GET /query/queries/{query_id}
        """
        return self._call("GET", "/query/queries/{query_id}", params={"query_id": query_id}, query={"include": include})

    def patch_query_queries_by_query_id(
        self,
        query_id: str,
        body: t.QueryEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Query:
        """Edit a query

        Requires permission `catalog.write`.

        PATCH /query/queries/{query_id}
        """
        return self._call("PATCH", "/query/queries/{query_id}", params={"query_id": query_id}, body=body, headers={"If-Match": if_match})

    def delete_query_queries_by_query_id(self, query_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a query

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /query/queries/{query_id}
        """
        return self._call("DELETE", "/query/queries/{query_id}", params={"query_id": query_id}, headers={"If-Match": if_match})

    def get_collection_collections(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List collections

        Requires permission `catalog.read`.

        GET /collection/collections
        """
        return self._call("GET", "/collection/collections", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_collection_collections(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List collections

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /collection/collections
        """
        return self._all("/collection/collections", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_collection_collections(
        self,
        body: t.CollectionCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Resource:
        """Create a collection

        Requires permission `catalog.write`.

        POST /collection/collections
        """
        return self._call("POST", "/collection/collections", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_collection_collections_by_collection_id(
        self,
        collection_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get a collection

        Requires permission `catalog.read`.

        GET /collection/collections/{collection_id}
        """
        return self._call("GET", "/collection/collections/{collection_id}", params={"collection_id": collection_id}, query={"include": include})

    def patch_collection_collections_by_collection_id(
        self,
        collection_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a collection

        Requires permission `catalog.write`.

        PATCH /collection/collections/{collection_id}
        """
        return self._call("PATCH", "/collection/collections/{collection_id}", params={"collection_id": collection_id}, body=body, headers={"If-Match": if_match})

    def delete_collection_collections_by_collection_id(
        self,
        collection_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete a collection

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /collection/collections/{collection_id}
        """
        return self._call("DELETE", "/collection/collections/{collection_id}", params={"collection_id": collection_id}, headers={"If-Match": if_match})

    def get_glossary(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.GlossaryPage:
        """List glossary

        Requires permission `catalog.read`.

        GET /glossary
        """
        return self._call("GET", "/glossary", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_glossary(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Glossary]:
        """List glossary

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /glossary
        """
        return self._all("/glossary", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_glossary(self, body: t.GlossaryCreate, *, idempotency_key: Optional[str] = None) -> t.Glossary:
        """Create a glossary term

        Requires permission `catalog.write`.

        POST /glossary
        """
        return self._call("POST", "/glossary", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_glossary_by_glossary_id(
        self,
        glossary_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Glossary:
        """Get a glossary term

        Requires permission `catalog.read`.

        GET /glossary/{glossary_id}
        """
        return self._call("GET", "/glossary/{glossary_id}", params={"glossary_id": glossary_id}, query={"include": include})

    def patch_glossary_by_glossary_id(
        self,
        glossary_id: str,
        body: t.GlossaryEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Glossary:
        """Edit a glossary term

        Requires permission `catalog.write`.

        PATCH /glossary/{glossary_id}
        """
        return self._call("PATCH", "/glossary/{glossary_id}", params={"glossary_id": glossary_id}, body=body, headers={"If-Match": if_match})

    def delete_glossary_by_glossary_id(self, glossary_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a glossary term

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /glossary/{glossary_id}
        """
        return self._call("DELETE", "/glossary/{glossary_id}", params={"glossary_id": glossary_id}, headers={"If-Match": if_match})

    def get_question_questions(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.QuestionPage:
        """List questions

        Requires permission `catalog.read`.

        GET /question/questions
        """
        return self._call("GET", "/question/questions", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_question_questions(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Question]:
        """List questions

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /question/questions
        """
        return self._all("/question/questions", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_question_questions(self, body: t.QuestionCreate, *, idempotency_key: Optional[str] = None) -> t.Question:
        """Create a question

        Requires permission `questions.ask`.

        POST /question/questions
        """
        return self._call("POST", "/question/questions", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_question_questions_by_question_id(
        self,
        question_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Question:
        """Get a question

        Requires permission `catalog.read`.

        GET /question/questions/{question_id}
        """
        return self._call("GET", "/question/questions/{question_id}", params={"question_id": question_id}, query={"include": include})

    def patch_question_questions_by_question_id(
        self,
        question_id: str,
        body: t.QuestionEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Question:
        """Edit a question

        Requires permission `questions.ask`.

        PATCH /question/questions/{question_id}
        """
        return self._call("PATCH", "/question/questions/{question_id}", params={"question_id": question_id}, body=body, headers={"If-Match": if_match})

    def delete_question_questions_by_question_id(
        self,
        question_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete a question

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `questions.ask`.

        DELETE /question/questions/{question_id}
        """
        return self._call("DELETE", "/question/questions/{question_id}", params={"question_id": question_id}, headers={"If-Match": if_match})

    def get_question_replies(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List replies

        Requires permission `catalog.read`.

        GET /question/replies
        """
        return self._call("GET", "/question/replies", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_question_replies(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List replies

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /question/replies
        """
        return self._all("/question/replies", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_question_replies(
        self,
        body: t.QuestionReplyCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Resource:
        """Create a reply

        Requires permission `questions.ask`.

        POST /question/replies
        """
        return self._call("POST", "/question/replies", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_question_replies_by_reply_id(
        self,
        reply_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get a reply

        Requires permission `catalog.read`.

        GET /question/replies/{reply_id}
        """
        return self._call("GET", "/question/replies/{reply_id}", params={"reply_id": reply_id}, query={"include": include})

    def patch_question_replies_by_reply_id(
        self,
        reply_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit a reply

        Requires permission `questions.ask`.

        PATCH /question/replies/{reply_id}
        """
        return self._call("PATCH", "/question/replies/{reply_id}", params={"reply_id": reply_id}, body=body, headers={"If-Match": if_match})

    def delete_question_replies_by_reply_id(self, reply_id: str, *, if_match: Optional[str] = None) -> Optional[t.Job]:
        """Delete a reply

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `questions.ask`.

        DELETE /question/replies/{reply_id}
        """
        return self._call("DELETE", "/question/replies/{reply_id}", params={"reply_id": reply_id}, headers={"If-Match": if_match})

    def get_event_category(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List event categories

        Requires permission `catalog.read`.

        GET /event/category
        """
        return self._call("GET", "/event/category", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_event_category(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List event categories

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /event/category
        """
        return self._all("/event/category", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_event_category(self, body: t.CategoryCreate, *, idempotency_key: Optional[str] = None) -> t.Resource:
        """Create an event category

        Requires permission `catalog.write`.

        POST /event/category
        """
        return self._call("POST", "/event/category", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_event_category_by_event_category_id(
        self,
        event_category_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.Resource:
        """Get an event category

        Requires permission `catalog.read`.

        GET /event/category/{event_category_id}
        """
        return self._call("GET", "/event/category/{event_category_id}", params={"event_category_id": event_category_id}, query={"include": include})

    def patch_event_category_by_event_category_id(
        self,
        event_category_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit an event category

        Requires permission `catalog.write`.

        PATCH /event/category/{event_category_id}
        """
        return self._call("PATCH", "/event/category/{event_category_id}", params={"event_category_id": event_category_id}, body=body, headers={"If-Match": if_match})

    def delete_event_category_by_event_category_id(
        self,
        event_category_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete an event category

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /event/category/{event_category_id}
        """
        return self._call("DELETE", "/event/category/{event_category_id}", params={"event_category_id": event_category_id}, headers={"If-Match": if_match})

    def get_event_events(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List events

        Deprecated.

        Requires permission `catalog.read`.

        GET /event/events
        """
        return self._call("GET", "/event/events", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_event_events(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List events

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Deprecated.

        Requires permission `catalog.read`.

        GET /event/events
        """
        return self._all("/event/events", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_event_events(self, body: t.EventCreate, *, idempotency_key: Optional[str] = None) -> t.Resource:
        """Create an event

        Requires permission `catalog.write`.

        POST /event/events
        """
        return self._call("POST", "/event/events", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_event_events_by_event_id(self, event_id: str, *, include: Optional[Literal["health"]] = None) -> t.Resource:
        """Get an event

        Deprecated.

        Requires permission `catalog.read`.

        GET /event/events/{event_id}
        """
        return self._call("GET", "/event/events/{event_id}", params={"event_id": event_id}, query={"include": include})

    def patch_event_events_by_event_id(
        self,
        event_id: str,
        body: t.ResourceEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Resource:
        """Edit an event

        Requires permission `catalog.write`.

        PATCH /event/events/{event_id}
        """
        return self._call("PATCH", "/event/events/{event_id}", params={"event_id": event_id}, body=body, headers={"If-Match": if_match})

    def delete_event_events_by_event_id(
        self,
        event_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Union[t.Resource, t.Job]:
        """Delete an event

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /event/events/{event_id}
        """
        return self._call("DELETE", "/event/events/{event_id}", params={"event_id": event_id}, headers={"If-Match": if_match})

    def get_event_event_properties(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.EventPropertyPage:
        """List event properties

        Requires permission `catalog.read`.

        GET /event/event_properties
        """
        return self._call("GET", "/event/event_properties", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_event_event_properties(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.EventProperty]:
        """List event properties

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /event/event_properties
        """
        return self._all("/event/event_properties", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def post_event_event_properties(
        self,
        body: t.EventPropertyCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.EventProperty:
        """Create an event property

        Requires permission `catalog.write`.

        POST /event/event_properties
        """
        return self._call("POST", "/event/event_properties", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_event_event_properties_by_event_property_id(
        self,
        event_property_id: str,
        *,
        include: Optional[Literal["health"]] = None,
    ) -> t.EventProperty:
        """Get an event property

        Requires permission `catalog.read`.

        GET /event/event_properties/{event_property_id}
        """
        return self._call("GET", "/event/event_properties/{event_property_id}", params={"event_property_id": event_property_id}, query={"include": include})

    def patch_event_event_properties_by_event_property_id(
        self,
        event_property_id: str,
        body: t.EventPropertyEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.EventProperty:
        """Edit an event property

        Requires permission `catalog.write`.

        PATCH /event/event_properties/{event_property_id}
        """
        return self._call("PATCH", "/event/event_properties/{event_property_id}", params={"event_property_id": event_property_id}, body=body, headers={"If-Match": if_match})

    def delete_event_event_properties_by_event_property_id(
        self,
        event_property_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete an event property

        Deletes the resource and everything below it. More than 10,000 resources are deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /event/event_properties/{event_property_id}
        """
        return self._call("DELETE", "/event/event_properties/{event_property_id}", params={"event_property_id": event_property_id}, headers={"If-Match": if_match})

    def get_bookmark(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List your bookmarked resources

        Requires permission `catalog.read`.

        GET /bookmark
        """
        return self._call("GET", "/bookmark", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "entity_type": entity_type, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_bookmark(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List your bookmarked resources

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /bookmark
        """
        return self._all("/bookmark", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "entity_type": entity_type, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def put_resource_all_by_resource_id_bookmark(self, resource_id: str) -> t.Resource:
        """Bookmark a resource

        Idempotent. This is not an edit: it does not create a version and `If-Match` is ignored.

        Requires permission `self.write`.

        PUT /resource/all/{resource_id}/bookmark
        """
        return self._call("PUT", "/resource/all/{resource_id}/bookmark", params={"resource_id": resource_id})

    def delete_resource_all_by_resource_id_bookmark(self, resource_id: str) -> None:
        """Remove a bookmark

        Requires permission `self.write`.

        DELETE /resource/all/{resource_id}/bookmark
        """
        return self._call("DELETE", "/resource/all/{resource_id}/bookmark", params={"resource_id": resource_id})

    def get_subscription(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> t.ResourcePage:
        """List the resources you are subscribed to

        Requires permission `catalog.read`.

        GET /subscription
        """
        return self._call("GET", "/subscription", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "entity_type": entity_type, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def all_subscription(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> Iterator[t.Resource]:
        """List the resources you are subscribed to

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /subscription
        """
        return self._all("/subscription", query={"page_size": page_size, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "entity_type": entity_type, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def put_resource_all_by_resource_id_subscription(self, resource_id: str) -> t.Resource:
        """Subscribe to a resource

        Idempotent. This is not an edit: it does not create a version and `If-Match` is ignored.

        Requires permission `self.write`.

        PUT /resource/all/{resource_id}/subscription
        """
        return self._call("PUT", "/resource/all/{resource_id}/subscription", params={"resource_id": resource_id})

    def delete_resource_all_by_resource_id_subscription(self, resource_id: str) -> None:
        """Unsubscribe from a resource

        Requires permission `self.write`.

        DELETE /resource/all/{resource_id}/subscription
        """
        return self._call("DELETE", "/resource/all/{resource_id}/subscription", params={"resource_id": resource_id})

    def get_tag(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        name: Optional[str] = None,
    ) -> t.TagPage:
        """List tags

        Requires permission `catalog.read`.

        GET /tag
        """
        return self._call("GET", "/tag", query={"page": page, "page_size": page_size, "cursor": cursor, "name": name})

    def all_tag(self, *, page_size: Optional[int] = None, name: Optional[str] = None) -> Iterator[t.Tag]:
        """List tags

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /tag
        """
        return self._all("/tag", query={"page_size": page_size, "name": name})

    def post_tag(self, body: t.TagCreate, *, idempotency_key: Optional[str] = None) -> t.Tag:
        """Create a tag

        Requires permission `catalog.write`.

        POST /tag
        """
        return self._call("POST", "/tag", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_tag_by_tag_id(self, tag_id: str) -> t.Tag:
        """Get a tag

        Requires permission `catalog.read`.

        GET /tag/{tag_id}
        """
        return self._call("GET", "/tag/{tag_id}", params={"tag_id": tag_id})

    def patch_tag_by_tag_id(self, tag_id: str, body: t.TagEdit, *, if_match: Optional[str] = None) -> t.Tag:
        """Edit a tag

        Requires permission `catalog.write`.

        PATCH /tag/{tag_id}
        """
        return self._call("PATCH", "/tag/{tag_id}", params={"tag_id": tag_id}, body=body, headers={"If-Match": if_match})

    def delete_tag_by_tag_id(self, tag_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a tag and remove it from every resource

        Requires permission `catalog.write`.

        DELETE /tag/{tag_id}
        """
        return self._call("DELETE", "/tag/{tag_id}", params={"tag_id": tag_id}, headers={"If-Match": if_match})

    def get_glossary_by_glossary_id_usage(self, glossary_id: str) -> t.TermUsage:
        """Count the resources with a glossary term

        The resources themselves are in `/resource/catalog` with a filter on `terms`.

        Requires permission `catalog.read`.

        GET /glossary/{glossary_id}/usage
        """
        return self._call("GET", "/glossary/{glossary_id}/usage", params={"glossary_id": glossary_id})

    def get_glossary_by_glossary_id_named_alike(self, glossary_id: str) -> t.NamedLikeTerm:
        """Find resources named like a glossary term

        Tables, columns, dashboards, charts, reports and events whose name has the words of the term or of a synonym, and that do not have the term.

        Requires permission `catalog.read`.

        GET /glossary/{glossary_id}/named_alike
        """
        return self._call("GET", "/glossary/{glossary_id}/named_alike", params={"glossary_id": glossary_id})

    def get_resource_all_by_resource_id_term_suggestions(self, resource_id: str) -> t.TermSuggestions:
        """Suggest glossary terms for a resource and its columns

        Terms with the same words in their title or in a synonym as the name of the resource or column, and terms of what it repeats: the nearest columns upstream with terms whose values it passes on unchanged, or the one table whose rows it has. Terms that were rejected for it are left out.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/term_suggestions
        """
        return self._call("GET", "/resource/all/{resource_id}/term_suggestions", params={"resource_id": resource_id})

    def get_view(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        page_name: Optional[str] = None,
        shared: Optional[bool] = None,
    ) -> t.ViewPage:
        """List your saved views and those that are shared

        Requires permission `self.read`.

        GET /view
        """
        return self._call("GET", "/view", query={"page": page, "page_size": page_size, "cursor": cursor, "page_name": page_name, "shared": shared})

    def all_view(
        self,
        *,
        page_size: Optional[int] = None,
        page_name: Optional[str] = None,
        shared: Optional[bool] = None,
    ) -> Iterator[t.View]:
        """List your saved views and those that are shared

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `self.read`.

        GET /view
        """
        return self._all("/view", query={"page_size": page_size, "page_name": page_name, "shared": shared})

    def post_view(self, body: t.ViewCreate, *, idempotency_key: Optional[str] = None) -> t.View:
        """Save a view

        Requires permission `self.write`.

        POST /view
        """
        return self._call("POST", "/view", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_view_by_view_id(self, view_id: str) -> t.View:
        """Get a saved view

        Requires permission `self.read`.

        GET /view/{view_id}
        """
        return self._call("GET", "/view/{view_id}", params={"view_id": view_id})

    def patch_view_by_view_id(self, view_id: str, body: t.ViewEdit, *, if_match: Optional[str] = None) -> t.View:
        """Edit a saved view

        Requires permission `self.write`.

        PATCH /view/{view_id}
        """
        return self._call("PATCH", "/view/{view_id}", params={"view_id": view_id}, body=body, headers={"If-Match": if_match})

    def delete_view_by_view_id(self, view_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a saved view

        Requires permission `self.write`.

        DELETE /view/{view_id}
        """
        return self._call("DELETE", "/view/{view_id}", params={"view_id": view_id}, headers={"If-Match": if_match})

    def put_view_by_view_id_pin(self, view_id: str) -> t.View:
        """Pin a saved view to your navigation

        Requires permission `self.write`.

        PUT /view/{view_id}/pin
        """
        return self._call("PUT", "/view/{view_id}/pin", params={"view_id": view_id})

    def delete_view_by_view_id_pin(self, view_id: str) -> t.View:
        """Unpin a saved view

        Requires permission `self.write`.

        DELETE /view/{view_id}/pin
        """
        return self._call("DELETE", "/view/{view_id}/pin", params={"view_id": view_id})

    def get_resource_all_by_resource_id_backlinks(
        self,
        resource_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.ResourceBriefPage:
        """List the resources whose documentation links to a resource

        A link is `/r/<id>` anywhere in the Markdown of the `definition` field.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/backlinks
        """
        return self._call("GET", "/resource/all/{resource_id}/backlinks", params={"resource_id": resource_id}, query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_resource_all_by_resource_id_backlinks(
        self,
        resource_id: str,
        *,
        page_size: Optional[int] = None,
    ) -> Iterator[t.ResourceBrief]:
        """List the resources whose documentation links to a resource

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        A link is `/r/<id>` anywhere in the Markdown of the `definition` field.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/backlinks
        """
        return self._all("/resource/all/{resource_id}/backlinks", params={"resource_id": resource_id}, query={"page_size": page_size})

    def get_activity_log_resource_logs(
        self,
        *,
        resource_id: str,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.ResourceLogPage:
        """List the activities of a resource, newest first

        Requires permission `catalog.write`.

        GET /activity_log/resource_logs/
        """
        return self._call("GET", "/activity_log/resource_logs/", query={"page": page, "page_size": page_size, "cursor": cursor, "resource_id": resource_id})

    def get_resource_all_by_resource_id_versions(
        self,
        resource_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.VersionHistoryPage:
        """List the versions of a resource, newest first

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/versions
        """
        return self._call("GET", "/resource/all/{resource_id}/versions", params={"resource_id": resource_id}, query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_resource_all_by_resource_id_versions(
        self,
        resource_id: str,
        *,
        page_size: Optional[int] = None,
    ) -> Iterator[t.VersionHistory]:
        """List the versions of a resource, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/versions
        """
        return self._all("/resource/all/{resource_id}/versions", params={"resource_id": resource_id}, query={"page_size": page_size})

    def get_resource_all_by_resource_id_versions_compare(
        self,
        resource_id: str,
        *,
        from_: int,
        to: int,
    ) -> List[t.FieldChange]:
        """Compare two versions of a resource

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/versions/compare
        """
        return self._call("GET", "/resource/all/{resource_id}/versions/compare", params={"resource_id": resource_id}, query={"from": from_, "to": to})

    def get_resource_all_by_resource_id_versions_by_version(self, resource_id: str, version: str) -> t.Resource:
        """Get a version of a resource

        Returns the full record after this version. The version of a deletion returns the record as it was before. Fields without history (usage, row count, bookmarks) have their current values.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/versions/{version}
        """
        return self._call("GET", "/resource/all/{resource_id}/versions/{version}", params={"resource_id": resource_id, "version": version})

    def post_resource_all_by_resource_id_restore(
        self,
        resource_id: str,
        body: t.Restore,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> Union[t.Resource, t.Job]:
        """Restore a version of a resource, or a deleted resource

        Creates a new version with the versioned fields of an earlier one. A deleted resource is restored under its ID if its parent still exists; for 90 days this includes everything below it, its lineage, custom property values, monitors, bookmarks and subscriptions, and `version` can be omitted. More than 10,000 resources are restored by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        POST /resource/all/{resource_id}/restore
        """
        return self._call("POST", "/resource/all/{resource_id}/restore", params={"resource_id": resource_id}, body=body, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def get_resource_all_by_resource_id_attachments(self, resource_id: str) -> List[t.Attachment]:
        """List the attachments of a resource

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/attachments
        """
        return self._call("GET", "/resource/all/{resource_id}/attachments", params={"resource_id": resource_id})

    def post_resource_all_by_resource_id_attachments(
        self,
        resource_id: str,
        body: File,
        *,
        name: str,
        content_type: Literal["application/octet-stream"],
        idempotency_key: Optional[str] = None,
    ) -> t.Attachment:
        """Upload an attachment

        The body is the file, at most 10 MB. Its content decides its type, and which types are allowed.

        Requires permission `catalog.write`.

        POST /resource/all/{resource_id}/attachments
        """
        return self._call("POST", "/resource/all/{resource_id}/attachments", params={"resource_id": resource_id}, query={"name": name}, body=body, headers={"Idempotency-Key": idempotency_key, "Content-Type": content_type})

    def get_attachment_by_attachment_id(self, attachment_id: str) -> bytes:
        """Get an attachment

        The file. Images are shown by browsers; every other file, SVG included, is downloaded.

        Requires permission `catalog.read`.

        GET /attachment/{attachment_id}
        """
        return self._call("GET", "/attachment/{attachment_id}", params={"attachment_id": attachment_id})

    def delete_attachment_by_attachment_id(self, attachment_id: str) -> None:
        """Delete an attachment

        At once and for good. Texts that refer to it stay as they are.

        Requires permission `catalog.write`.

        DELETE /attachment/{attachment_id}
        """
        return self._call("DELETE", "/attachment/{attachment_id}", params={"attachment_id": attachment_id})

    def get_trash(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.TrashPage:
        """List deleted resources that can be restored, newest first

        Lists resources deleted in the last 90 days. Restore one with `POST /resource/all/{id}/restore`.

        Requires permission `catalog.write`.

        GET /trash
        """
        return self._call("GET", "/trash", query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_trash(self, *, page_size: Optional[int] = None) -> Iterator[t.TrashEntry]:
        """List deleted resources that can be restored, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Lists resources deleted in the last 90 days. Restore one with `POST /resource/all/{id}/restore`.

        Requires permission `catalog.write`.

        GET /trash
        """
        return self._all("/trash", query={"page_size": page_size})

    def delete_trash_by_resource_id(self, resource_id: str) -> None:
        """Delete a resource from the trash

        The resource can no longer be restored. Its history is kept.

        Requires permission `trash.delete`.

        DELETE /trash/{resource_id}
        """
        return self._call("DELETE", "/trash/{resource_id}", params={"resource_id": resource_id})

    def get_resource_all_by_resource_id_access(self, resource_id: str, *, user: Optional[str] = None) -> t.Access:
        """Explain why a user can or cannot see a resource

        Any caller can check their own access. Checking another user requires the `people.read` permission.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/access
        """
        return self._call("GET", "/resource/all/{resource_id}/access", params={"resource_id": resource_id}, query={"user": user})

    def get_activity_log_audit_logs(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
    ) -> t.AuditLogPage:
        """List the audit log

        Newest first unless `sort` or `cursor` is set. Fields: activity_type, created_at, id, integration_id, is_legacy, logged_at, parent_id, performer_id, performer_type, related_resource_ids, related_resource_type, resource_id, resource_title, resource_type, secoda_entity_type, updated_at, version, version_history_id.

        Requires permission `audit.read`.

        GET /activity_log/audit_logs/
        """
        return self._call("GET", "/activity_log/audit_logs/", query={"page": page, "page_size": page_size, "cursor": cursor, "filter": filter, "sort": sort})

    def all_activity_log_audit_logs(
        self,
        *,
        page_size: Optional[int] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
    ) -> Iterator[t.LogEntry]:
        """List the audit log

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Newest first unless `sort` or `cursor` is set. Fields: activity_type, created_at, id, integration_id, is_legacy, logged_at, parent_id, performer_id, performer_type, related_resource_ids, related_resource_type, resource_id, resource_title, resource_type, secoda_entity_type, updated_at, version, version_history_id.

        Requires permission `audit.read`.

        GET /activity_log/audit_logs/
        """
        return self._all("/activity_log/audit_logs/", query={"page_size": page_size, "filter": filter, "sort": sort})

    def get_resource_all_v2_custom_properties(self) -> List[t.CustomProperty]:
        """List the custom properties

        Returns all custom properties, ordered by name.

        Requires permission `catalog.read`.

        GET /resource/all_v2/custom_properties/
        """
        return self._call("GET", "/resource/all_v2/custom_properties/")

    def post_resource_all_v2_custom_properties(
        self,
        body: t.CustomPropertyCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.CustomProperty:
        """Create a custom property

        Requires permission `catalog.write`.

        POST /resource/all_v2/custom_properties/
        """
        return self._call("POST", "/resource/all_v2/custom_properties/", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_resource_all_v2_custom_properties_by_custom_property_id(self, custom_property_id: str) -> t.CustomProperty:
        """Get a custom property

        Requires permission `catalog.read`.

        GET /resource/all_v2/custom_properties/{custom_property_id}
        """
        return self._call("GET", "/resource/all_v2/custom_properties/{custom_property_id}", params={"custom_property_id": custom_property_id})

    def put_resource_all_v2_custom_properties_by_custom_property_id(
        self,
        custom_property_id: str,
        body: t.CustomPropertyCreate,
        *,
        if_match: Optional[str] = None,
    ) -> t.CustomProperty:
        """Replace a custom property

        Existing values must be valid for the new definition. Without `entity_types` the property applies to every type; without `options` the options are unchanged.

        Requires permission `catalog.write`.

        PUT /resource/all_v2/custom_properties/{custom_property_id}
        """
        return self._call("PUT", "/resource/all_v2/custom_properties/{custom_property_id}", params={"custom_property_id": custom_property_id}, body=body, headers={"If-Match": if_match})

    def patch_resource_all_v2_custom_properties_by_custom_property_id(
        self,
        custom_property_id: str,
        body: t.CustomPropertyEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.CustomProperty:
        """Edit a custom property

        Existing values must be valid for the new definition.

        Requires permission `catalog.write`.

        PATCH /resource/all_v2/custom_properties/{custom_property_id}
        """
        return self._call("PATCH", "/resource/all_v2/custom_properties/{custom_property_id}", params={"custom_property_id": custom_property_id}, body=body, headers={"If-Match": if_match})

    def delete_resource_all_v2_custom_properties_by_custom_property_id(
        self,
        custom_property_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> Optional[t.Job]:
        """Delete a custom property and its values

        The response is 204. A property with more than 10,000 values is deleted by a background job: the response is 202 with the job.

        Requires permission `catalog.write`.

        DELETE /resource/all_v2/custom_properties/{custom_property_id}
        """
        return self._call("DELETE", "/resource/all_v2/custom_properties/{custom_property_id}", params={"custom_property_id": custom_property_id}, headers={"If-Match": if_match})

    def get_resource_all_by_resource_id_custom_properties(self, resource_id: str) -> List[t.CustomPropertyValue]:
        """List the custom property values of a resource

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/custom_properties
        """
        return self._call("GET", "/resource/all/{resource_id}/custom_properties", params={"resource_id": resource_id})

    def get_resource_all_v2_custom_properties_by_custom_property_id_by_entity_id(
        self,
        custom_property_id: str,
        entity_id: str,
    ) -> t.CustomPropertyValue:
        """Get the value of a custom property

        Requires permission `catalog.read`.

        GET /resource/all_v2/custom_properties/{custom_property_id}/{entity_id}
        """
        return self._call("GET", "/resource/all_v2/custom_properties/{custom_property_id}/{entity_id}", params={"custom_property_id": custom_property_id, "entity_id": entity_id})

    def put_resource_all_v2_custom_properties_by_custom_property_id_by_entity_id(
        self,
        custom_property_id: str,
        entity_id: str,
        body: t.CustomPropertyValueBody,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Set the value of a custom property

        An empty string deletes the value.

        Requires permission `catalog.write`.

        PUT /resource/all_v2/custom_properties/{custom_property_id}/{entity_id}
        """
        return self._call("PUT", "/resource/all_v2/custom_properties/{custom_property_id}/{entity_id}", params={"custom_property_id": custom_property_id, "entity_id": entity_id}, body=body, headers={"If-Match": if_match})

    def patch_resource_all_v2_custom_properties_by_custom_property_id_by_entity_id(
        self,
        custom_property_id: str,
        entity_id: str,
        body: t.CustomPropertyValueBody,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Change the value of a custom property

        An empty string deletes the value.

        Requires permission `catalog.write`.

        PATCH /resource/all_v2/custom_properties/{custom_property_id}/{entity_id}
        """
        return self._call("PATCH", "/resource/all_v2/custom_properties/{custom_property_id}/{entity_id}", params={"custom_property_id": custom_property_id, "entity_id": entity_id}, body=body, headers={"If-Match": if_match})

    def delete_resource_all_v2_custom_properties_by_custom_property_id_by_entity_id(
        self,
        custom_property_id: str,
        entity_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Delete the value of a custom property

        Requires permission `catalog.write`.

        DELETE /resource/all_v2/custom_properties/{custom_property_id}/{entity_id}
        """
        return self._call("DELETE", "/resource/all_v2/custom_properties/{custom_property_id}/{entity_id}", params={"custom_property_id": custom_property_id, "entity_id": entity_id}, headers={"If-Match": if_match})

    def put_resource_all_v2_bulk_update_custom_properties(self, body: t.BulkCustomPropertyValues) -> None:
        """Set the values of custom properties on many resources, all or nothing

        Sets each value on each resource. An empty string deletes the value.

        Requires permission `catalog.write`.

        PUT /resource/all_v2/bulk_update/custom_properties/
        """
        return self._call("PUT", "/resource/all_v2/bulk_update/custom_properties/", body=body)

    def patch_resource_all_v2_bulk_update_custom_properties(self, body: t.BulkCustomPropertyValues) -> None:
        """Change the values of custom properties on many resources, all or nothing

        Sets each value on each resource. An empty string deletes the value.

        Requires permission `catalog.write`.

        PATCH /resource/all_v2/bulk_update/custom_properties/
        """
        return self._call("PATCH", "/resource/all_v2/bulk_update/custom_properties/", body=body)

    def get_lineage_manual(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        from_entity: Optional[str] = None,
        from_entity_id: Optional[str] = None,
        from_entity__in: Optional[str] = None,
        to_entity: Optional[str] = None,
        to_entity_id: Optional[str] = None,
        to_entity__in: Optional[str] = None,
        integration_type: Optional[str] = None,
    ) -> t.LineagePage:
        """List manual lineage

        Requires permission `catalog.read`.

        GET /lineage/manual
        """
        return self._call("GET", "/lineage/manual", query={"page": page, "page_size": page_size, "cursor": cursor, "from_entity": from_entity, "from_entity_id": from_entity_id, "from_entity__in": from_entity__in, "to_entity": to_entity, "to_entity_id": to_entity_id, "to_entity__in": to_entity__in, "integration_type": integration_type})

    def all_lineage_manual(
        self,
        *,
        page_size: Optional[int] = None,
        from_entity: Optional[str] = None,
        from_entity_id: Optional[str] = None,
        from_entity__in: Optional[str] = None,
        to_entity: Optional[str] = None,
        to_entity_id: Optional[str] = None,
        to_entity__in: Optional[str] = None,
        integration_type: Optional[str] = None,
    ) -> Iterator[t.LineageEntry]:
        """List manual lineage

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /lineage/manual
        """
        return self._all("/lineage/manual", query={"page_size": page_size, "from_entity": from_entity, "from_entity_id": from_entity_id, "from_entity__in": from_entity__in, "to_entity": to_entity, "to_entity_id": to_entity_id, "to_entity__in": to_entity__in, "integration_type": integration_type})

    def post_lineage_manual(self, body: t.LineageCreate, *, idempotency_key: Optional[str] = None) -> t.LineageEntry:
        """Add a manual lineage entry

        The opposite entry is created automatically. Adding the same relation again returns the existing entry.

        Requires permission `catalog.write`.

        POST /lineage/manual
        """
        return self._call("POST", "/lineage/manual", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_lineage_manual_by_lineage_id(self, lineage_id: str) -> t.LineageEntry:
        """Get a lineage entry

        Requires permission `catalog.read`.

        GET /lineage/manual/{lineage_id}
        """
        return self._call("GET", "/lineage/manual/{lineage_id}", params={"lineage_id": lineage_id})

    def delete_lineage_manual_by_lineage_id(self, lineage_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a lineage entry and its mirror

        Requires permission `catalog.write`.

        DELETE /lineage/manual/{lineage_id}
        """
        return self._call("DELETE", "/lineage/manual/{lineage_id}", params={"lineage_id": lineage_id}, headers={"If-Match": if_match})

    def get_lineage_lineage_from_query(
        self,
        *,
        sql: str,
        dialect: Optional[str] = None,
        default_database: Optional[str] = None,
        default_schema: Optional[str] = None,
        integration_id: Optional[str] = None,
        table_id: Optional[str] = None,
    ) -> t.QueryLineage:
        """Preview the lineage of a query

        Requires permission `catalog.read`.

        GET /lineage/lineage_from_query
        """
        return self._call("GET", "/lineage/lineage_from_query", query={"sql": sql, "dialect": dialect, "default_database": default_database, "default_schema": default_schema, "integration_id": integration_id, "table_id": table_id})

    def post_lineage_lineage_from_query(
        self,
        body: t.LineageFromQuery,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.QueryLineage:
        """Create lineage from a query

        Edges are created between tables and columns in the catalog. Sending the same query again changes nothing.

        Requires permission `catalog.write`.

        POST /lineage/lineage_from_query
        """
        return self._call("POST", "/lineage/lineage_from_query", body=body, headers={"Idempotency-Key": idempotency_key})

    def patch_lineage_lineage_from_query(self, body: t.LineageFromQuery) -> t.QueryLineage:
        """Create lineage from a query, replacing the derived upstream of its target

        Requires permission `catalog.write`.

        PATCH /lineage/lineage_from_query
        """
        return self._call("PATCH", "/lineage/lineage_from_query", body=body)

    def post_lineage(
        self,
        body: t.OpenLineageEvent,
        *,
        integration: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Send an OpenLineage event

        Accepts run, job and dataset events of the OpenLineage standard. Facets that are not shown elsewhere are stored unchanged, within limits, in `display_metadata.facets` of the run, job or dataset. Sending an event again changes nothing. Events belong to
        the integration with the name of their job's namespace, which is created by the first event. A list of events, or an object with `events`, is accepted as well.

        Requires permission `catalog.write`.

        POST /lineage
        """
        return self._call("POST", "/lineage", query={"integration": integration}, body=body, headers={"Idempotency-Key": idempotency_key})

    def post_lineage_batch(
        self,
        body: t.OpenLineageBatch,
        *,
        integration: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.OpenLineageReceived:
        """Send several OpenLineage events

        Accepts run, job and dataset events of the OpenLineage standard. Facets that are not shown elsewhere are stored unchanged, within limits, in `display_metadata.facets` of the run, job or dataset. Sending an event again changes nothing. Events belong to
        the integration with the name of their job's namespace, which is created by the first event. If one is invalid, the error names it and none of them is accepted.

        Requires permission `catalog.write`.

        POST /lineage/batch
        """
        return self._call("POST", "/lineage/batch", query={"integration": integration}, body=body, headers={"Idempotency-Key": idempotency_key})

    def get_lineage_graph(
        self,
        *,
        resource_id: str,
        direction: Optional[Literal["UPSTREAM", "DOWNSTREAM", "BOTH"]] = None,
        depth: Optional[int] = None,
        level: Optional[Literal["table", "column"]] = None,
        limit: Optional[int] = None,
        include_filters: Optional[bool] = None,
        include_jobs: Optional[bool] = None,
        entity_type: Optional[str] = None,
        without_entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        include_archived: Optional[bool] = None,
    ) -> t.LineageGraph:
        """Get the lineage graph around a resource

        The nearest nodes come first. A resource you may not see appears as a hidden node without a name, and only where it is the only connection to a resource you can see.

        Requires permission `catalog.read`.

        GET /lineage/graph
        """
        return self._call("GET", "/lineage/graph", query={"resource_id": resource_id, "direction": direction, "depth": depth, "level": level, "limit": limit, "include_filters": include_filters, "include_jobs": include_jobs, "entity_type": entity_type, "without_entity_type": without_entity_type, "integration_id": integration_id, "include_archived": include_archived})

    def get_resource_all_by_resource_id_code(self, resource_id: str) -> t.Code:
        """Get the code that defines or fills a resource

        The definition of a view, the code of a dbt model or job, the text of a query, and up to 10 queries that its lineage was derived from: those whose tables you can all see.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/code
        """
        return self._call("GET", "/resource/all/{resource_id}/code", params={"resource_id": resource_id})

    def get_lineage_impact(
        self,
        *,
        resource_id: str,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        column: Optional[str] = None,
        depth: Optional[int] = None,
        level: Optional[Literal["table", "column"]] = None,
        format: Optional[Literal["json", "csv"]] = None,
        entity_type: Optional[str] = None,
        without_entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        include_archived: Optional[bool] = None,
    ) -> t.Impact:
        """List everything downstream of a resource

        Requires permission `catalog.read`.

        GET /lineage/impact
        """
        return self._call("GET", "/lineage/impact", query={"page": page, "page_size": page_size, "cursor": cursor, "resource_id": resource_id, "column": column, "depth": depth, "level": level, "format": format, "entity_type": entity_type, "without_entity_type": without_entity_type, "integration_id": integration_id, "include_archived": include_archived})

    def all_lineage_impact(
        self,
        *,
        resource_id: str,
        page_size: Optional[int] = None,
        column: Optional[str] = None,
        depth: Optional[int] = None,
        level: Optional[Literal["table", "column"]] = None,
        format: Optional[Literal["json", "csv"]] = None,
        entity_type: Optional[str] = None,
        without_entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        include_archived: Optional[bool] = None,
    ) -> Iterator[t.Affected]:
        """List everything downstream of a resource

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `catalog.read`.

        GET /lineage/impact
        """
        return self._all("/lineage/impact", query={"page_size": page_size, "resource_id": resource_id, "column": column, "depth": depth, "level": level, "format": format, "entity_type": entity_type, "without_entity_type": without_entity_type, "integration_id": integration_id, "include_archived": include_archived})

    def get_lineage_path(
        self,
        *,
        from_: str,
        to: str,
        level: Optional[Literal["table", "column"]] = None,
        limit: Optional[int] = None,
    ) -> t.LineagePaths:
        """Find the lineage paths between two resources

        Requires permission `catalog.read`.

        GET /lineage/path
        """
        return self._call("GET", "/lineage/path", query={"from": from_, "to": to, "level": level, "limit": limit})

    def post_lineage_what_if(self, body: t.WhatIf, *, idempotency_key: Optional[str] = None) -> t.WhatIfAnswer:
        """Simulate a change and list what it would break

        Nothing is changed. The response includes a Markdown comment for a pull request.

        Requires permission `catalog.read`.

        POST /lineage/what_if
        """
        return self._call("POST", "/lineage/what_if", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_resource_all_by_resource_id_relationships(self, resource_id: str) -> t.Relationships:
        """Get the foreign keys and joins of a table or schema

        For a table: its foreign keys, those of other tables of its schema that refer to it, and its joins. For a schema or database: those of its tables. Joins come from the queries that lineage was derived from, if you can see everything they read and write.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/relationships
        """
        return self._call("GET", "/resource/all/{resource_id}/relationships", params={"resource_id": resource_id})

    def get_resource_all_by_resource_id_runs(
        self,
        resource_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.JobRunPage:
        """List the runs of a job

        Newest first, with their state, duration, inputs and outputs. The last 50 runs of a job are kept. Of a run, the run itself.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/runs
        """
        return self._call("GET", "/resource/all/{resource_id}/runs", params={"resource_id": resource_id}, query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_resource_all_by_resource_id_runs(
        self,
        resource_id: str,
        *,
        page_size: Optional[int] = None,
    ) -> Iterator[t.JobRun]:
        """List the runs of a job

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Newest first, with their state, duration, inputs and outputs. The last 50 runs of a job are kept. Of a run, the run itself.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/runs
        """
        return self._all("/resource/all/{resource_id}/runs", params={"resource_id": resource_id}, query={"page_size": page_size})

    def get_resource_all_by_resource_id_usage(self, resource_id: str, *, days: Optional[int] = None) -> t.ResourceUsage:
        """Get the usage of a resource over time

        Uses in the source and views here on each day, and who queries it. Uses are counted for tables and dashboards.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/usage
        """
        return self._call("GET", "/resource/all/{resource_id}/usage", params={"resource_id": resource_id}, query={"days": days})

    def get_resource_all_by_resource_id_queries(
        self,
        resource_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.ExampleQueryPage:
        """List queries that read a table, the most useful first

        How others query the table: verified and saved queries first, then by how many people run them and how often.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/queries
        """
        return self._call("GET", "/resource/all/{resource_id}/queries", params={"resource_id": resource_id}, query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_resource_all_by_resource_id_queries(
        self,
        resource_id: str,
        *,
        page_size: Optional[int] = None,
    ) -> Iterator[t.ExampleQuery]:
        """List queries that read a table, the most useful first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        How others query the table: verified and saved queries first, then by how many people run them and how often.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/queries
        """
        return self._all("/resource/all/{resource_id}/queries", params={"resource_id": resource_id}, query={"page_size": page_size})

    def get_search_ranking(self) -> t.SearchRanking:
        """Get the ranking of search

        The weights of the score, and the resources that are pinned or hidden for a query.

        Requires permission `search.manage`.

        GET /search/ranking
        """
        return self._call("GET", "/search/ranking")

    def put_search_ranking_weights(self, body: t.SearchWeightsEdit) -> t.SearchRanking:
        """Set the weights of the ranking

        Weights that are left out get their default value.

        Requires permission `search.manage`.

        PUT /search/ranking/weights
        """
        return self._call("PUT", "/search/ranking/weights", body=body)

    def put_search_ranking_rules(self, body: t.SearchRulesEdit) -> t.SearchRanking:
        """Pin and hide resources for a query

        Replaces what is pinned and hidden for this query.

        Requires permission `search.manage`.

        PUT /search/ranking/rules
        """
        return self._call("PUT", "/search/ranking/rules", body=body)

    def get_search_values(
        self,
        *,
        field: Literal["type", "owner", "tag", "team", "term", "in", "is", "property"],
        value: Optional[str] = None,
    ) -> t.SearchValueSuggestions:
        """Complete a field of the query language

        Values that can follow `type:`, `owner:`, `tag:`, `team:`, `term:`, `in:`, `is:` or `property:`, as far as the caller can see them.

        Requires permission `catalog.read`.

        GET /search/values
        """
        return self._call("GET", "/search/values", query={"field": field, "value": value})

    def get_search(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        q: Optional[str] = None,
        facets: Optional[bool] = None,
        count: Optional[Literal["exact", "bounded"]] = None,
        explain: Optional[bool] = None,
        ranking: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        entity_type: Optional[str] = None,
        integration: Optional[str] = None,
        owners: Optional[str] = None,
        tags: Optional[str] = None,
        teams: Optional[str] = None,
        collections: Optional[str] = None,
        terms: Optional[str] = None,
        properties: Optional[str] = None,
        health: Optional[str] = None,
        published: Optional[bool] = None,
        verified: Optional[bool] = None,
        pii: Optional[bool] = None,
        stale: Optional[bool] = None,
    ) -> t.SearchPage:
        """Search the catalog

        Finds resources by title, description, documentation and context (path, columns, tags, owners, terms, custom properties), also by synonyms, abbreviations and with typing errors. Resources with every word come first; if there are few, those with most of the words follow. `"phrase"`, `-word`, `type:`, `owner:`, `tag:`, `team:`, `term:`, `in:`, `is:` and `property:` narrow the search. Archived resources come last.

        Requires permission `catalog.read`.

        GET /search
        """
        return self._call("GET", "/search", query={"page": page, "page_size": page_size, "cursor": cursor, "q": q, "facets": facets, "count": count, "explain": explain, "ranking": ranking, "spelling": spelling, "filter": filter, "entity_type": entity_type, "integration": integration, "owners": owners, "tags": tags, "teams": teams, "collections": collections, "terms": terms, "properties": properties, "health": health, "published": published, "verified": verified, "pii": pii, "stale": stale})

    def all_search(
        self,
        *,
        page_size: Optional[int] = None,
        q: Optional[str] = None,
        facets: Optional[bool] = None,
        count: Optional[Literal["exact", "bounded"]] = None,
        explain: Optional[bool] = None,
        ranking: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        entity_type: Optional[str] = None,
        integration: Optional[str] = None,
        owners: Optional[str] = None,
        tags: Optional[str] = None,
        teams: Optional[str] = None,
        collections: Optional[str] = None,
        terms: Optional[str] = None,
        properties: Optional[str] = None,
        health: Optional[str] = None,
        published: Optional[bool] = None,
        verified: Optional[bool] = None,
        pii: Optional[bool] = None,
        stale: Optional[bool] = None,
    ) -> Iterator[t.SearchResult]:
        """Search the catalog

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Finds resources by title, description, documentation and context (path, columns, tags, owners, terms, custom properties), also by synonyms, abbreviations and with typing errors. Resources with every word come first; if there are few, those with most of the words follow. `"phrase"`, `-word`, `type:`, `owner:`, `tag:`, `team:`, `term:`, `in:`, `is:` and `property:` narrow the search. Archived resources come last.

        Requires permission `catalog.read`.

        GET /search
        """
        return self._all("/search", query={"page_size": page_size, "q": q, "facets": facets, "count": count, "explain": explain, "ranking": ranking, "spelling": spelling, "filter": filter, "entity_type": entity_type, "integration": integration, "owners": owners, "tags": tags, "teams": teams, "collections": collections, "terms": terms, "properties": properties, "health": health, "published": published, "verified": verified, "pii": pii, "stale": stale})

    def get_resource_all_by_resource_id_provenance(self, resource_id: str) -> List[t.Provenance]:
        """Get the provenance of resource fields

        For each field a source reports: whether the value comes from the source or was edited here. Empty for resources that no source reports.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/provenance
        """
        return self._call("GET", "/resource/all/{resource_id}/provenance", params={"resource_id": resource_id})

    def post_resource_all_by_resource_id_provenance_take_back(
        self,
        resource_id: str,
        body: t.TakeBack,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> List[t.Provenance]:
        """Reset a field to the value of its source

        Later syncs update the field again.

        Requires permission `catalog.write`.

        POST /resource/all/{resource_id}/provenance/take_back
        """
        return self._call("POST", "/resource/all/{resource_id}/provenance/take_back", params={"resource_id": resource_id}, body=body, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def get_table_tables_by_table_id_schema_history(
        self,
        table_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.SchemaHistoryPage:
        """List how the columns of a table changed in its source, newest first

        One entry for each sync that changed the columns. Columns you cannot see are left out.

        Requires permission `catalog.read`.

        GET /table/tables/{table_id}/schema_history
        """
        return self._call("GET", "/table/tables/{table_id}/schema_history", params={"table_id": table_id}, query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_table_tables_by_table_id_schema_history(
        self,
        table_id: str,
        *,
        page_size: Optional[int] = None,
    ) -> Iterator[t.SchemaHistoryEntry]:
        """List how the columns of a table changed in its source, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        One entry for each sync that changed the columns. Columns you cannot see are left out.

        Requires permission `catalog.read`.

        GET /table/tables/{table_id}/schema_history
        """
        return self._all("/table/tables/{table_id}/schema_history", params={"table_id": table_id}, query={"page_size": page_size})

    def get_change_suggestions(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["open", "accepted", "rejected"]] = None,
        by: Optional[Literal["user", "agent", "ai"]] = None,
        resource_id: Optional[str] = None,
    ) -> t.ChangeSuggestionPage:
        """List suggested changes, newest first

        Users who can edit see the suggestions for all resources they see; others see their own.

        Requires permission `catalog.read`.

        GET /change_suggestions
        """
        return self._call("GET", "/change_suggestions", query={"page": page, "page_size": page_size, "cursor": cursor, "status": status, "by": by, "resource_id": resource_id})

    def all_change_suggestions(
        self,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["open", "accepted", "rejected"]] = None,
        by: Optional[Literal["user", "agent", "ai"]] = None,
        resource_id: Optional[str] = None,
    ) -> Iterator[t.ChangeSuggestion]:
        """List suggested changes, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Users who can edit see the suggestions for all resources they see; others see their own.

        Requires permission `catalog.read`.

        GET /change_suggestions
        """
        return self._all("/change_suggestions", query={"page_size": page_size, "status": status, "by": by, "resource_id": resource_id})

    def post_change_suggestions(
        self,
        body: t.ChangeSuggestionCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ChangeSuggestion:
        """Suggest a change

        Nothing is changed until a person accepts it. Suggesting the same again returns the open suggestion.

        Requires permission `questions.ask`.

        POST /change_suggestions
        """
        return self._call("POST", "/change_suggestions", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_change_suggestions_by_change_suggestion_id(self, change_suggestion_id: str) -> t.ChangeSuggestion:
        """Get a suggested change

        Requires permission `catalog.read`.

        GET /change_suggestions/{change_suggestion_id}
        """
        return self._call("GET", "/change_suggestions/{change_suggestion_id}", params={"change_suggestion_id": change_suggestion_id})

    def patch_change_suggestions_by_change_suggestion_id(
        self,
        change_suggestion_id: str,
        body: t.ChangeSuggestionEdit,
    ) -> t.ChangeSuggestion:
        """Edit an open suggestion before it is accepted

        Requires permission `catalog.write`.

        PATCH /change_suggestions/{change_suggestion_id}
        """
        return self._call("PATCH", "/change_suggestions/{change_suggestion_id}", params={"change_suggestion_id": change_suggestion_id}, body=body)

    def post_change_suggestions_by_change_suggestion_id_accept(
        self,
        change_suggestion_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ChangeSuggestion:
        """Accept a suggested change and apply it

        The resource is edited as by you and gets a new version.

        Requires permission `catalog.write`.

        POST /change_suggestions/{change_suggestion_id}/accept
        """
        return self._call("POST", "/change_suggestions/{change_suggestion_id}/accept", params={"change_suggestion_id": change_suggestion_id}, headers={"Idempotency-Key": idempotency_key})

    def post_change_suggestions_by_change_suggestion_id_reject(
        self,
        change_suggestion_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ChangeSuggestion:
        """Reject a suggested change

        Requires permission `catalog.write`.

        POST /change_suggestions/{change_suggestion_id}/reject
        """
        return self._call("POST", "/change_suggestions/{change_suggestion_id}/reject", params={"change_suggestion_id": change_suggestion_id}, headers={"Idempotency-Key": idempotency_key})

    def post_resource_all_by_resource_id_term_suggestions_by_term_id_dismiss(
        self,
        resource_id: str,
        term_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ChangeSuggestion:
        """Dismiss a suggested glossary term

        Recorded as a rejected suggestion; the term is not suggested for this resource again. 404 if it is not suggested.

        Requires permission `catalog.write`.

        POST /resource/all/{resource_id}/term_suggestions/{term_id}/dismiss
        """
        return self._call("POST", "/resource/all/{resource_id}/term_suggestions/{term_id}/dismiss", params={"resource_id": resource_id, "term_id": term_id}, headers={"Idempotency-Key": idempotency_key})

    def get_comments(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        resource_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        created_by: Optional[str] = None,
        status: Optional[Literal["open", "resolved"]] = None,
    ) -> t.CommentPage:
        """List comments, thread by thread

        The newest threads first, each from its first to its last comment. Comments on what you cannot see are left out.

        Requires permission `catalog.read`.

        GET /comments
        """
        return self._call("GET", "/comments", query={"page": page, "page_size": page_size, "cursor": cursor, "resource_id": resource_id, "thread_id": thread_id, "created_by": created_by, "status": status})

    def all_comments(
        self,
        *,
        page_size: Optional[int] = None,
        resource_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        created_by: Optional[str] = None,
        status: Optional[Literal["open", "resolved"]] = None,
    ) -> Iterator[t.Comment]:
        """List comments, thread by thread

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        The newest threads first, each from its first to its last comment. Comments on what you cannot see are left out.

        Requires permission `catalog.read`.

        GET /comments
        """
        return self._all("/comments", query={"page_size": page_size, "resource_id": resource_id, "thread_id": thread_id, "created_by": created_by, "status": status})

    def post_comments(self, body: t.CommentCreate, *, idempotency_key: Optional[str] = None) -> t.Comment:
        """Comment on a resource or reply

        Owners, subscribers, everyone who wrote in the thread and the people mentioned are notified.

        Requires permission `questions.ask`.

        POST /comments
        """
        return self._call("POST", "/comments", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_comments_by_comment_id(self, comment_id: str) -> t.Comment:
        """Get a comment

        Requires permission `catalog.read`.

        GET /comments/{comment_id}
        """
        return self._call("GET", "/comments/{comment_id}", params={"comment_id": comment_id})

    def patch_comments_by_comment_id(
        self,
        comment_id: str,
        body: t.CommentEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Comment:
        """Edit your comment, or resolve or reopen its thread

        Requires permission `questions.ask`.

        PATCH /comments/{comment_id}
        """
        return self._call("PATCH", "/comments/{comment_id}", params={"comment_id": comment_id}, body=body, headers={"If-Match": if_match})

    def delete_comments_by_comment_id(self, comment_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete your comment

        Admins delete any comment. The first comment of a thread with replies stays without its text.

        Requires permission `questions.ask`.

        DELETE /comments/{comment_id}
        """
        return self._call("DELETE", "/comments/{comment_id}", params={"comment_id": comment_id}, headers={"If-Match": if_match})

    def put_comments_by_comment_id_reactions_by_reaction(
        self,
        comment_id: str,
        reaction: Literal["thumbs_up", "thumbs_down", "heart", "celebrate", "eyes", "thinking"],
    ) -> t.Comment:
        """React to a comment

        Each person can give each kind once. Nobody is notified.

        Requires permission `questions.ask`.

        PUT /comments/{comment_id}/reactions/{reaction}
        """
        return self._call("PUT", "/comments/{comment_id}/reactions/{reaction}", params={"comment_id": comment_id, "reaction": reaction})

    def delete_comments_by_comment_id_reactions_by_reaction(
        self,
        comment_id: str,
        reaction: Literal["thumbs_up", "thumbs_down", "heart", "celebrate", "eyes", "thinking"],
    ) -> t.Comment:
        """Remove your reaction to a comment

        Requires permission `questions.ask`.

        DELETE /comments/{comment_id}/reactions/{reaction}
        """
        return self._call("DELETE", "/comments/{comment_id}/reactions/{reaction}", params={"comment_id": comment_id, "reaction": reaction})

    def get_ai_settings(self) -> t.AssistantSettings:
        """Get the settings of the assistant

        Requires permission `assistant.manage`.

        GET /ai/settings
        """
        return self._call("GET", "/ai/settings")

    def put_ai_settings(self, body: t.AssistantSettingsEdit) -> t.AssistantSettings:
        """Set the language model of the assistant and its limits

        Changing `url` or `provider` requires `key` again, so that a stored key is never sent to another destination.

        Requires permission `assistant.manage`.

        PUT /ai/settings
        """
        return self._call("PUT", "/ai/settings", body=body)

    def post_ai_settings_test(self, *, idempotency_key: Optional[str] = None) -> t.ModelTest:
        """Send a test question to the language model

        Uses the saved settings, also while the assistant is turned off.

        Requires permission `assistant.manage`.

        POST /ai/settings/test
        """
        return self._call("POST", "/ai/settings/test", headers={"Idempotency-Key": idempotency_key})

    def post_ai_drafts(self, body: t.DraftRequest, *, idempotency_key: Optional[str] = None) -> t.Job:
        """Draft missing descriptions in a background job

        Drafts are suggested changes with `by: ai` and their grounds (`GET /change_suggestions?by=ai`): people accept, edit or reject them. Without a model, columns inherit descriptions along lineage that passes values on unchanged, and names are put into words where that says something. Rejected drafts are not proposed again. Cancel with `POST /background_jobs/{job_id}/cancel`.

        Requires permission `catalog.write`.

        POST /ai/drafts
        """
        return self._call("POST", "/ai/drafts", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_resource_preview_v2_table_by_table_id(
        self,
        table_id: str,
        *,
        show_pii: Optional[bool] = None,
        sort_by: Optional[str] = None,
        sort_direction: Optional[Literal["asc", "desc"]] = None,
        filter_by: Optional[str] = None,
        filter_operator: Optional[Literal["equals", "not_equals", "contains", "greater", "less", "is_empty", "is_not_empty"]] = None,
        filter_value: Optional[str] = None,
    ) -> t.Preview:
        """Preview the first rows of a table

        At most 50 rows, read live from the source and not stored: the first ones, or those of a sort order and a filter. Columns marked as PII are not read, and their cells contain •••; users who can edit the table can request them with `show_pii`, which is recorded in the audit log. For other users, columns with a pending PII suggestion are hidden as well. Requires `preview_enabled` on the integration; 409 explains why there is no preview.

        Requires permission `catalog.read`.

        GET /resource/preview_v2/table/{table_id}/
        """
        return self._call("GET", "/resource/preview_v2/table/{table_id}/", params={"table_id": table_id}, query={"show_pii": show_pii, "sort_by": sort_by, "sort_direction": sort_direction, "filter_by": filter_by, "filter_operator": filter_operator, "filter_value": filter_value})

    def post_resource_all_by_resource_id_profile(
        self,
        resource_id: str,
        body: t.ProfileRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Job:
        """Profile a table or column in a background job

        Reads a sample, or the whole table if requested. Also detects personal data (see `/pii/suggestions`). For columns that are or may be PII, only counts are stored.

        Requires permission `catalog.write`.

        POST /resource/all/{resource_id}/profile
        """
        return self._call("POST", "/resource/all/{resource_id}/profile", params={"resource_id": resource_id}, body=body, headers={"Idempotency-Key": idempotency_key})

    def get_resource_all_by_resource_id_profile(self, resource_id: str) -> t.Profile:
        """Get the profile of a table or column

        The stored profile. The source is not queried.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/profile
        """
        return self._call("GET", "/resource/all/{resource_id}/profile", params={"resource_id": resource_id})

    def get_resource_all_by_resource_id_profile_history(
        self,
        resource_id: str,
        *,
        days: Optional[int] = None,
    ) -> t.ProfileHistory:
        """Get the profiles of a table or column over time

        Row counts of a table, nulls and distinct values of a column: the last profile of each day.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/profile/history
        """
        return self._call("GET", "/resource/all/{resource_id}/profile/history", params={"resource_id": resource_id}, query={"days": days})

    def get_resource_all_by_resource_id_profile_trends(self, resource_id: str) -> t.ColumnTrends:
        """Get nulls and distinct values of the columns of a table over time

        The last profiles of all columns in one response, for small charts. Counts only, never values.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/profile/trends
        """
        return self._call("GET", "/resource/all/{resource_id}/profile/trends", params={"resource_id": resource_id})

    def get_resource_all_by_resource_id_profile_schedule(self, resource_id: str) -> t.ProfileSchedule:
        """Get the regular profiles of a table

        Without a schedule, `schedule` is null.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/profile/schedule
        """
        return self._call("GET", "/resource/all/{resource_id}/profile/schedule", params={"resource_id": resource_id})

    def put_resource_all_by_resource_id_profile_schedule(
        self,
        resource_id: str,
        body: t.ProfileScheduleEdit,
    ) -> t.ProfileSchedule:
        """Profile a table regularly

        409 if the table has no source that can be queried.

        Requires permission `catalog.write`.

        PUT /resource/all/{resource_id}/profile/schedule
        """
        return self._call("PUT", "/resource/all/{resource_id}/profile/schedule", params={"resource_id": resource_id}, body=body)

    def delete_resource_all_by_resource_id_profile_schedule(self, resource_id: str) -> None:
        """Stop the regular profiles of a table

        Requires permission `catalog.write`.

        DELETE /resource/all/{resource_id}/profile/schedule
        """
        return self._call("DELETE", "/resource/all/{resource_id}/profile/schedule", params={"resource_id": resource_id})

    def get_integration_integrations_by_integration_id_profile_schedule(self, integration_id: str) -> t.ProfileSchedule:
        """Get the regular profiles of all tables of an integration

        Without a schedule, `schedule` is null.

        Requires permission `integrations.read`.

        GET /integration/integrations/{integration_id}/profile_schedule
        """
        return self._call("GET", "/integration/integrations/{integration_id}/profile_schedule", params={"integration_id": integration_id})

    def put_integration_integrations_by_integration_id_profile_schedule(
        self,
        integration_id: str,
        body: t.ProfileScheduleEdit,
    ) -> t.ProfileSchedule:
        """Profile all tables of an integration regularly

        Requires permission `integrations.manage`.

        PUT /integration/integrations/{integration_id}/profile_schedule
        """
        return self._call("PUT", "/integration/integrations/{integration_id}/profile_schedule", params={"integration_id": integration_id}, body=body)

    def delete_integration_integrations_by_integration_id_profile_schedule(self, integration_id: str) -> None:
        """Stop the regular profiles of all tables of an integration

        Requires permission `integrations.manage`.

        DELETE /integration/integrations/{integration_id}/profile_schedule
        """
        return self._call("DELETE", "/integration/integrations/{integration_id}/profile_schedule", params={"integration_id": integration_id})

    def post_resource_all_by_resource_id_query(
        self,
        resource_id: str,
        body: t.DataQuery,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.DataQueryResult:
        """Query a table

        Runs one SELECT in the source of the table, read-only and with a time limit, and returns at most 200 rows. It is checked like the custom SQL of a monitor: only functions on the list, only synced tables of the same integration that you can see. Columns you cannot see do not exist in it; the values of masked columns are •••. Requires `preview_enabled` on the integration. 400 says what is not allowed, 409 why the source did not answer. The audit log records each query without its literal values.

        Requires permission `data.query`.

        POST /resource/all/{resource_id}/query
        """
        return self._call("POST", "/resource/all/{resource_id}/query", params={"resource_id": resource_id}, body=body, headers={"Idempotency-Key": idempotency_key})

    def get_pii_suggestions(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["open", "accepted", "rejected"]] = None,
        class_: Optional[Literal["email", "phone", "iban", "card", "national_id", "ip", "person_name", "birth_date", "address"]] = None,
        min_confidence: Optional[float] = None,
        integration_id: Optional[str] = None,
        resource_id: Optional[str] = None,
    ) -> t.PiiSuggestionPage:
        """List PII suggestions, highest confidence first

        Columns that may contain personal data, with confidence and evidence. The evidence contains patterns and counts, never values.

        Requires permission `catalog.write`.

        GET /pii/suggestions
        """
        return self._call("GET", "/pii/suggestions", query={"page": page, "page_size": page_size, "cursor": cursor, "status": status, "class": class_, "min_confidence": min_confidence, "integration_id": integration_id, "resource_id": resource_id})

    def all_pii_suggestions(
        self,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["open", "accepted", "rejected"]] = None,
        class_: Optional[Literal["email", "phone", "iban", "card", "national_id", "ip", "person_name", "birth_date", "address"]] = None,
        min_confidence: Optional[float] = None,
        integration_id: Optional[str] = None,
        resource_id: Optional[str] = None,
    ) -> Iterator[t.PiiSuggestion]:
        """List PII suggestions, highest confidence first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Columns that may contain personal data, with confidence and evidence. The evidence contains patterns and counts, never values.

        Requires permission `catalog.write`.

        GET /pii/suggestions
        """
        return self._all("/pii/suggestions", query={"page_size": page_size, "status": status, "class": class_, "min_confidence": min_confidence, "integration_id": integration_id, "resource_id": resource_id})

    def get_pii_suggestions_by_suggestion_id(self, suggestion_id: str) -> t.PiiSuggestion:
        """Get a PII suggestion

        Requires permission `catalog.write`.

        GET /pii/suggestions/{suggestion_id}
        """
        return self._call("GET", "/pii/suggestions/{suggestion_id}", params={"suggestion_id": suggestion_id})

    def post_pii_suggestions_by_suggestion_id_accept(
        self,
        suggestion_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.PiiSuggestion:
        """Accept a PII suggestion and mark the column as PII

        The column is edited and gets a new version.

        Requires permission `catalog.write`.

        POST /pii/suggestions/{suggestion_id}/accept
        """
        return self._call("POST", "/pii/suggestions/{suggestion_id}/accept", params={"suggestion_id": suggestion_id}, headers={"Idempotency-Key": idempotency_key})

    def post_pii_suggestions_by_suggestion_id_reject(
        self,
        suggestion_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.PiiSuggestion:
        """Reject a PII suggestion

        The column is not suggested again, unless another kind of personal data is detected later.

        Requires permission `catalog.write`.

        POST /pii/suggestions/{suggestion_id}/reject
        """
        return self._call("POST", "/pii/suggestions/{suggestion_id}/reject", params={"suggestion_id": suggestion_id}, headers={"Idempotency-Key": idempotency_key})

    def get_pii_rules_by_integration_id(self, integration_id: str) -> t.PiiRule:
        """Get the PII rule of an integration

        Requires permission `integrations.read`.

        GET /pii/rules/{integration_id}
        """
        return self._call("GET", "/pii/rules/{integration_id}", params={"integration_id": integration_id})

    def patch_pii_rules_by_integration_id(self, integration_id: str, body: t.PiiRuleEdit) -> t.PiiRule:
        """Edit the PII rule of an integration

        Suggestions with a confidence of at least `accept_from` are accepted automatically: pending ones immediately, new ones when they are created.

        Requires permission `integrations.manage`.

        PATCH /pii/rules/{integration_id}
        """
        return self._call("PATCH", "/pii/rules/{integration_id}", params={"integration_id": integration_id}, body=body)

    def post_pii_scan_by_integration_id(self, integration_id: str, *, idempotency_key: Optional[str] = None) -> t.Job:
        """Scan all tables of an integration for PII in a background job

        Checks column names and 300 rows of each table.

        Requires permission `integrations.manage`.

        POST /pii/scan/{integration_id}
        """
        return self._call("POST", "/pii/scan/{integration_id}", params={"integration_id": integration_id}, headers={"Idempotency-Key": idempotency_key})

    def get_resource_export(
        self,
        *,
        format: Optional[Literal["csv", "jsonl", "xlsx"]] = None,
        fields: Optional[str] = None,
        properties: Optional[bool] = None,
        property_columns: Optional[bool] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
        search_term: Optional[str] = None,
        spelling: Optional[Literal["on", "off"]] = None,
        include: Optional[Literal["health"]] = None,
        entity_type: Optional[str] = None,
        integration_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        title: Optional[str] = None,
        teams: Optional[str] = None,
        database: Optional[str] = None,
        schema: Optional[str] = None,
    ) -> bytes:
        """Export resources

        Exports everything the catalog list returns for these parameters, as one consistent snapshot. Ordered by `id` unless `sort` is set.

        Requires permission `catalog.read`.

        GET /resource/export
        """
        return self._call("GET", "/resource/export", query={"format": format, "fields": fields, "properties": properties, "property_columns": property_columns, "filter": filter, "sort": sort, "search_term": search_term, "spelling": spelling, "include": include, "entity_type": entity_type, "integration_id": integration_id, "parent_id": parent_id, "title": title, "teams": teams, "database": database, "schema": schema})

    def get_activity_log_export(
        self,
        *,
        format: Optional[Literal["csv", "jsonl", "xlsx"]] = None,
        fields: Optional[str] = None,
        filter: Optional[Union[str, Mapping[str, Any]]] = None,
        sort: Optional[Union[str, Mapping[str, Any]]] = None,
    ) -> bytes:
        """Export the audit log

        Requires permission `audit.read`.

        GET /activity_log/export
        """
        return self._call("GET", "/activity_log/export", query={"format": format, "fields": fields, "filter": filter, "sort": sort})

    def post_integration_integrations_by_integration_id_import_metadata(
        self,
        integration_id: str,
        body: File,
        *,
        content_type: Literal["text/csv", "multipart/form-data"],
        dry_run: Optional[bool] = None,
        file_name: Optional[str] = None,
        background: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> Union[t.ImportResult, t.Job]:
        """Import a CSV file

        Each line is a resource, identified by its `databuilder_id`, or a lineage edge (`from_identifier`, `to_identifier`). A line of an existing resource changes
        only the fields it contains. Parents (`parent_databuilder_id`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (`Content-Encoding`).

        Requires permission `catalog.write`.

        POST /integration/integrations/{integration_id}/import_metadata/
        """
        return self._call("POST", "/integration/integrations/{integration_id}/import_metadata/", params={"integration_id": integration_id}, query={"dry_run": dry_run, "file_name": file_name, "background": background}, body=body, headers={"Idempotency-Key": idempotency_key, "Content-Type": content_type})

    def post_integration_integrations_by_integration_id_import_jsonl_metadata(
        self,
        integration_id: str,
        body: File,
        *,
        content_type: Literal["application/x-ndjson", "application/jsonl", "multipart/form-data"],
        dry_run: Optional[bool] = None,
        file_name: Optional[str] = None,
        background: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> Union[t.ImportResult, t.Job]:
        """Import a JSONL file

        Each line is a resource, identified by its `databuilder_id`, or a lineage edge (`from_identifier`, `to_identifier`). A line of an existing resource changes
        only the fields it contains. Parents (`parent_databuilder_id`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (`Content-Encoding`).

        Requires permission `catalog.write`.

        POST /integration/integrations/{integration_id}/import_jsonl_metadata/
        """
        return self._call("POST", "/integration/integrations/{integration_id}/import_jsonl_metadata/", params={"integration_id": integration_id}, query={"dry_run": dry_run, "file_name": file_name, "background": background}, body=body, headers={"Idempotency-Key": idempotency_key, "Content-Type": content_type})

    def post_integration_integrations_by_integration_id_import_xlsx_metadata(
        self,
        integration_id: str,
        body: File,
        *,
        content_type: Literal["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "multipart/form-data"],
        dry_run: Optional[bool] = None,
        file_name: Optional[str] = None,
        background: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> Union[t.ImportResult, t.Job]:
        """Import an XLSX file

        Each line is a resource, identified by its `databuilder_id`, or a lineage edge (`from_identifier`, `to_identifier`). A line of an existing resource changes
        only the fields it contains. Parents (`parent_databuilder_id`) can be anywhere in the file. All or nothing. The body can be compressed with gzip (`Content-Encoding`).

        Requires permission `catalog.write`.

        POST /integration/integrations/{integration_id}/import_xlsx_metadata/
        """
        return self._call("POST", "/integration/integrations/{integration_id}/import_xlsx_metadata/", params={"integration_id": integration_id}, query={"dry_run": dry_run, "file_name": file_name, "background": background}, body=body, headers={"Idempotency-Key": idempotency_key, "Content-Type": content_type})

    def get_imports(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.ImportPage:
        """List imports, newest first

        Imports of files that wrote something. Admins see every import, others their own.

        Requires permission `catalog.write`.

        GET /imports
        """
        return self._call("GET", "/imports", query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_imports(self, *, page_size: Optional[int] = None) -> Iterator[t.Import]:
        """List imports, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Imports of files that wrote something. Admins see every import, others their own.

        Requires permission `catalog.write`.

        GET /imports
        """
        return self._all("/imports", query={"page_size": page_size})

    def get_imports_by_import_id(self, import_id: str) -> t.ImportDetails:
        """Get an import

        Requires permission `catalog.write`.

        GET /imports/{import_id}
        """
        return self._call("GET", "/imports/{import_id}", params={"import_id": import_id})

    def post_imports_by_import_id_undo(
        self,
        import_id: str,
        *,
        dry_run: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> Union[t.ImportUndo, t.Job]:
        """Undo an import in a background job

        Within 90 days, by the person who imported the file or an admin. Resources the import created are moved to the trash, and what it changed gets the value it had before, custom property values and lineage too, with the permissions of the caller today. Whatever was changed since is kept: `dry_run` lists it. The job can be cancelled; what it has undone stays undone, and another undo continues.

        Requires permission `catalog.write`.

        POST /imports/{import_id}/undo
        """
        return self._call("POST", "/imports/{import_id}/undo", params={"import_id": import_id}, query={"dry_run": dry_run}, headers={"Idempotency-Key": idempotency_key})

    def get_server_backups(self) -> t.Backups:
        """List the last backups

        When backups were made, by whom and how large they were. Only the files of scheduled backups are stored on the server.

        Requires permission `server.manage`.

        GET /server/backups
        """
        return self._call("GET", "/server/backups")

    def get_server_backups_schedule(self) -> t.BackupSchedule:
        """Get the schedule of backups

        With the result of the last one.

        Requires permission `server.manage`.

        GET /server/backups/schedule
        """
        return self._call("GET", "/server/backups/schedule")

    def put_server_backups_schedule(self, body: t.BackupScheduleEdit) -> t.BackupSchedule:
        """Set the schedule of backups

        The server writes a backup to its folder for backups at these times, once for all processes, and then removes the oldest scheduled ones beyond `keep`. Admins are notified if it fails. 409 if the server has no folder for backups.

        Requires permission `server.manage`.

        PUT /server/backups/schedule
        """
        return self._call("PUT", "/server/backups/schedule", body=body)

    def delete_server_backups_schedule(self) -> None:
        """Turn off scheduled backups

        The files that exist are kept.

        Requires permission `server.manage`.

        DELETE /server/backups/schedule
        """
        return self._call("DELETE", "/server/backups/schedule")

    def get_server_backups_file(self) -> bytes:
        """Download a backup

        A consistent snapshot of the whole workspace, made while it is sent; the same file as `tablinum backup` writes, for `tablinum restore`. Secrets in it stay encrypted, and their key is not in it. A file that was not received completely is rejected by the restore. The audit log records the download.

        Requires permission `server.manage`.

        GET /server/backups/file
        """
        return self._call("GET", "/server/backups/file")

    def get_monitor_config(self, *, file: Optional[str] = None) -> bytes:
        """Export monitors as a YAML file

        Contains the monitors you can see. The output is deterministic, so it can be committed to version control.

        Requires permission `monitors.config`.

        GET /monitor/config
        """
        return self._call("GET", "/monitor/config", query={"file": file})

    def put_monitor_config(
        self,
        body: Union[str, File],
        *,
        dry_run: Optional[bool] = None,
        prune: Optional[bool] = None,
        content_type: Optional[Literal["application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml", "text/plain", "application/json"]] = None,
    ) -> t.MonitorConfigResult:
        """Apply a YAML file of monitors

        Either the whole file is applied or nothing is changed; errors include line numbers. A monitor is identified by its name and the path of its target. Monitors that this file created and no longer contains are deleted unless `prune=false`.

        Requires permission `monitors.write`.

        PUT /monitor/config
        """
        return self._call("PUT", "/monitor/config", query={"dry_run": dry_run, "prune": prune}, body=body, headers={"Content-Type": content_type})

    def get_monitor_gate(
        self,
        *,
        resource_id: Optional[str] = None,
        path: Optional[str] = None,
        upstream: Optional[bool] = None,
        checks: Optional[str] = None,
        ignore_acknowledged: Optional[bool] = None,
        fail_status: Optional[Literal[200, 409, 412, 424]] = None,
        if_match: Optional[str] = None,
    ) -> t.Gate:
        """Check whether a pipeline should use a resource

        Returns `fail` if a monitor of the resource (with `upstream=true`, also of any upstream resource) has an open incident, could not be measured, or is overdue. The HTTP status is 200 in either case unless `fail_status` is set.

        Requires permission `monitors.read`.

        GET /monitor/gate
        """
        return self._call("GET", "/monitor/gate", query={"resource_id": resource_id, "path": path, "upstream": upstream, "checks": checks, "ignore_acknowledged": ignore_acknowledged, "fail_status": fail_status}, headers={"If-Match": if_match})

    def get_monitor_monitors(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "normal", "incident", "error"]] = None,
        monitor: Optional[str] = None,
        target: Optional[str] = None,
        resource_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        metric_type: Optional[Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]] = None,
        severity: Optional[Literal["low", "medium", "high", "critical"]] = None,
        is_enabled: Optional[bool] = None,
        name: Optional[str] = None,
        recent: Optional[int] = None,
    ) -> t.MonitorPage:
        """List monitors, newest first

        Requires permission `monitors.read`.

        GET /monitor/monitors
        """
        return self._call("GET", "/monitor/monitors", query={"page": page, "page_size": page_size, "cursor": cursor, "status": status, "monitor": monitor, "target": target, "resource_id": resource_id, "integration_id": integration_id, "metric_type": metric_type, "severity": severity, "is_enabled": is_enabled, "name": name, "recent": recent})

    def all_monitor_monitors(
        self,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["pending", "normal", "incident", "error"]] = None,
        monitor: Optional[str] = None,
        target: Optional[str] = None,
        resource_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        metric_type: Optional[Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]] = None,
        severity: Optional[Literal["low", "medium", "high", "critical"]] = None,
        is_enabled: Optional[bool] = None,
        name: Optional[str] = None,
        recent: Optional[int] = None,
    ) -> Iterator[t.Monitor]:
        """List monitors, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `monitors.read`.

        GET /monitor/monitors
        """
        return self._all("/monitor/monitors", query={"page_size": page_size, "status": status, "monitor": monitor, "target": target, "resource_id": resource_id, "integration_id": integration_id, "metric_type": metric_type, "severity": severity, "is_enabled": is_enabled, "name": name, "recent": recent})

    def post_monitor_monitors(self, body: t.MonitorCreate, *, idempotency_key: Optional[str] = None) -> t.Monitor:
        """Create a monitor

        Without `condition_auto_sensitivity` and without manual limits, the thresholds are automatic with sensitivity 5. If the table has a timestamp column, earlier values are backfilled so that the expected range is available immediately.

        Requires permission `monitors.write`.

        POST /monitor/monitors
        """
        return self._call("POST", "/monitor/monitors", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_monitor_monitors_run(self, body: t.RunMonitors, *, idempotency_key: Optional[str] = None) -> t.Job:
        """Run monitors now, in a background job

        Monitors that could not be measured are listed in the job’s `logs`.

        Requires permission `monitors.run`.

        POST /monitor/monitors/run
        """
        return self._call("POST", "/monitor/monitors/run", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_monitor_monitors_by_monitor_id(self, monitor_id: str) -> t.Monitor:
        """Get a monitor

        Requires permission `monitors.read`.

        GET /monitor/monitors/{monitor_id}
        """
        return self._call("GET", "/monitor/monitors/{monitor_id}", params={"monitor_id": monitor_id})

    def patch_monitor_monitors_by_monitor_id(
        self,
        monitor_id: str,
        body: t.MonitorEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Monitor:
        """Edit a monitor

        Setting a sensitivity makes the thresholds automatic; setting a minimum or maximum makes them manual. The target and the metric cannot be changed.

        Requires permission `monitors.write`.

        PATCH /monitor/monitors/{monitor_id}
        """
        return self._call("PATCH", "/monitor/monitors/{monitor_id}", params={"monitor_id": monitor_id}, body=body, headers={"If-Match": if_match})

    def delete_monitor_monitors_by_monitor_id(self, monitor_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a monitor with its measurements and incidents

        Requires permission `monitors.write`.

        DELETE /monitor/monitors/{monitor_id}
        """
        return self._call("DELETE", "/monitor/monitors/{monitor_id}", params={"monitor_id": monitor_id}, headers={"If-Match": if_match})

    def get_monitor_incidents(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["active", "acknowledged", "resolved", "open"]] = None,
        severity: Optional[Literal["low", "medium", "high", "critical"]] = None,
        snoozed: Optional[bool] = None,
        monitor: Optional[str] = None,
        target: Optional[str] = None,
        resource_id: Optional[str] = None,
        assignee: Optional[str] = None,
        team_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        owner_id: Optional[str] = None,
        opened_since: Optional[str] = None,
        resolved_since: Optional[str] = None,
    ) -> t.IncidentPage:
        """List incidents, newest first

        Requires permission `monitors.read`.

        GET /monitor/incidents
        """
        return self._call("GET", "/monitor/incidents", query={"page": page, "page_size": page_size, "cursor": cursor, "status": status, "severity": severity, "snoozed": snoozed, "monitor": monitor, "target": target, "resource_id": resource_id, "assignee": assignee, "team_id": team_id, "integration_id": integration_id, "owner_id": owner_id, "opened_since": opened_since, "resolved_since": resolved_since})

    def all_monitor_incidents(
        self,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["active", "acknowledged", "resolved", "open"]] = None,
        severity: Optional[Literal["low", "medium", "high", "critical"]] = None,
        snoozed: Optional[bool] = None,
        monitor: Optional[str] = None,
        target: Optional[str] = None,
        resource_id: Optional[str] = None,
        assignee: Optional[str] = None,
        team_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        owner_id: Optional[str] = None,
        opened_since: Optional[str] = None,
        resolved_since: Optional[str] = None,
    ) -> Iterator[t.Incident]:
        """List incidents, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `monitors.read`.

        GET /monitor/incidents
        """
        return self._all("/monitor/incidents", query={"page_size": page_size, "status": status, "severity": severity, "snoozed": snoozed, "monitor": monitor, "target": target, "resource_id": resource_id, "assignee": assignee, "team_id": team_id, "integration_id": integration_id, "owner_id": owner_id, "opened_since": opened_since, "resolved_since": resolved_since})

    def get_monitor_incidents_tables(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["active", "acknowledged", "resolved", "open"]] = None,
        severity: Optional[Literal["low", "medium", "high", "critical"]] = None,
        snoozed: Optional[bool] = None,
        monitor: Optional[str] = None,
        target: Optional[str] = None,
        resource_id: Optional[str] = None,
        assignee: Optional[str] = None,
        team_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        owner_id: Optional[str] = None,
        opened_since: Optional[str] = None,
        resolved_since: Optional[str] = None,
    ) -> t.IncidentTablePage:
        """List incidents by table: those with open ones first, by severity

        Requires permission `monitors.read`.

        GET /monitor/incidents/tables
        """
        return self._call("GET", "/monitor/incidents/tables", query={"page": page, "page_size": page_size, "cursor": cursor, "status": status, "severity": severity, "snoozed": snoozed, "monitor": monitor, "target": target, "resource_id": resource_id, "assignee": assignee, "team_id": team_id, "integration_id": integration_id, "owner_id": owner_id, "opened_since": opened_since, "resolved_since": resolved_since})

    def all_monitor_incidents_tables(
        self,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["active", "acknowledged", "resolved", "open"]] = None,
        severity: Optional[Literal["low", "medium", "high", "critical"]] = None,
        snoozed: Optional[bool] = None,
        monitor: Optional[str] = None,
        target: Optional[str] = None,
        resource_id: Optional[str] = None,
        assignee: Optional[str] = None,
        team_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        owner_id: Optional[str] = None,
        opened_since: Optional[str] = None,
        resolved_since: Optional[str] = None,
    ) -> Iterator[t.IncidentTable]:
        """List incidents by table: those with open ones first, by severity

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `monitors.read`.

        GET /monitor/incidents/tables
        """
        return self._all("/monitor/incidents/tables", query={"page_size": page_size, "status": status, "severity": severity, "snoozed": snoozed, "monitor": monitor, "target": target, "resource_id": resource_id, "assignee": assignee, "team_id": team_id, "integration_id": integration_id, "owner_id": owner_id, "opened_since": opened_since, "resolved_since": resolved_since})

    def get_monitor_incident_by_incident_id(self, incident_id: str) -> t.Incident:
        """Get an incident

        Requires permission `monitors.read`.

        GET /monitor/incident/{incident_id}
        """
        return self._call("GET", "/monitor/incident/{incident_id}", params={"incident_id": incident_id})

    def patch_monitor_incident_by_incident_id(
        self,
        incident_id: str,
        body: t.IncidentEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Incident:
        """Acknowledge, snooze, resolve, assign or comment on an incident

        Requires permission `monitors.write`.

        PATCH /monitor/incident/{incident_id}
        """
        return self._call("PATCH", "/monitor/incident/{incident_id}", params={"incident_id": incident_id}, body=body, headers={"If-Match": if_match})

    def get_monitor_incidents_by_incident_id(self, incident_id: str) -> t.Incident:
        """Get an incident (plural path)

        Requires permission `monitors.read`.

        GET /monitor/incidents/{incident_id}
        """
        return self._call("GET", "/monitor/incidents/{incident_id}", params={"incident_id": incident_id})

    def patch_monitor_incidents_by_incident_id(
        self,
        incident_id: str,
        body: t.IncidentEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Incident:
        """Acknowledge, snooze, resolve, assign or comment on an incident (plural path)

        Requires permission `monitors.write`.

        PATCH /monitor/incidents/{incident_id}
        """
        return self._call("PATCH", "/monitor/incidents/{incident_id}", params={"incident_id": incident_id}, body=body, headers={"If-Match": if_match})

    def get_insights(
        self,
        *,
        team_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        owner_id: Optional[str] = None,
        days: Optional[int] = None,
        format: Optional[Literal["json", "csv"]] = None,
    ) -> t.Insights:
        """Count documentation, ownership, health, usage and incidents

        Of the workspace, a team, an integration or an owner. Each number has the filter that lists what it counts.

        Requires permission `monitors.read`.

        GET /insights
        """
        return self._call("GET", "/insights", query={"team_id": team_id, "integration_id": integration_id, "owner_id": owner_id, "days": days, "format": format})

    def get_insights_trends(
        self,
        *,
        team_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        owner_id: Optional[str] = None,
        days: Optional[int] = None,
        format: Optional[Literal["json", "csv"]] = None,
    ) -> t.InsightTrends:
        """Get the insights of each day

        From a snapshot that is taken every day and kept for 92 days. Incidents are counted from their history.

        Requires permission `monitors.read`.

        GET /insights/trends
        """
        return self._call("GET", "/insights/trends", query={"team_id": team_id, "integration_id": integration_id, "owner_id": owner_id, "days": days, "format": format})

    def get_insights_groups(
        self,
        *,
        team_id: Optional[str] = None,
        integration_id: Optional[str] = None,
        owner_id: Optional[str] = None,
        by: Optional[Literal["team", "integration", "owner", "schema"]] = None,
        format: Optional[Literal["json", "csv"]] = None,
    ) -> t.InsightGroups:
        """Compare teams, integrations, owners or schemas

        Requires permission `monitors.read`.

        GET /insights/groups
        """
        return self._call("GET", "/insights/groups", query={"team_id": team_id, "integration_id": integration_id, "owner_id": owner_id, "by": by, "format": format})

    def get_lineage_root_cause(self, *, resource_id: str) -> t.RootCause:
        """Find out why a number may be wrong

        Checks the resource and everything upstream for open incidents, late data, changed columns, changed SQL, failed tests and failed job runs. Cut to what you can see.

        Requires permission `catalog.read`.

        GET /lineage/root_cause
        """
        return self._call("GET", "/lineage/root_cause", query={"resource_id": resource_id})

    def get_needs_you(
        self,
        *,
        limit: Optional[int] = None,
        kind: Optional[Literal["incidents", "questions", "discussions", "suggestions", "pii", "syncs", "backups", "undocumented", "unowned"]] = None,
    ) -> t.NeedsYou:
        """List what waits for you

        Incidents, questions, suggestions and gaps in what you own, cut to what you can see.

        Requires permission `catalog.read`.

        GET /needs_you
        """
        return self._call("GET", "/needs_you", query={"limit": limit, "kind": kind})

    def post_needs_you_hidden(self, body: t.NeedHide, *, idempotency_key: Optional[str] = None) -> None:
        """Hide an entry from your list, for good or until a time

        Only your own list changes: nothing is resolved or answered.

        Requires permission `self.write`.

        POST /needs_you/hidden
        """
        return self._call("POST", "/needs_you/hidden", body=body, headers={"Idempotency-Key": idempotency_key})

    def delete_needs_you_hidden_by_kind_by_item_id(
        self,
        kind: Literal["incidents", "questions", "discussions", "suggestions", "pii", "syncs", "backups", "undocumented", "unowned"],
        item_id: str,
    ) -> None:
        """Show a hidden entry again

        Requires permission `self.write`.

        DELETE /needs_you/hidden/{kind}/{item_id}
        """
        return self._call("DELETE", "/needs_you/hidden/{kind}/{item_id}", params={"kind": kind, "item_id": item_id})

    def get_monitor_measurements(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        monitor: Optional[str] = None,
        incident_id: Optional[str] = None,
    ) -> t.MeasurementPage:
        """List measurements of a monitor or an incident, newest first

        Requires permission `monitors.read`.

        GET /monitor/measurements
        """
        return self._call("GET", "/monitor/measurements", query={"page": page, "page_size": page_size, "cursor": cursor, "monitor": monitor, "incident_id": incident_id})

    def all_monitor_measurements(
        self,
        *,
        page_size: Optional[int] = None,
        monitor: Optional[str] = None,
        incident_id: Optional[str] = None,
    ) -> Iterator[t.Measurement]:
        """List measurements of a monitor or an incident, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `monitors.read`.

        GET /monitor/measurements
        """
        return self._all("/monitor/measurements", query={"page_size": page_size, "monitor": monitor, "incident_id": incident_id})

    def post_monitor_measurements(
        self,
        body: t.MeasurementPush,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.MeasurementsPushed:
        """Push measurements

        Values measured outside Tablinum are checked against the limits like any others. Either all values are saved or none. A value for a time that already has a measurement is ignored.

        Requires permission `monitors.write`.

        POST /monitor/measurements
        """
        return self._call("POST", "/monitor/measurements", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_monitor_measurements_by_measurement_id(self, measurement_id: str) -> t.Measurement:
        """Get a measurement

        Requires permission `monitors.read`.

        GET /monitor/measurements/{measurement_id}
        """
        return self._call("GET", "/monitor/measurements/{measurement_id}", params={"measurement_id": measurement_id})

    def patch_monitor_measurements_by_measurement_id(
        self,
        measurement_id: str,
        body: t.MeasurementEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Measurement:
        """Mark a measurement as expected or as an incident

        Requires permission `monitors.write`.

        PATCH /monitor/measurements/{measurement_id}
        """
        return self._call("PATCH", "/monitor/measurements/{measurement_id}", params={"measurement_id": measurement_id}, body=body, headers={"If-Match": if_match})

    def post_monitor_replay(self, body: t.ReplayRequest, *, idempotency_key: Optional[str] = None) -> t.Replay:
        """Simulate limits on past measurements

        Returns the anomalies and incidents these settings would have produced, for the measurements of a monitor or for values in the request. Nothing is saved.

        Requires permission `monitors.read`.

        POST /monitor/replay
        """
        return self._call("POST", "/monitor/replay", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_monitor_preview(self, body: t.MonitorCreate, *, idempotency_key: Optional[str] = None) -> t.MonitorPreview:
        """Preview a monitor

        Takes the same body as creating a monitor. Runs the metric once against the source, and a backfill if the table has a timestamp column. Nothing is saved.

        Requires permission `monitors.write`.

        POST /monitor/preview
        """
        return self._call("POST", "/monitor/preview", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_monitor_incidents_by_incident_id_failing_rows(self, incident_id: str) -> t.FailingRows:
        """Get a sample of the rows behind an incident

        For checks that count rows: `accepted_values`, `pattern`, `range`, `duplicates`, `referential`. Stored for two weeks if `preview_enabled` is on for the integration, and returned to those who can preview the table; 409 explains why not. `sample` is null if there is none.

        Requires permission `monitors.read`.

        GET /monitor/incidents/{incident_id}/failing_rows
        """
        return self._call("GET", "/monitor/incidents/{incident_id}/failing_rows", params={"incident_id": incident_id})

    def get_monitor_suggestions(self, *, resource_id: str) -> t.MonitorSuggestions:
        """List monitor suggestions for a table

        Suggestions are based on the table’s columns and their profiles, its usage and its downstream resources. Each has a reason.

        Requires permission `monitors.config`.

        GET /monitor/suggestions
        """
        return self._call("GET", "/monitor/suggestions", query={"resource_id": resource_id})

    def post_monitor_suggestions(
        self,
        body: t.SuggestionAccept,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.AcceptedSuggestions:
        """Create monitors from suggestions

        Requires permission `monitors.write`.

        POST /monitor/suggestions
        """
        return self._call("POST", "/monitor/suggestions", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_notification_inbox(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        unread: Optional[bool] = None,
        resource_id: Optional[str] = None,
    ) -> t.NotificationPage:
        """List your notifications, latest change first

        Changes made by others to resources you own or subscribe to. Resources you can no longer see are left out.

        Requires permission `self.read`.

        GET /notification/inbox
        """
        return self._call("GET", "/notification/inbox", query={"page": page, "page_size": page_size, "cursor": cursor, "unread": unread, "resource_id": resource_id})

    def all_notification_inbox(
        self,
        *,
        page_size: Optional[int] = None,
        unread: Optional[bool] = None,
        resource_id: Optional[str] = None,
    ) -> Iterator[t.Notification]:
        """List your notifications, latest change first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Changes made by others to resources you own or subscribe to. Resources you can no longer see are left out.

        Requires permission `self.read`.

        GET /notification/inbox
        """
        return self._all("/notification/inbox", query={"page_size": page_size, "unread": unread, "resource_id": resource_id})

    def get_notification_inbox_unread_count(self) -> t.Unread:
        """Count your unread notifications

        Requires permission `self.read`.

        GET /notification/inbox/unread_count
        """
        return self._call("GET", "/notification/inbox/unread_count")

    def post_notification_inbox_read_all(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.PostNotificationInboxReadAllResponse:
        """Mark all your notifications as read

        Requires permission `self.write`.

        POST /notification/inbox/read_all
        """
        return self._call("POST", "/notification/inbox/read_all", headers={"Idempotency-Key": idempotency_key})

    def get_notification_inbox_by_notification_id(self, notification_id: str) -> t.Notification:
        """Get a notification

        Requires permission `self.read`.

        GET /notification/inbox/{notification_id}
        """
        return self._call("GET", "/notification/inbox/{notification_id}", params={"notification_id": notification_id})

    def patch_notification_inbox_by_notification_id(
        self,
        notification_id: str,
        body: t.NotificationEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Notification:
        """Mark a notification as read or unread

        Requires permission `self.write`.

        PATCH /notification/inbox/{notification_id}
        """
        return self._call("PATCH", "/notification/inbox/{notification_id}", params={"notification_id": notification_id}, body=body, headers={"If-Match": if_match})

    def delete_notification_inbox_by_notification_id(
        self,
        notification_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Delete a notification

        Requires permission `self.write`.

        DELETE /notification/inbox/{notification_id}
        """
        return self._call("DELETE", "/notification/inbox/{notification_id}", params={"notification_id": notification_id}, headers={"If-Match": if_match})

    def get_notification_settings(self) -> t.NotificationSettings:
        """Get your notification settings

        Requires permission `self.read`.

        GET /notification/settings
        """
        return self._call("GET", "/notification/settings")

    def patch_notification_settings(
        self,
        body: t.NotificationSettingsEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.NotificationSettings:
        """Edit your notification settings

        The inbox is always on. To get no notifications about a resource, unsubscribe from it.

        Requires permission `self.write`.

        PATCH /notification/settings
        """
        return self._call("PATCH", "/notification/settings", body=body, headers={"If-Match": if_match})

    def get_notification_explanation_incident_by_incident_id(
        self,
        incident_id: str,
        *,
        user: Optional[str] = None,
    ) -> t.NotificationExplanation:
        """Explain why you were or were not notified of an incident

        Of its latest opening. Admins can ask for any user.

        Requires permission `self.read`.

        GET /notification/explanation/incident/{incident_id}
        """
        return self._call("GET", "/notification/explanation/incident/{incident_id}", params={"incident_id": incident_id}, query={"user": user})

    def get_notification_explanation_activity_by_activity_id(
        self,
        activity_id: str,
        *,
        user: Optional[str] = None,
    ) -> t.NotificationExplanation:
        """Explain why you were or were not notified of an entry of the activity log

        Admins can ask for any user.

        Requires permission `self.read`.

        GET /notification/explanation/activity/{activity_id}
        """
        return self._call("GET", "/notification/explanation/activity/{activity_id}", params={"activity_id": activity_id}, query={"user": user})

    def get_notification_deliveries(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "sending", "sent", "failed", "uncertain", "dropped"]] = None,
        channel: Optional[Literal["email", "slack", "teams", "pagerduty", "opsgenie", "webhook"]] = None,
        user: Optional[str] = None,
    ) -> t.DeliveryPage:
        """List deliveries, newest first

        Requires permission `notifications.manage`.

        GET /notification/deliveries
        """
        return self._call("GET", "/notification/deliveries", query={"page": page, "page_size": page_size, "cursor": cursor, "status": status, "channel": channel, "user": user})

    def all_notification_deliveries(
        self,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["pending", "sending", "sent", "failed", "uncertain", "dropped"]] = None,
        channel: Optional[Literal["email", "slack", "teams", "pagerduty", "opsgenie", "webhook"]] = None,
        user: Optional[str] = None,
    ) -> Iterator[t.Delivery]:
        """List deliveries, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `notifications.manage`.

        GET /notification/deliveries
        """
        return self._all("/notification/deliveries", query={"page_size": page_size, "status": status, "channel": channel, "user": user})

    def get_notification_deliveries_by_delivery_id(self, delivery_id: str) -> t.Delivery:
        """Get a delivery

        Requires permission `notifications.manage`.

        GET /notification/deliveries/{delivery_id}
        """
        return self._call("GET", "/notification/deliveries/{delivery_id}", params={"delivery_id": delivery_id})

    def post_notification_deliveries_by_delivery_id_retry(
        self,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> t.Delivery:
        """Retry a failed or uncertain delivery

        Requires permission `notifications.manage`.

        POST /notification/deliveries/{delivery_id}/retry
        """
        return self._call("POST", "/notification/deliveries/{delivery_id}/retry", params={"delivery_id": delivery_id}, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def get_notification_webhooks(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.WebhookPage:
        """List webhooks, newest first

        Requires permission `notifications.manage`.

        GET /notification/webhooks
        """
        return self._call("GET", "/notification/webhooks", query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_notification_webhooks(self, *, page_size: Optional[int] = None) -> Iterator[t.Webhook]:
        """List webhooks, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `notifications.manage`.

        GET /notification/webhooks
        """
        return self._all("/notification/webhooks", query={"page_size": page_size})

    def post_notification_webhooks(
        self,
        body: t.WebhookCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.NewWebhook:
        """Create a webhook

        The secret is returned only in this response.

        Requires permission `notifications.manage`.

        POST /notification/webhooks
        """
        return self._call("POST", "/notification/webhooks", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_notification_webhooks_by_webhook_id(self, webhook_id: str) -> t.Webhook:
        """Get a webhook

        Requires permission `notifications.manage`.

        GET /notification/webhooks/{webhook_id}
        """
        return self._call("GET", "/notification/webhooks/{webhook_id}", params={"webhook_id": webhook_id})

    def patch_notification_webhooks_by_webhook_id(
        self,
        webhook_id: str,
        body: t.WebhookEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.Webhook:
        """Edit a webhook

        Requires permission `notifications.manage`.

        PATCH /notification/webhooks/{webhook_id}
        """
        return self._call("PATCH", "/notification/webhooks/{webhook_id}", params={"webhook_id": webhook_id}, body=body, headers={"If-Match": if_match})

    def delete_notification_webhooks_by_webhook_id(self, webhook_id: str, *, if_match: Optional[str] = None) -> None:
        """Delete a webhook

        Requires permission `notifications.manage`.

        DELETE /notification/webhooks/{webhook_id}
        """
        return self._call("DELETE", "/notification/webhooks/{webhook_id}", params={"webhook_id": webhook_id}, headers={"If-Match": if_match})

    def post_notification_webhooks_by_webhook_id_rotate_secret(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> t.NewWebhook:
        """Rotate the secret of a webhook

        For one day deliveries are signed with both the new and the old secret.

        Requires permission `notifications.manage`.

        POST /notification/webhooks/{webhook_id}/rotate_secret
        """
        return self._call("POST", "/notification/webhooks/{webhook_id}/rotate_secret", params={"webhook_id": webhook_id}, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def post_notification_webhooks_by_webhook_id_test(
        self,
        webhook_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.WebhookDelivery:
        """Send a test delivery to a webhook

        Requires permission `notifications.manage`.

        POST /notification/webhooks/{webhook_id}/test
        """
        return self._call("POST", "/notification/webhooks/{webhook_id}/test", params={"webhook_id": webhook_id}, headers={"Idempotency-Key": idempotency_key})

    def get_notification_webhooks_by_webhook_id_deliveries(
        self,
        webhook_id: str,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "sending", "delivered", "failed"]] = None,
    ) -> t.WebhookDeliveryPage:
        """List deliveries of a webhook, newest first

        Requires permission `notifications.manage`.

        GET /notification/webhooks/{webhook_id}/deliveries
        """
        return self._call("GET", "/notification/webhooks/{webhook_id}/deliveries", params={"webhook_id": webhook_id}, query={"page": page, "page_size": page_size, "cursor": cursor, "status": status})

    def all_notification_webhooks_by_webhook_id_deliveries(
        self,
        webhook_id: str,
        *,
        page_size: Optional[int] = None,
        status: Optional[Literal["pending", "sending", "delivered", "failed"]] = None,
    ) -> Iterator[t.WebhookDelivery]:
        """List deliveries of a webhook, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `notifications.manage`.

        GET /notification/webhooks/{webhook_id}/deliveries
        """
        return self._all("/notification/webhooks/{webhook_id}/deliveries", params={"webhook_id": webhook_id}, query={"page_size": page_size, "status": status})

    def get_notification_webhooks_by_webhook_id_deliveries_by_webhook_delivery_id(
        self,
        webhook_id: str,
        webhook_delivery_id: str,
    ) -> t.WebhookDelivery:
        """Get a delivery of a webhook

        Requires permission `notifications.manage`.

        GET /notification/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}
        """
        return self._call("GET", "/notification/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}", params={"webhook_id": webhook_id, "webhook_delivery_id": webhook_delivery_id})

    def post_notification_webhooks_by_webhook_id_deliveries_by_webhook_delivery_id_redeliver(
        self,
        webhook_id: str,
        webhook_delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> t.WebhookDelivery:
        """Send a delivery again with the same ID

        Requires permission `notifications.manage`.

        POST /notification/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}/redeliver
        """
        return self._call("POST", "/notification/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}/redeliver", params={"webhook_id": webhook_id, "webhook_delivery_id": webhook_delivery_id}, headers={"Idempotency-Key": idempotency_key, "If-Match": if_match})

    def get_notification_channels(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.NotificationChannelPage:
        """List notification channels, newest first

        Requires permission `notifications.manage`.

        GET /notification/channels
        """
        return self._call("GET", "/notification/channels", query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_notification_channels(self, *, page_size: Optional[int] = None) -> Iterator[t.NotificationChannel]:
        """List notification channels, newest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `notifications.manage`.

        GET /notification/channels
        """
        return self._all("/notification/channels", query={"page_size": page_size})

    def post_notification_channels(
        self,
        body: t.NotificationChannelCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.NotificationChannel:
        """Create a notification channel

        Needs `address` (e-mail, Slack), `url` (Teams, webhook) or `key` (PagerDuty, Opsgenie, webhook). Routing rules send to it.

        Requires permission `notifications.manage`.

        POST /notification/channels
        """
        return self._call("POST", "/notification/channels", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_notification_channels_by_notification_channel_id(
        self,
        notification_channel_id: str,
    ) -> t.NotificationChannel:
        """Get a notification channel

        Requires permission `notifications.manage`.

        GET /notification/channels/{notification_channel_id}
        """
        return self._call("GET", "/notification/channels/{notification_channel_id}", params={"notification_channel_id": notification_channel_id})

    def patch_notification_channels_by_notification_channel_id(
        self,
        notification_channel_id: str,
        body: t.NotificationChannelEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.NotificationChannel:
        """Edit a notification channel

        To change the URL of a pager or webhook, send its key again.

        Requires permission `notifications.manage`.

        PATCH /notification/channels/{notification_channel_id}
        """
        return self._call("PATCH", "/notification/channels/{notification_channel_id}", params={"notification_channel_id": notification_channel_id}, body=body, headers={"If-Match": if_match})

    def delete_notification_channels_by_notification_channel_id(
        self,
        notification_channel_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Delete a notification channel

        Requires permission `notifications.manage`.

        DELETE /notification/channels/{notification_channel_id}
        """
        return self._call("DELETE", "/notification/channels/{notification_channel_id}", params={"notification_channel_id": notification_channel_id}, headers={"If-Match": if_match})

    def post_notification_channels_by_notification_channel_id_test(
        self,
        notification_channel_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.NotificationChannelTest:
        """Send a test message to a notification channel

        Returns what the receiver answered. The alert of a pager is closed at once.

        Requires permission `notifications.manage`.

        POST /notification/channels/{notification_channel_id}/test
        """
        return self._call("POST", "/notification/channels/{notification_channel_id}/test", params={"notification_channel_id": notification_channel_id}, headers={"Idempotency-Key": idempotency_key})

    def get_notification_rules(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.NotificationRulePage:
        """List routing rules, in the order in which they are tried

        Requires permission `notifications.manage`.

        GET /notification/rules
        """
        return self._call("GET", "/notification/rules", query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_notification_rules(self, *, page_size: Optional[int] = None) -> Iterator[t.NotificationRule]:
        """List routing rules, in the order in which they are tried

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `notifications.manage`.

        GET /notification/rules
        """
        return self._all("/notification/rules", query={"page_size": page_size})

    def post_notification_rules(
        self,
        body: t.NotificationRuleCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.NotificationRule:
        """Create a routing rule

        Sends what meets all conditions to notification channels, besides the people and channels that are notified anyway.

        Requires permission `notifications.manage`.

        POST /notification/rules
        """
        return self._call("POST", "/notification/rules", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_notification_rules_preview(
        self,
        body: t.NotificationRulePreviewRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.NotificationRulePreview:
        """Find which of the last 100 incidents meet conditions

        Changes nothing.

        Requires permission `notifications.manage`.

        POST /notification/rules/preview
        """
        return self._call("POST", "/notification/rules/preview", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_notification_rules_by_notification_rule_id(self, notification_rule_id: str) -> t.NotificationRule:
        """Get a routing rule

        Requires permission `notifications.manage`.

        GET /notification/rules/{notification_rule_id}
        """
        return self._call("GET", "/notification/rules/{notification_rule_id}", params={"notification_rule_id": notification_rule_id})

    def patch_notification_rules_by_notification_rule_id(
        self,
        notification_rule_id: str,
        body: t.NotificationRuleEdit,
        *,
        if_match: Optional[str] = None,
    ) -> t.NotificationRule:
        """Edit or move a routing rule

        Requires permission `notifications.manage`.

        PATCH /notification/rules/{notification_rule_id}
        """
        return self._call("PATCH", "/notification/rules/{notification_rule_id}", params={"notification_rule_id": notification_rule_id}, body=body, headers={"If-Match": if_match})

    def delete_notification_rules_by_notification_rule_id(
        self,
        notification_rule_id: str,
        *,
        if_match: Optional[str] = None,
    ) -> None:
        """Delete a routing rule

        Requires permission `notifications.manage`.

        DELETE /notification/rules/{notification_rule_id}
        """
        return self._call("DELETE", "/notification/rules/{notification_rule_id}", params={"notification_rule_id": notification_rule_id}, headers={"If-Match": if_match})

    def get_notification_templates(self) -> List[t.MessageTemplate]:
        """Get the texts of messages, by kind of channel and event

        Requires permission `notifications.manage`.

        GET /notification/templates
        """
        return self._call("GET", "/notification/templates")

    def post_notification_templates_preview(
        self,
        body: t.MessageTemplatePreviewRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.MessageTemplatePreview:
        """Render a text with the newest incident or schema change

        Nothing is saved or sent.

        Requires permission `notifications.manage`.

        POST /notification/templates/preview
        """
        return self._call("POST", "/notification/templates/preview", body=body, headers={"Idempotency-Key": idempotency_key})

    def put_notification_templates_by_channel_by_event(
        self,
        channel: Literal["email", "slack", "teams", "pagerduty", "opsgenie"],
        event: Literal["incident_opened", "incident_resolved", "schema_changed"],
        body: t.MessageTemplateEdit,
    ) -> t.MessageTemplate:
        """Change the text of a message

        An unknown placeholder is rejected. Values are escaped for the channel, so names in the catalog cannot add markup.

        Requires permission `notifications.manage`.

        PUT /notification/templates/{channel}/{event}
        """
        return self._call("PUT", "/notification/templates/{channel}/{event}", params={"channel": channel, "event": event}, body=body)

    def delete_notification_templates_by_channel_by_event(
        self,
        channel: Literal["email", "slack", "teams", "pagerduty", "opsgenie"],
        event: Literal["incident_opened", "incident_resolved", "schema_changed"],
    ) -> None:
        """Reset the text of a message to the default

        Requires permission `notifications.manage`.

        DELETE /notification/templates/{channel}/{event}
        """
        return self._call("DELETE", "/notification/templates/{channel}/{event}", params={"channel": channel, "event": event})

    def post_notification_slack_actions(self, *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Receive a click on a button of a Slack message

        The request URL for interactivity of a Slack app. Only requests that Slack has signed are accepted.

        POST /notification/slack/actions
        """
        return self._call("POST", "/notification/slack/actions", headers={"Idempotency-Key": idempotency_key})

    def post_notification_slack_events(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.PostNotificationSlackEventsResponse:
        """Receive an event of a Slack app

        The request URL for event subscriptions of a Slack app. For `link_shared`, links to resources are shown with title, type, health, owner and description, if their sender and every viewer may see the resource. Only requests that Slack has signed are accepted.

        POST /notification/slack/events
        """
        return self._call("POST", "/notification/slack/events", headers={"Idempotency-Key": idempotency_key})

    def get_monitor_monitors_by_monitor_id_chart_png(self, monitor_id: str) -> bytes:
        """Get a chart of a monitor’s latest measurements

        The line shows the measured values, the band the expected range, and red dots the values outside it.

        Requires permission `monitors.read`.

        GET /monitor/monitors/{monitor_id}/chart.png
        """
        return self._call("GET", "/monitor/monitors/{monitor_id}/chart.png", params={"monitor_id": monitor_id})

    def get_monitor_chart_by_chart_file(self, chart_file: str, *, exp: str, sig: str) -> bytes:
        """Get a chart by its signed URL

        Incident notifications contain such URLs (`<monitor>.png`). They are valid for 30 days and need no token.

        GET /monitor/chart/{chart_file}
        """
        return self._call("GET", "/monitor/chart/{chart_file}", params={"chart_file": chart_file}, query={"exp": exp, "sig": sig})

    def get_resource_all_by_resource_id_health(self, resource_id: str) -> t.ResourceHealth:
        """Get the health of a resource with its reasons

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/health
        """
        return self._call("GET", "/resource/all/{resource_id}/health", params={"resource_id": resource_id})

    def get_resource_all_by_resource_id_badge_link(self, resource_id: str) -> t.BadgeLink:
        """Get the link of a health badge

        For wikis and BI tools. The link needs no token and ends when you lose access to the resource.

        Requires permission `catalog.read`.

        GET /resource/all/{resource_id}/badge_link
        """
        return self._call("GET", "/resource/all/{resource_id}/badge_link", params={"resource_id": resource_id})

    def get_resource_all_by_resource_id_badge_svg(self, resource_id: str, *, by: str, signature: str) -> bytes:
        """Get a health badge by its signed link

        GET /resource/all/{resource_id}/badge.svg
        """
        return self._call("GET", "/resource/all/{resource_id}/badge.svg", params={"resource_id": resource_id}, query={"by": by, "signature": signature})

    def get_sharing_settings(self) -> t.SharingSettings:
        """Get what may be shared with others

        Requires permission `server.manage`.

        GET /sharing/settings
        """
        return self._call("GET", "/sharing/settings")

    def put_sharing_settings(self, body: t.SharingSettingsEdit) -> t.SharingSettings:
        """Set what may be shared with others

        Takes effect at once: cards and public links that are no longer allowed are not found. Without `link_previews`, they are off.

        Requires permission `server.manage`.

        PUT /sharing/settings
        """
        return self._call("PUT", "/sharing/settings", body=body)

    def get_resource_all_by_resource_id_embed_link(
        self,
        resource_id: str,
        *,
        lang: Optional[Literal["en", "de", "es", "fr"]] = None,
    ) -> t.EmbedLink:
        """Get the link of a card of a table

        A page with health, owners, description and columns of the table, as you see them, for a frame on the pages of allowed origins. The link needs no token and ends when you can no longer see or edit the table. 409 if no origin is allowed.

        Requires permission `catalog.write`.

        GET /resource/all/{resource_id}/embed_link
        """
        return self._call("GET", "/resource/all/{resource_id}/embed_link", params={"resource_id": resource_id}, query={"lang": lang})

    def get_resource_all_by_resource_id_card_html(
        self,
        resource_id: str,
        *,
        by: str,
        card_signature: str,
        lang: Optional[Literal["en", "de", "es", "fr"]] = None,
    ) -> bytes:
        """Get a card of a table by its signed link

        GET /resource/all/{resource_id}/card.html
        """
        return self._call("GET", "/resource/all/{resource_id}/card.html", params={"resource_id": resource_id}, query={"by": by, "card_signature": card_signature, "lang": lang})

    def get_link_preview_png(self, *, path: str, v: Optional[str] = None) -> bytes:
        """Get the picture of a link preview

        PNG with the title, type, health and number of owners, in English. The HTML of a page with a preview refers to it. 404 where the page has no preview: link previews are off and it is no public link, not every viewer may see the resource, or the link has ended.

        GET /link_preview.png
        """
        return self._call("GET", "/link_preview.png", query={"path": path, "v": v})

    def get_resource_all_by_resource_id_public_links(self, resource_id: str) -> t.PublicLinks:
        """List the public links of a document or glossary term

        Requires permission `links.manage`.

        GET /resource/all/{resource_id}/public_links
        """
        return self._call("GET", "/resource/all/{resource_id}/public_links", params={"resource_id": resource_id})

    def post_resource_all_by_resource_id_public_links(
        self,
        resource_id: str,
        body: t.PublicLinkCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.NewPublicLink:
        """Create a public link of a document or glossary term

        Anyone with the link can read this one page until the link expires or is revoked: title, description and text, without links to other pages of the catalog, with its own images and files. The path of the link shows a preview (title, type, health, description) to chats; the part after `#` opens the page. 409 while public links are turned off.

        Requires permission `links.manage`.

        POST /resource/all/{resource_id}/public_links
        """
        return self._call("POST", "/resource/all/{resource_id}/public_links", params={"resource_id": resource_id}, body=body, headers={"Idempotency-Key": idempotency_key})

    def delete_public_link_by_public_link_id(self, public_link_id: str) -> None:
        """Revoke a public link

        Requires permission `links.manage`.

        DELETE /public_link/{public_link_id}
        """
        return self._call("DELETE", "/public_link/{public_link_id}", params={"public_link_id": public_link_id})

    def post_public_link_open(self, body: t.PublicLinkOpen, *, idempotency_key: Optional[str] = None) -> t.PublicPage:
        """Get the page of a public link

        Needs no token. 404 if the link is unknown, expired or revoked, or public links are turned off.

        POST /public_link/open
        """
        return self._call("POST", "/public_link/open", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_public_link_by_public_link_id_attachment_by_attachment_id(
        self,
        public_link_id: str,
        attachment_id: str,
        *,
        file_signature: str,
    ) -> bytes:
        """Get an image or file of the page of a public link

        Needs no token: the address is signed and part of the text of the page. 404 if the link has ended, the page no longer shows the file, or it belongs to another resource. Images are shown by browsers; every other file, SVG included, is downloaded.

        GET /public_link/{public_link_id}/attachment/{attachment_id}
        """
        return self._call("GET", "/public_link/{public_link_id}/attachment/{attachment_id}", params={"public_link_id": public_link_id, "attachment_id": attachment_id}, query={"file_signature": file_signature})

    def get_auth_setup(self) -> t.Setup:
        """List sign-in methods

        GET /auth/setup
        """
        return self._call("GET", "/auth/setup")

    def post_auth_setup(self, body: t.SetupBody, *, idempotency_key: Optional[str] = None) -> t.SignedIn:
        """Set the first admin’s password and sign in

        POST /auth/setup
        """
        return self._call("POST", "/auth/setup", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_auth_sign_in(self, body: t.SignIn, *, idempotency_key: Optional[str] = None) -> t.SignedIn:
        """Sign in with a password

        Sets an HTTP-only session cookie. Requests with this cookie that change something must send the header `X-Requested-With: tablinum`.

        POST /auth/sign_in
        """
        return self._call("POST", "/auth/sign_in", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_auth_sign_in_token(self, body: t.TokenSignIn, *, idempotency_key: Optional[str] = None) -> t.SignedIn:
        """Sign in with a token

        POST /auth/sign_in/token
        """
        return self._call("POST", "/auth/sign_in/token", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_auth_sign_out(self, *, idempotency_key: Optional[str] = None) -> None:
        """Sign out

        Ends the session of the session cookie, if there is one.

        POST /auth/sign_out
        """
        return self._call("POST", "/auth/sign_out", headers={"Idempotency-Key": idempotency_key})

    def get_auth_sessions(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        user: Optional[str] = None,
    ) -> t.SessionPage:
        """List your sessions, most recently used first

        Requires permission `self.read`.

        GET /auth/sessions
        """
        return self._call("GET", "/auth/sessions", query={"page": page, "page_size": page_size, "cursor": cursor, "user": user})

    def all_auth_sessions(self, *, page_size: Optional[int] = None, user: Optional[str] = None) -> Iterator[t.Session]:
        """List your sessions, most recently used first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `self.read`.

        GET /auth/sessions
        """
        return self._all("/auth/sessions", query={"page_size": page_size, "user": user})

    def delete_auth_sessions(self, *, others: Optional[bool] = None) -> None:
        """Sign out everywhere

        Requires permission `self.write`.

        DELETE /auth/sessions
        """
        return self._call("DELETE", "/auth/sessions", query={"others": others})

    def delete_auth_sessions_by_session_id(self, session_id: str) -> None:
        """End a session

        Requires permission `self.write`.

        DELETE /auth/sessions/{session_id}
        """
        return self._call("DELETE", "/auth/sessions/{session_id}", params={"session_id": session_id})

    def put_auth_password(self, body: t.PasswordChange) -> None:
        """Change your password

        Your other sessions end. Your tokens stay unless `revoke_tokens` is set.

        Requires permission `password.own`.

        PUT /auth/password
        """
        return self._call("PUT", "/auth/password", body=body)

    def post_user_by_user_id_invitation(self, user_id: str, *, idempotency_key: Optional[str] = None) -> t.Invitation:
        """Create a one-time link for a user to set a password

        For invited users and forgotten passwords. The link is sent by e-mail if e-mail is configured.

        Requires permission `people.manage`.

        POST /user/{user_id}/invitation
        """
        return self._call("POST", "/user/{user_id}/invitation", params={"user_id": user_id}, headers={"Idempotency-Key": idempotency_key})

    def post_auth_invitation(self, body: t.InvitationLook, *, idempotency_key: Optional[str] = None) -> t.Invited:
        """Get the user of a one-time link

        POST /auth/invitation
        """
        return self._call("POST", "/auth/invitation", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_auth_invitation_accept(
        self,
        body: t.InvitationAccept,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.SignedIn:
        """Set a password with a one-time link and sign in

        POST /auth/invitation/accept
        """
        return self._call("POST", "/auth/invitation/accept", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_server_settings(self) -> t.ServerSettings:
        """Get the settings of mail server, Slack app and identity provider

        Secrets are never returned.

        Requires permission `server.manage`.

        GET /server/settings
        """
        return self._call("GET", "/server/settings")

    def put_server_settings_email(self, body: t.EmailSettingsEdit) -> t.ServerSettings:
        """Set the mail server

        Used by all processes at once. 409 if the environment of the server sets it.

        Requires permission `server.manage`.

        PUT /server/settings/email
        """
        return self._call("PUT", "/server/settings/email", body=body)

    def delete_server_settings_email(self) -> None:
        """Delete the stored settings of the mail server

        Requires permission `server.manage`.

        DELETE /server/settings/email
        """
        return self._call("DELETE", "/server/settings/email")

    def put_server_settings_slack(self, body: t.SlackSettingsEdit) -> t.ServerSettings:
        """Set the Slack app

        Used by all processes at once. 409 if the environment of the server sets it.

        Requires permission `server.manage`.

        PUT /server/settings/slack
        """
        return self._call("PUT", "/server/settings/slack", body=body)

    def delete_server_settings_slack(self) -> None:
        """Delete the stored settings of the Slack app

        Requires permission `server.manage`.

        DELETE /server/settings/slack
        """
        return self._call("DELETE", "/server/settings/slack")

    def put_server_settings_oidc(self, body: t.OidcSettingsEdit) -> t.ServerSettings:
        """Set the identity provider

        Used by all processes at once. 409 if the environment of the server sets it.

        Requires permission `server.manage`.

        PUT /server/settings/oidc
        """
        return self._call("PUT", "/server/settings/oidc", body=body)

    def delete_server_settings_oidc(self) -> None:
        """Delete the stored settings of the identity provider

        Requires permission `server.manage`.

        DELETE /server/settings/oidc
        """
        return self._call("DELETE", "/server/settings/oidc")

    def post_server_settings_email_test(
        self,
        body: t.PostServerSettingsEmailTestBody,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ServerSettingsTest:
        """Send a test mail to yourself

        Requires permission `server.manage`.

        POST /server/settings/email/test
        """
        return self._call("POST", "/server/settings/email/test", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_server_settings_slack_test(
        self,
        body: t.PostServerSettingsSlackTestBody,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ServerSettingsTest:
        """Check the bot token and post a test message

        To `channel`, or to your own Slack ID in your notification settings; without either only the token is checked.

        Requires permission `server.manage`.

        POST /server/settings/slack/test
        """
        return self._call("POST", "/server/settings/slack/test", body=body, headers={"Idempotency-Key": idempotency_key})

    def post_server_settings_oidc_test(
        self,
        body: t.PostServerSettingsOidcTestBody,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.ServerSettingsTest:
        """Check the identity provider

        Reads its metadata and tries the client ID and secret with a code that no one has. No one is signed in.

        Requires permission `server.manage`.

        POST /server/settings/oidc/test
        """
        return self._call("POST", "/server/settings/oidc/test", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_auth_authorization(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        response_type: Optional[str] = None,
        code_challenge: Optional[str] = None,
        code_challenge_method: Optional[str] = None,
        scope: Optional[str] = None,
        state: Optional[str] = None,
        resource: Optional[str] = None,
    ) -> t.Authorization:
        """Describe the access an application asks for

        Requires permission `tokens.own`.

        GET /auth/authorization
        """
        return self._call("GET", "/auth/authorization", query={"client_id": client_id, "redirect_uri": redirect_uri, "response_type": response_type, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "scope": scope, "state": state, "resource": resource})

    def post_auth_authorization(
        self,
        body: t.AuthorizationDecision,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.PostAuthAuthorizationResponse:
        """Allow or deny the access an application asks for

        The response says where to send the browser. The application then exchanges the code for a token.

        Requires permission `tokens.own`.

        POST /auth/authorization
        """
        return self._call("POST", "/auth/authorization", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_ai_mcp_tools(self) -> t.ToolList:
        """List the tools for agents

        Requires permission `catalog.read`.

        GET /ai/mcp/tools/
        """
        return self._call("GET", "/ai/mcp/tools/")

    def post_ai_mcp_tools_call(self, body: t.ToolCall, *, idempotency_key: Optional[str] = None) -> t.ToolResult:
        """Call a tool

        The tools `search_data_assets`, `search_documentation`, `retrieve_entity`, `entity_lineage` and `glossary` return JSON as text. A failed call returns 200 with `isError`.

        Requires permission `catalog.read`.

        POST /ai/mcp/tools/call/
        """
        return self._call("POST", "/ai/mcp/tools/call/", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_ai_status(self) -> t.AssistantStatus:
        """Get whether the assistant is available and what you have used today

        Requires permission `assistant.use`.

        GET /ai/status
        """
        return self._call("GET", "/ai/status")

    def get_ai_conversations(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> t.AssistantConversationPage:
        """List your conversations, latest first

        Requires permission `assistant.use`.

        GET /ai/conversations
        """
        return self._call("GET", "/ai/conversations", query={"page": page, "page_size": page_size, "cursor": cursor})

    def all_ai_conversations(self, *, page_size: Optional[int] = None) -> Iterator[t.AssistantConversationEntry]:
        """List your conversations, latest first

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Requires permission `assistant.use`.

        GET /ai/conversations
        """
        return self._all("/ai/conversations", query={"page_size": page_size})

    def post_ai_conversations(
        self,
        body: t.AssistantConversationCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.AssistantConversation:
        """Ask the assistant a question

        Starts a conversation. The answer is written in the background: read `/ai/answers/{answer_id}/events`. 409 without a language model, 429 if you have reached a daily limit.

        Requires permission `assistant.use`.

        POST /ai/conversations
        """
        return self._call("POST", "/ai/conversations", body=body, headers={"Idempotency-Key": idempotency_key})

    def get_ai_conversations_by_conversation_id(self, conversation_id: str) -> t.AssistantConversation:
        """Get a conversation

        Requires permission `assistant.use`.

        GET /ai/conversations/{conversation_id}
        """
        return self._call("GET", "/ai/conversations/{conversation_id}", params={"conversation_id": conversation_id})

    def delete_ai_conversations_by_conversation_id(self, conversation_id: str) -> None:
        """Delete a conversation

        A running answer is cancelled.

        Requires permission `assistant.use`.

        DELETE /ai/conversations/{conversation_id}
        """
        return self._call("DELETE", "/ai/conversations/{conversation_id}", params={"conversation_id": conversation_id})

    def post_ai_conversations_by_conversation_id_answers(
        self,
        conversation_id: str,
        body: t.AssistantQuestion,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.AssistantAnswer:
        """Ask the next question of a conversation

        Requires permission `assistant.use`.

        POST /ai/conversations/{conversation_id}/answers
        """
        return self._call("POST", "/ai/conversations/{conversation_id}/answers", params={"conversation_id": conversation_id}, body=body, headers={"Idempotency-Key": idempotency_key})

    def get_ai_answers_by_answer_id(self, answer_id: str) -> t.AssistantAnswer:
        """Get an answer

        Requires permission `assistant.use`.

        GET /ai/answers/{answer_id}
        """
        return self._call("GET", "/ai/answers/{answer_id}", params={"answer_id": answer_id})

    def post_ai_answers_by_answer_id_cancel(
        self,
        answer_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.AssistantAnswer:
        """Cancel an answer

        It ends within a second or two, with the text written so far.

        Requires permission `assistant.use`.

        POST /ai/answers/{answer_id}/cancel
        """
        return self._call("POST", "/ai/answers/{answer_id}/cancel", params={"answer_id": answer_id}, headers={"Idempotency-Key": idempotency_key})

    def get_ui_bootstrap(self) -> t.Bootstrap:
        """Get the initial data of the web app

        Requires permission `self.read`.

        GET /ui/bootstrap
        """
        return self._call("GET", "/ui/bootstrap")

    def put_ui_tour(self) -> None:
        """Finish or skip the tour

        It is not offered to you again.

        Requires permission `self.write`.

        PUT /ui/tour
        """
        return self._call("PUT", "/ui/tour")

    def get_ui_home(self, *, limit: Optional[int] = None) -> t.Home:
        """Get the home page

        Requires permission `catalog.read`.

        GET /ui/home
        """
        return self._call("GET", "/ui/home", query={"limit": limit})

    def get_ui_names(self, *, ids: str) -> t.Names:
        """Look up names by ID

        Requires permission `catalog.read`.

        GET /ui/names
        """
        return self._call("GET", "/ui/names", query={"ids": ids})

    def get_ui_health(self, *, ids: str) -> t.Health:
        """Get the health of resources

        Requires permission `catalog.read`.

        GET /ui/health
        """
        return self._call("GET", "/ui/health", query={"ids": ids})

    def get_ui_person_by_user_id(self, user_id: str) -> t.PersonView:
        """Get a person with what they edited, asked and answered

        Without `people.read`: yourself, owners of what you see, and authors of comments on it.

        Requires permission `catalog.read`.

        GET /ui/person/{user_id}
        """
        return self._call("GET", "/ui/person/{user_id}", params={"user_id": user_id})

    def get_ui_resource_by_resource_id(self, resource_id: str) -> t.ResourceView:
        """Get a resource with everything its page shows

        The `ETag` header is that of the resource.

        Requires permission `catalog.read`.

        GET /ui/resource/{resource_id}
        """
        return self._call("GET", "/ui/resource/{resource_id}", params={"resource_id": resource_id})

    def get_ui_columns_by_table_id(self, table_id: str, *, limit: Optional[int] = None) -> t.ColumnFactsById:
        """Get keys, statistics, lineage counts and health of the columns of a table

        Requires permission `catalog.read`.

        GET /ui/columns/{table_id}
        """
        return self._call("GET", "/ui/columns/{table_id}", params={"table_id": table_id}, query={"limit": limit})

    def get_ui_tree(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        parent_id: Optional[str] = None,
        integration_id: Optional[str] = None,
    ) -> t.TreePage:
        """List one level of the resource tree

        Lists integrations by default, the top level of an integration with `integration_id`, or the children of a resource with `parent_id`.

        Requires permission `catalog.read`.

        GET /ui/tree
        """
        return self._call("GET", "/ui/tree", query={"page": page, "page_size": page_size, "cursor": cursor, "parent_id": parent_id, "integration_id": integration_id})

    def all_ui_tree(
        self,
        *,
        page_size: Optional[int] = None,
        parent_id: Optional[str] = None,
        integration_id: Optional[str] = None,
    ) -> Iterator[t.TreeNode]:
        """List one level of the resource tree

        Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.

        Lists integrations by default, the top level of an integration with `integration_id`, or the children of a resource with `parent_id`.

        Requires permission `catalog.read`.

        GET /ui/tree
        """
        return self._all("/ui/tree", query={"page_size": page_size, "parent_id": parent_id, "integration_id": integration_id})
