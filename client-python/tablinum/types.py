# Made by `npm run client` from the document 43bbc5863ad5cdae932eb230e0a1b36f40fa51e99693089fb609058588d9502c. Do not edit.
"""The records of the API. Each is a dict; its class says which keys it has."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class AcceptedSuggestions(TypedDict):
    monitors: List[Monitor]


class Access(TypedDict):
    user: str
    read: bool
    write: bool
    # Whether the user can run monitors on the resource.
    execute: bool
    reasons: List[AccessReasonsItem]


class AccessReasonsItem(TypedDict):
    code: Literal["published", "unpublished", "own_team", "other_teams", "closed_team_member", "closed_team", "role", "disabled", "role_reads_only", "token_scope"]
    # Whether this reason grants access. A single reason that does not is enough to deny it.
    allows: bool
    about: Literal["read", "write"]
    detail: str


class Affected(TypedDict):
    id: str
    # A node you may not see. All fields except its position in the graph are null.
    hidden: bool
    title: Optional[str]
    title_full: Optional[str]
    entity_type: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    integration: Optional[str]
    integration_type: Optional[str]
    published: Optional[bool]
    archived: Optional[bool]
    verified: Optional[bool]
    pii: Optional[bool]
    stale: Optional[bool]
    deprecated: Optional[bool]
    health: Optional[Literal["incident", "warning", "ok", "unknown"]]
    # The table of a column, the dashboard of a chart.
    group: Optional[AffectedGroup]
    distance: int
    # False when a step of the path is known only at table level.
    certain: bool
    # Its owners, or the owners of its nearest parent that has any.
    owners: List[LineageOwner]
    # One of the shortest paths from the start node, including both ends.
    path: List[LineageResource]


# The table of a column, the dashboard of a chart.
class AffectedGroup(TypedDict):
    id: str
    title: str
    title_full: str
    entity_type: str


# A resource that the answer links to. A tool returned it while the question was answered.
class AnswerSource(TypedDict):
    id: str
    title: str
    type: Optional[str]


class AnswerStep(TypedDict):
    tool: str
    title: str
    # As the model wrote them.
    arguments: Any
    failed: bool
    # Number of items the tool returned.
    returned: Optional[int]
    # Number of items there are.
    total: Optional[int]
    error: Optional[str]


class AssistantAnswer(TypedDict):
    id: str
    conversation_id: str
    created_at: str
    updated_at: str
    completed_at: Optional[str]
    question: str
    # `interrupted`: the server that was answering stopped.
    status: Literal["running", "completed", "failed", "cancelled", "interrupted"]
    # Markdown. Its only links are `/r/<id>` of the sources. Grows while the answer is running.
    text: str
    # Why there is no answer, or only a part of it.
    error: Optional[str]
    # The tools that were called.
    steps: List[AnswerStep]
    sources: List[AnswerSource]
    model: str
    input_tokens: int
    output_tokens: int


class AssistantConversation(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The beginning of the first question.
    title: str
    # The resource it is about.
    resource_id: Optional[str]
    # Null if you can no longer see the resource.
    resource_title: Optional[str]
    answers: List[AssistantAnswer]


class _AssistantConversationCreateRequired(TypedDict):
    question: str


class AssistantConversationCreate(_AssistantConversationCreateRequired, total=False):
    # A UUID, with or without dashes.
    resource_id: Optional[str]


class AssistantConversationEntry(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The beginning of the first question.
    title: str
    # The resource it is about.
    resource_id: Optional[str]


class AssistantConversationPage(TypedDict):
    links: AssistantConversationPageLinks
    meta: AssistantConversationPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[AssistantConversationEntry]


class AssistantConversationPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _AssistantConversationPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class AssistantConversationPageMeta(_AssistantConversationPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class AssistantQuestion(TypedDict):
    question: str


class AssistantSettings(TypedDict):
    # Whether people can use the assistant.
    enabled: bool
    # `openai`: chat completions, as OpenAI, Ollama, vLLM and others serve them. `anthropic`: messages.
    provider: Literal["openai", "anthropic"]
    # The base URL: requests go to `<url>/chat/completions` or `<url>/v1/messages`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`.
    url: str
    # The name of the model.
    model: str
    # Whether the model may see rows and statistics of tables. Without it, it sees only what the catalog says about them.
    share_values: bool
    # Tokens a user may use on a day (UTC).
    tokens_per_day: int
    # What a user may cost on a day. Needs the prices.
    cost_per_day: Optional[float]
    # Price of a million input tokens.
    input_price: Optional[float]
    # Price of a million output tokens.
    output_price: Optional[float]
    # How long to wait for the next part of a response.
    timeout_seconds: int
    # Days from the last answer of a conversation until it is deleted.
    retention_days: int
    # Whether an API key is stored. It is never returned.
    has_key: bool
    updated_at: Optional[str]


class _AssistantSettingsEditRequired(TypedDict):
    # Whether people can use the assistant.
    enabled: bool
    # `openai`: chat completions, as OpenAI, Ollama, vLLM and others serve them. `anthropic`: messages.
    provider: Literal["openai", "anthropic"]
    # The base URL: requests go to `<url>/chat/completions` or `<url>/v1/messages`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`.
    url: str
    # The name of the model.
    model: str
    # Whether the model may see rows and statistics of tables. Without it, it sees only what the catalog says about them.
    share_values: bool
    # Tokens a user may use on a day (UTC).
    tokens_per_day: int
    # What a user may cost on a day. Needs the prices.
    cost_per_day: Optional[float]
    # Price of a million input tokens.
    input_price: Optional[float]
    # Price of a million output tokens.
    output_price: Optional[float]
    # How long to wait for the next part of a response.
    timeout_seconds: int
    # Days from the last answer of a conversation until it is deleted.
    retention_days: int


class AssistantSettingsEdit(_AssistantSettingsEditRequired, total=False):
    # The API key. Absent: the stored one is kept, unless the URL or the provider changes. Null: none is sent.
    key: Optional[str]


class AssistantStatus(TypedDict):
    # Whether a language model is configured.
    enabled: bool
    model: Optional[str]
    # Tokens you have used today (UTC).
    tokens_used: int
    tokens_per_day: int
    cost_used: float
    cost_per_day: Optional[float]


class Attachment(TypedDict):
    id: str
    # The resource that it belongs to. Whoever can see the resource can read the attachment.
    resource_id: str
    name: str
    # Decided by the content of the file.
    media_type: str
    byte_size: int
    created_at: str
    created_by: Optional[str]
    # The path for Markdown: `![name](url)` for an image, `[name](url)` for another file.
    url: str


class AuditLogPage(TypedDict):
    results: List[LogEntry]
    # Exact number of entries.
    count: int
    total_pages: int
    meta: AuditLogPageMeta


class _AuditLogPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]
    count: int
    total_pages: int


class AuditLogPageMeta(_AuditLogPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]
    # With `cursor`: the cursor to continue with later. Never null, even at the end of the log.
    follow_cursor: str


class Authorization(TypedDict):
    # As the application calls itself.
    client_name: str
    # The host that the application belongs to. Null if it registered itself: then its name is not verified.
    client_host: Optional[str]
    # Where the user is sent with the authorization code.
    redirect_host: str
    scope: Literal["read", "write"]
    # Set if the request is invalid: the address of the application with the error.
    redirect_to: Optional[str]


class _AuthorizationDecisionRequired(TypedDict):
    client_id: str
    redirect_uri: str
    approve: bool


class AuthorizationDecision(_AuthorizationDecisionRequired, total=False):
    response_type: str
    code_challenge: str
    code_challenge_method: str
    scope: str
    state: str
    resource: str
    # What the user grants. Default: what the application asked for.
    granted_scope: Literal["read", "write"]


class Backup(TypedDict):
    id: str
    # How it was made: downloaded here, with `tablinum backup`, or by the schedule.
    method: Literal["download", "command", "schedule"]
    status: Literal["running", "completed", "failed"]
    # Of downloads.
    created_by_name: Optional[str]
    started_at: str
    finished_at: Optional[str]
    row_count: Optional[int]
    # Size of the file.
    byte_size: Optional[int]
    error: Optional[str]
    # Name of the file in the folder for backups; of scheduled ones.
    file: Optional[str]
    # When newer ones replaced the file.
    removed_at: Optional[str]


class BackupSchedule(TypedDict):
    # Null: no scheduled backups.
    schedule: Optional[BackupScheduleSchedule]
    # How many scheduled backups are kept. Backups made by hand are never removed.
    keep: int
    next_run_at: Optional[str]
    # Where the files are on the server (`TABLINUM_BACKUPS`). Null: there is no folder, so there can be no schedule.
    folder: Optional[str]
    last: Optional[BackupScheduleLast]


class _BackupScheduleEditRequired(TypedDict):
    cadence: Literal["daily", "weekly"]


class BackupScheduleEdit(_BackupScheduleEditRequired, total=False):
    hour: int
    # Day of the week, 0 is Sunday.
    day: int
    # IANA time zone. Default: UTC.
    timezone: str
    # How many scheduled backups are kept. Backups made by hand are never removed.
    keep: int


class BackupScheduleLast(TypedDict):
    id: str
    # How it was made: downloaded here, with `tablinum backup`, or by the schedule.
    method: Literal["download", "command", "schedule"]
    status: Literal["running", "completed", "failed"]
    # Of downloads.
    created_by_name: Optional[str]
    started_at: str
    finished_at: Optional[str]
    row_count: Optional[int]
    # Size of the file.
    byte_size: Optional[int]
    error: Optional[str]
    # Name of the file in the folder for backups; of scheduled ones.
    file: Optional[str]
    # When newer ones replaced the file.
    removed_at: Optional[str]


# Null: no scheduled backups.
class BackupScheduleSchedule(TypedDict):
    cadence: Literal["daily", "weekly"]
    hour: int
    # Day of the week, 0 is Sunday; of weekly schedules.
    day: Optional[int]
    # Hours between runs.
    frequency: int
    # Null: UTC.
    timezone: Optional[str]


class Backups(TypedDict):
    # The last 20, newest first.
    results: List[Backup]


class BadgeLink(TypedDict):
    # An SVG image that needs no token. It shows the status as you see it.
    url: str


class Bootstrap(TypedDict):
    me: BootstrapMe
    workspace: BootstrapWorkspace
    session: Optional[BootstrapSession]
    unread_count: int
    settings: BootstrapSettings
    tags: List[BootstrapTagsItem]
    teams: List[BootstrapTeamsItem]
    groups: List[BootstrapGroupsItem]
    integrations: List[BootstrapIntegrationsItem]
    properties: List[CustomProperty]
    # Saved views that you pinned.
    pinned_views: List[BootstrapPinnedViewsItem]
    # Whether the caller sees no resources at all.
    empty: bool
    # Whether to offer the tour: the user has neither finished nor skipped it.
    tour: bool


class BootstrapGroupsItem(TypedDict):
    id: str
    name: str


class BootstrapIntegrationsItem(TypedDict):
    id: str
    name: str
    type: str


class BootstrapMe(TypedDict):
    id: str
    created_at: str
    updated_at: str
    email: str
    first_name: Optional[str]
    last_name: Optional[str]
    # First and last name, or the e-mail address if neither is set.
    name: str
    # The same as `name`.
    display_name: str
    role: Literal["admin", "editor", "viewer", "guest"]
    # The user can no longer sign in.
    disabled: bool
    disabled_at: Optional[str]
    # The user who invited this one.
    invited_by: Optional[str]
    # Updated at most once a minute.
    last_seen_at: Optional[str]
    # Team IDs.
    teams: List[str]
    # Group IDs.
    groups: List[str]
    workspace_id: str
    # The token of this request.
    token_id: Optional[str]
    # The scope of the token or session.
    scope: Literal["read", "write", "admin"]
    # Your permissions with this token.
    permissions: List[Literal["catalog.read", "catalog.write", "people.read", "people.manage", "teams.read", "tokens.own", "self.read", "self.write", "password.own", "questions.ask", "jobs.read", "integrations.read", "integrations.manage", "monitors.read", "monitors.config", "monitors.write", "monitors.run", "data.query", "audit.read", "notifications.manage", "search.manage", "assistant.use", "assistant.manage", "server.manage", "links.manage", "trash.delete"]]
    initials: str


class BootstrapPinnedViewsItem(TypedDict):
    id: str
    name: str
    query: str


class BootstrapSession(TypedDict):
    id: str
    created_at: str
    # Updated at most once a minute.
    last_used_at: str
    # Latest end of the session; it ends earlier if unused.
    expires_at: str
    # How the user signed in.
    method: Literal["password", "token", "oidc", "invitation"]
    # IP address of the sign-in.
    address: Optional[str]
    # User agent of the sign-in.
    user_agent: Optional[str]
    # A session started with a token has the scope of the token and ends with it.
    scope: Literal["read", "write", "admin"]
    # The user of the session.
    user: str
    # Whether it is the session of this request.
    current: bool
    has_password: bool


class BootstrapSettings(TypedDict):
    version: str
    public_url: Optional[str]
    # Whether e-mail is configured.
    email: bool
    # Whether Slack is configured.
    slack: bool
    # Whether you can ask the assistant.
    assistant: bool


class BootstrapTagsItem(TypedDict):
    id: str
    name: str
    color: Optional[str]


class BootstrapTeamsItem(TypedDict):
    id: str
    name: str
    icon: Optional[str]
    closed: bool


class BootstrapWorkspace(TypedDict):
    id: str
    name: str


class Break(TypedDict):
    id: str
    # A node you may not see. All fields except its position in the graph are null.
    hidden: bool
    title: Optional[str]
    title_full: Optional[str]
    entity_type: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    integration: Optional[str]
    integration_type: Optional[str]
    published: Optional[bool]
    archived: Optional[bool]
    verified: Optional[bool]
    pii: Optional[bool]
    stale: Optional[bool]
    deprecated: Optional[bool]
    health: Optional[Literal["incident", "warning", "ok", "unknown"]]
    # The table of a column, the dashboard of a chart.
    group: Optional[BreakGroup]
    distance: int
    # False when a step of the path is known only at table level.
    certain: bool
    # Its owners, or the owners of its nearest parent that has any.
    owners: List[LineageOwner]
    # One of the shortest paths from the start node, including both ends.
    path: List[LineageResource]
    # Why it breaks, as a sentence.
    reason: str
    reason_translatable: Translatable
    # The changed resource that causes the break.
    cause: str


# The table of a column, the dashboard of a chart.
class BreakGroup(TypedDict):
    id: str
    title: str
    title_full: str
    entity_type: str


# At most 50000 values in total.
class BulkCustomPropertyValues(TypedDict):
    # At most 10000 resources.
    entity_ids: List[str]
    # Values by property ID or name. Names may be URL-encoded. At most 100 properties.
    properties: Dict[str, str]


# At most 100 resources.
BulkUpdate = List["BulkUpdateValueItem"]


class _BulkUpdateValueItemRequired(TypedDict):
    # A UUID, with or without dashes.
    id: str
    data: BulkUpdateValueItemData


class BulkUpdateValueItem(_BulkUpdateValueItemRequired, total=False):
    add: ListChange
    # IDs to remove from lists.
    remove: BulkUpdateValueItemRemove


class BulkUpdateValueItemData(TypedDict, total=False):
    title: str
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


# IDs to remove from lists.
class BulkUpdateValueItemRemove(TypedDict, total=False):
    teams: List[str]
    owners: List[str]
    owners_groups: List[str]
    collections: List[str]
    tags: List[str]
    terms: List[str]
    subscribers: List[str]


class _CategoryCreateRequired(TypedDict):
    # A UUID, with or without dashes.
    integration: str


class CategoryCreate(_CategoryCreateRequired, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class Cause(TypedDict):
    # `late`: an incident of freshness. `out_of_range`: its incident was resolved, but the last value is still out of range. `stale`: missing from its source. `schema_change`, `sql_change`: its columns or the SQL that fills it changed in the last 7 days. `failed_test`: a test of dbt or OpenLineage. `failed_run`: the last run of a job that writes it failed.
    kind: Literal["incident", "late", "out_of_range", "stale", "schema_change", "sql_change", "failed_test", "failed_run"]
    text: str
    text_translatable: Translatable
    since: str
    # The resource upstream, or the resource itself.
    resource_id: str
    # Its full title.
    resource: str
    entity_type: str
    # The incident, if it is one.
    incident: Optional[str]
    # The job whose last run failed.
    job: Optional[str]
    # Steps upstream; 0 is the resource itself.
    distance: int
    # The shortest way from there to the resource, both included.
    path: List[CausePathItem]


class CausePathItem(TypedDict):
    # Null for a resource you cannot see.
    id: Optional[str]
    title: Optional[str]
    entity_type: Optional[str]


class ChangeSuggestion(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The resource to change. Null for a glossary term that is about no resource.
    resource_id: Optional[str]
    resource_title: Optional[str]
    resource_title_full: Optional[str]
    # `description`: replaces the description. `tag`: adds a tag, which is created if it does not exist. `owner`: adds an owner. `term`: adds a glossary term, which is created if it does not exist.
    field: Literal["description", "tag", "owner", "term"]
    # The description, the name of the tag, the ID or e-mail address of the owner, or the title of the term.
    value: str
    # The definition of the term.
    detail: Optional[str]
    # Why, as stated by who suggested it.
    reason: Optional[str]
    status: Literal["open", "accepted", "rejected"]
    created_by: Optional[str]
    created_by_name: Optional[str]
    # `agent`: on behalf of the user. `ai`: a draft that Tablinum made when the user asked for drafts.
    by: Literal["user", "agent", "ai"]
    # What a draft is based on.
    grounds: List[SuggestionGround]
    decided_by: Optional[str]
    decided_at: Optional[str]


class _ChangeSuggestionCreateRequired(TypedDict):
    # `description`: replaces the description. `tag`: adds a tag, which is created if it does not exist. `owner`: adds an owner. `term`: adds a glossary term, which is created if it does not exist.
    field: Literal["description", "tag", "owner", "term"]
    value: str


class ChangeSuggestionCreate(_ChangeSuggestionCreateRequired, total=False):
    # A UUID, with or without dashes.
    resource_id: Optional[str]
    # The definition of a term.
    detail: Optional[str]
    reason: Optional[str]


class ChangeSuggestionEdit(TypedDict, total=False):
    value: str
    detail: Optional[str]


class ChangeSuggestionPage(TypedDict):
    links: ChangeSuggestionPageLinks
    meta: ChangeSuggestionPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[ChangeSuggestion]


class ChangeSuggestionPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ChangeSuggestionPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ChangeSuggestionPageMeta(_ChangeSuggestionPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class ChartCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class Code(TypedDict):
    blocks: List[CodeBlock]


class CodeBlock(TypedDict):
    # The definition of a view or routine, a dbt model as written or compiled, the code of a job, the text of a query, or a query that lineage was derived from.
    kind: Literal["view", "dbt", "dbt_compiled", "job", "query", "derived"]
    # The SQL dialect if it is known, else `sql`; for jobs the language they are written in.
    language: str
    code: str
    columns: List[CodeBlockColumnsItem]


class CodeBlockColumnsItem(TypedDict):
    # The column that is filled.
    id: str
    title: str
    # The expressions that the column is computed from.
    spans: List[CodeBlockColumnsItemSpansItem]


_CodeBlockColumnsItemSpansItemKeywords = TypedDict("_CodeBlockColumnsItemSpansItemKeywords", {"from": "str"})


class CodeBlockColumnsItemSpansItem(_CodeBlockColumnsItemSpansItemKeywords):
    # Position in the code, in UTF-16 code units from 0.
    start: int
    end: int
    # Its title with the title of its table.
    from_title: str


class CollectionCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class _ColumnRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: ColumnSearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: ColumnCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    question_priority: Optional[str]
    question_answered_by: Optional[str]
    question_assigned_to: Optional[str]
    # The data type. Defaults to the native type.
    type: Optional[str]
    # Position among the columns of the table.
    sort_order: Optional[int]
    # Whether the column is part of the primary key.
    is_pk: bool
    # Whether the column is hidden in the column list.
    hidden: bool
    # The title of the database.
    table_database: Optional[str]
    # The title of the schema.
    table_schema: Optional[str]
    # The title of the table. For a nested column, the path from the table to its parent column.
    table_title: Optional[str]


class Column(_ColumnRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]


class ColumnCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # The data type. Defaults to the native type.
    type: Optional[str]
    # Position among the columns of the table.
    sort_order: Optional[int]
    # Whether the column is part of the primary key.
    is_pk: Optional[bool]
    # Whether the column is hidden in the column list.
    hidden: Optional[bool]


class ColumnCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class ColumnDescriptor(TypedDict):
    # Null when it is not in the catalog.
    id: Optional[str]
    created_at: Optional[str]
    updated_at: Optional[str]
    title: str
    schema_name: Optional[str]
    database_name: Optional[str]
    native_type: Optional[str]
    integration_id: Optional[str]
    integration_title: Optional[str]
    integration_type: Optional[str]
    entity_type: Literal["column"]
    # The data type of the column.
    type: Optional[str]
    # The title of its table. Null for the result of a bare SELECT.
    table_name: Optional[str]
    table_id: Optional[str]


class ColumnEdit(TypedDict, total=False):
    title: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # The data type. Defaults to the native type.
    type: Optional[str]
    # Position among the columns of the table.
    sort_order: Optional[int]
    # Whether the column is part of the primary key.
    is_pk: Optional[bool]
    # Whether the column is hidden in the column list.
    hidden: Optional[bool]


class ColumnFacts(TypedDict):
    health: Literal["incident", "warning", "ok", "unknown"]
    # The target of its foreign key.
    references: Optional[ColumnFactsReferences]
    # From the last profile, as are the distinct values.
    null_percentage: Optional[float]
    distinct_values: Optional[int]
    distinct_approximate: bool
    # The open PII suggestion with the highest confidence. Only for callers who can accept it.
    suspected_pii: Optional[ColumnFactsSuspectedPii]
    # Number of direct upstream columns.
    upstream: int
    # Number of direct downstream columns.
    downstream: int
    # Number of open discussions.
    discussions: int
    # `person`, or the type of the integration whose description it has. Null without a description.
    described_by: Optional[str]


# By column ID: all columns of the table that the caller can see.
ColumnFactsById = Dict[str, "ColumnFacts"]


# The target of its foreign key.
class ColumnFactsReferences(TypedDict):
    table_id: str
    table: str
    column: Optional[str]


_ColumnFactsSuspectedPiiKeywords = TypedDict("_ColumnFactsSuspectedPiiKeywords", {"class": "Literal[\"email\", \"phone\", \"iban\", \"card\", \"national_id\", \"ip\", \"person_name\", \"birth_date\", \"address\"]"})


# The open PII suggestion with the highest confidence. Only for callers who can accept it.
class ColumnFactsSuspectedPii(_ColumnFactsSuspectedPiiKeywords):
    confidence: float


class ColumnLineage(TypedDict):
    from_column: ColumnDescriptor
    to_column: ColumnDescriptor
    # How the value is transformed: copied unchanged, computed by an expression, or aggregated with other rows.
    kind: Literal["identity", "expression", "aggregation"]
    # Start position in the SQL text, in UTF-16 code units from 0.
    start: int
    end: int


class ColumnPage(TypedDict):
    links: ColumnPageLinks
    meta: ColumnPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Column]


class ColumnPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ColumnPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ColumnPageMeta(_ColumnPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class ColumnProfile(TypedDict):
    # The column.
    resource_id: str
    # Title of the column.
    name: str
    native_type: Optional[str]
    profiled_at: str
    # The job that created the profile.
    job: Optional[str]
    # Who computed it: Tablinum, or a pipeline that reported it in an OpenLineage event.
    source: Literal["profile", "openlineage"]
    # The run that reported it, if you can see it.
    reported_by: Optional[str]
    # Which rows were read: all, a random sample, or the first ones.
    sampled: Literal["all", "random", "first"]
    rows_read: int
    nulls: int
    null_percentage: Optional[float]
    # Distinct values in the rows read.
    distinct_values: Optional[int]
    # Whether `distinct_values` is an estimate of the source.
    distinct_approximate: bool
    # Distinct values in percent of non-null values.
    unique_percentage: Optional[float]
    # Why no values are stored: the column is marked as PII, or has a pending PII suggestion. Null: values are stored.
    withheld: Optional[Literal["pii", "suspected"]]
    # The smallest number or date, or the first text in the sort order of the source; at most 200 characters.
    min: Optional[str]
    max: Optional[str]
    mean: Optional[float]
    # For numbers and dates: bins of equal width.
    histogram: Optional[List[ColumnProfileHistogramItem]]
    # The most frequent values. Null if almost all values are unique.
    top_values: Optional[List[ColumnProfileTopValuesItem]]
    # Values by quantile, e.g. `0.5`. Only pipelines report them.
    quantiles: Optional[Dict[str, float]]


_ColumnProfileHistogramItemKeywords = TypedDict("_ColumnProfileHistogramItemKeywords", {"from": "str"})


class ColumnProfileHistogramItem(_ColumnProfileHistogramItemKeywords):
    # Exclusive, except in the last bin.
    to: str
    count: int


class ColumnProfileTopValuesItem(TypedDict):
    value: str
    count: int


class ColumnSearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


# Oldest first, of the last 14 days with a profile.
class ColumnTrend(TypedDict):
    null_percentage: List[Optional[float]]
    distinct_values: List[Optional[float]]


# By column ID: the first 1,000 columns that the caller can see, as far as they have at least two profiles.
ColumnTrends = Dict[str, "ColumnTrend"]


class Comment(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The resource or column it is about.
    resource_id: str
    resource_title: str
    # The entity type of the resource.
    resource_type: str
    # The first comment of the thread; its own ID if it starts one.
    thread_id: str
    # Markdown. Null if it was deleted and has replies.
    text: Optional[str]
    created_by: Optional[str]
    created_by_name: Optional[str]
    edited_at: Optional[str]
    # Of the thread.
    status: Literal["open", "resolved"]
    # Only on the first comment of a thread.
    resolved_by: Optional[str]
    resolved_by_name: Optional[str]
    resolved_at: Optional[str]
    # Kinds that somebody gave.
    reactions: List[CommentReactionsItem]


class _CommentCreateRequired(TypedDict):
    # Markdown. `@ada@example.com` mentions a person.
    text: str


class CommentCreate(_CommentCreateRequired, total=False):
    # The resource or column. Required unless `thread_id` is given.
    resource_id: Optional[str]
    # Reply in this thread.
    thread_id: Optional[str]


class CommentEdit(TypedDict, total=False):
    # Markdown. `@ada@example.com` mentions a person.
    text: str
    # Resolves or reopens the thread that this comment starts.
    status: Literal["open", "resolved"]


class CommentPage(TypedDict):
    links: CommentPageLinks
    meta: CommentPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Comment]


class CommentPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _CommentPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class CommentPageMeta(_CommentPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class CommentReactionsItem(TypedDict):
    kind: Literal["thumbs_up", "thumbs_down", "heart", "celebrate", "eyes", "thinking"]
    count: int
    # Whether it is also yours.
    mine: bool
    # The first 20 who gave it.
    users: List[CommentReactionsItemUsersItem]


class CommentReactionsItemUsersItem(TypedDict):
    id: str
    name: str


class ConnectionTest(TypedDict):
    status: Literal["OK"]
    detail: str


class CustomProperty(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Unique, case-insensitive. Must not be a UUID.
    name: str
    # The type of its values.
    value_type: Literal["string", "number", "boolean", "date", "select", "multi_select", "user", "resource", "tag", "url"]
    # The entity types it applies to. `all` means every type.
    entity_types: List[Literal["all", "table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    # The allowed values of a `select` or `multi_select`, in display order. Null or an empty list allows any text.
    options: Optional[List[str]]


class _CustomPropertyCreateRequired(TypedDict):
    # Unique, case-insensitive. Must not be a UUID.
    name: str
    # The type of its values.
    value_type: Literal["string", "number", "boolean", "date", "select", "multi_select", "user", "resource", "tag", "url"]


class CustomPropertyCreate(_CustomPropertyCreateRequired, total=False):
    # The entity types it applies to. `all`, an empty list or no list means every type.
    entity_types: Optional[List[Literal["all", "table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]]
    # The allowed values of a `select` or `multi_select`, in display order. Null or an empty list allows any text.
    options: Optional[List[str]]


class CustomPropertyEdit(TypedDict, total=False):
    # Unique, case-insensitive. Must not be a UUID.
    name: str
    # The type of its values.
    value_type: Literal["string", "number", "boolean", "date", "select", "multi_select", "user", "resource", "tag", "url"]
    # The entity types it applies to. `all`, an empty list or no list means every type.
    entity_types: Optional[List[Literal["all", "table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]]
    # The allowed values of a `select` or `multi_select`, in display order. Null or an empty list allows any text.
    options: Optional[List[str]]


class CustomPropertyValue(TypedDict):
    # ID of the custom property.
    custom_property: str
    # ID of the resource.
    entity_id: str
    # The name of the custom property.
    name: str
    # The type of its values.
    value_type: Literal["string", "number", "boolean", "date", "select", "multi_select", "user", "resource", "tag", "url"]
    # The value in the normal form of its type.
    value: str
    updated_at: str


class CustomPropertyValueBody(TypedDict):
    # An empty string deletes the value.
    value: str


class DashboardCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class _DataQueryRequired(TypedDict):
    # One SELECT in the dialect of the source. It may read synced tables of the same integration that you can see, and call the functions that custom SQL monitors may call.
    sql: str


class DataQuery(_DataQueryRequired, total=False):
    # Rows to return.
    limit: int
    # Read columns marked as PII. Requires permission to edit the table and is recorded in the audit log; other callers are rejected.
    show_pii: bool


class DataQueryResult(TypedDict):
    # The table the query was run for.
    resource_id: str
    asked_at: str
    columns: List[DataQueryResultColumnsItem]
    # One cell per column. Texts are cut after 2,000 characters.
    rows: List[List[Optional[Union[str, float, bool]]]]
    # Whether there are more rows.
    truncated: bool
    # Columns of the tables it reads whose values were not read, as `table.column`: in the query their value is •••.
    masked: List[str]


class DataQueryResultColumnsItem(TypedDict):
    name: str
    # As the source names it.
    native_type: Optional[str]


class DatabaseCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class Delivery(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Recipient. Null if it was sent to a channel.
    user: Optional[str]
    # Slack channel of a monitor, if it was sent there.
    address: Optional[str]
    # Notification channel, if it was sent to one.
    channel_id: Optional[str]
    channel: Literal["email", "slack", "teams", "pagerduty", "opsgenie", "webhook"]
    # `alert`: about an incident, or to a notification channel.
    kind: Literal["changes", "alert"]
    # `uncertain`: the server stopped while sending, so the message may have been delivered. `dropped`: the message was no longer needed.
    status: Literal["pending", "sending", "sent", "failed", "uncertain", "dropped"]
    attempts: int
    # Time of the next attempt.
    due_at: Optional[str]
    # End of the quiet hours that held it back.
    held_until: Optional[str]
    sent_at: Optional[str]
    # Why the last attempt failed.
    error: Optional[str]
    # Number of resources in the message.
    resources_count: int


class DeliveryPage(TypedDict):
    links: DeliveryPageLinks
    meta: DeliveryPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Delivery]


class DeliveryPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _DeliveryPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class DeliveryPageMeta(_DeliveryPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


# Set if the resource should no longer be used.
Deprecation = Optional["DeprecationValue"]


# Marks the resource as no longer to be used. Null removes the mark.
DeprecationInput = Optional["DeprecationInputValue"]


# Marks the resource as no longer to be used. Null removes the mark.
class DeprecationInputValue(TypedDict, total=False):
    # Why it should no longer be used.
    reason: Optional[str]
    # A UUID, with or without dashes.
    replacement_id: Optional[str]
    # ISO 8601. Default: the previous value, else the current time.
    since: Optional[str]


# Set if the resource should no longer be used.
class DeprecationValue(TypedDict):
    # Why it should no longer be used.
    reason: Optional[str]
    # The resource to use instead.
    replacement_id: Optional[str]
    since: str


class DeprecationWarning(TypedDict):
    resource_id: str
    # Full title of the resource.
    resource: str
    # Readable description.
    text: str
    text_translatable: Translatable
    since: str
    # The resource to use instead, if you can see it.
    replacement_id: Optional[str]


class _DocumentRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    # ID of the resource it refers to.
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: DocumentSearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: DocumentCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    question_priority: Optional[str]
    question_answered_by: Optional[str]
    question_assigned_to: Optional[str]
    # Position among the documents with the same parent. Those without one come last, by title.
    sort_order: Optional[int]
    # Whether new documents can be created from it.
    is_template: bool


class Document(_DocumentRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]


class DocumentCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # ID of the resource it refers to.
    base_entity_id: Optional[str]
    # Position among the documents with the same parent. Those without one come last, by title.
    sort_order: Optional[int]
    # Whether new documents can be created from it.
    is_template: Optional[bool]
    # A document marked as a template: its title, description and text are copied unless they are given.
    template: Optional[str]


class DocumentCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class DocumentEdit(TypedDict, total=False):
    title: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # ID of the resource it refers to.
    base_entity_id: Optional[str]
    # Position among the documents with the same parent. Those without one come last, by title.
    sort_order: Optional[int]
    # Whether new documents can be created from it.
    is_template: Optional[bool]


class DocumentPage(TypedDict):
    links: DocumentPageLinks
    meta: DocumentPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Document]


class DocumentPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _DocumentPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class DocumentPageMeta(_DocumentPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class DocumentSearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


class DraftRequest(TypedDict, total=False):
    # A table, or anything above tables: all tables below it.
    resource_id: str
    # All tables of an integration. Either this or `resource_id`.
    integration_id: str
    # Also ask the language model of the assistant. It counts towards your daily limits.
    use_model: bool


# `job` is its installation that is queued or running; `translatable` is `obstacle` as a template.
class Driver(TypedDict):
    name: Literal["bigquery", "cassandra", "databricks", "duckdb", "kafka", "mongodb", "oracle", "snowflake", "sqlserver"]
    # The source it is for.
    label: str
    # Its npm package.
    package: str
    # The version this release of Tablinum was tested with.
    version: str
    # About how much it needs on the disk, with everything it depends on.
    megabytes: int
    installed: bool
    # The types of integration that need it.
    integration_types: List[str]
    # Why this server cannot install it; null if it can, or if it is installed.
    obstacle: Optional[str]
    job: Optional[DriverJob]
    # The same text as a template with its values, for translation.
    translatable: Optional[DriverTranslatable]


class DriverJob(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The user who started the job.
    user: Optional[str]
    title: str
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]
    progress: int
    # Whether the job failed.
    failed: bool
    started: str
    completed: Optional[str]
    logs: str
    has_artifact: bool


# The same text as a template with its values, for translation.
class DriverTranslatable(TypedDict):
    # English, with placeholders: `{who} added {n:# tag|# tags}`.
    template: str
    # By placeholder: a text, a number, another such template, or a list of these.
    values: Dict[str, Any]


_EmailSettingsKeywords = TypedDict("_EmailSettingsKeywords", {"from": "Optional[str]"})


class EmailSettings(_EmailSettingsKeywords):
    # Where the settings come from. `environment`: from variables of the server, which win over stored settings and cannot be changed here.
    source: Literal["environment", "stored", "none"]
    # Why the stored settings cannot be used.
    problem: Optional[str]
    updated_at: Optional[str]
    host: Optional[str]
    port: Optional[int]
    # `tls`: encrypted from the start (port 465). `starttls`: encryption is required (port 587). `none`: encrypted only if the server offers it.
    security: Optional[Literal["tls", "starttls", "none"]]
    user: Optional[str]
    # Whether a password is set. It is never returned.
    has_password: bool


_EmailSettingsEditKeywords = TypedDict("_EmailSettingsEditKeywords", {"from": "str"})


class _EmailSettingsEditRequired(TypedDict):
    # Name or address of the mail server.
    host: str
    port: int
    # `tls`: encrypted from the start (port 465). `starttls`: encryption is required (port 587). `none`: encrypted only if the server offers it.
    security: Literal["tls", "starttls", "none"]
    # User name; null if the server needs none.
    user: Optional[str]


class EmailSettingsEdit(_EmailSettingsEditKeywords, _EmailSettingsEditRequired, total=False):
    # Absent: the stored one is kept, unless the host, the port or the encryption changes.
    password: str


class EmbedLink(TypedDict):
    # Address of the card. It needs no token.
    url: str
    # A frame for the page of another site.
    html: str


class _ErrorRequired(TypedDict):
    # A readable explanation.
    detail: str
    code: Literal["validation_failed", "malformed_json", "invalid_filter", "invalid_sort", "invalid_page", "window_exceeded", "too_many_entities", "sql_unparsable", "unauthenticated", "permission_denied", "not_found", "method_not_allowed", "conflict", "precondition_failed", "payload_too_large", "unsupported_media_type", "rate_limited", "internal_error", "unavailable"]
    request_id: str


class Error(_ErrorRequired, total=False):
    errors: Dict[str, List[str]]
    # The same texts as templates with their values, as far as they can be translated.
    translatable: ErrorTranslatable


# The same texts as templates with their values, as far as they can be translated.
class ErrorTranslatable(TypedDict, total=False):
    detail: Translatable
    errors: Dict[str, List[Translatable]]


class _EventCreateRequired(TypedDict):
    # A UUID, with or without dashes.
    integration: str
    # A UUID, with or without dashes.
    parent: str


class EventCreate(_EventCreateRequired, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class _EventPropertyRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: EventPropertySearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: EventPropertyCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    question_priority: Optional[str]
    question_answered_by: Optional[str]
    question_assigned_to: Optional[str]
    # The data type. Defaults to the native type.
    type: Optional[str]


class EventProperty(_EventPropertyRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]


class _EventPropertyCreateRequired(TypedDict):
    # A UUID, with or without dashes.
    parent: str


class EventPropertyCreate(_EventPropertyCreateRequired, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # The data type. Defaults to the native type.
    type: Optional[str]


class EventPropertyCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class EventPropertyEdit(TypedDict, total=False):
    title: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # The data type. Defaults to the native type.
    type: Optional[str]


class EventPropertyPage(TypedDict):
    links: EventPropertyPageLinks
    meta: EventPropertyPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[EventProperty]


class EventPropertyPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _EventPropertyPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class EventPropertyPageMeta(_EventPropertyPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class EventPropertySearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


class ExampleQuery(TypedDict):
    # The query.
    id: str
    title: str
    # Its text, which may be Markdown with SQL.
    sql: Optional[str]
    description: Optional[str]
    verified: bool
    # The user who added it. Null if a source reported it.
    author: Optional[str]
    author_name: Optional[str]
    # Who ran it, as named by the source.
    people: List[str]
    # How often it was run, according to the source.
    executions: int
    last_run_at: Optional[str]
    # True if its SQL was parsed and reads the table; false if its text only mentions the table.
    parsed: bool


class ExampleQueryPage(TypedDict):
    links: ExampleQueryPageLinks
    meta: ExampleQueryPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[ExampleQuery]


class ExampleQueryPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ExampleQueryPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ExampleQueryPageMeta(_ExampleQueryPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class FailingRows(TypedDict):
    incident: str
    sample: Optional[FailingRowsSample]


class FailingRowsSample(TypedDict):
    # The measurement it belongs to.
    measurement: str
    measured_at: str
    # The checked column first. Columns with personal data are left out.
    columns: List[FailingRowsSampleColumnsItem]
    # At most 10 rows, one cell per column.
    rows: List[List[Optional[Union[str, float, bool]]]]
    # Of duplicates and missing references: how many rows have the values of each row.
    counts: Optional[List[int]]
    # Whether there are more.
    truncated: bool
    # Whether columns are left out because they contain personal data, or may.
    withheld: bool


class FailingRowsSampleColumnsItem(TypedDict):
    # The column.
    resource_id: str
    name: str
    title: str
    native_type: Optional[str]


_FieldChangeKeywords = TypedDict("_FieldChangeKeywords", {"from": "Any"})


class _FieldChangeRequired(TypedDict):
    field: str
    to: Any


class FieldChange(_FieldChangeKeywords, _FieldChangeRequired, total=False):
    # The texts are shortened, because the page holds more than 4 MB of them. Read or compare the versions for the full texts.
    shortened: bool


class Gate(TypedDict):
    # `unknown`: there are no measurements.
    status: Literal["pass", "fail", "unknown"]
    resource_id: str
    # Full title of the resource.
    resource: str
    # Why the gate fails: nearest resource first, at most 100.
    reasons: List[GateReason]
    # Total number of reasons.
    reasons_count: int
    # Deprecated resources among those checked. They do not make the gate fail.
    warnings: List[DeprecationWarning]
    monitors_checked: int
    resources_checked: int
    # True if there are more upstream resources than were checked.
    truncated: bool
    checked_at: str
    # The result as one sentence.
    summary: str


class GateReason(TypedDict):
    code: Literal["incident", "error", "stale"]
    # Readable description.
    text: str
    text_translatable: Translatable
    resource_id: str
    # Full title of the resource.
    resource: str
    upstream: bool
    monitor: str
    incident: Optional[str]
    since: Optional[str]


class _GlossaryRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: GlossarySearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: GlossaryCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    question_priority: Optional[str]
    question_answered_by: Optional[str]
    question_assigned_to: Optional[str]
    # Other words for the term. Search finds one by the other.
    synonyms: List[str]


class Glossary(_GlossaryRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]


class GlossaryCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # Other words for the term. Search finds one by the other.
    synonyms: Optional[List[str]]


class GlossaryCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class GlossaryEdit(TypedDict, total=False):
    title: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # Other words for the term. Search finds one by the other.
    synonyms: Optional[List[str]]


class GlossaryPage(TypedDict):
    links: GlossaryPageLinks
    meta: GlossaryPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Glossary]


class GlossaryPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _GlossaryPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class GlossaryPageMeta(_GlossaryPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class GlossarySearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


class Group(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    description: Optional[str]
    # User IDs.
    members: List[str]


class _GroupCreateRequired(TypedDict):
    name: str


class GroupCreate(_GroupCreateRequired, total=False):
    description: Optional[str]
    members: Optional[List[str]]


class GroupEdit(TypedDict, total=False):
    name: str
    description: Optional[str]
    members: Optional[List[str]]


class GroupPage(TypedDict):
    links: GroupPageLinks
    meta: GroupPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Group]


class GroupPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _GroupPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class GroupPageMeta(_GroupPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


# By resource ID. Resources that you cannot see are left out.
Health = Dict[str, "HealthValueValue"]


class HealthReason(TypedDict):
    # `failed_test`: a test of dbt or OpenLineage. `out_of_range`: an incident was resolved, but the last value is still out of range. `upstream_deprecated`: a resource whose data flows into it is deprecated, up to 20 steps away; the nearest on each path. `stale`: missing from its source.
    kind: Literal["incident", "failed_test", "upstream_incident", "out_of_range", "deprecated", "upstream_deprecated", "stale", "schema_change"]
    # Readable description.
    text: str
    text_translatable: Translatable
    # The resource it is about: this one, one of its columns, or one upstream.
    resource_id: str
    # Full title of that resource.
    resource: str
    since: Optional[str]
    # The open incident.
    incident: Optional[str]
    incident_status: Optional[Literal["active", "acknowledged", "resolved"]]
    # Who works on the incident: its assignee, else who acknowledged it.
    assignee: Optional[HealthReasonAssignee]
    # The resource to use instead of the deprecated one, if you can see it.
    replacement_id: Optional[str]


# Who works on the incident: its assignee, else who acknowledged it.
class HealthReasonAssignee(TypedDict):
    id: str
    name: str


class HealthValueValue(TypedDict):
    status: Literal["incident", "warning", "ok", "unknown"]
    deprecated: bool


class Home(TypedDict):
    # Changes to resources you own or subscribe to, newest first.
    changes: List[Notification]
    # Open incidents. Those of resources you own or subscribe to come first.
    incidents: List[OpenIncident]
    # Your bookmarks by title, at most 50 regardless of `limit`.
    bookmarks: List[ResourceBrief]
    # Your unpublished documents.
    drafts: List[ResourceBrief]
    # Open questions that you asked, own, subscribe to or are assigned to.
    questions: List[ResourceBrief]
    most_used: List[ResourceBrief]
    # Recently viewed resources.
    recent: List[HomeRecentItem]
    names: Names


class HomeRecentItem(TypedDict):
    id: str
    title: str
    title_full: str
    title_cased: str
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    native_type: Optional[str]
    icon: str
    # The first 300 characters of the description.
    description: Optional[str]
    published: bool
    archived: bool
    verified: bool
    pii: bool
    stale: bool
    deprecation: Deprecation
    # User IDs.
    owners: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs.
    terms: List[str]
    integration: Optional[str]
    parent: Optional[str]
    updated_at: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of direct children visible to the caller.
    children_count: int
    viewed_at: str


class Impact(TypedDict):
    links: ImpactLinks
    meta: ImpactMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Affected]
    level: str
    # True when more than 100,000 resources are affected: only the nearest are counted and listed.
    truncated: bool
    summary: ImpactSummary


class ImpactLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ImpactMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ImpactMeta(_ImpactMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class ImpactSummary(TypedDict):
    total: int
    by_entity_type: Dict[str, int]
    by_distance: Dict[str, int]
    # Owners with the most affected resources first, at most 100.
    by_owner: List[ImpactSummaryByOwnerItem]
    unowned: int
    dashboards: int


class ImpactSummaryByOwnerItem(TypedDict):
    id: str
    type: Literal["user", "group"]
    # Null when you may not see the name, or when it is unknown.
    name: Optional[str]
    email: Optional[str]
    count: int


class Import(TypedDict):
    id: str
    imported_at: str
    # Who imported the file.
    user: Optional[str]
    # The integration it was imported into.
    integration: str
    # The name of the file, if the request had one.
    file_name: Optional[str]
    format: Literal["csv", "jsonl", "xlsx"]
    lines: int
    # Resources created.
    created: int
    # Resources changed.
    updated: int
    lineage_created: int
    containers_published: int
    # Until when it can be undone.
    undo_until: str
    # The job of its undo, while it is queued or running.
    undo_job: Optional[str]
    undone_at: Optional[str]
    # Who undid it.
    undone_by: Optional[str]
    undone: ImportUndoCounts


class ImportDetails(TypedDict):
    id: str
    imported_at: str
    # Who imported the file.
    user: Optional[str]
    # The integration it was imported into.
    integration: str
    # The name of the file, if the request had one.
    file_name: Optional[str]
    format: Literal["csv", "jsonl", "xlsx"]
    lines: int
    # Resources created.
    created: int
    # Resources changed.
    updated: int
    lineage_created: int
    containers_published: int
    # Until when it can be undone.
    undo_until: str
    # The job of its undo, while it is queued or running.
    undo_job: Optional[str]
    undone_at: Optional[str]
    # Who undid it.
    undone_by: Optional[str]
    undone: ImportUndoCounts
    # What its undo has kept, as far as you can see it and it was among the first 100. Empty until it is undone.
    kept: List[ImportDetailsKeptItem]


class ImportDetailsKeptItem(TypedDict):
    resource_id: str
    title: str
    entity_type: str
    # Null: a created resource that is not moved to the trash.
    field: Optional[str]
    # changed: it has another value by now. used: someone changed or used the created resource since. contains: something in it is kept. part: it is a column or property of something that is kept. reported: a source reports it. published: something in it is published. invalid: the value before is no longer possible.
    reason: Literal["changed", "used", "contains", "part", "reported", "published", "invalid"]


class ImportPage(TypedDict):
    links: ImportPageLinks
    meta: ImportPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Import]


class ImportPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ImportPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ImportPageMeta(_ImportPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class ImportResult(TypedDict):
    dry_run: bool
    # Number of non-empty lines.
    lines: int
    created: int
    updated: int
    unchanged: int
    # Existing databases, schemas and other containers that are published because something in them is.
    containers_published: int
    lineage_created: int
    lineage_unchanged: int
    # Unknown fields that were ignored.
    ignored_fields: List[str]
    # Only for a dry run: the first 100 resources that would change.
    differences: List[ImportResultDifferencesItem]


class ImportResultDifferencesItem(TypedDict):
    line: int
    change: Literal["created", "updated"]
    id: Optional[str]
    databuilder_id: Optional[str]
    title: Optional[str]
    changes: List[ImportResultDifferencesItemChangesItem]


_ImportResultDifferencesItemChangesItemKeywords = TypedDict("_ImportResultDifferencesItemChangesItemKeywords", {"from": "Any"})


class ImportResultDifferencesItemChangesItem(_ImportResultDifferencesItemChangesItemKeywords):
    field: str
    to: Any


class ImportUndo(TypedDict):
    dry_run: bool
    # False: the import is large, and the counts and lists are of what was found within 2,000 changes or 10 seconds.
    complete: bool
    # Resources with fields or custom property values that are restored.
    resources_restored: int
    # Created resources that are moved to the trash.
    resources_deleted: int
    # Created lineage edges that are deleted. Those of deleted resources are in the trash with them.
    lineage_deleted: int
    # Changes that are not undone, and created resources that are not moved to the trash.
    changes_kept: int
    # The first 100 resources that are restored or moved to the trash. For a deleted one, those in it are not listed.
    restored: List[ImportUndoRestoredItem]
    # The first 100 changes and created resources that are kept as they are.
    kept: List[ImportUndoKeptItem]


ImportUndoCounts = Optional["ImportUndoCountsValue"]


class ImportUndoCountsValue(TypedDict):
    # Resources with fields or custom property values that are restored.
    resources_restored: int
    # Created resources that are moved to the trash.
    resources_deleted: int
    # Created lineage edges that are deleted. Those of deleted resources are in the trash with them.
    lineage_deleted: int
    # Changes that are not undone, and created resources that are not moved to the trash.
    changes_kept: int


class ImportUndoKeptItem(TypedDict):
    resource_id: str
    title: str
    entity_type: str
    # Null: a created resource that is not moved to the trash.
    field: Optional[str]
    # changed: it has another value by now. used: someone changed or used the created resource since. contains: something in it is kept. part: it is a column or property of something that is kept. reported: a source reports it. published: something in it is published. invalid: the value before is no longer possible.
    reason: Literal["changed", "used", "contains", "part", "reported", "published", "invalid"]
    # The value that the import wrote.
    imported: Any
    now: Any


class ImportUndoRestoredItem(TypedDict):
    resource_id: str
    title: str
    entity_type: str
    change: Literal["deleted", "restored"]
    # The values now and after the undo.
    changes: List[ImportUndoRestoredItemChangesItem]


_ImportUndoRestoredItemChangesItemKeywords = TypedDict("_ImportUndoRestoredItemChangesItemKeywords", {"from": "Any"})


class ImportUndoRestoredItemChangesItem(_ImportUndoRestoredItemChangesItemKeywords):
    field: str
    to: Any


class _IncidentRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    monitor: str
    target: str
    name: str
    # What is wrong, by how much, since when, and what is expected.
    summary: str
    summary_translatable: Translatable
    status: Literal["active", "acknowledged", "resolved"]
    # Copied from the monitor when the incident was opened.
    severity: Literal["low", "medium", "high", "critical"]
    # Latest value outside the limits.
    value: float
    lower_threshold: Optional[float]
    upper_threshold: Optional[float]
    explanation: Optional[str]
    first_seen_at: str
    last_seen_at: str
    last_notified_at: Optional[str]
    acknowledged_at: Optional[str]
    resolved_at: Optional[str]
    # User responsible for the incident.
    assignee: Optional[str]
    # Until then no one is notified of it. Null if it is not snoozed.
    snoozed_until: Optional[str]
    # User who snoozed it.
    snoozed_by: Optional[str]
    # True if the incident is resolved although the latest value of its monitor is still outside the limits.
    still_outside: bool
    # Number of measurements outside the limits.
    runs_outside: int
    # An incident that was open upstream when this one was opened.
    upstream_incident: Optional[str]
    actions: List[IncidentActionsItem]
    display_metadata: IncidentDisplayMetadata


class Incident(_IncidentRequired, total=False):
    # Resources downstream that you can see, and their owners. Only when a single incident is requested.
    downstream: IncidentDownstream


class IncidentActionsItem(TypedDict):
    type: Literal["notification_initial", "notification_resolved", "acknowledged", "resolved", "comment", "marked_normal", "marked_incident", "assigned", "reopened", "severity_changed", "snoozed", "unsnoozed", "snooze_ended"]
    user_id: Optional[str]
    user_name: str
    # Text of the comment; for an assignment the name of the assignee, for a changed severity the new one, for a snooze its end.
    comment: Optional[str]
    # For notifications: number of people notified. Null until it is sent.
    people: Optional[int]
    # For notifications: the Slack channel of the monitor and the names of the channels of rules it was sent to.
    channel: Optional[str]
    created_at: str


class IncidentDisplayMetadata(TypedDict):
    monitor: IncidentDisplayMetadataMonitor
    target: IncidentDisplayMetadataTarget


class IncidentDisplayMetadataMonitor(TypedDict):
    label: str
    # What it measures: decides the unit of the values.
    metric_type: str


class IncidentDisplayMetadataTarget(TypedDict):
    icon: Optional[str]
    # Full title of the target.
    label: str
    entity_type: str
    integration: Optional[str]
    integration_type: Optional[str]


# Resources downstream that you can see, and their owners. Only when a single incident is requested.
class IncidentDownstream(TypedDict):
    total: int
    dashboards: int
    owners: List[IncidentDownstreamOwnersItem]
    truncated: bool
    # The impact as one sentence.
    summary: str


class IncidentDownstreamOwnersItem(TypedDict):
    id: str
    type: Literal["user", "group"]
    name: Optional[str]
    count: int


class IncidentEdit(TypedDict, total=False):
    # `active` → `acknowledged` → `resolved`. Setting `active` reopens a resolved incident.
    status: Literal["active", "acknowledged", "resolved"]
    # Adds a comment. Commenting on an active incident also acknowledges it.
    comment: Optional[str]
    # A UUID, with or without dashes.
    assignee: Optional[str]
    severity: Literal["low", "medium", "high", "critical"]
    # No one is notified of the incident until then: a time in the future, at most a year away. Null ends the snooze.
    snoozed_until: Optional[str]
    # `normal`: the values were expected; the thresholds learn from them and the incident is resolved. `incident`: the thresholds never learn from them.
    marked: Literal["normal", "incident"]


class IncidentPage(TypedDict):
    links: IncidentPageLinks
    meta: IncidentPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Incident]


class IncidentPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _IncidentPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class IncidentPageMeta(_IncidentPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class IncidentTable(TypedDict):
    # The table; a column if you cannot see its table.
    id: str
    title: str
    # Number of its incidents that match.
    count: int
    active: int
    acknowledged: int
    # Open ones that are snoozed.
    snoozed: int
    # The most serious one.
    severity: Literal["low", "medium", "high", "critical"]
    last_opened_at: str
    # The newest five.
    incidents: List[Incident]
    display_metadata: IncidentTableDisplayMetadata


class IncidentTableDisplayMetadata(TypedDict):
    target: IncidentTableDisplayMetadataTarget


class IncidentTableDisplayMetadataTarget(TypedDict):
    icon: Optional[str]
    # Full title of the target.
    label: str
    entity_type: str
    integration: Optional[str]
    integration_type: Optional[str]


class IncidentTablePage(TypedDict):
    links: IncidentTablePageLinks
    meta: IncidentTablePageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[IncidentTable]


class IncidentTablePageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _IncidentTablePageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class IncidentTablePageMeta(_IncidentTablePageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class InsightGroups(TypedDict):
    # Whether only the groups with the most tables are listed.
    truncated: bool
    # Those with the most tables first.
    results: List[InsightGroupsResultsItem]


class InsightGroupsResultsItem(TypedDict):
    id: str
    # Null if the caller may not know it. Of a schema: the full title.
    name: Optional[str]
    # The integration of a schema; null for other groups.
    integration_id: Optional[str]
    numbers: InsightNumbers


class InsightNumbers(TypedDict, total=False):
    tables: float
    tables_described: float
    tables_owned: float
    tables_verified: float
    tables_deprecated: float
    tables_stale: float
    tables_unused: float
    tables_incident: float
    tables_warning: float
    tables_ok: float
    tables_unknown: float
    columns: float
    columns_described: float
    columns_with_terms: float
    columns_pii: float
    rows: float
    bytes: float
    stale_rows: float
    stale_bytes: float
    unused_rows: float
    unused_bytes: float
    queries: float
    views: float


class InsightTrends(TypedDict):
    # What the daily numbers count. `everything`: for admins. `internal`: what no closed team hides, for editors. `published`: of that what is published, for viewers. `nothing`: guests see no daily numbers.
    counted: Literal["everything", "internal", "published", "nothing"]
    # Oldest first; only days with a snapshot.
    days: List[InsightTrendsDaysItem]
    # Every day, oldest first: incidents of resources that the caller can see.
    incidents: List[InsightTrendsIncidentsItem]


class InsightTrendsDaysItem(TypedDict):
    day: str
    numbers: InsightNumbers


class InsightTrendsIncidentsItem(TypedDict):
    day: str
    opened: int
    resolved: int
    # Of those resolved on this day.
    median_hours_to_resolve: Optional[float]


class Insights(TypedDict):
    as_of: str
    # Counts of what the caller can see, without archived resources.
    metrics: List[InsightsMetricsItem]
    usage: InsightsUsage
    # Open incidents, and those opened and resolved since then. `/monitor/incidents` lists them.
    incidents: InsightsIncidents


# Open incidents, and those opened and resolved since then. `/monitor/incidents` lists them.
class InsightsIncidents(TypedDict):
    open: int
    opened: int
    resolved: int
    median_hours_to_resolve: Optional[float]
    since: str


class _InsightsMetricsItemRequired(TypedDict):
    name: Literal["tables", "tables_described", "tables_owned", "tables_verified", "tables_deprecated", "tables_stale", "tables_unused", "tables_incident", "tables_warning", "tables_ok", "tables_unknown", "columns", "columns_described", "columns_with_terms", "columns_pii"]
    count: int
    # The filter of `/resource/catalog` that lists them.
    filter: str


class InsightsMetricsItem(_InsightsMetricsItemRequired, total=False):
    # The rows of these tables, as far as they are known.
    rows: float
    # The size of these tables, as far as it is known.
    bytes: float


class InsightsUsage(TypedDict):
    # Queries of these tables in the 24 hours before their last sync.
    queries: float
    # Views of their pages in 90 days.
    views: float


class Integration(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    # The same as `name`.
    title: str
    type: Literal["custom", "openlineage", "datahub", "query_log", "postgres", "mysql", "sqlite", "duckdb", "sqlserver", "oracle", "kafka", "mongodb", "elasticsearch", "dynamodb", "cassandra", "clickhouse", "redshift", "snowflake", "bigquery", "databricks", "trino", "unity_catalog", "hive", "glue", "iceberg", "lake_s3", "lake_gcs", "lake_azure", "lake_files", "dbt", "dbt_cloud", "metabase", "superset", "tableau", "powerbi", "looker", "redash", "grafana", "mode", "airflow", "dagster", "prefect", "fivetran", "airbyte", "connector"]
    icon: str
    workspace_id: str
    # Team IDs. With a closed team among them, only its members and admins see the integration.
    teams: List[str]
    # The credentials that are not secret; null without the permission to manage integrations.
    connection: Optional[Dict[str, Union[str, float, bool]]]
    # The names of the secrets that are set. Their values are never returned.
    secrets_set: List[str]
    # When the integration syncs: either an interval or a cron expression.
    schedule: Optional[IntegrationSchedule]
    # Whether users can preview the first rows of its tables.
    preview_enabled: bool
    last_synced_at: Optional[str]
    last_sync_status: Optional[Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]]
    last_sync_error: Optional[str]
    next_sync_at: Optional[str]
    # Number of its resources that you can see; exact.
    resource_count: int
    # The background job that is deleting it.
    removal_job: Optional[str]


class _IntegrationCreateRequired(TypedDict):
    name: str


class IntegrationCreate(_IntegrationCreateRequired, total=False):
    # Default: `custom`.
    type: Literal["custom", "openlineage", "datahub", "query_log", "postgres", "mysql", "sqlite", "duckdb", "sqlserver", "oracle", "kafka", "mongodb", "elasticsearch", "dynamodb", "cassandra", "clickhouse", "redshift", "snowflake", "bigquery", "databricks", "trino", "unity_catalog", "hive", "glue", "iceberg", "lake_s3", "lake_gcs", "lake_azure", "lake_files", "dbt", "dbt_cloud", "metabase", "superset", "tableau", "powerbi", "looker", "redash", "grafana", "mode", "airflow", "dagster", "prefect", "fivetran", "airbyte", "connector"]
    teams: Optional[List[str]]
    # When the integration syncs: either an interval or a cron expression.
    schedule: Optional[IntegrationCreateSchedule]
    # Let everyone who can see a table preview its first rows, without personal data.
    preview_enabled: bool
    # How to connect to the source. Write-only; `GET /integration/types` lists the fields of each type.
    credentials: Optional[IntegrationCreateCredentials]


# How to connect to the source. Write-only; `GET /integration/types` lists the fields of each type.
class IntegrationCreateCredentials(TypedDict, total=False):
    archive_after_days: Optional[int]
    dialect: Optional[str]
    warehouse: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    log_integration: Optional[str]
    log_table: Optional[str]
    sql_column: Optional[str]
    time_column: Optional[str]
    user_column: Optional[str]
    duration_column: Optional[str]
    database_column: Optional[str]
    schema_column: Optional[str]
    host: Optional[str]
    port: Optional[int]
    user: Optional[str]
    password: Optional[str]
    ssl: Optional[bool]
    ca: Optional[str]
    max_million_rows: Optional[int]
    allowed_functions: Optional[str]
    include: Optional[str]
    exclude: Optional[str]
    query_history: Optional[bool]
    path: Optional[str]
    service: Optional[str]
    brokers: Optional[str]
    mechanism: Optional[str]
    registry_url: Optional[str]
    registry_user: Optional[str]
    registry_password: Optional[str]
    url: Optional[str]
    auth_source: Optional[str]
    sample_size: Optional[int]
    api_key: Optional[str]
    region: Optional[str]
    access_key_id: Optional[str]
    secret_access_key: Optional[str]
    session_token: Optional[str]
    hosts: Optional[str]
    datacenter: Optional[str]
    keyspace: Optional[str]
    account: Optional[str]
    private_key: Optional[str]
    role: Optional[str]
    project: Optional[str]
    location: Optional[str]
    service_account: Optional[str]
    max_gigabytes: Optional[int]
    http_path: Optional[str]
    token: Optional[str]
    catalog: Optional[str]
    keys: Optional[bool]
    engine: Optional[str]
    catalog_id: Optional[str]
    client_id: Optional[str]
    client_secret: Optional[str]
    login_url: Optional[str]
    scope: Optional[str]
    bucket: Optional[str]
    prefix: Optional[str]
    container: Optional[str]
    sas_token: Optional[str]
    account_key: Optional[str]
    account_id: Optional[str]
    project_id: Optional[str]
    personal_collections: Optional[bool]
    provider: Optional[str]
    site: Optional[str]
    token_name: Optional[str]
    token_secret: Optional[str]
    tenant: Optional[str]
    personal_workspaces: Optional[bool]
    personal_folders: Optional[bool]
    workspace: Optional[str]
    openlineage_namespace: Optional[str]
    api_secret: Optional[str]
    connector: Optional[str]
    settings: Optional[str]
    secrets: Optional[str]


# When the integration syncs: either an interval or a cron expression.
class IntegrationCreateSchedule(TypedDict, total=False):
    # Minutes between syncs.
    interval_minutes: int
    # `minute hour day month weekday`, in `timezone`.
    cron: str
    # IANA time zone of the cron expression; absent: UTC.
    timezone: str


class IntegrationEdit(TypedDict, total=False):
    name: str
    type: Literal["custom", "openlineage", "datahub", "query_log", "postgres", "mysql", "sqlite", "duckdb", "sqlserver", "oracle", "kafka", "mongodb", "elasticsearch", "dynamodb", "cassandra", "clickhouse", "redshift", "snowflake", "bigquery", "databricks", "trino", "unity_catalog", "hive", "glue", "iceberg", "lake_s3", "lake_gcs", "lake_azure", "lake_files", "dbt", "dbt_cloud", "metabase", "superset", "tableau", "powerbi", "looker", "redash", "grafana", "mode", "airflow", "dagster", "prefect", "fivetran", "airbyte", "connector"]
    teams: Optional[List[str]]
    # When the integration syncs: either an interval or a cron expression.
    schedule: Optional[IntegrationEditSchedule]
    # Let everyone who can see a table preview its first rows, without personal data.
    preview_enabled: bool
    # How to connect to the source. Write-only; `GET /integration/types` lists the fields of each type.
    credentials: Optional[IntegrationEditCredentials]


# How to connect to the source. Write-only; `GET /integration/types` lists the fields of each type.
class IntegrationEditCredentials(TypedDict, total=False):
    archive_after_days: Optional[int]
    dialect: Optional[str]
    warehouse: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    log_integration: Optional[str]
    log_table: Optional[str]
    sql_column: Optional[str]
    time_column: Optional[str]
    user_column: Optional[str]
    duration_column: Optional[str]
    database_column: Optional[str]
    schema_column: Optional[str]
    host: Optional[str]
    port: Optional[int]
    user: Optional[str]
    password: Optional[str]
    ssl: Optional[bool]
    ca: Optional[str]
    max_million_rows: Optional[int]
    allowed_functions: Optional[str]
    include: Optional[str]
    exclude: Optional[str]
    query_history: Optional[bool]
    path: Optional[str]
    service: Optional[str]
    brokers: Optional[str]
    mechanism: Optional[str]
    registry_url: Optional[str]
    registry_user: Optional[str]
    registry_password: Optional[str]
    url: Optional[str]
    auth_source: Optional[str]
    sample_size: Optional[int]
    api_key: Optional[str]
    region: Optional[str]
    access_key_id: Optional[str]
    secret_access_key: Optional[str]
    session_token: Optional[str]
    hosts: Optional[str]
    datacenter: Optional[str]
    keyspace: Optional[str]
    account: Optional[str]
    private_key: Optional[str]
    role: Optional[str]
    project: Optional[str]
    location: Optional[str]
    service_account: Optional[str]
    max_gigabytes: Optional[int]
    http_path: Optional[str]
    token: Optional[str]
    catalog: Optional[str]
    keys: Optional[bool]
    engine: Optional[str]
    catalog_id: Optional[str]
    client_id: Optional[str]
    client_secret: Optional[str]
    login_url: Optional[str]
    scope: Optional[str]
    bucket: Optional[str]
    prefix: Optional[str]
    container: Optional[str]
    sas_token: Optional[str]
    account_key: Optional[str]
    account_id: Optional[str]
    project_id: Optional[str]
    personal_collections: Optional[bool]
    provider: Optional[str]
    site: Optional[str]
    token_name: Optional[str]
    token_secret: Optional[str]
    tenant: Optional[str]
    personal_workspaces: Optional[bool]
    personal_folders: Optional[bool]
    workspace: Optional[str]
    openlineage_namespace: Optional[str]
    api_secret: Optional[str]
    connector: Optional[str]
    settings: Optional[str]
    secrets: Optional[str]


# When the integration syncs: either an interval or a cron expression.
class IntegrationEditSchedule(TypedDict, total=False):
    # Minutes between syncs.
    interval_minutes: int
    # `minute hour day month weekday`, in `timezone`.
    cron: str
    # IANA time zone of the cron expression; absent: UTC.
    timezone: str


class IntegrationPage(TypedDict):
    links: IntegrationPageLinks
    meta: IntegrationPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Integration]


class IntegrationPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _IntegrationPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class IntegrationPageMeta(_IntegrationPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


# When the integration syncs: either an interval or a cron expression.
class IntegrationSchedule(TypedDict, total=False):
    # Minutes between syncs.
    interval_minutes: int
    # `minute hour day month weekday`, in `timezone`.
    cron: str
    # IANA time zone of the cron expression; absent: UTC.
    timezone: str


class IntegrationType(TypedDict):
    type: str
    label: str
    icon: str
    category: Literal["push", "database", "warehouse", "transformation", "bi", "orchestration", "connector"]
    # A push integration: it sends metadata through the API and has no connection.
    pushes_only: bool
    # Whether this version can test and sync it.
    connects: bool
    # What its user needs to be allowed to do in the source, at the least.
    grants: Optional[str]
    # The npm package of its driver, if it has to be installed first.
    missing_package: Optional[str]
    # The fields of its `credentials`, in form order.
    fields: List[IntegrationTypeFieldsItem]


class IntegrationTypeFieldsItem(TypedDict):
    name: str
    label: str
    kind: Literal["text", "number", "boolean"]
    # Required to connect to the source.
    required: bool
    # Write-only: never returned.
    secret: bool
    # Affects where secrets are sent or how they are protected: when it changes, secrets must be entered again.
    destination: bool
    multiline: bool
    default: Optional[Union[str, float, bool]]
    help: Optional[str]


class _InvitationRequired(TypedDict):
    expires_at: str
    # Whether the link was sent to the user by e-mail.
    mailed: bool


class Invitation(_InvitationRequired, total=False):
    # Returned only in this response. A replay with the same `Idempotency-Key` does not contain it. Without `PUBLIC_URL` it is a path on this server.
    link: str
    # The code in the link.
    code: str


class _InvitationAcceptRequired(TypedDict):
    # From a one-time link.
    code: str
    # At least 10 characters.
    password: str


class InvitationAccept(_InvitationAcceptRequired, total=False):
    first_name: Optional[str]
    last_name: Optional[str]


class InvitationLook(TypedDict):
    # From a one-time link.
    code: str


class Invited(TypedDict):
    email: str
    name: str
    expires_at: str
    # The link is for the first admin: continue with `POST /auth/setup`.
    setup: bool


class Job(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The user who started the job.
    user: Optional[str]
    title: str
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]
    progress: int
    # Whether the job failed.
    failed: bool
    started: str
    completed: Optional[str]
    logs: str
    has_artifact: bool


class JobPage(TypedDict):
    links: JobPageLinks
    meta: JobPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Job]


class JobPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _JobPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class JobPageMeta(_JobPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class JobRun(TypedDict):
    # The run, which is a resource.
    id: str
    title: str
    # Null if the source does not report it.
    state: Optional[Literal["RUNNING", "COMPLETED", "FAILED", "ABORTED"]]
    started_at: Optional[str]
    ended_at: Optional[str]
    # Null until it has ended, or if a time is unknown.
    duration_seconds: Optional[float]
    rows_written: Optional[int]
    bytes_written: Optional[int]
    error: Optional[str]
    # What it read, as far as you may see it.
    inputs: List[RunDataset]
    # What it wrote, as far as you may see it.
    outputs: List[RunDataset]


class JobRunPage(TypedDict):
    links: JobRunPageLinks
    meta: JobRunPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[JobRun]


class JobRunPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _JobRunPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class JobRunPageMeta(_JobRunPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class LineageCreate(TypedDict):
    # A UUID, with or without dashes.
    from_entity: str
    # A UUID, with or without dashes.
    to_entity: str
    # DOWNSTREAM: data flows from `from_entity` to `to_entity`. UPSTREAM: from `to_entity` to `from_entity`.
    direction: Literal["UPSTREAM", "DOWNSTREAM"]


_LineageEdgeKeywords = TypedDict("_LineageEdgeKeywords", {"from": "str"})


class LineageEdge(_LineageEdgeKeywords):
    to: str
    # Added manually.
    is_manual: bool
    # Derived from a query.
    is_derived: bool
    # How data flows according to the queries; empty for edges that were only added manually.
    kinds: List[Literal["table", "identity", "expression", "aggregation", "filter"]]
    # Number of queries the edge was derived from.
    queries: int
    # The connection goes through resources excluded by the filters.
    indirect: bool


class LineageEntry(TypedDict):
    id: str
    created_at: str
    updated_at: str
    from_entity: str
    to_entity: str
    # DOWNSTREAM: data flows from `from_entity` to `to_entity`. UPSTREAM: from `to_entity` to `from_entity`.
    direction: Literal["UPSTREAM", "DOWNSTREAM"]
    is_manual: bool


class LineageEvidence(TypedDict):
    is_manual: bool
    kind: Optional[Literal["table", "identity", "expression", "aggregation", "filter"]]
    # The title of the source column, if the edge starts at one.
    from_column: Optional[str]
    to_column: Optional[str]
    created_at: str
    dialect: Optional[str]
    engine_version: Optional[str]
    # The job that reported the edge, if it was not derived from a query.
    job: Optional[str]
    # The query. Null for manual edges, and when it reads or writes resources you may not see.
    sql: Optional[str]
    # Start position in the query text, in UTF-16 code units from 0.
    start: Optional[int]
    end: Optional[int]


class _LineageFromQueryRequired(TypedDict):
    # One statement or a script, at most 1 MB.
    sql: str


class LineageFromQuery(_LineageFromQueryRequired, total=False):
    # The SQL dialect, e.g. `postgresql` or `bigquery`.
    dialect: Optional[str]
    # Completes names without a database.
    default_database: Optional[str]
    # Completes names without a schema.
    default_schema: Optional[str]
    # The integration the query runs in. Its tables are preferred when a name matches several.
    integration_id: Optional[str]
    # The target table. Required to create lineage from a bare SELECT.
    table_id: Optional[str]


class LineageGraph(TypedDict):
    resource_id: str
    direction: Literal["UPSTREAM", "DOWNSTREAM", "BOTH"]
    depth: int
    level: Literal["table", "column"]
    # Nearest first.
    nodes: List[LineageNode]
    edges: List[LineageEdge]
    # True when the requested depth contains more nodes or edges than this response.
    truncated: bool
    totals: LineageGraphTotals


class LineageGraphTotals(TypedDict):
    nodes: int
    edges: int
    # How many of the nodes you may not see.
    hidden: int
    # The sum of `more_upstream` and `more_downstream` over all nodes.
    more: int


class LineageNode(TypedDict):
    # The ID of the resource. For a hidden node a placeholder that is valid in this response only, e.g. `hidden-1`.
    id: str
    # A node you may not see. All fields except its position in the graph are null.
    hidden: bool
    title: Optional[str]
    title_full: Optional[str]
    entity_type: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    integration: Optional[str]
    integration_type: Optional[str]
    published: Optional[bool]
    archived: Optional[bool]
    verified: Optional[bool]
    pii: Optional[bool]
    stale: Optional[bool]
    deprecated: Optional[bool]
    health: Optional[Literal["incident", "warning", "ok", "unknown"]]
    # The table of a column, the dashboard of a chart.
    group: Optional[LineageNodeGroup]
    # Number of steps from the start node, which has 0.
    distance: int
    # The side of the start node it is on. BOTH on a cycle, null for the start node itself.
    direction: Optional[Literal["UPSTREAM", "DOWNSTREAM", "BOTH"]]
    # Upstream neighbours that are not in this response.
    more_upstream: int
    # Downstream neighbours that are not in this response.
    more_downstream: int


# The table of a column, the dashboard of a chart.
class LineageNodeGroup(TypedDict):
    id: str
    title: str
    title_full: str
    entity_type: str


class LineageOwner(TypedDict):
    id: str
    type: Literal["user", "group"]
    # Null when you may not see the name, or when it is unknown.
    name: Optional[str]
    email: Optional[str]


class LineagePage(TypedDict):
    links: LineagePageLinks
    meta: LineagePageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[LineageEntry]


class LineagePageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _LineagePageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class LineagePageMeta(_LineagePageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


_LineagePathsKeywords = TypedDict("_LineagePathsKeywords", {"from": "str"})


class LineagePaths(_LineagePathsKeywords):
    to: str
    level: Literal["table", "column"]
    # Number of steps of the shortest path; null when there is no path.
    length: Optional[int]
    paths: List[List[str]]
    nodes: List[LineageResource]
    edges: List[LineagePathsEdgesItem]
    # True when more paths of this length exist, or the search stopped at its limit.
    truncated: bool


_LineagePathsEdgesItemKeywords = TypedDict("_LineagePathsEdgesItemKeywords", {"from": "str"})


class LineagePathsEdgesItem(_LineagePathsEdgesItemKeywords):
    to: str
    # Added manually.
    is_manual: bool
    # Derived from a query.
    is_derived: bool
    # How data flows according to the queries; empty for edges that were only added manually.
    kinds: List[Literal["table", "identity", "expression", "aggregation", "filter"]]
    # Number of queries the edge was derived from.
    queries: int
    # At most 20.
    evidence: List[LineageEvidence]


class LineageResource(TypedDict):
    # The ID of the resource. For a hidden node a placeholder that is valid in this response only, e.g. `hidden-1`.
    id: str
    # A node you may not see. All fields except its position in the graph are null.
    hidden: bool
    title: Optional[str]
    title_full: Optional[str]
    entity_type: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    integration: Optional[str]
    integration_type: Optional[str]
    published: Optional[bool]
    archived: Optional[bool]
    verified: Optional[bool]
    pii: Optional[bool]
    stale: Optional[bool]
    deprecated: Optional[bool]
    health: Optional[Literal["incident", "warning", "ok", "unknown"]]
    # The table of a column, the dashboard of a chart.
    group: Optional[LineageResourceGroup]


# The table of a column, the dashboard of a chart.
class LineageResourceGroup(TypedDict):
    id: str
    title: str
    title_full: str
    entity_type: str


# IDs to add to lists, after `data` and `remove` were applied.
class ListChange(TypedDict, total=False):
    teams: List[str]
    owners: List[str]
    owners_groups: List[str]
    collections: List[str]
    tags: List[str]
    terms: List[str]
    subscribers: List[str]


class LogEntry(TypedDict):
    id: str
    # The activity that caused this one.
    parent_id: Optional[str]
    # `<noun>_<verb>`, e.g. `resource_updated`.
    activity_type: str
    performer_id: Optional[str]
    performer_type: Literal["USER", "API", "SYSTEM", "INTEGRATION"]
    performer_metadata: LogEntryPerformerMetadata
    resource_id: Optional[str]
    resource_type: Optional[str]
    resource_metadata: LogEntryResourceMetadata
    related_resource_ids: List[str]
    related_resource_type: Optional[str]
    # A sentence that describes the activity; join the values with spaces.
    event_blocks: List[LogEntryEventBlocksItem]
    translatable: Translatable
    logged_at: str
    created_at: str
    updated_at: str
    is_legacy: bool
    # Set if the activity created a version.
    version_history_id: Optional[str]
    # The same as `resource_type`.
    secoda_entity_type: Optional[str]


class LogEntryEventBlocksItem(TypedDict):
    # What this part of the sentence names.
    type: Literal["performer", "text", "resource"]
    style: Literal["normal"]
    value: str


class LogEntryPerformerMetadata(TypedDict):
    id: Optional[str]
    email: Optional[str]
    first_name: Optional[str]
    last_name: Optional[str]
    # Display name.
    name: str


class LogEntryResourceMetadata(TypedDict):
    id: Optional[str]
    # Its title after the change.
    title: Optional[str]
    # The same as `title`.
    name: Optional[str]
    icon: Optional[str]
    type: Optional[str]
    integration_id: Optional[str]


class Loss(TypedDict):
    number: int
    # What is missing, and why.
    line: str


class LossPage(TypedDict):
    links: LossPageLinks
    meta: LossPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Loss]


class LossPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _LossPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class LossPageMeta(_LossPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class Me(TypedDict):
    id: str
    created_at: str
    updated_at: str
    email: str
    first_name: Optional[str]
    last_name: Optional[str]
    # First and last name, or the e-mail address if neither is set.
    name: str
    # The same as `name`.
    display_name: str
    role: Literal["admin", "editor", "viewer", "guest"]
    # The user can no longer sign in.
    disabled: bool
    disabled_at: Optional[str]
    # The user who invited this one.
    invited_by: Optional[str]
    # Updated at most once a minute.
    last_seen_at: Optional[str]
    # Team IDs.
    teams: List[str]
    # Group IDs.
    groups: List[str]
    workspace_id: str
    # The token of this request.
    token_id: Optional[str]
    # The scope of the token or session.
    scope: Literal["read", "write", "admin"]
    # Your permissions with this token.
    permissions: List[Literal["catalog.read", "catalog.write", "people.read", "people.manage", "teams.read", "tokens.own", "self.read", "self.write", "password.own", "questions.ask", "jobs.read", "integrations.read", "integrations.manage", "monitors.read", "monitors.config", "monitors.write", "monitors.run", "data.query", "audit.read", "notifications.manage", "search.manage", "assistant.use", "assistant.manage", "server.manage", "links.manage", "trash.delete"]]


class Measurement(TypedDict):
    id: str
    # Time of the measurement.
    created_at: str
    updated_at: str
    monitor: str
    value: float
    # Number of rows a percentage was computed from.
    row_count: Optional[int]
    # Null while the expected range is still being learned, or if there is no lower limit.
    lower_threshold: Optional[float]
    upper_threshold: Optional[float]
    # How the limits were determined.
    explanation: Optional[str]
    # Version of the automatic thresholds that computed the limits. Null for manual limits and while the expected range is still being learned.
    thresholds_version: Optional[int]
    outside: bool
    origin: Literal["run", "pushed", "history"]
    # Feedback from a user.
    marked: Optional[Literal["normal", "incident"]]
    incident: Optional[str]
    incident_metadata: Optional[MeasurementIncidentMetadata]


class MeasurementEdit(TypedDict):
    # `normal`: the value was expected; the thresholds learn from it and its incident is resolved. `incident`: the thresholds do not learn from it.
    marked: Optional[Literal["normal", "incident"]]


class MeasurementIncidentMetadata(TypedDict):
    name: str
    status: Literal["active", "acknowledged", "resolved"]


class MeasurementPage(TypedDict):
    links: MeasurementPageLinks
    meta: MeasurementPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Measurement]


class MeasurementPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _MeasurementPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class MeasurementPageMeta(_MeasurementPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class MeasurementPush(TypedDict):
    measurements: List[MeasurementPushMeasurementsItem]


class _MeasurementPushMeasurementsItemRequired(TypedDict):
    value: float


class MeasurementPushMeasurementsItem(_MeasurementPushMeasurementsItemRequired, total=False):
    # A UUID, with or without dashes.
    monitor: str
    # Key of the monitor, instead of its ID.
    key: str
    # Default: now.
    measured_at: str
    row_count: Optional[int]


class MeasurementsPushed(TypedDict):
    results: List[Measurement]


class MessageTemplate(TypedDict):
    channel: Literal["email", "slack", "teams", "pagerduty", "opsgenie"]
    event: Literal["incident_opened", "incident_resolved", "schema_changed"]
    title: str
    body: str
    # False: the default is sent.
    custom: bool
    updated_at: Optional[str]
    placeholders: List[MessageTemplatePlaceholdersItem]


class MessageTemplateEdit(TypedDict):
    # One line with placeholders such as `{{resource}}`.
    title: str
    # Plain text with placeholders. Markup is sent as text.
    body: str


class MessageTemplatePlaceholdersItem(TypedDict):
    name: str
    description: str


class MessageTemplatePreview(TypedDict):
    # The newest incident, which the preview is about. Null for schema changes.
    incident: Optional[str]
    # What the preview is about. Null if there is nothing yet, and the values are examples.
    resource_title: Optional[str]
    subject: str
    title: str
    lines: List[str]
    link: Optional[str]
    # The text as the channel gets it, escaped.
    text: str


class MessageTemplatePreviewRequest(TypedDict):
    channel: Literal["email", "slack", "teams", "pagerduty", "opsgenie"]
    event: Literal["incident_opened", "incident_resolved", "schema_changed"]
    # One line with placeholders such as `{{resource}}`.
    title: str
    # Plain text with placeholders. Markup is sent as text.
    body: str


class ModelTest(TypedDict):
    ok: bool
    # What the model answered, or why it did not.
    message: str


class _MonitorRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The integration the target belongs to.
    integration: Optional[str]
    # The monitored table or column.
    target: str
    workspace: str
    # Your key for this monitor, used to push measurements without its ID.
    key: Optional[str]
    metric_type: Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]
    metric_config: MonitorMetricConfig
    schedule: MonitorSchedule
    # Hours between runs.
    frequency: int
    name: str
    is_enabled: bool
    # How serious its incidents are.
    severity: Literal["low", "medium", "high", "critical"]
    notify_slack_channel: Optional[str]
    # 1 to 10; a higher value narrows the expected range. Null for manual limits.
    condition_auto_sensitivity: Optional[int]
    condition_manual_min: Optional[float]
    condition_manual_max: Optional[float]
    status: Literal["pending", "normal", "incident", "error"]
    last_attempted_at: Optional[str]
    last_success_at: Optional[str]
    last_error_at: Optional[str]
    last_error_message: Optional[str]
    last_measurement: Optional[str]
    last_measurement_value: Optional[float]
    last_incident: Optional[str]
    next_run_at: Optional[str]
    display_metadata: MonitorDisplayMetadata


class Monitor(_MonitorRequired, total=False):
    # Latest measurements, oldest first. Only in lists requested with `recent`.
    recent: List[MonitorRecentItem]


class MonitorConfigResult(TypedDict):
    dry_run: bool
    file: str
    created: int
    updated: int
    deleted: int
    unchanged: int
    # In the order of the file, deletions last.
    changes: List[MonitorConfigResultChangesItem]


class MonitorConfigResultChangesItem(TypedDict):
    action: Literal["create", "update", "delete"]
    name: str
    target: str
    # Null in a dry run for a monitor that would be created.
    monitor: Optional[str]
    line: Optional[int]
    changes: List[MonitorConfigResultChangesItemChangesItem]


_MonitorConfigResultChangesItemChangesItemKeywords = TypedDict("_MonitorConfigResultChangesItemChangesItemKeywords", {"from": "Any"})


class MonitorConfigResultChangesItemChangesItem(_MonitorConfigResultChangesItemChangesItemKeywords):
    field: str
    to: Any


class MonitorCreate(TypedDict, total=False):
    # A UUID, with or without dashes.
    target: Optional[str]
    # Default: `row_count` for tables, `null_percentage` for columns.
    metric_type: Optional[Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]]
    is_enabled: Optional[bool]
    name: Optional[str]
    # Any unique key of your choice.
    key: Optional[str]
    metric_config: Optional[MonitorCreateMetricConfig]
    # Default: daily at 00:00 UTC.
    schedule: Optional[MonitorCreateSchedule]
    # Default: 5; null when manual limits are set, and for checks that count what should not be there: their default maximum is 0. A higher value narrows the expected range.
    condition_auto_sensitivity: Optional[int]
    condition_manual_min: Optional[float]
    condition_manual_max: Optional[float]
    # How serious its incidents are. Default: `medium`.
    severity: Optional[Literal["low", "medium", "high", "critical"]]
    # Slack channel that is notified of incidents.
    notify_slack_channel: Optional[str]
    # Subscribe the creator to the target, so that at least one person is notified of incidents.
    subscribe: Optional[bool]
    # Compute earlier measurements from existing rows. Requires a timestamp column.
    back_fill: Optional[bool]


class MonitorCreateMetricConfig(TypedDict, total=False):
    # For `custom_sql`: one SELECT that returns one row with one number. Ignored for other metrics.
    query_select: Optional[str]
    # SQL condition: only rows that match it are measured.
    where: Optional[str]
    # Column that says when a row was written. Used by `freshness` and for the backfill, and as the partition date of `partition_freshness`, `partition_gaps` and `partition_row_count`.
    timestamp_column: Optional[str]
    # For `partition_gaps`: how many days before today must have a partition, as far as the table goes back. Default: 30.
    days: Optional[int]
    # For `accepted_values`: the values a row may have. Numbers of numeric columns as text.
    values: Optional[List[str]]
    # For `pattern`: a regular expression of the source that each value must contain a match of. Anchor it with `^` and `$`.
    pattern: Optional[str]
    # For `range`: the smallest allowed value.
    min_value: Optional[float]
    # For `range`: the largest allowed value.
    max_value: Optional[float]
    # For `duplicates`: the columns that identify a row. Default: the primary key.
    columns: Optional[List[str]]
    # For `referential`: full title of the column of the same integration in which each value must exist, e.g. `shop.public.customers.id`.
    references: Optional[str]
    # For `schema`: changes that are not counted. Default: `added` and `reordered`.
    allowed: Optional[List[Literal["added", "dropped", "retyped", "renamed", "reordered", "nullability"]]]


# Default: daily at 00:00 UTC.
class MonitorCreateSchedule(TypedDict, total=False):
    cadence: Optional[Literal["hourly", "daily", "weekly"]]
    # Hour of the day, in `timezone`.
    hour: Optional[int]
    # For weekly schedules: day of the week, 0 is Sunday.
    day: Optional[int]
    # For hourly schedules: hours between runs (1, 3, 6 or 12).
    frequency: Optional[int]
    # IANA time zone. Default: UTC.
    timezone: Optional[str]


class MonitorDisplayMetadata(TypedDict):
    target: MonitorDisplayMetadataTarget


class MonitorDisplayMetadataTarget(TypedDict):
    icon: Optional[str]
    # Full title of the target.
    label: str
    entity_type: str
    integration: Optional[str]
    integration_type: Optional[str]


class MonitorEdit(TypedDict, total=False):
    # A UUID, with or without dashes.
    target: Optional[str]
    metric_type: Optional[Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]]
    is_enabled: Optional[bool]
    name: Optional[str]
    # Any unique key of your choice.
    key: Optional[str]
    metric_config: Optional[MonitorEditMetricConfig]
    # Default: daily at 00:00 UTC.
    schedule: Optional[MonitorEditSchedule]
    # Default: 5; null when manual limits are set, and for checks that count what should not be there: their default maximum is 0. A higher value narrows the expected range.
    condition_auto_sensitivity: Optional[int]
    condition_manual_min: Optional[float]
    condition_manual_max: Optional[float]
    # How serious its incidents are. Default: `medium`.
    severity: Optional[Literal["low", "medium", "high", "critical"]]
    # Slack channel that is notified of incidents.
    notify_slack_channel: Optional[str]


class MonitorEditMetricConfig(TypedDict, total=False):
    # For `custom_sql`: one SELECT that returns one row with one number. Ignored for other metrics.
    query_select: Optional[str]
    # SQL condition: only rows that match it are measured.
    where: Optional[str]
    # Column that says when a row was written. Used by `freshness` and for the backfill, and as the partition date of `partition_freshness`, `partition_gaps` and `partition_row_count`.
    timestamp_column: Optional[str]
    # For `partition_gaps`: how many days before today must have a partition, as far as the table goes back. Default: 30.
    days: Optional[int]
    # For `accepted_values`: the values a row may have. Numbers of numeric columns as text.
    values: Optional[List[str]]
    # For `pattern`: a regular expression of the source that each value must contain a match of. Anchor it with `^` and `$`.
    pattern: Optional[str]
    # For `range`: the smallest allowed value.
    min_value: Optional[float]
    # For `range`: the largest allowed value.
    max_value: Optional[float]
    # For `duplicates`: the columns that identify a row. Default: the primary key.
    columns: Optional[List[str]]
    # For `referential`: full title of the column of the same integration in which each value must exist, e.g. `shop.public.customers.id`.
    references: Optional[str]
    # For `schema`: changes that are not counted. Default: `added` and `reordered`.
    allowed: Optional[List[Literal["added", "dropped", "retyped", "renamed", "reordered", "nullability"]]]


# Default: daily at 00:00 UTC.
class MonitorEditSchedule(TypedDict, total=False):
    cadence: Optional[Literal["hourly", "daily", "weekly"]]
    # Hour of the day, in `timezone`.
    hour: Optional[int]
    # For weekly schedules: day of the week, 0 is Sunday.
    day: Optional[int]
    # For hourly schedules: hours between runs (1, 3, 6 or 12).
    frequency: Optional[int]
    # IANA time zone. Default: UTC.
    timezone: Optional[str]


class MonitorMetricConfig(TypedDict, total=False):
    # For `custom_sql`: one SELECT that returns one row with one number. Ignored for other metrics.
    query_select: str
    # SQL condition: only rows that match it are measured.
    where: str
    # Column that says when a row was written. Used by `freshness` and for the backfill, and as the partition date of `partition_freshness`, `partition_gaps` and `partition_row_count`.
    timestamp_column: str
    # For `partition_gaps`: how many days before today must have a partition, as far as the table goes back. Default: 30.
    days: int
    # For `accepted_values`: the values a row may have. Numbers of numeric columns as text.
    values: List[str]
    # For `pattern`: a regular expression of the source that each value must contain a match of. Anchor it with `^` and `$`.
    pattern: str
    # For `range`: the smallest allowed value.
    min_value: float
    # For `range`: the largest allowed value.
    max_value: float
    # For `duplicates`: the columns that identify a row. Default: the primary key.
    columns: List[str]
    # For `referential`: full title of the column of the same integration in which each value must exist, e.g. `shop.public.customers.id`.
    references: str
    # For `schema`: changes that are not counted. Default: `added` and `reordered`.
    allowed: List[Literal["added", "dropped", "retyped", "renamed", "reordered", "nullability"]]


class MonitorPage(TypedDict):
    links: MonitorPageLinks
    meta: MonitorPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Monitor]


class MonitorPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _MonitorPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class MonitorPageMeta(_MonitorPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class MonitorPreview(TypedDict):
    # Name the monitor would get.
    name: str
    metric_type: Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]
    frequency: int
    # Current value.
    value: Optional[float]
    # Number of rows a percentage was computed from.
    row_count: Optional[int]
    # Why the metric could not be measured.
    problem: Optional[str]
    # Backfilled values, oldest first, if the table has a timestamp column. Can be passed to `/monitor/replay`.
    past: List[MonitorPreviewPastItem]
    # Why no values could be backfilled.
    past_problem: Optional[str]


class MonitorPreviewPastItem(TypedDict):
    measured_at: str
    value: float


class MonitorRecentItem(TypedDict):
    created_at: str
    value: float
    outside: bool


class _MonitorScheduleRequired(TypedDict):
    cadence: Literal["hourly", "daily", "weekly"]
    hour: int
    day: Optional[int]
    # Hours between runs.
    frequency: int


class MonitorSchedule(_MonitorScheduleRequired, total=False):
    # IANA time zone of `hour` and `day`; absent: UTC.
    timezone: str


class MonitorSuggestion(TypedDict):
    # Key for accepting this suggestion.
    key: str
    target: str
    target_title: str
    metric_type: Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]
    name: str
    # Why this monitor is useful.
    reason: str
    reason_translatable: Translatable
    metric_config: MonitorSuggestionMetricConfig
    condition_auto_sensitivity: Optional[int]
    condition_manual_min: Optional[float]
    condition_manual_max: Optional[float]


class MonitorSuggestionMetricConfig(TypedDict, total=False):
    timestamp_column: str


class MonitorSuggestions(TypedDict):
    resource_id: str
    # Most useful first, without monitors that already exist.
    suggestions: List[MonitorSuggestion]
    # What the suggestions are based on: names and types of the columns, or their profiles.
    based_on: Optional[str]
    # The same text as a template with its values, for translation.
    based_on_translatable: Optional[MonitorSuggestionsBasedOnTranslatable]


# The same text as a template with its values, for translation.
class MonitorSuggestionsBasedOnTranslatable(TypedDict):
    # English, with placeholders: `{who} added {n:# tag|# tags}`.
    template: str
    # By placeholder: a text, a number, another such template, or a list of these.
    values: Dict[str, Any]


class _NamedRequired(TypedDict):
    type: Literal["user", "group", "team", "tag", "integration", "resource"]
    name: str


class Named(_NamedRequired, total=False):
    # Only for users, groups and teams: shown instead of a picture.
    initials: str
    # Only for tags.
    color: Optional[str]
    # Only for resources.
    entity_type: str
    # Only for resources.
    icon: str
    # Only for integrations.
    integration_type: str
    # Only for glossary terms: the first 300 characters of the description.
    description: str
    # Only for questions and replies: the name of the author.
    author: str


class NamedLikeTerm(TypedDict):
    # Whether there may be more.
    truncated: bool
    # The most used first.
    results: List[ResourceBrief]


# Names by ID. IDs that do not exist or are not visible to the caller are left out.
Names = Dict[str, "Named"]


class _NeedHideRequired(TypedDict):
    kind: Literal["incidents", "questions", "discussions", "suggestions", "pii", "syncs", "backups", "undocumented", "unowned"]
    # A UUID, with or without dashes.
    id: str


class NeedHide(_NeedHideRequired, total=False):
    # When it appears again. Null or absent: never.
    until: Optional[str]


class NeedItem(TypedDict):
    # Of the incident, question, thread, suggestion, integration, backup or resource.
    id: str
    kind: Literal["incidents", "questions", "discussions", "suggestions", "pii", "syncs", "backups", "undocumented", "unowned"]
    # What it says, if it is a text of a user.
    text: Optional[str]
    since: str
    # What it is about: of a question, the resource it was asked about; null if it is about none, or about one that you cannot see. The question itself is `id`.
    resource: Optional[NeedItemResource]
    # The integration whose sync failed.
    integration: Optional[str]


# What it is about: of a question, the resource it was asked about; null if it is about none, or about one that you cannot see. The question itself is `id`.
class NeedItemResource(TypedDict):
    id: str
    title: str
    title_full: str
    title_cased: str
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    native_type: Optional[str]
    icon: str
    # The first 300 characters of the description.
    description: Optional[str]
    published: bool
    archived: bool
    verified: bool
    pii: bool
    stale: bool
    deprecation: Deprecation
    # User IDs.
    owners: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs.
    terms: List[str]
    integration: Optional[str]
    parent: Optional[str]
    updated_at: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of direct children visible to the caller.
    children_count: int


class NeedsYou(TypedDict):
    # The sum of the counts.
    total: int
    # Only sections with entries.
    sections: List[NeedsYouSectionsItem]


class NeedsYouSectionsItem(TypedDict):
    # `incidents`: open, on what you own or assigned to you. `questions`: open, about what you own or assigned to you. `discussions`: open discussions of what you own in which somebody else wrote last. `suggestions`: suggested changes of what you own. `pii`: possible personal data in what you own. `syncs`: sources whose last sync failed (for admins). `backups`: the last scheduled backup failed (for admins). `undocumented`: used tables that you own without a description. `unowned`: resources of your teams without an owner.
    kind: Literal["incidents", "questions", "discussions", "suggestions", "pii", "syncs", "backups", "undocumented", "unowned"]
    # At most 1,000.
    count: int
    items: List[NeedItem]


class NewMembers(TypedDict):
    members: List[str]


class _NewPublicLinkRequired(TypedDict):
    id: str
    resource_id: str
    # The last characters of the link.
    hint: str
    created_by_name: Optional[str]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]


class NewPublicLink(_NewPublicLinkRequired, total=False):
    # The link. It is returned once and not stored: a replay with the same `Idempotency-Key` does not contain it.
    url: str


class _NewTokenRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    # The last characters of the token, to tell tokens apart.
    hint: str
    # Limits the permissions of the user the token acts as.
    scope: Literal["read", "write", "admin"]
    # The user the token acts as.
    user: str
    # The application the user connected with this token. Null for tokens that were created here.
    client: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]
    # Updated at most once a minute.
    last_used_at: Optional[str]


class NewToken(_NewTokenRequired, total=False):
    # Returned only in this response. A replay with the same `Idempotency-Key` does not contain it.
    token: str


class _NewWebhookRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    url: str
    events: List[str]
    entity_types: List[str]
    integrations: List[str]
    enabled: bool
    # Why the webhook was disabled automatically.
    disabled_reason: Optional[str]
    last_delivered_at: Optional[str]
    # Time since which all deliveries have failed. Null if the last delivery succeeded.
    failing_since: Optional[str]


class NewWebhook(_NewWebhookRequired, total=False):
    # Secret used to sign deliveries. Returned only once; a replay with the same `Idempotency-Key` does not contain it.
    secret: str


class Notification(TypedDict):
    id: str
    created_at: str
    updated_at: str
    resource_id: str
    # Entity type of the resource.
    resource_type: str
    resource_title: str
    resource_deleted: bool
    # URL of the resource. Null if `PUBLIC_URL` is not set or the resource was deleted.
    link: Optional[str]
    # The incident, if all changes of the notification, at most 20, are about the same one.
    incident: Optional[str]
    # The latest change, as a sentence.
    text: str
    # The latest changes, newest first, at most 20.
    changes: List[ToldChange]
    # Total number of changes in this notification.
    changes_count: int
    last_change_at: str
    read: bool
    read_at: Optional[str]


class NotificationChannel(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    type: Literal["email", "slack", "teams", "pagerduty", "opsgenie", "webhook"]
    # The e-mail address, the Slack channel, the URL of the pager or webhook, or the host of the Teams workflow.
    address: str
    enabled: bool
    # False if this server cannot send e-mail or Slack messages.
    available: bool
    last_sent_at: Optional[str]
    # Why the latest message could not be delivered. Null if it was.
    last_error: Optional[str]


class _NotificationChannelCreateRequired(TypedDict):
    name: str
    type: Literal["email", "slack", "teams", "pagerduty", "opsgenie", "webhook"]


class NotificationChannelCreate(_NotificationChannelCreateRequired, total=False):
    # An e-mail address, or a Slack channel ID such as `C024BE7LH`.
    address: str
    # The URL of a webhook or of a Teams workflow (secret), or of the API of a pager if it is not the default, e.g. `https://api.eu.opsgenie.com`.
    url: str
    # Integration (routing) key of PagerDuty, API key of Opsgenie, or the secret that signs the requests to a webhook (at least 16 characters). Never returned.
    key: str
    enabled: bool


class NotificationChannelEdit(TypedDict, total=False):
    name: str
    # An e-mail address, or a Slack channel ID such as `C024BE7LH`.
    address: str
    # The URL of a webhook or of a Teams workflow (secret), or of the API of a pager if it is not the default, e.g. `https://api.eu.opsgenie.com`.
    url: str
    # Integration (routing) key of PagerDuty, API key of Opsgenie, or the secret that signs the requests to a webhook (at least 16 characters). Never returned.
    key: str
    enabled: bool


class NotificationChannelPage(TypedDict):
    links: NotificationChannelPageLinks
    meta: NotificationChannelPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[NotificationChannel]


class NotificationChannelPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _NotificationChannelPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class NotificationChannelPageMeta(_NotificationChannelPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class NotificationChannelTest(TypedDict):
    delivered: bool
    # HTTP status of the response.
    response_status: Optional[int]
    # What the receiver answered.
    response_body: Optional[str]
    response_ms: int
    error: Optional[str]


class NotificationEdit(TypedDict):
    read: bool


class NotificationExplanation(TypedDict):
    user: str
    activity: str
    incident: Optional[str]
    resource_id: str
    # Why the change concerns the user now.
    relation: Literal["owner", "owner_group", "subscriber", "addressed", "downstream", "rule", "none"]
    inbox: NotificationExplanationInbox
    # Messages to the user.
    channels: List[NotificationExplanationChannelsItem]
    # Routing rules of incidents and schema changes: the matching ones, for admins all. Rules changed since then are shown as they are now.
    rules: List[NotificationExplanationRulesItem]


class NotificationExplanationChannelsItem(TypedDict):
    channel: Literal["email", "slack"]
    reason: Literal["sent", "held", "waiting", "retrying", "failed", "uncertain", "dropped", "off", "not_available", "not_notified", "not_sent"]
    # The reason as a sentence.
    text: str
    at: Optional[str]


class NotificationExplanationInbox(TypedDict):
    reason: Literal["notified", "own_action", "cannot_see", "no_relation", "kind_not_notified", "snoozed", "not_processed_yet", "not_in_inbox", "user_disabled"]
    # The reason as a sentence.
    text: str


class NotificationExplanationRulesItem(TypedDict):
    id: str
    name: str
    result: Literal["matched", "not_matched", "not_reached", "disabled"]
    # The first condition that was not met.
    failed: Optional[Literal["event", "severity", "restricted", "tag", "team", "owner", "location"]]
    channels: List[NotificationExplanationRulesItemChannelsItem]


class NotificationExplanationRulesItemChannelsItem(TypedDict):
    id: str
    name: str
    type: Literal["email", "slack", "teams", "pagerduty", "opsgenie", "webhook"]
    reason: Literal["sent", "held", "waiting", "retrying", "failed", "uncertain", "dropped", "off", "not_available", "not_notified", "not_sent"]
    # The reason as a sentence.
    text: str
    at: Optional[str]


class NotificationPage(TypedDict):
    links: NotificationPageLinks
    meta: NotificationPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Notification]
    # Number of unread notifications in the inbox.
    unread_count: int


class NotificationPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _NotificationPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class NotificationPageMeta(_NotificationPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class NotificationRule(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    # Rules are tried in this order, from 1.
    position: int
    enabled: bool
    # `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers.
    events: List[Literal["incident", "schema_changed"]]
    # Only incidents of at least this severity; schema changes have none. Null: all.
    min_severity: Optional[Literal["low", "medium", "high", "critical"]]
    # Also resources of closed teams that `teams` does not name. Members of the channels read about them.
    include_restricted: bool
    # Only resources with one of these tags. Empty: all.
    tags: List[str]
    # Only resources of one of these teams. Empty: all.
    teams: List[str]
    # Only resources owned by one of these users or groups. Empty: all.
    owners: List[str]
    # Only these resources and what is below them, e.g. a schema. Empty: all.
    below: List[str]
    # Notification channels. Empty: what matches goes to no channel.
    channels: List[str]
    # Users, groups and teams whose members are notified: in their inbox, and by e-mail and Slack as each of them has set. Only those who can see the resource.
    recipients: List[str]
    # Also try the following rules. Otherwise the first rule that matches decides.
    continues: bool


class _NotificationRuleCreateRequired(TypedDict):
    name: str


class NotificationRuleCreate(_NotificationRuleCreateRequired, total=False):
    # `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers.
    events: List[Literal["incident", "schema_changed"]]
    # Only incidents of at least this severity; schema changes have none. Null: all.
    min_severity: Optional[Literal["low", "medium", "high", "critical"]]
    # Also resources of closed teams that `teams` does not name. Members of the channels read about them.
    include_restricted: bool
    # Only resources with one of these tags. Empty: all.
    tags: List[str]
    # Only resources of one of these teams. Empty: all.
    teams: List[str]
    # Only resources owned by one of these users or groups. Empty: all.
    owners: List[str]
    # Only these resources and what is below them, e.g. a schema. Empty: all.
    below: List[str]
    # Notification channels.
    channels: List[str]
    # Users, groups and teams whose members are notified: in their inbox, and by e-mail and Slack as each of them has set. Only those who can see the resource.
    recipients: List[str]
    continues: bool
    enabled: bool
    # Default: last.
    position: int


class NotificationRuleEdit(TypedDict, total=False):
    name: str
    # `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers.
    events: List[Literal["incident", "schema_changed"]]
    # Only incidents of at least this severity; schema changes have none. Null: all.
    min_severity: Optional[Literal["low", "medium", "high", "critical"]]
    # Also resources of closed teams that `teams` does not name. Members of the channels read about them.
    include_restricted: bool
    # Only resources with one of these tags. Empty: all.
    tags: List[str]
    # Only resources of one of these teams. Empty: all.
    teams: List[str]
    # Only resources owned by one of these users or groups. Empty: all.
    owners: List[str]
    # Only these resources and what is below them, e.g. a schema. Empty: all.
    below: List[str]
    # Notification channels.
    channels: List[str]
    # Users, groups and teams whose members are notified: in their inbox, and by e-mail and Slack as each of them has set. Only those who can see the resource.
    recipients: List[str]
    continues: bool
    enabled: bool
    # Default: last.
    position: int


class NotificationRulePage(TypedDict):
    links: NotificationRulePageLinks
    meta: NotificationRulePageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[NotificationRule]


class NotificationRulePageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _NotificationRulePageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class NotificationRulePageMeta(_NotificationRulePageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class NotificationRulePreview(TypedDict):
    # How many of the last incidents were compared, at most 100.
    checked: int
    # Those that meet the conditions, newest first.
    matched: List[NotificationRulePreviewMatchedItem]


class NotificationRulePreviewMatchedItem(TypedDict):
    incident: str
    name: str
    severity: Literal["low", "medium", "high", "critical"]
    resource_id: str
    resource_title: str
    opened_at: Optional[str]


class NotificationRulePreviewRequest(TypedDict, total=False):
    # `incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers.
    events: List[Literal["incident", "schema_changed"]]
    # Only incidents of at least this severity; schema changes have none. Null: all.
    min_severity: Optional[Literal["low", "medium", "high", "critical"]]
    # Also resources of closed teams that `teams` does not name. Members of the channels read about them.
    include_restricted: bool
    # Only resources with one of these tags. Empty: all.
    tags: List[str]
    # Only resources of one of these teams. Empty: all.
    teams: List[str]
    # Only resources owned by one of these users or groups. Empty: all.
    owners: List[str]
    # Only these resources and what is below them, e.g. a schema. Empty: all.
    below: List[str]


class NotificationSettings(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Send notifications by e-mail.
    email: bool
    # E-mail is configured for this workspace.
    email_available: bool
    # Send notifications to Slack.
    slack: bool
    # Your Slack user ID, or a channel ID.
    slack_id: Optional[str]
    # Slack is configured for this workspace.
    slack_available: bool
    quiet_hours: QuietHours


class NotificationSettingsEdit(TypedDict, total=False):
    email: bool
    slack: bool
    # Slack member or channel ID, e.g. `U024BE7LH`.
    slack_id: Optional[str]
    quiet_hours: QuietHours


class OidcSettings(TypedDict):
    # Where the settings come from. `environment`: from variables of the server, which win over stored settings and cannot be changed here.
    source: Literal["environment", "stored", "none"]
    # Why the stored settings cannot be used.
    problem: Optional[str]
    updated_at: Optional[str]
    issuer: Optional[str]
    client_id: Optional[str]
    # Text of the button on the sign-in page. Empty: the host of the issuer.
    name: str
    # Only e-mail addresses of these domains can sign in; empty: any.
    domains: List[str]
    # Unknown people become users with this role; null: only existing users can sign in.
    role: Optional[Literal["editor", "viewer", "guest"]]
    # Trust addresses although the provider does not report them as verified, as with Entra ID.
    trust_emails: bool
    has_client_secret: bool
    # To register with the provider.
    redirect_uri: str


class _OidcSettingsEditRequired(TypedDict):
    # URL of the provider, as in its `/.well-known/openid-configuration`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`.
    issuer: str
    client_id: str
    # Text of the button on the sign-in page. Empty: the host of the issuer.
    name: str
    # Only e-mail addresses of these domains can sign in; empty: any.
    domains: List[str]
    # Unknown people become users with this role; null: only existing users can sign in.
    role: Optional[Literal["editor", "viewer", "guest"]]
    # Trust addresses although the provider does not report them as verified, as with Entra ID.
    trust_emails: bool


class OidcSettingsEdit(_OidcSettingsEditRequired, total=False):
    # Absent: the stored one is kept, unless the issuer or the client ID changes.
    client_secret: str


class OpenIncident(TypedDict):
    id: str
    name: str
    status: str
    summary: str
    summary_translatable: Translatable
    value: float
    first_seen_at: str
    last_seen_at: str
    monitor: str
    target: ResourceBrief


# At most 1,000 events: a list, or an object with `events`.
OpenLineageBatch = Union[Dict[str, Any], List[Any]]


# RunEvent, JobEvent or DatasetEvent, as https://openlineage.io/spec/2-0-2/OpenLineage.json defines them.
OpenLineageEvent = Union[Dict[str, Any], List[Any]]


class OpenLineageReceived(TypedDict):
    # Number of accepted events.
    received: int


class _PasswordChangeRequired(TypedDict):
    # At least 10 characters.
    password: str


class PasswordChange(_PasswordChangeRequired, total=False):
    # Required if you have a password.
    current_password: str
    # Also revoke your tokens, except the one of this request.
    revoke_tokens: bool


class PatternMatches(TypedDict):
    included: int
    excluded: int
    # Whether everything the source has was listed. False after 5,000 names or 30 seconds.
    complete: bool
    names: List[PatternMatchesNamesItem]


class PatternMatchesNamesItem(TypedDict):
    name: str
    # From the outermost container down.
    path: List[str]
    entity_type: str
    included: bool


PatternQuery = Optional["PatternQueryValue"]


class PatternQueryValue(TypedDict, total=False):
    # Absent: that of the integration.
    include: Optional[str]
    # Absent: that of the integration.
    exclude: Optional[str]


class PersonView(TypedDict):
    id: str
    name: str
    initials: str
    # Only for callers with `people.read` and for oneself, like the role.
    email: Optional[str]
    role: Optional[str]
    disabled: bool
    teams: List[PersonViewTeamsItem]
    groups: List[PersonViewGroupsItem]
    # Recently edited resources, at most 10.
    edited: List[PersonViewEditedItem]
    # Open questions that the person asked or is assigned to, at most 10.
    questions: List[ResourceBrief]
    # Questions that the person replied to, at most 10.
    answers: List[ResourceBrief]


class PersonViewEditedItem(TypedDict):
    id: str
    title: str
    title_full: str
    title_cased: str
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    native_type: Optional[str]
    icon: str
    # The first 300 characters of the description.
    description: Optional[str]
    published: bool
    archived: bool
    verified: bool
    pii: bool
    stale: bool
    deprecation: Deprecation
    # User IDs.
    owners: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs.
    terms: List[str]
    integration: Optional[str]
    parent: Optional[str]
    updated_at: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of direct children visible to the caller.
    children_count: int
    edited_at: str


class PersonViewGroupsItem(TypedDict):
    id: str
    name: str


class PersonViewTeamsItem(TypedDict):
    id: str
    name: str


class _PiiEvidenceRequired(TypedDict):
    # The matching words in the column name.
    name: Optional[str]
    # Number of distinct values checked.
    checked: int
    # Number of them that match.
    matched: int
    # Patterns of the matching values, with letters and digits replaced.
    shapes: List[PiiEvidenceShapesItem]


class PiiEvidence(_PiiEvidenceRequired, total=False):
    # The national ID formats they match.
    kinds: List[str]


class PiiEvidenceShapesItem(TypedDict):
    shape: str
    count: int


class PiiRule(TypedDict):
    integration_id: str
    # Suggestions with at least this confidence are accepted automatically. Null: users decide.
    accept_from: Optional[float]
    # Scan for PII after each sync: all tables the first time, then tables with new columns.
    scan_after_sync: bool
    scanned_at: Optional[str]
    updated_at: Optional[str]


class PiiRuleEdit(TypedDict, total=False):
    accept_from: Optional[float]
    scan_after_sync: bool


_PiiSuggestionKeywords = TypedDict("_PiiSuggestionKeywords", {"class": "Literal[\"email\", \"phone\", \"iban\", \"card\", \"national_id\", \"ip\", \"person_name\", \"birth_date\", \"address\"]"})


class PiiSuggestion(_PiiSuggestionKeywords):
    id: str
    created_at: str
    updated_at: str
    # The column.
    resource_id: str
    resource_title: str
    resource_title_full: str
    # The table of the column.
    table_id: Optional[str]
    integration_id: str
    # Whether the column is currently marked as PII.
    pii: bool
    # Confidence from 0 to 1.
    confidence: float
    evidence: PiiEvidence
    status: Literal["open", "accepted", "rejected"]
    decided_at: Optional[str]
    # The user who decided. Null if accepted by rule.
    decided_by: Optional[str]


class PiiSuggestionPage(TypedDict):
    links: PiiSuggestionPageLinks
    meta: PiiSuggestionPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[PiiSuggestion]


class PiiSuggestionPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _PiiSuggestionPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class PiiSuggestionPageMeta(_PiiSuggestionPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class PostAuthAuthorizationResponse(TypedDict, total=False):
    # Returned only once: a replay with the same `Idempotency-Key` does not contain it.
    redirect_to: str


class PostIntegrationDatahubEventsResponse(TypedDict):
    # The number of changed aspects.
    received: int
    # Events that cannot be read, and why: the first 100.
    rejected: List[str]
    jobs: List[Job]


class PostNotificationInboxReadAllResponse(TypedDict):
    # Number of notifications that were unread.
    read: int


class PostNotificationSlackEventsResponse(TypedDict, total=False):
    # What Slack sent to verify the URL.
    challenge: str


class PostServerSettingsEmailTestBody(TypedDict, total=False):
    # As for saving. Absent: the settings in use are tested.
    settings: PostServerSettingsEmailTestBodySettings


_PostServerSettingsEmailTestBodySettingsKeywords = TypedDict("_PostServerSettingsEmailTestBodySettingsKeywords", {"from": "str"})


class _PostServerSettingsEmailTestBodySettingsRequired(TypedDict):
    # Name or address of the mail server.
    host: str
    port: int
    # `tls`: encrypted from the start (port 465). `starttls`: encryption is required (port 587). `none`: encrypted only if the server offers it.
    security: Literal["tls", "starttls", "none"]
    # User name; null if the server needs none.
    user: Optional[str]


# As for saving. Absent: the settings in use are tested.
class PostServerSettingsEmailTestBodySettings(_PostServerSettingsEmailTestBodySettingsKeywords, _PostServerSettingsEmailTestBodySettingsRequired, total=False):
    # Absent: the stored one is kept, unless the host, the port or the encryption changes.
    password: str


class PostServerSettingsOidcTestBody(TypedDict, total=False):
    # As for saving. Absent: the settings in use are tested.
    settings: PostServerSettingsOidcTestBodySettings


class _PostServerSettingsOidcTestBodySettingsRequired(TypedDict):
    # URL of the provider, as in its `/.well-known/openid-configuration`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`.
    issuer: str
    client_id: str
    # Text of the button on the sign-in page. Empty: the host of the issuer.
    name: str
    # Only e-mail addresses of these domains can sign in; empty: any.
    domains: List[str]
    # Unknown people become users with this role; null: only existing users can sign in.
    role: Optional[Literal["editor", "viewer", "guest"]]
    # Trust addresses although the provider does not report them as verified, as with Entra ID.
    trust_emails: bool


# As for saving. Absent: the settings in use are tested.
class PostServerSettingsOidcTestBodySettings(_PostServerSettingsOidcTestBodySettingsRequired, total=False):
    # Absent: the stored one is kept, unless the issuer or the client ID changes.
    client_secret: str


class PostServerSettingsSlackTestBody(TypedDict, total=False):
    # As for saving. Absent: the settings in use are tested.
    settings: PostServerSettingsSlackTestBodySettings
    # ID of a channel or person.
    channel: str


# As for saving. Absent: the settings in use are tested.
class PostServerSettingsSlackTestBodySettings(TypedDict, total=False):
    # `xoxb-…`, with the scope `chat:write`. Absent: the stored one is kept.
    bot_token: str
    # Absent: the stored one is kept. Null: messages have no buttons.
    signing_secret: Optional[str]


class Preview(TypedDict):
    # The table.
    resource_id: str
    # The table as a query in its source names it.
    table_name: str
    asked_at: str
    # The columns you can see, in order.
    columns: List[PreviewColumnsItem]
    # The column that says when a row was written, as far as its name tells: sort by it, descending, for the newest rows.
    newest_by: Optional[str]
    # The first rows (at most 50), one cell per column. Numbers too large for a double, dates and similar types are text.
    rows: List[List[Optional[Union[str, float, bool]]]]
    # Whether there are more rows.
    truncated: bool


class PreviewColumnsItem(TypedDict):
    # The column.
    resource_id: str
    # Name in the source.
    name: str
    # Title in the catalog.
    title: str
    native_type: Optional[str]
    pii: bool
    # Its values were not read: each cell contains •••. If `pii` is false, the column has a pending PII suggestion.
    masked: bool


class Profile(TypedDict):
    # The requested table or column.
    resource_id: str
    # The profiled columns you can see. Empty if no profile has been created.
    columns: List[ColumnProfile]


class ProfileHistory(TypedDict):
    # The table or column.
    resource_id: str
    # One for each day with a profile, oldest first. Kept for 400 days.
    points: List[ProfileHistoryPointsItem]


class ProfileHistoryPointsItem(TypedDict):
    day: str
    profiled_at: str
    sampled: Literal["all", "random", "first"]
    rows_read: int
    # Of a table: its rows, counted or as the source reports them.
    row_count: Optional[int]
    # Of a column, like the following.
    nulls: Optional[int]
    null_percentage: Optional[float]
    distinct_values: Optional[int]
    distinct_approximate: bool
    # By the last run of the day that wrote the table and reported it.
    rows_written: Optional[int]
    bytes_written: Optional[int]
    source: Literal["profile", "openlineage"]


class ProfileRequest(TypedDict, total=False):
    # Read the whole table, which is a full scan in the source.
    whole: bool
    # Number of rows to sample, unless `whole` is set.
    sample_rows: int


class ProfileSchedule(TypedDict):
    # Null: not profiled regularly.
    schedule: Optional[ProfileScheduleSchedule]
    # Number of rows to sample.
    sample_rows: int
    next_run_at: Optional[str]
    last_run_at: Optional[str]
    # The job of the last run.
    job: Optional[str]


class _ProfileScheduleEditRequired(TypedDict):
    cadence: Literal["daily", "weekly"]


class ProfileScheduleEdit(_ProfileScheduleEditRequired, total=False):
    hour: int
    # Day of the week, 0 is Sunday.
    day: int
    # IANA time zone. Default: UTC.
    timezone: str
    # Number of rows to sample.
    sample_rows: int


# Null: not profiled regularly.
class ProfileScheduleSchedule(TypedDict):
    cadence: Literal["daily", "weekly"]
    hour: int
    # Day of the week, 0 is Sunday; of weekly schedules.
    day: Optional[int]
    # Hours between runs.
    frequency: int
    # Null: UTC.
    timezone: Optional[str]


class Provenance(TypedDict):
    field: str
    # Whether the value comes from a source or was edited by a user. Edits by users are never overwritten.
    by: Literal["source", "person"]
    # The current value.
    value: Any
    # The type of the source that reports the field. There can be several, e.g. a warehouse and dbt.
    source: str
    # The value the source last reported.
    source_value: Any


class PublicLink(TypedDict):
    id: str
    resource_id: str
    # The last characters of the link.
    hint: str
    created_by_name: Optional[str]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]


class PublicLinkCreate(TypedDict, total=False):
    expires_in_days: int


class PublicLinkOpen(TypedDict):
    # The part of the link after `#`.
    code: str


class PublicLinks(TypedDict):
    # Newest first, at most 100.
    results: List[PublicLink]
    # As in the settings.
    enabled: bool


class PublicPage(TypedDict):
    title: str
    entity_type: Literal["document", "glossary"]
    description: Optional[str]
    # Its text, Markdown. Links to other pages of the catalog are left out with their names. Images and files of the page have addresses that work as long as the link does.
    definition: Optional[str]
    # As its creator sees it.
    health: Literal["incident", "warning", "ok", "unknown"]
    deprecated: bool
    updated_at: str


class _QueryRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: QuerySearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: QueryCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    question_priority: Optional[str]
    question_answered_by: Optional[str]
    question_assigned_to: Optional[str]
    # The type of query, as named by the source.
    type: Optional[str]
    # How often the query was executed.
    freq: int


class Query(_QueryRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]


class QueryCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # The type of query, as named by the source.
    type: Optional[str]
    # How often the query was executed.
    freq: Optional[int]


class QueryCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class QueryEdit(TypedDict, total=False):
    title: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # The type of query, as named by the source.
    type: Optional[str]
    # How often the query was executed.
    freq: Optional[int]


class QueryLineage(TypedDict):
    sql: str
    dialect: str
    source_tables: List[TableDescriptor]
    column_lineages: List[ColumnLineage]
    target_table: Optional[QueryLineageTargetTable]
    # Every table the SQL writes, except those it drops or renames again, in order. `target_table` is one of them.
    target_tables: List[TableDescriptor]
    statements: List[QueryLineageStatementsItem]
    unresolved: List[QueryLineageUnresolvedItem]
    # Positions in the SQL that could not be parsed. The rest of the SQL was parsed.
    problems: List[QueryLineageProblemsItem]
    # Why the result is incomplete (`time`, `size`, `depth`, `internal`). Null when it is complete.
    incomplete: Optional[str]


class QueryLineageProblemsItem(TypedDict):
    line: int
    column: int
    message: str
    hint: Optional[str]


class QueryLineageStatementsItem(TypedDict):
    kind: str
    # Start position in the SQL text, in UTF-16 code units from 0.
    start: int
    end: int
    source_tables: List[TableDescriptor]
    column_lineages: List[ColumnLineage]
    target_table: Optional[QueryLineageStatementsItemTargetTable]
    target_tables: List[TableDescriptor]


class QueryLineageStatementsItemTargetTable(TypedDict):
    # Null when it is not in the catalog.
    id: Optional[str]
    created_at: Optional[str]
    updated_at: Optional[str]
    title: str
    schema_name: Optional[str]
    database_name: Optional[str]
    native_type: Optional[str]
    integration_id: Optional[str]
    integration_title: Optional[str]
    integration_type: Optional[str]


class QueryLineageTargetTable(TypedDict):
    # Null when it is not in the catalog.
    id: Optional[str]
    created_at: Optional[str]
    updated_at: Optional[str]
    title: str
    schema_name: Optional[str]
    database_name: Optional[str]
    native_type: Optional[str]
    integration_id: Optional[str]
    integration_title: Optional[str]
    integration_type: Optional[str]


class QueryLineageUnresolvedItem(TypedDict):
    name: str
    type: Literal["table", "column", "name"]
    # `not_in_catalog`, `ambiguous`, or why the SQL does not determine the source.
    reason: str
    # Start position in the SQL text, in UTF-16 code units from 0.
    start: int
    end: int
    # The tables an ambiguous name could refer to.
    candidates: List[QueryLineageUnresolvedItemCandidatesItem]


class QueryLineageUnresolvedItemCandidatesItem(TypedDict):
    id: str
    title_full: str
    integration_id: Optional[str]


class QueryLogReport(TypedDict):
    # The columns of the file.
    columns: List[str]
    # The column of each field.
    mapping: Dict[str, str]
    # Rows read.
    rows: int
    # Different statements, without their literals, that were not known before.
    statements: int
    # Executions that were not known before.
    executions: int
    first_at: Optional[str]
    last_at: Optional[str]
    skipped: List[QueryLogReportSkippedItem]
    # The first rows, as they were understood.
    sample: List[Dict[str, str]]
    # The same file was uploaded before: nothing was saved.
    repeated: bool
    job: Optional[QueryLogReportJob]


class QueryLogReportJob(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # The user who started the job.
    user: Optional[str]
    title: str
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]
    progress: int
    # Whether the job failed.
    failed: bool
    started: str
    completed: Optional[str]
    logs: str
    has_artifact: bool


class QueryLogReportSkippedItem(TypedDict):
    reason: str
    rows: int
    first_line: int


class QueryPage(TypedDict):
    links: QueryPageLinks
    meta: QueryPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Query]


class QueryPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _QueryPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class QueryPageMeta(_QueryPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class QuerySearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


class _QuestionRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    # ID of the resource it refers to.
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: QuestionSearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: QuestionCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    # Free-form priority.
    question_priority: Optional[str]
    # ID of the user who answered. Defaults to the author of the accepted reply.
    question_answered_by: Optional[str]
    # ID of the user who should answer.
    question_assigned_to: Optional[str]
    # ID of the accepted reply. Setting it marks the question as answered, clearing it reopens the question.
    accepted_reply: Optional[str]


class Question(_QuestionRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]


class QuestionCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # ID of the resource it refers to.
    base_entity_id: Optional[str]
    # Setting it to `open` clears the accepted reply.
    question_status: Optional[Literal["open", "answered"]]
    # Free-form priority.
    question_priority: Optional[str]
    # ID of the user who answered. Defaults to the author of the accepted reply.
    question_answered_by: Optional[str]
    # ID of the user who should answer.
    question_assigned_to: Optional[str]


class QuestionCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class QuestionEdit(TypedDict, total=False):
    title: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # ID of the resource it refers to.
    base_entity_id: Optional[str]
    # Setting it to `open` clears the accepted reply.
    question_status: Optional[Literal["open", "answered"]]
    # Free-form priority.
    question_priority: Optional[str]
    # ID of the user who answered. Defaults to the author of the accepted reply.
    question_answered_by: Optional[str]
    # ID of the user who should answer.
    question_assigned_to: Optional[str]
    # ID of the accepted reply. Setting it marks the question as answered, clearing it reopens the question.
    accepted_reply: Optional[str]


class QuestionPage(TypedDict):
    links: QuestionPageLinks
    meta: QuestionPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Question]


class QuestionPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _QuestionPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class QuestionPageMeta(_QuestionPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class _QuestionReplyCreateRequired(TypedDict):
    # A UUID, with or without dashes.
    parent: str


class QuestionReplyCreate(_QuestionReplyCreateRequired, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class QuestionSearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


# Messages by e-mail and Slack are held back and sent afterwards. The inbox is not affected.
QuietHours = Optional["QuietHoursValue"]


_QuietHoursValueKeywords = TypedDict("_QuietHoursValueKeywords", {"from": "str"})


# Messages by e-mail and Slack are held back and sent afterwards. The inbox is not affected.
class QuietHoursValue(_QuietHoursValueKeywords):
    # IANA time zone.
    timezone: str
    # Days on which they begin, 1 = Monday to 7 = Sunday.
    days: List[int]
    # On the next day if it is not later than `from`.
    to: str
    # Send messages about critical incidents anyway.
    except_critical: bool


class _ReasonRequired(TypedDict):
    # How it matches: by its title, its description, its documentation, its context (path, columns, tags, owners, properties, synonyms), or by some of the words only (`partial`).
    tier: Literal["exact_title", "title_prefix", "title_phrase", "title_words", "description", "documentation", "context", "partial", "usage"]
    # The number of words that match.
    matched: int
    # The number of words in the search.
    words: int
    # The field that matched.
    field: Literal["title", "description", "definition"]
    # The text around the first match.
    snippet: str
    # The matching parts of the snippet: start and end in UTF-16 code units.
    ranges: List[List[int]]


class Reason(_ReasonRequired, total=False):
    # Where each word matches, for results of the tiers `context` and `partial`.
    matches: List[ReasonMatchesItem]
    # Whether an admin pinned it for this query.
    pinned: bool


class ReasonMatchesItem(TypedDict):
    word: str
    # Where the word matches.
    match: Literal["none", "title", "title_beginning", "named", "title_synonym", "reference", "part_phrase", "part", "path", "property", "description", "namesake", "context_synonym", "description_synonym", "documentation", "title_related", "context_related", "description_related", "meaning"]


class RelatedTable(TypedDict):
    id: str
    title: str
    title_full: str
    health: Literal["incident", "warning", "ok", "unknown"]
    deprecated: bool
    verified: bool
    # Primary keys and the columns of its relationships.
    columns: List[RelatedTableColumnsItem]


class RelatedTableColumnsItem(TypedDict):
    id: str
    title: str
    type: Optional[str]
    is_pk: bool


_RelationshipKeywords = TypedDict("_RelationshipKeywords", {"from": "str"})


class Relationship(_RelationshipKeywords):
    # A foreign key that the source reported, or a join seen in queries.
    kind: Literal["foreign_key", "join"]
    # The name of the foreign key.
    name: Optional[str]
    to: str
    columns: List[RelationshipColumnsItem]
    # For a join: the number of queries with it.
    queries: Optional[int]


_RelationshipColumnsItemKeywords = TypedDict("_RelationshipColumnsItemKeywords", {"from": "RelationshipColumnsItemFrom"})


class RelationshipColumnsItem(_RelationshipColumnsItemKeywords):
    # Column of `to`.
    to: RelationshipColumnsItemTo


# Column of `from`.
class RelationshipColumnsItemFrom(TypedDict):
    # Null if the column is not in the catalog.
    id: Optional[str]
    title: str


# Column of `to`.
class RelationshipColumnsItemTo(TypedDict):
    # Null if the column is not in the catalog.
    id: Optional[str]
    title: str


class Relationships(TypedDict):
    # Those with the most relationships first, at most 200.
    tables: List[RelatedTable]
    relationships: List[Relationship]
    # Whether tables were left out.
    truncated: bool


class Replay(TypedDict):
    # Number of measurements checked.
    measurements: int
    # Number of measurements before the first limits were available.
    learning: int
    outside: int
    # Incidents these settings would have opened.
    incidents: List[ReplayIncidentsItem]
    # The latest 2,000 measurements, oldest first.
    results: List[ReplayResultsItem]


class ReplayIncidentsItem(TypedDict):
    first_seen_at: str
    last_seen_at: str
    resolved_at: Optional[str]
    # First value outside the limits.
    value: float
    runs_outside: int


class ReplayRequest(TypedDict, total=False):
    # A UUID, with or without dashes.
    monitor: Optional[str]
    metric_type: Optional[Literal["row_count", "freshness", "custom_sql", "null_percentage", "unique_percentage", "cardinality", "min", "max", "mean", "row_count_change", "partition_freshness", "partition_gaps", "partition_row_count", "duplicates", "schema", "accepted_values", "pattern", "range", "referential", "pushed"]]
    # Hours between runs.
    frequency: Optional[int]
    # Your own values, instead of those of a monitor.
    measurements: Optional[List[ReplayRequestMeasurementsItem]]
    condition_auto_sensitivity: Optional[int]
    condition_manual_min: Optional[float]
    condition_manual_max: Optional[float]


class ReplayRequestMeasurementsItem(TypedDict):
    measured_at: str
    value: float


class ReplayResultsItem(TypedDict):
    created_at: str
    value: float
    lower_threshold: Optional[float]
    upper_threshold: Optional[float]
    outside: bool


class _ResourceRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: ResourceSearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: ResourceCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    question_priority: Optional[str]
    question_answered_by: Optional[str]
    question_assigned_to: Optional[str]


class Resource(_ResourceRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]


class ResourceBrief(TypedDict):
    id: str
    title: str
    title_full: str
    title_cased: str
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    native_type: Optional[str]
    icon: str
    # The first 300 characters of the description.
    description: Optional[str]
    published: bool
    archived: bool
    verified: bool
    pii: bool
    stale: bool
    deprecation: Deprecation
    # User IDs.
    owners: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs.
    terms: List[str]
    integration: Optional[str]
    parent: Optional[str]
    updated_at: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of direct children visible to the caller.
    children_count: int


class ResourceBriefPage(TypedDict):
    links: ResourceBriefPageLinks
    meta: ResourceBriefPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[ResourceBrief]


class ResourceBriefPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ResourceBriefPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ResourceBriefPageMeta(_ResourceBriefPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class ResourceCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class ResourceCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class ResourceEdit(TypedDict, total=False):
    title: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class ResourceHealth(TypedDict):
    # `incident`: an open incident of its own. `warning`: any other reason. `ok`: it is monitored and there is no reason. `unknown`: nothing checks it.
    status: Literal["incident", "warning", "ok", "unknown"]
    # Cut to what you can see; most severe first, at most 20 incidents of each kind and 20 deprecated resources upstream.
    reasons: List[HealthReason]


class ResourceLogPage(TypedDict):
    # The entries of this page that created no version.
    non_versioned_logs: List[LogEntry]
    # The entries of this page that created a version.
    version_histories: List[VersionHistory]
    # Exact number of entries.
    count: int
    total_pages: int
    meta: ResourceLogPageMeta


class _ResourceLogPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]
    count: int
    total_pages: int


class ResourceLogPageMeta(_ResourceLogPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]
    # With `cursor`: the cursor to continue with later. Never null, even at the end of the log.
    follow_cursor: str


class ResourcePage(TypedDict):
    links: ResourcePageLinks
    meta: ResourcePageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Resource]


class ResourcePageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ResourcePageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ResourcePageMeta(_ResourcePageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class ResourceSearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


class ResourceUsage(TypedDict):
    resource_id: str
    # Every day, oldest first. The last one is today.
    days: List[ResourceUsageDaysItem]
    # At most 10.
    top_users: List[ResourceUsageTopUsersItem]


class ResourceUsageDaysItem(TypedDict):
    day: str
    # Uses in the source. Null before the first day that was counted.
    uses: Optional[int]
    # Views here. They are kept for 90 days.
    views: int
    # People who viewed it here.
    viewers: int


class ResourceUsageTopUsersItem(TypedDict):
    # As the source names them.
    name: str
    # Queries that read it and that they ran. Null if the source does not say which.
    queries: Optional[int]
    # How often these queries were run, by anyone.
    executions: Optional[int]


class ResourceView(TypedDict):
    resource: Resource
    health: ResourceHealth
    # Ancestors from the top down. Those not visible to the caller are left out.
    breadcrumbs: List[ResourceViewBreadcrumbsItem]
    names: Names
    properties: List[CustomPropertyValue]
    bookmarked: bool
    subscribed: bool
    # When the data was last updated: the newest row according to its freshness monitor, else what the source reports.
    data_updated_at: Optional[str]
    # Who verified it last, and when. Null if it is not verified or not known.
    verification: Optional[ResourceViewVerification]
    tabs: ResourceViewTabs


class ResourceViewBreadcrumbsItem(TypedDict):
    id: str
    title: str
    entity_type: str
    icon: str


class ResourceViewTabs(TypedDict):
    # Number of direct children.
    children: int
    # Number of columns that exist in the source.
    columns: int
    # Number of columns that are missing from the source.
    columns_gone: int
    # Number of columns with a description among the first 12.
    first_columns_described: int
    # Number of direct upstream resources.
    upstream: int
    # Number of direct downstream resources.
    downstream: int
    # Number of monitors on the resource and its columns.
    monitors: int
    # Number of open incidents of these monitors.
    incidents: int
    # Number of questions about the resource.
    questions: int
    # Number of open discussions of the resource and its columns.
    discussions: int
    # Number of queries that its lineage is derived from.
    queries: int
    # Number of code blocks: definitions and queries that define or fill it.
    code: int
    # Number of open suggested changes of the resource and its columns that you can accept.
    suggestions: int
    # Number of resources whose documentation links to it.
    backlinks: int
    # Number of versions.
    versions: int


# Who verified it last, and when. Null if it is not verified or not known.
class ResourceViewVerification(TypedDict):
    by: Optional[str]
    at: str


class Restore(TypedDict, total=False):
    # The version number.
    version: int


class RootCause(TypedDict):
    resource_id: str
    # How many resources were checked: it and everything upstream that you can see.
    checked: int
    # There is more upstream, or there are more causes, than this response has.
    truncated: bool
    # The most likely first: by kind, then the nearest, then the latest.
    causes: List[Cause]


class RunDataset(TypedDict):
    id: str
    title: str
    title_full: str
    entity_type: str


class RunMonitors(TypedDict):
    monitors: List[str]


class SchemaCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]
    # The title of the database, as an alternative to `parent`.
    database: Optional[str]


class SchemaHistoryEntry(TypedDict):
    id: str
    at: str
    # The sync that found the change; null if the source pushed it.
    sync_id: Optional[str]
    changes: List[SchemaHistoryEntryChangesItem]
    # What depends on columns that were dropped, renamed or given another type, as it was then, nearest first. Columns are listed as their table.
    breaks: List[ResourceBrief]


_SchemaHistoryEntryChangesItemKeywords = TypedDict("_SchemaHistoryEntryChangesItemKeywords", {"from": "Optional[str]"})


class SchemaHistoryEntryChangesItem(_SchemaHistoryEntryChangesItemKeywords):
    kind: Literal["added", "dropped", "retyped", "renamed", "reordered", "nullability"]
    # Name of the column after the change.
    column: str
    # The same after the change. `added`: the type.
    to: Optional[str]


class SchemaHistoryPage(TypedDict):
    links: SchemaHistoryPageLinks
    meta: SchemaHistoryPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[SchemaHistoryEntry]


class SchemaHistoryPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _SchemaHistoryPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class SchemaHistoryPageMeta(_SchemaHistoryPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class _SearchPageRequired(TypedDict):
    links: SearchPageLinks
    meta: SearchPageMeta
    # The number of matches. A lower bound if `capped` is true.
    count: int
    total_pages: int
    results: List[SearchResult]
    # Whether there are more matches than were counted: with `facets=false`, with `count=bounded`, or without search words.
    capped: bool
    # Unknown words and the words that were searched instead.
    corrections: List[SearchPageCorrectionsItem]


class SearchPage(_SearchPageRequired, total=False):
    # Counts by `entity_type`, `integration`, `owners`, `tags`, `teams`, `health`, `terms`, `published`, `verified`, `pii`, `stale`, and by `custom_property:<id>` for properties with values to choose from. Each facet is counted as if nothing were selected in it.
    facets: Dict[str, SearchPageFacetsValue]


class SearchPageCorrectionsItem(TypedDict):
    typed: str
    meant: List[str]


class _SearchPageFacetsValueRequired(TypedDict):
    # Whether there are more matches than were counted. If so, each count is a lower bound.
    capped: bool
    values: List[SearchPageFacetsValueValuesItem]


class SearchPageFacetsValue(_SearchPageFacetsValueRequired, total=False):
    # The name of the custom property.
    label: str


class _SearchPageFacetsValueValuesItemRequired(TypedDict):
    value: Union[str, bool]
    count: int
    selected: bool


class SearchPageFacetsValueValuesItem(_SearchPageFacetsValueValuesItemRequired, total=False):
    # The name of the tag, glossary term or collection, or null if it does not exist.
    label: Optional[str]


class SearchPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _SearchPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class SearchPageMeta(_SearchPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class SearchRanking(TypedDict):
    weights: SearchWeights
    defaults: SearchWeights
    rules: List[SearchRankingRulesItem]


class SearchRankingRulesItem(TypedDict):
    query: str
    action: Literal["pin", "hide"]
    resource: str
    # Null if the resource was deleted.
    title: Optional[str]
    title_full: Optional[str]
    entity_type: Optional[str]


class _SearchResultRequired(TypedDict):
    id: str
    created_at: str
    updated_at: str
    # Increases by one with every recorded change. The ETag is derived from it.
    version: int
    # The type of the resource.
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    # The type as named by the source.
    native_type: Optional[str]
    icon: str
    title: str
    # The titles from the database down to the resource, joined with dots.
    title_full: str
    # The title formatted for display.
    title_cased: str
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    definition_version: int
    multiplayers: List[Any]
    # ID of the user who last changed the documentation.
    multiplayer_last_modified_by: Optional[str]
    multiplayer_last_modified: Optional[str]
    # User IDs.
    owners: List[str]
    # Group IDs.
    owners_groups: List[str]
    # Collection IDs.
    collections: List[str]
    # Tag IDs.
    tags: List[str]
    # Glossary term IDs. Those of a glossary term are its related terms.
    terms: List[str]
    workspace_id: str
    # The sum of `external_usage` and `internal_usage`.
    total_usage: int
    # Visible to viewers.
    published: bool
    archived: bool
    archived_at: Optional[str]
    # Contains personally identifiable information.
    pii: bool
    verified: bool
    deprecation: Deprecation
    url: Optional[str]
    parent: Optional[str]
    # The same as `parent`.
    parent_id: Optional[str]
    base_entity_id: Optional[str]
    # Number of direct children visible to the caller.
    children_count: int
    # Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.
    bookmarked_by: List[str]
    integration: Optional[str]
    external_updated_at: Optional[str]
    # Page views in Tablinum in the last 90 days. Each user is counted once per day.
    internal_usage: int
    # Number of queries in the source in the 24 hours before the last sync.
    external_usage: int
    # The users who viewed it most recently, at most 20. Updated once an hour.
    internal_users: List[str]
    external_users: List[str]
    # The key that identifies the resource in its integration.
    databuilder_id: Optional[str]
    search_metadata: SearchResultSearchMetadata
    sources: List[str]
    # IDs of users who are notified about changes.
    subscribers: List[str]
    # Team IDs.
    teams: List[str]
    # Whether the resource is no longer found in its source.
    stale: bool
    stale_at: Optional[str]
    forced_unstale_by_user: bool
    current_user_permissions: SearchResultCurrentUserPermissions
    row_count: Optional[int]
    byte_size: Optional[int]
    display_metadata: Dict[str, Any]
    question_status: Optional[str]
    question_priority: Optional[str]
    question_answered_by: Optional[str]
    question_assigned_to: Optional[str]
    reason: Reason


class SearchResult(_SearchResultRequired, total=False):
    # With `include=health`, and in search results.
    health: Literal["incident", "warning", "ok", "unknown"]
    score: SearchScore


class SearchResultCurrentUserPermissions(TypedDict):
    read: bool
    write: bool
    execute: bool


class SearchResultSearchMetadata(TypedDict):
    cluster: Optional[str]
    database: Optional[str]
    schema: Optional[str]
    type: str


class SearchRulesEdit(TypedDict):
    # The whole query. Case and spaces do not matter.
    query: str
    # Resources that come first, in this order.
    pinned: List[str]
    # Resources that are not found.
    hidden: List[str]


class SearchScore(TypedDict):
    # Null for results that are listed in the order of the index, after the ranked ones.
    total: Optional[float]
    # The parts whose sum is the total.
    parts: List[SearchScorePartsItem]
    words: List[SearchScoreWordsItem]


class SearchScorePartsItem(TypedDict):
    name: str
    value: float


class SearchScoreWordsItem(TypedDict):
    word: str
    # Where the word matches.
    match: Literal["none", "title", "title_beginning", "named", "title_synonym", "reference", "part_phrase", "part", "path", "property", "description", "namesake", "context_synonym", "description_synonym", "documentation", "title_related", "context_related", "description_related", "meaning"]


class SearchValueSuggestion(TypedDict):
    # The text to insert; values with spaces are quoted.
    term: str
    value: str
    # An address, or the type of the resource or custom property.
    detail: Optional[str]


class SearchValueSuggestions(TypedDict):
    results: List[SearchValueSuggestion]


class SearchWeights(TypedDict):
    # How well the words match, by where they match.
    text: float
    # How much of the title the words cover.
    title: float
    # Queries in the source.
    usage: float
    # Views of its page.
    views: float
    # How close the meaning is to the query, if an embeddings service is set.
    meaning: float
    # Verified resources.
    verified: float
    # Resources with a description.
    described: float
    # Resources of the caller and their teams.
    own: float
    # Resources that are no longer in their source.
    stale: float
    # Deprecated resources.
    deprecated: float
    # Columns and event properties.
    part: float
    # Raw, staging, temporary, test, archived or copied data, judged by its path.
    layer: float


class SearchWeightsEdit(TypedDict, total=False):
    # How well the words match, by where they match.
    text: float
    # How much of the title the words cover.
    title: float
    # Queries in the source.
    usage: float
    # Views of its page.
    views: float
    # How close the meaning is to the query, if an embeddings service is set.
    meaning: float
    # Verified resources.
    verified: float
    # Resources with a description.
    described: float
    # Resources of the caller and their teams.
    own: float
    # Resources that are no longer in their source.
    stale: float
    # Deprecated resources.
    deprecated: float
    # Columns and event properties.
    part: float
    # Raw, staging, temporary, test, archived or copied data, judged by its path.
    layer: float


class ServerSettings(TypedDict):
    email: EmailSettings
    slack: SlackSettings
    oidc: OidcSettings


class ServerSettingsTest(TypedDict):
    ok: bool
    # What was done, or why it failed.
    message: str
    translatable: Translatable


class Session(TypedDict):
    id: str
    created_at: str
    # Updated at most once a minute.
    last_used_at: str
    # Latest end of the session; it ends earlier if unused.
    expires_at: str
    # How the user signed in.
    method: Literal["password", "token", "oidc", "invitation"]
    # IP address of the sign-in.
    address: Optional[str]
    # User agent of the sign-in.
    user_agent: Optional[str]
    # A session started with a token has the scope of the token and ends with it.
    scope: Literal["read", "write", "admin"]
    # The user of the session.
    user: str
    # Whether it is the session of this request.
    current: bool


class SessionPage(TypedDict):
    links: SessionPageLinks
    meta: SessionPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Session]


class SessionPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _SessionPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class SessionPageMeta(_SessionPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class Setup(TypedDict):
    # No admin has a password yet.
    setup_needed: bool
    # At least one user can sign in with a password.
    has_passwords: bool
    # Sign-in with a password is available.
    password: bool
    # Sign-in with a token is available.
    token: bool
    oidc: Optional[SetupOidc]


class _SetupBodyRequired(TypedDict):
    # The setup code printed at startup, or the admin’s token.
    code: str
    # At least 10 characters.
    password: str


class SetupBody(_SetupBodyRequired, total=False):
    email: str
    # The name of the workspace. Empty: unchanged.
    workspace_name: str
    first_name: Optional[str]
    last_name: Optional[str]


class SetupOidc(TypedDict):
    # Display name of the identity provider.
    name: str
    # URL that starts the sign-in at the identity provider; `return_to` is the path to return to.
    url: str


class SharingSettings(TypedDict):
    # Origins whose pages may show cards of tables in a frame, e.g. `https://wiki.example.com`. Empty: there are no cards.
    embed_origins: List[str]
    # Whether public links work. Off: none can be created, and existing ones are not found.
    public_links: bool
    # Whether chats and other programs without a session are shown the title, type, health and description of published resources outside of closed teams, when somebody sends a link to one. Off: every link has the same preview.
    link_previews: bool


class _SharingSettingsEditRequired(TypedDict):
    # Origins whose pages may show cards of tables in a frame, e.g. `https://wiki.example.com`. Empty: there are no cards.
    embed_origins: List[str]
    # Whether public links work. Off: none can be created, and existing ones are not found.
    public_links: bool


class SharingSettingsEdit(_SharingSettingsEditRequired, total=False):
    # Whether chats and other programs without a session are shown the title, type, health and description of published resources outside of closed teams, when somebody sends a link to one. Off: every link has the same preview.
    link_previews: bool


class SignIn(TypedDict):
    # E-mail address, its part before the @, or full name.
    login: str
    password: str


class SignedIn(TypedDict):
    session: Session
    user: User


class SlackSettings(TypedDict):
    # Where the settings come from. `environment`: from variables of the server, which win over stored settings and cannot be changed here.
    source: Literal["environment", "stored", "none"]
    # Why the stored settings cannot be used.
    problem: Optional[str]
    updated_at: Optional[str]
    has_bot_token: bool
    # Whether messages about incidents have buttons.
    has_signing_secret: bool


class SlackSettingsEdit(TypedDict, total=False):
    # `xoxb-…`, with the scope `chat:write`. Absent: the stored one is kept.
    bot_token: str
    # Absent: the stored one is kept. Null: messages have no buttons.
    signing_secret: Optional[str]


class _SuggestionAcceptRequired(TypedDict):
    # A UUID, with or without dashes.
    resource_id: str


class SuggestionAccept(_SuggestionAcceptRequired, total=False):
    # Keys of the suggestions to accept. Default: all.
    accept: List[str]
    notify_slack_channel: str


class SuggestionGround(TypedDict):
    # `lineage`: a column with the same values upstream. `name`: its own name. `sql`: the code that fills it. `neighbour`: a resource beside it. `profile`: its statistics. `model`: the language model that wrote it.
    type: Literal["lineage", "name", "sql", "neighbour", "profile", "model"]
    # E.g. the path of the resource, or the name of the model.
    text: str
    resource_id: Optional[str]


class Sync(TypedDict):
    # The background job of the sync.
    id: str
    integration: str
    status: Literal["PENDING", "RUNNING", "COMPLETED", "FAILED"]
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    error: Optional[str]
    report: Optional[SyncReport]
    # Too many resources were missing, so nothing was marked as stale. New and changed resources were written. Sync with `confirm_removals` to accept the removals.
    needs_confirmation: Optional[SyncNeedsConfirmation]
    undone_at: Optional[str]
    cancelled_at: Optional[str]


# Too many resources were missing, so nothing was marked as stale. New and changed resources were written. Sync with `confirm_removals` to accept the removals.
class SyncNeedsConfirmation(TypedDict):
    # Number of resources of this integration before the sync.
    known: int
    # Number of them that the source did not list.
    missing: int
    # Databases and schemas that are now empty.
    emptied: List[str]


class SyncPage(TypedDict):
    links: SyncPageLinks
    meta: SyncPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Sync]


class SyncPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _SyncPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class SyncPageMeta(_SyncPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class _SyncReportRequired(TypedDict):
    # Counts by entity type.
    new: Dict[str, int]
    # Counts by entity type.
    changed: Dict[str, int]
    # Counts by entity type.
    facts: Dict[str, int]
    # Counts by entity type.
    kept: Dict[str, int]
    # Counts by entity type.
    unchanged: Dict[str, int]
    # Counts by entity type.
    stale: Dict[str, int]
    # Counts by entity type.
    back: Dict[str, int]
    # Counts by entity type.
    archived: Dict[str, int]
    lineage: SyncReportLineage


class SyncReport(_SyncReportRequired, total=False):
    # Added, removed and changed columns of tables that existed before; at most 100 tables.
    schema_changes: List[SyncReportSchemaChangesItem]


class SyncReportLineage(TypedDict):
    read: int
    unreadable: int


class _SyncReportSchemaChangesItemRequired(TypedDict):
    table_id: str
    # Full title of the table.
    table: str
    added: List[str]
    removed: List[str]
    retyped: List[SyncReportSchemaChangesItemRetypedItem]
    renamed: List[SyncReportSchemaChangesItemRenamedItem]
    # Total number of changed columns. Each list names at most 50.
    columns: int


class SyncReportSchemaChangesItem(_SyncReportSchemaChangesItemRequired, total=False):
    reordered: List[str]
    nullability: List[SyncReportSchemaChangesItemNullabilityItem]


class SyncReportSchemaChangesItemNullabilityItem(TypedDict):
    name: str
    nullable: bool


_SyncReportSchemaChangesItemRenamedItemKeywords = TypedDict("_SyncReportSchemaChangesItemRenamedItemKeywords", {"from": "str"})


class SyncReportSchemaChangesItemRenamedItem(_SyncReportSchemaChangesItemRenamedItemKeywords):
    to: str


_SyncReportSchemaChangesItemRetypedItemKeywords = TypedDict("_SyncReportSchemaChangesItemRetypedItemKeywords", {"from": "Optional[str]"})


class SyncReportSchemaChangesItemRetypedItem(_SyncReportSchemaChangesItemRetypedItemKeywords):
    name: str
    to: Optional[str]


SyncRequest = Optional["SyncRequestValue"]


class SyncRequestValue(TypedDict, total=False):
    # Marks the resources that the last sync found missing (`needs_confirmation`) as stale. If more are missing by then, confirmation is required again.
    confirm_removals: bool
    # Reads everything again, also what the source reports as unchanged. Happens by itself once a week.
    full: bool


class TableCreate(TypedDict, total=False):
    title: Optional[str]
    entity_type: Optional[Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]]
    description: Optional[str]
    # Markdown documentation.
    definition: Optional[str]
    native_type: Optional[str]
    icon: Optional[str]
    url: Optional[str]
    # A UUID, with or without dashes.
    integration: Optional[str]
    # A UUID, with or without dashes.
    parent: Optional[str]
    pii: Optional[bool]
    verified: Optional[bool]
    deprecation: DeprecationInput
    published: Optional[bool]
    archived: Optional[bool]
    teams: Optional[List[str]]
    owners: Optional[List[str]]
    owners_groups: Optional[List[str]]
    collections: Optional[List[str]]
    tags: Optional[List[str]]
    terms: Optional[List[str]]
    subscribers: Optional[List[str]]


class TableDescriptor(TypedDict):
    # Null when it is not in the catalog.
    id: Optional[str]
    created_at: Optional[str]
    updated_at: Optional[str]
    title: str
    schema_name: Optional[str]
    database_name: Optional[str]
    native_type: Optional[str]
    integration_id: Optional[str]
    integration_title: Optional[str]
    integration_type: Optional[str]


class Tag(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    description: Optional[str]
    # The color as `#rrggbb`.
    color: Optional[str]
    # Number of resources with this tag that are visible to the caller.
    resource_count: int


class _TagCreateRequired(TypedDict):
    # Unique, case-insensitive.
    name: str


class TagCreate(_TagCreateRequired, total=False):
    description: Optional[str]
    # The color as `#rrggbb`.
    color: Optional[str]


class TagEdit(TypedDict, total=False):
    # Unique, case-insensitive.
    name: str
    description: Optional[str]
    # The color as `#rrggbb`.
    color: Optional[str]


class TagPage(TypedDict):
    links: TagPageLinks
    meta: TagPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Tag]


class TagPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _TagPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class TagPageMeta(_TagPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class _TakeBackRequired(TypedDict):
    field: str


class TakeBack(_TakeBackRequired, total=False):
    # The type of the source. Default: the source the resource belongs to.
    source: str


class Team(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    description: Optional[str]
    icon: Optional[str]
    closed: bool
    # User IDs.
    members: List[str]


class _TeamCreateRequired(TypedDict):
    name: str


class TeamCreate(_TeamCreateRequired, total=False):
    description: Optional[str]
    members: Optional[List[str]]
    icon: Optional[str]
    # Only members and admins can see the resources of the team.
    closed: bool


class TeamEdit(TypedDict, total=False):
    name: str
    description: Optional[str]
    members: Optional[List[str]]
    icon: Optional[str]
    # Only members and admins can see the resources of the team.
    closed: bool


class TeamPage(TypedDict):
    links: TeamPageLinks
    meta: TeamPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Team]


class TeamPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _TeamPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class TeamPageMeta(_TeamPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class TermSuggestionReason(TypedDict):
    # `name`: the words of its name are those of the term or a synonym. `lineage`: it has the values of a column with the term, or the rows of a table with it.
    type: Literal["name", "lineage"]
    # What has the term, for `lineage`.
    resource_id: Optional[str]
    # Its full title.
    resource_title: Optional[str]


class TermSuggestions(TypedDict):
    # Whether there may be more.
    truncated: bool
    results: List[TermSuggestionsResultsItem]


class TermSuggestionsResultsItem(TypedDict):
    # The resource itself or one of its columns.
    resource_id: str
    resource_title: str
    term_id: str
    term_title: str
    term_description: Optional[str]
    # At most five.
    reasons: List[TermSuggestionReason]


class TermUsage(TypedDict):
    # Number of resources with this term that are visible to the caller.
    count: int
    # The same by entity type, the most frequent first.
    by_type: List[TermUsageByTypeItem]


class TermUsageByTypeItem(TypedDict):
    entity_type: Literal["table", "column", "schema", "database", "cluster", "dashboard", "dashboard_group", "chart", "job", "job_group", "run", "query", "test_suite", "test", "test_run", "document", "glossary", "collection", "question", "question_reply", "event", "event_property", "category", "announcement", "task", "report", "user", "user_group"]
    count: int


class Token(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    # The last characters of the token, to tell tokens apart.
    hint: str
    # Limits the permissions of the user the token acts as.
    scope: Literal["read", "write", "admin"]
    # The user the token acts as.
    user: str
    # The application the user connected with this token. Null for tokens that were created here.
    client: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]
    # Updated at most once a minute.
    last_used_at: Optional[str]


class _TokenCreateRequired(TypedDict):
    name: str


class TokenCreate(_TokenCreateRequired, total=False):
    # At most the scope of the token of this request, which is also the default.
    scope: Literal["read", "write", "admin"]
    # Not after the expiry of the token of this request, which is also the default.
    expires_at: Optional[str]
    # A UUID, with or without dashes.
    user: str


class TokenEdit(TypedDict, total=False):
    name: str


class TokenPage(TypedDict):
    links: TokenPageLinks
    meta: TokenPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Token]


class TokenPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _TokenPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class TokenPageMeta(_TokenPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class TokenSignIn(TypedDict):
    token: str


class ToldChange(TypedDict):
    # ID of the activity.
    id: str
    activity_type: str
    # User who made the change.
    performer_id: Optional[str]
    performer_name: str
    # What happened, as a sentence.
    text: str
    # The same sentence in parts.
    event_blocks: List[ToldChangeEventBlocksItem]
    translatable: Translatable
    # The comment it is about, e.g. one that mentions you.
    comment: Optional[str]
    logged_at: str


class ToldChangeEventBlocksItem(TypedDict):
    # What this part of the sentence names.
    type: Literal["performer", "text", "resource"]
    style: Literal["normal"]
    value: str


class _ToolCallRequired(TypedDict):
    name: str


class ToolCall(_ToolCallRequired, total=False):
    arguments: Dict[str, Any]


class ToolList(TypedDict):
    tools: List[ToolListToolsItem]


class ToolListToolsItem(TypedDict):
    name: str
    title: str
    description: str
    inputSchema: Any
    annotations: Any


class ToolResult(TypedDict):
    content: List[ToolResultContentItem]
    # True if the call failed: the text says why.
    isError: bool


class ToolResultContentItem(TypedDict):
    type: Literal["text"]
    text: str


# The same text as a template with its values, for translation.
class Translatable(TypedDict):
    # English, with placeholders: `{who} added {n:# tag|# tags}`.
    template: str
    # By placeholder: a text, a number, another such template, or a list of these.
    values: Dict[str, Any]


class TrashEntry(TypedDict):
    # ID of the deleted resource.
    id: str
    title: str
    # The full title at the time of deletion.
    title_full: str
    entity_type: str
    icon: str
    # ID of the former parent.
    parent: Optional[str]
    # Number of resources below it that were deleted with it.
    resources_below: int
    deleted_at: str
    # ID of the user who deleted it.
    deleted_by: Optional[str]
    # When the resource can no longer be restored.
    expires_at: str


class TrashPage(TypedDict):
    links: TrashPageLinks
    meta: TrashPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[TrashEntry]


class TrashPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _TrashPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class TrashPageMeta(_TrashPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class TreeNode(TypedDict):
    id: str
    kind: Literal["integration", "resource"]
    title: str
    entity_type: str
    native_type: Optional[str]
    icon: str
    # Number of direct children; for an integration, of all its resources.
    children_count: int
    published: bool
    verified: bool
    stale: bool
    deprecated: bool
    health: Literal["incident", "warning", "ok", "unknown"]
    integration: Optional[str]


class TreePage(TypedDict):
    links: TreePageLinks
    meta: TreePageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[TreeNode]


class TreePageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _TreePageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class TreePageMeta(_TreePageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class Unread(TypedDict):
    # Number of unread notifications in the inbox.
    unread_count: int


class User(TypedDict):
    id: str
    created_at: str
    updated_at: str
    email: str
    first_name: Optional[str]
    last_name: Optional[str]
    # First and last name, or the e-mail address if neither is set.
    name: str
    # The same as `name`.
    display_name: str
    role: Literal["admin", "editor", "viewer", "guest"]
    # The user can no longer sign in.
    disabled: bool
    disabled_at: Optional[str]
    # The user who invited this one.
    invited_by: Optional[str]
    # Updated at most once a minute.
    last_seen_at: Optional[str]
    # Team IDs.
    teams: List[str]
    # Group IDs.
    groups: List[str]


class UserEdit(TypedDict, total=False):
    first_name: Optional[str]
    last_name: Optional[str]
    role: Literal["admin", "editor", "viewer", "guest"]
    disabled: bool


class _UserInviteRequired(TypedDict):
    email: str
    role: Literal["admin", "editor", "viewer", "guest"]


class UserInvite(_UserInviteRequired, total=False):
    first_name: Optional[str]
    last_name: Optional[str]
    teams: Optional[List[str]]
    groups: Optional[List[str]]


class UserPage(TypedDict):
    links: UserPageLinks
    meta: UserPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[User]


class UserPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _UserPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class UserPageMeta(_UserPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class VersionHistory(TypedDict):
    id: str
    resource_id: str
    version: int
    activity_type: str
    # The activity that caused this one.
    parent_id: Optional[str]
    created_at: str
    performer_id: Optional[str]
    performer_type: Literal["USER", "API", "SYSTEM", "INTEGRATION"]
    performer_metadata: VersionHistoryPerformerMetadata
    changes: List[FieldChange]
    event_blocks: List[VersionHistoryEventBlocksItem]
    translatable: Translatable


class VersionHistoryEventBlocksItem(TypedDict):
    # What this part of the sentence names.
    type: Literal["performer", "text", "resource"]
    style: Literal["normal"]
    value: str


class VersionHistoryPage(TypedDict):
    links: VersionHistoryPageLinks
    meta: VersionHistoryPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[VersionHistory]


class VersionHistoryPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _VersionHistoryPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class VersionHistoryPageMeta(_VersionHistoryPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]
    # With `cursor`: the cursor to continue with later. Never null, even at the end of the log.
    follow_cursor: str


class VersionHistoryPerformerMetadata(TypedDict):
    id: Optional[str]
    email: Optional[str]
    first_name: Optional[str]
    last_name: Optional[str]
    # Display name.
    name: str


class View(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    # The query string of the page that the view shows.
    query: str
    # The page the view belongs to.
    page_name: str
    # Whether everyone can see the view. Its results still depend on what each user can see.
    shared: bool
    # Whether the owner is notified about new matches (views of the catalog only). Checked every 15 minutes, at most 20 at a time.
    notify: bool
    # ID of the user who created the view.
    user: str
    mine: bool
    # Whether you pinned it to your navigation.
    pinned: bool


class _ViewCreateRequired(TypedDict):
    name: str
    # The query string of the page that the view shows.
    query: str


class ViewCreate(_ViewCreateRequired, total=False):
    page_name: str
    # Whether everyone can see the view. Its results still depend on what each user can see.
    shared: bool
    # Whether the owner is notified about new matches (views of the catalog only). Checked every 15 minutes, at most 20 at a time.
    notify: bool


class ViewEdit(TypedDict, total=False):
    name: str
    # The query string of the page that the view shows.
    query: str
    # Whether everyone can see the view. Its results still depend on what each user can see.
    shared: bool
    # Whether the owner is notified about new matches (views of the catalog only). Checked every 15 minutes, at most 20 at a time.
    notify: bool


class ViewPage(TypedDict):
    links: ViewPageLinks
    meta: ViewPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[View]


class ViewPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _ViewPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class ViewPageMeta(_ViewPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class Webhook(TypedDict):
    id: str
    created_at: str
    updated_at: str
    name: str
    url: str
    events: List[str]
    entity_types: List[str]
    integrations: List[str]
    enabled: bool
    # Why the webhook was disabled automatically.
    disabled_reason: Optional[str]
    last_delivered_at: Optional[str]
    # Time since which all deliveries have failed. Null if the last delivery succeeded.
    failing_since: Optional[str]


class _WebhookCreateRequired(TypedDict):
    # `https://…` or `http://…`.
    url: str


class WebhookCreate(_WebhookCreateRequired, total=False):
    name: str
    # Activity types as in the activity log. `incident_*` matches all types with this prefix.
    events: List[str]
    # Only activities of these entity types. Absent or empty: all.
    entity_types: Optional[List[str]]
    integrations: Optional[List[str]]
    enabled: bool


# The `id` is sent as the `webhook-id` header.
class WebhookDelivery(TypedDict):
    id: str
    created_at: str
    updated_at: str
    webhook: str
    event: str
    # ID of the activity. Null for a test.
    activity_id: Optional[str]
    # `pending`: will be sent or retried at `due_at`.
    status: Literal["pending", "sending", "delivered", "failed"]
    attempts: int
    # Time of the next attempt.
    due_at: Optional[str]
    delivered_at: Optional[str]
    # HTTP status of the response to the last attempt.
    response_status: Optional[int]
    # First characters of the response body.
    response_body: Optional[str]
    response_ms: Optional[int]
    # Why the last attempt failed.
    error: Optional[str]


class WebhookDeliveryPage(TypedDict):
    links: WebhookDeliveryPageLinks
    meta: WebhookDeliveryPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[WebhookDelivery]


class WebhookDeliveryPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _WebhookDeliveryPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class WebhookDeliveryPageMeta(_WebhookDeliveryPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class WebhookEdit(TypedDict, total=False):
    name: str
    # `https://…` or `http://…`.
    url: str
    # Activity types as in the activity log. `incident_*` matches all types with this prefix.
    events: List[str]
    # Only activities of these entity types. Absent or empty: all.
    entity_types: Optional[List[str]]
    integrations: Optional[List[str]]
    # Enabling a webhook again sends its waiting deliveries.
    enabled: bool


class WebhookPage(TypedDict):
    links: WebhookPageLinks
    meta: WebhookPageMeta
    # Exact number of matches.
    count: int
    total_pages: int
    results: List[Webhook]


class WebhookPageLinks(TypedDict):
    next: Optional[str]
    previous: Optional[str]


class _WebhookPageMetaRequired(TypedDict):
    page: Optional[int]
    previous_page: Union[int, Literal["None"]]
    next_page: Optional[int]


class WebhookPageMeta(_WebhookPageMetaRequired, total=False):
    # The cursor of the next page when reading with `cursor`; null on the last page.
    next_cursor: Optional[str]


class WhatIf(TypedDict, total=False):
    # The changed query of `table_id`, or of the table the SQL writes.
    sql: str
    dialect: Optional[str]
    default_database: Optional[str]
    default_schema: Optional[str]
    # The table that `sql` writes, and whose columns can be referenced by title.
    table_id: Optional[str]
    # Column IDs, or titles of columns of `table_id`.
    dropped_columns: List[str]
    # `column` as in `dropped_columns`.
    renamed_columns: List[WhatIfRenamedColumnsItem]
    dropped_tables: List[str]
    # The `manifest.json` of a dbt project, version 10 or later, with compiled models.
    manifest: Dict[str, Any]


class WhatIfAnswer(TypedDict):
    changes: List[WhatIfAnswerChangesItem]
    # Resources that lose their source, nearest first, at most 1,000.
    breaks: List[Break]
    owners: List[WhatIfAnswerOwnersItem]
    totals: WhatIfAnswerTotals
    # Names in the changed queries that do not resolve to one resource of the catalog.
    unresolved: List[WhatIfAnswerUnresolvedItem]
    # What is changed and deprecated, and deprecated tables that the changed queries read or write.
    warnings: List[DeprecationWarning]
    # What could not be compared, and why.
    notes: List[str]
    truncated: bool
    # The result as a Markdown comment for a pull request.
    comment: str


class WhatIfAnswerChangesItem(TypedDict):
    id: str
    title_full: str
    entity_type: str
    # `column_lost`: the changed query no longer returns it. `column_rewired`: its values come from other columns.
    change: Literal["table_dropped", "column_dropped", "column_renamed", "column_lost", "column_rewired"]
    detail: str
    detail_translatable: Translatable


class WhatIfAnswerOwnersItem(TypedDict):
    id: str
    type: Literal["user", "group"]
    # Null when you may not see the name, or when it is unknown.
    name: Optional[str]
    email: Optional[str]
    count: int


class WhatIfAnswerTotals(TypedDict):
    breaks: int
    # How many of the listed breaks are known at column level.
    certain: int
    by_entity_type: Dict[str, int]
    unowned: int


class WhatIfAnswerUnresolvedItem(TypedDict):
    # The table whose query contains the name.
    table: str
    name: str
    # `not_in_catalog`, `ambiguous`, or why the SQL does not determine the source.
    reason: str


class WhatIfRenamedColumnsItem(TypedDict):
    column: str
    to: str
