import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv } from 'ajv'
import type { RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerClient } from '../../src/accounts/oauth/clients.ts'
import { editResource } from '../../src/catalog/resources/edit.ts'
import { buildDigests } from '../../src/notifications/deliveries/build-digests.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { getIdempotency } from '../../src/platform/http/idempotency.ts'
import { createJob } from '../../src/platform/jobs/jobs.ts'
import { can, type Permission, ROLES, SCOPES } from '../../src/platform/permissions/permissions.ts'
import { signChartUrl } from '../../src/platform/secrets/signed-url.ts'
import { isEndless, loadContract, loadOpenApi } from '../support/contract.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { importLines } from '../support/transfer.ts'

/** Every route and its permission. New routes must be added here. */
const ROUTE_PERMISSIONS = `
  GET    /.well-known/oauth-authorization-server                                  public
  GET    /.well-known/oauth-protected-resource                                    public
  GET    /.well-known/oauth-protected-resource/mcp                                public
  POST   /ai/embedded_prompt/                                                     assistant.use
  GET    /ai/embedded_prompt/:prompt_id/                                          assistant.use
  GET    /api/v1/activity_log/audit_logs/                                         audit.read
  GET    /api/v1/activity_log/export                                              audit.read
  GET    /api/v1/activity_log/resource_logs/                                      catalog.write
  GET    /api/v1/ai/answers/:answer_id                                            assistant.use
  POST   /api/v1/ai/answers/:answer_id/cancel                                     assistant.use
  GET    /api/v1/ai/answers/:answer_id/events                                     assistant.use
  GET    /api/v1/ai/conversations                                                 assistant.use
  POST   /api/v1/ai/conversations                                                 assistant.use
  DELETE /api/v1/ai/conversations/:conversation_id                                assistant.use
  GET    /api/v1/ai/conversations/:conversation_id                                assistant.use
  POST   /api/v1/ai/conversations/:conversation_id/answers                        assistant.use
  POST   /api/v1/ai/drafts                                                        catalog.write
  GET    /api/v1/ai/mcp/tools/                                                    catalog.read
  POST   /api/v1/ai/mcp/tools/call/                                               catalog.read
  GET    /api/v1/ai/settings                                                      assistant.manage
  PUT    /api/v1/ai/settings                                                      assistant.manage
  POST   /api/v1/ai/settings/test                                                 assistant.manage
  GET    /api/v1/ai/status                                                        assistant.use
  GET    /api/v1/auth/authorization                                               tokens.own
  POST   /api/v1/auth/authorization                                               tokens.own
  GET    /api/v1/auth/group                                                       teams.read
  POST   /api/v1/auth/group                                                       people.manage
  DELETE /api/v1/auth/group/:group_id                                             people.manage
  GET    /api/v1/auth/group/:group_id                                             teams.read
  PATCH  /api/v1/auth/group/:group_id                                             people.manage
  POST   /api/v1/auth/group/:group_id/members                                     people.manage
  DELETE /api/v1/auth/group/:group_id/members/:user_id                            people.manage
  POST   /api/v1/auth/invitation                                                  public
  POST   /api/v1/auth/invitation/accept                                           public
  PUT    /api/v1/auth/password                                                    password.own
  GET    /api/v1/auth/oidc/callback                                               public
  GET    /api/v1/auth/oidc/start                                                  public
  DELETE /api/v1/auth/sessions                                                    self.write
  GET    /api/v1/auth/sessions                                                    self.read
  DELETE /api/v1/auth/sessions/:session_id                                        self.write
  GET    /api/v1/auth/setup                                                       public
  POST   /api/v1/auth/setup                                                       public
  POST   /api/v1/auth/sign_in                                                     public
  POST   /api/v1/auth/sign_in/token                                               public
  POST   /api/v1/auth/sign_out                                                    public
  GET    /api/v1/auth/teams                                                       teams.read
  POST   /api/v1/auth/teams                                                       people.manage
  DELETE /api/v1/auth/teams/:team_id                                              people.manage
  GET    /api/v1/auth/teams/:team_id                                              teams.read
  PATCH  /api/v1/auth/teams/:team_id                                              people.manage
  POST   /api/v1/auth/teams/:team_id/members                                      people.manage
  DELETE /api/v1/auth/teams/:team_id/members/:user_id                             people.manage
  GET    /api/v1/auth/tokens                                                      tokens.own
  POST   /api/v1/auth/tokens                                                      tokens.own
  DELETE /api/v1/auth/tokens/:token_id                                            tokens.own
  GET    /api/v1/auth/tokens/:token_id                                            tokens.own
  PATCH  /api/v1/auth/tokens/:token_id                                            tokens.own
  GET    /api/v1/background_jobs                                                  jobs.read
  GET    /api/v1/background_jobs/:job_id                                          jobs.read
  POST   /api/v1/background_jobs/:job_id/cancel                                   catalog.write
  GET    /api/v1/background_jobs/:job_id/events                                   jobs.read
  GET    /api/v1/bookmark                                                         catalog.read
  GET    /api/v1/change_suggestions                                               catalog.read
  POST   /api/v1/change_suggestions                                               questions.ask
  GET    /api/v1/change_suggestions/:change_suggestion_id                         catalog.read
  PATCH  /api/v1/change_suggestions/:change_suggestion_id                         catalog.write
  POST   /api/v1/change_suggestions/:change_suggestion_id/accept                  catalog.write
  POST   /api/v1/change_suggestions/:change_suggestion_id/reject                  catalog.write
  GET    /api/v1/comments                                                         catalog.read
  POST   /api/v1/comments                                                         questions.ask
  GET    /api/v1/comments/:comment_id                                             catalog.read
  PATCH  /api/v1/comments/:comment_id                                             questions.ask
  DELETE /api/v1/comments/:comment_id                                             questions.ask
  DELETE /api/v1/comments/:comment_id/reactions/:reaction                         questions.ask
  PUT    /api/v1/comments/:comment_id/reactions/:reaction                         questions.ask
  GET    /api/v1/collection/collections                                           catalog.read
  POST   /api/v1/collection/collections                                           catalog.write
  DELETE /api/v1/collection/collections/:collection_id                            catalog.write
  GET    /api/v1/collection/collections/:collection_id                            catalog.read
  PATCH  /api/v1/collection/collections/:collection_id                            catalog.write
  GET    /api/v1/dashboard/charts                                                 catalog.read
  POST   /api/v1/dashboard/charts                                                 catalog.write
  DELETE /api/v1/dashboard/charts/:chart_id                                       catalog.write
  GET    /api/v1/dashboard/charts/:chart_id                                       catalog.read
  PATCH  /api/v1/dashboard/charts/:chart_id                                       catalog.write
  GET    /api/v1/attachment/:attachment_id                                        catalog.read
  DELETE /api/v1/attachment/:attachment_id                                        catalog.write
  GET    /api/v1/dashboard/dashboards                                             catalog.read
  POST   /api/v1/dashboard/dashboards                                             catalog.write
  DELETE /api/v1/dashboard/dashboards/:dashboard_id                               catalog.write
  GET    /api/v1/dashboard/dashboards/:dashboard_id                               catalog.read
  PATCH  /api/v1/dashboard/dashboards/:dashboard_id                               catalog.write
  GET    /api/v1/database/databases                                               catalog.read
  POST   /api/v1/database/databases                                               catalog.write
  DELETE /api/v1/database/databases/:database_id                                  catalog.write
  GET    /api/v1/database/databases/:database_id                                  catalog.read
  PATCH  /api/v1/database/databases/:database_id                                  catalog.write
  GET    /api/v1/database/schemas                                                 catalog.read
  POST   /api/v1/database/schemas                                                 catalog.write
  DELETE /api/v1/database/schemas/:schema_id                                      catalog.write
  GET    /api/v1/database/schemas/:schema_id                                      catalog.read
  PATCH  /api/v1/database/schemas/:schema_id                                      catalog.write
  POST   /api/v1/demo                                                             people.manage
  GET    /api/v1/document                                                         catalog.read
  POST   /api/v1/document                                                         catalog.write
  DELETE /api/v1/document/:document_id                                            catalog.write
  GET    /api/v1/document/:document_id                                            catalog.read
  PATCH  /api/v1/document/:document_id                                            catalog.write
  GET    /api/v1/event/category                                                   catalog.read
  POST   /api/v1/event/category                                                   catalog.write
  DELETE /api/v1/event/category/:event_category_id                                catalog.write
  GET    /api/v1/event/category/:event_category_id                                catalog.read
  PATCH  /api/v1/event/category/:event_category_id                                catalog.write
  GET    /api/v1/event/event_properties                                           catalog.read
  POST   /api/v1/event/event_properties                                           catalog.write
  DELETE /api/v1/event/event_properties/:event_property_id                        catalog.write
  GET    /api/v1/event/event_properties/:event_property_id                        catalog.read
  PATCH  /api/v1/event/event_properties/:event_property_id                        catalog.write
  GET    /api/v1/event/events                                                     catalog.read
  POST   /api/v1/event/events                                                     catalog.write
  DELETE /api/v1/event/events/:event_id                                           catalog.write
  GET    /api/v1/event/events/:event_id                                           catalog.read
  PATCH  /api/v1/event/events/:event_id                                           catalog.write
  GET    /api/v1/glossary                                                         catalog.read
  POST   /api/v1/glossary                                                         catalog.write
  DELETE /api/v1/glossary/:glossary_id                                            catalog.write
  GET    /api/v1/glossary/:glossary_id                                            catalog.read
  PATCH  /api/v1/glossary/:glossary_id                                            catalog.write
  GET    /api/v1/glossary/:glossary_id/named_alike                                catalog.read
  GET    /api/v1/glossary/:glossary_id/usage                                      catalog.read
  POST   /api/v1/integration/datahub/events                                       catalog.write
  POST   /api/v1/integration/dbt/:integration_id/upload_artifacts/                catalog.write
  GET    /api/v1/integration/drivers                                              server.manage
  POST   /api/v1/integration/drivers/:name/install                                server.manage
  GET    /api/v1/imports                                                          catalog.write
  GET    /api/v1/imports/:import_id                                               catalog.write
  POST   /api/v1/imports/:import_id/undo                                          catalog.write
  GET    /api/v1/insights                                                         monitors.read
  GET    /api/v1/insights/groups                                                  monitors.read
  GET    /api/v1/insights/trends                                                  monitors.read
  GET    /api/v1/integration/integrations                                         integrations.read
  POST   /api/v1/integration/integrations                                         integrations.manage
  DELETE /api/v1/integration/integrations/:integration_id                         integrations.manage
  GET    /api/v1/integration/integrations/:integration_id                         integrations.read
  PATCH  /api/v1/integration/integrations/:integration_id                         integrations.manage
  POST   /api/v1/integration/integrations/:integration_id/import_jsonl_metadata/  catalog.write
  POST   /api/v1/integration/integrations/:integration_id/import_metadata/        catalog.write
  POST   /api/v1/integration/integrations/:integration_id/import_xlsx_metadata/   catalog.write
  GET    /api/v1/integration/integrations/:integration_id/losses                  integrations.read
  DELETE /api/v1/integration/integrations/:integration_id/profile_schedule        integrations.manage
  GET    /api/v1/integration/integrations/:integration_id/profile_schedule        integrations.read
  PUT    /api/v1/integration/integrations/:integration_id/profile_schedule        integrations.manage
  POST   /api/v1/integration/integrations/:integration_id/patterns                integrations.manage
  POST   /api/v1/integration/integrations/:integration_id/sync                    integrations.manage
  POST   /api/v1/integration/integrations/:integration_id/sync/:sync_id/cancel    integrations.manage
  POST   /api/v1/integration/integrations/:integration_id/sync/:sync_id/undo      integrations.manage
  GET    /api/v1/integration/integrations/:integration_id/syncs                   integrations.read
  POST   /api/v1/integration/integrations/:integration_id/test                    integrations.manage
  POST   /api/v1/integration/integrations/patterns                                integrations.manage
  POST   /api/v1/integration/integrations/test                                    integrations.manage
  POST   /api/v1/integration/query_log/:integration_id/upload                     catalog.write
  GET    /api/v1/integration/types                                                integrations.read
  POST   /api/v1/lineage                                                          catalog.write
  POST   /api/v1/lineage/batch                                                    catalog.write
  GET    /api/v1/lineage/graph                                                    catalog.read
  GET    /api/v1/lineage/impact                                                   catalog.read
  GET    /api/v1/lineage/lineage_from_query                                       catalog.read
  PATCH  /api/v1/lineage/lineage_from_query                                       catalog.write
  POST   /api/v1/lineage/lineage_from_query                                       catalog.write
  GET    /api/v1/lineage/manual                                                   catalog.read
  POST   /api/v1/lineage/manual                                                   catalog.write
  DELETE /api/v1/lineage/manual/:lineage_id                                       catalog.write
  GET    /api/v1/lineage/manual/:lineage_id                                       catalog.read
  GET    /api/v1/lineage/path                                                     catalog.read
  GET    /api/v1/lineage/root_cause                                               catalog.read
  POST   /api/v1/lineage/what_if                                                  catalog.read
  GET    /api/v1/monitor/chart/:chart_file                                        public
  GET    /api/v1/monitor/config                                                   monitors.config
  PUT    /api/v1/monitor/config                                                   monitors.write
  GET    /api/v1/monitor/gate                                                     monitors.read
  GET    /api/v1/monitor/incident/:incident_id                                    monitors.read
  PATCH  /api/v1/monitor/incident/:incident_id                                    monitors.write
  GET    /api/v1/monitor/incidents                                                monitors.read
  GET    /api/v1/monitor/incidents/:incident_id                                   monitors.read
  PATCH  /api/v1/monitor/incidents/:incident_id                                   monitors.write
  GET    /api/v1/monitor/incidents/:incident_id/failing_rows                      monitors.read
  GET    /api/v1/monitor/incidents/tables                                         monitors.read
  GET    /api/v1/monitor/measurements                                             monitors.read
  POST   /api/v1/monitor/measurements                                             monitors.write
  GET    /api/v1/monitor/measurements/:measurement_id                             monitors.read
  PATCH  /api/v1/monitor/measurements/:measurement_id                             monitors.write
  GET    /api/v1/monitor/monitors                                                 monitors.read
  POST   /api/v1/monitor/monitors                                                 monitors.write
  DELETE /api/v1/monitor/monitors/:monitor_id                                     monitors.write
  GET    /api/v1/monitor/monitors/:monitor_id                                     monitors.read
  PATCH  /api/v1/monitor/monitors/:monitor_id                                     monitors.write
  GET    /api/v1/monitor/monitors/:monitor_id/chart.png                           monitors.read
  POST   /api/v1/monitor/monitors/run                                             monitors.run
  POST   /api/v1/monitor/preview                                                  monitors.write
  POST   /api/v1/monitor/replay                                                   monitors.read
  GET    /api/v1/monitor/suggestions                                              monitors.config
  POST   /api/v1/monitor/suggestions                                              monitors.write
  GET    /api/v1/needs_you                                                        catalog.read
  POST   /api/v1/needs_you/hidden                                                 self.write
  DELETE /api/v1/needs_you/hidden/:kind/:item_id                                  self.write
  GET    /api/v1/notification/channels                                            notifications.manage
  POST   /api/v1/notification/channels                                            notifications.manage
  DELETE /api/v1/notification/channels/:notification_channel_id                   notifications.manage
  GET    /api/v1/notification/channels/:notification_channel_id                   notifications.manage
  PATCH  /api/v1/notification/channels/:notification_channel_id                   notifications.manage
  POST   /api/v1/notification/channels/:notification_channel_id/test              notifications.manage
  GET    /api/v1/notification/deliveries                                          notifications.manage
  GET    /api/v1/notification/deliveries/:delivery_id                             notifications.manage
  POST   /api/v1/notification/deliveries/:delivery_id/retry                       notifications.manage
  GET    /api/v1/notification/explanation/activity/:activity_id                   self.read
  GET    /api/v1/notification/explanation/incident/:incident_id                   self.read
  GET    /api/v1/notification/inbox                                               self.read
  DELETE /api/v1/notification/inbox/:notification_id                              self.write
  GET    /api/v1/notification/inbox/:notification_id                              self.read
  PATCH  /api/v1/notification/inbox/:notification_id                              self.write
  POST   /api/v1/notification/inbox/read_all                                      self.write
  GET    /api/v1/notification/inbox/unread_count                                  self.read
  GET    /api/v1/notification/rules                                               notifications.manage
  POST   /api/v1/notification/rules                                               notifications.manage
  DELETE /api/v1/notification/rules/:notification_rule_id                         notifications.manage
  GET    /api/v1/notification/rules/:notification_rule_id                         notifications.manage
  PATCH  /api/v1/notification/rules/:notification_rule_id                         notifications.manage
  POST   /api/v1/notification/rules/preview                                       notifications.manage
  GET    /api/v1/notification/settings                                            self.read
  PATCH  /api/v1/notification/settings                                            self.write
  POST   /api/v1/notification/slack/actions                                       public
  POST   /api/v1/notification/slack/events                                        public
  GET    /api/v1/notification/templates                                           notifications.manage
  DELETE /api/v1/notification/templates/:channel/:event                           notifications.manage
  PUT    /api/v1/notification/templates/:channel/:event                           notifications.manage
  POST   /api/v1/notification/templates/preview                                   notifications.manage
  GET    /api/v1/notification/webhooks                                            notifications.manage
  POST   /api/v1/notification/webhooks                                            notifications.manage
  DELETE /api/v1/notification/webhooks/:webhook_id                                notifications.manage
  GET    /api/v1/notification/webhooks/:webhook_id                                notifications.manage
  PATCH  /api/v1/notification/webhooks/:webhook_id                                notifications.manage
  GET    /api/v1/notification/webhooks/:webhook_id/deliveries                     notifications.manage
  GET    /api/v1/notification/webhooks/:webhook_id/deliveries/:webhook_delivery_id notifications.manage
  POST   /api/v1/notification/webhooks/:webhook_id/deliveries/:webhook_delivery_id/redeliver notifications.manage
  POST   /api/v1/notification/webhooks/:webhook_id/rotate_secret                  notifications.manage
  POST   /api/v1/notification/webhooks/:webhook_id/test                           notifications.manage
  GET    /api/v1/openapi.json                                                     public
  GET    /api/v1/pii/rules/:integration_id                                        integrations.read
  PATCH  /api/v1/pii/rules/:integration_id                                        integrations.manage
  POST   /api/v1/pii/scan/:integration_id                                         integrations.manage
  GET    /api/v1/pii/suggestions                                                  catalog.write
  GET    /api/v1/pii/suggestions/:suggestion_id                                   catalog.write
  POST   /api/v1/pii/suggestions/:suggestion_id/accept                            catalog.write
  POST   /api/v1/pii/suggestions/:suggestion_id/reject                            catalog.write
  GET    /api/v1/query/queries                                                    catalog.read
  POST   /api/v1/query/queries                                                    catalog.write
  DELETE /api/v1/query/queries/:query_id                                          catalog.write
  GET    /api/v1/query/queries/:query_id                                          catalog.read
  PATCH  /api/v1/query/queries/:query_id                                          catalog.write
  GET    /api/v1/question/questions                                               catalog.read
  POST   /api/v1/question/questions                                               questions.ask
  DELETE /api/v1/question/questions/:question_id                                  questions.ask
  GET    /api/v1/question/questions/:question_id                                  catalog.read
  PATCH  /api/v1/question/questions/:question_id                                  questions.ask
  GET    /api/v1/question/replies                                                 catalog.read
  POST   /api/v1/question/replies                                                 questions.ask
  DELETE /api/v1/question/replies/:reply_id                                       questions.ask
  GET    /api/v1/question/replies/:reply_id                                       catalog.read
  PATCH  /api/v1/question/replies/:reply_id                                       questions.ask
  DELETE /api/v1/resource/all/:resource_id                                        catalog.write
  GET    /api/v1/resource/all/:resource_id                                        catalog.read
  PATCH  /api/v1/resource/all/:resource_id                                        catalog.write
  GET    /api/v1/resource/all/:resource_id/attachments                            catalog.read
  POST   /api/v1/resource/all/:resource_id/attachments                            catalog.write
  GET    /api/v1/resource/all/:resource_id/access                                 catalog.read
  GET    /api/v1/resource/all/:resource_id/backlinks                              catalog.read
  GET    /api/v1/resource/all/:resource_id/badge.svg                              public
  GET    /api/v1/resource/all/:resource_id/badge_link                             catalog.read
  DELETE /api/v1/resource/all/:resource_id/bookmark                               self.write
  PUT    /api/v1/resource/all/:resource_id/bookmark                               self.write
  GET    /api/v1/resource/all/:resource_id/code                                   catalog.read
  GET    /api/v1/resource/all/:resource_id/custom_properties                      catalog.read
  GET    /api/v1/resource/all/:resource_id/health                                 catalog.read
  GET    /api/v1/resource/all/:resource_id/profile                                catalog.read
  POST   /api/v1/resource/all/:resource_id/profile                                catalog.write
  GET    /api/v1/resource/all/:resource_id/profile/history                        catalog.read
  DELETE /api/v1/resource/all/:resource_id/profile/schedule                       catalog.write
  GET    /api/v1/resource/all/:resource_id/profile/schedule                       catalog.read
  PUT    /api/v1/resource/all/:resource_id/profile/schedule                       catalog.write
  GET    /api/v1/resource/all/:resource_id/profile/trends                         catalog.read
  GET    /api/v1/resource/all/:resource_id/runs                                   catalog.read
  GET    /api/v1/resource/all/:resource_id/usage                                  catalog.read
  GET    /api/v1/resource/all/:resource_id/provenance                             catalog.read
  POST   /api/v1/resource/all/:resource_id/provenance/take_back                   catalog.write
  POST   /api/v1/resource/all/:resource_id/query                                  data.query
  GET    /api/v1/resource/all/:resource_id/embed_link                             catalog.write
  GET    /api/v1/resource/all/:resource_id/card.html                              public
  GET    /api/v1/link_preview.png                                                 public
  GET    /api/v1/resource/all/:resource_id/public_links                           links.manage
  POST   /api/v1/resource/all/:resource_id/public_links                           links.manage
  DELETE /api/v1/public_link/:public_link_id                                      links.manage
  POST   /api/v1/public_link/open                                                 public
  GET    /api/v1/public_link/:public_link_id/attachment/:attachment_id            public
  GET    /api/v1/sharing/settings                                                 server.manage
  PUT    /api/v1/sharing/settings                                                 server.manage
  GET    /api/v1/server/backups                                                   server.manage
  GET    /api/v1/server/backups/file                                              server.manage
  DELETE /api/v1/server/backups/schedule                                          server.manage
  GET    /api/v1/server/backups/schedule                                          server.manage
  PUT    /api/v1/server/backups/schedule                                          server.manage
  GET    /api/v1/resource/all/:resource_id/queries                                catalog.read
  GET    /api/v1/resource/all/:resource_id/relationships                          catalog.read
  GET    /api/v1/resource/all/:resource_id/term_suggestions                       catalog.read
  POST   /api/v1/resource/all/:resource_id/term_suggestions/:term_id/dismiss      catalog.write
  POST   /api/v1/resource/all/:resource_id/restore                                catalog.write
  DELETE /api/v1/resource/all/:resource_id/subscription                           self.write
  PUT    /api/v1/resource/all/:resource_id/subscription                           self.write
  GET    /api/v1/resource/all/:resource_id/versions                               catalog.read
  GET    /api/v1/resource/all/:resource_id/versions/:version                      catalog.read
  GET    /api/v1/resource/all/:resource_id/versions/compare                       catalog.read
  POST   /api/v1/resource/all/bulk_update/                                        catalog.write
  PATCH  /api/v1/resource/all_v2/bulk_update/custom_properties/                   catalog.write
  PUT    /api/v1/resource/all_v2/bulk_update/custom_properties/                   catalog.write
  GET    /api/v1/resource/all_v2/custom_properties/                               catalog.read
  POST   /api/v1/resource/all_v2/custom_properties/                               catalog.write
  DELETE /api/v1/resource/all_v2/custom_properties/:custom_property_id            catalog.write
  GET    /api/v1/resource/all_v2/custom_properties/:custom_property_id            catalog.read
  PATCH  /api/v1/resource/all_v2/custom_properties/:custom_property_id            catalog.write
  PUT    /api/v1/resource/all_v2/custom_properties/:custom_property_id            catalog.write
  DELETE /api/v1/resource/all_v2/custom_properties/:custom_property_id/:entity_id catalog.write
  GET    /api/v1/resource/all_v2/custom_properties/:custom_property_id/:entity_id catalog.read
  PATCH  /api/v1/resource/all_v2/custom_properties/:custom_property_id/:entity_id catalog.write
  PUT    /api/v1/resource/all_v2/custom_properties/:custom_property_id/:entity_id catalog.write
  GET    /api/v1/resource/catalog                                                 catalog.read
  POST   /api/v1/resource/catalog                                                 catalog.write
  GET    /api/v1/resource/export                                                  catalog.read
  GET    /api/v1/resource/preview_v2/table/:table_id/                             catalog.read
  GET    /api/v1/search                                                           catalog.read
  GET    /api/v1/search/ranking                                                   search.manage
  PUT    /api/v1/search/ranking/rules                                             search.manage
  PUT    /api/v1/search/ranking/weights                                           search.manage
  GET    /api/v1/search/values                                                    catalog.read
  GET    /api/v1/subscription                                                     catalog.read
  GET    /api/v1/table/column                                                     catalog.read
  POST   /api/v1/table/column                                                     catalog.write
  DELETE /api/v1/table/column/:column_id                                          catalog.write
  GET    /api/v1/table/column/:column_id                                          catalog.read
  PATCH  /api/v1/table/column/:column_id                                          catalog.write
  GET    /api/v1/table/columns                                                    catalog.read
  POST   /api/v1/table/columns                                                    catalog.write
  DELETE /api/v1/table/columns/:column_id                                         catalog.write
  GET    /api/v1/table/columns/:column_id                                         catalog.read
  PATCH  /api/v1/table/columns/:column_id                                         catalog.write
  GET    /api/v1/table/tables                                                     catalog.read
  POST   /api/v1/table/tables                                                     catalog.write
  DELETE /api/v1/table/tables/:table_id                                           catalog.write
  GET    /api/v1/table/tables/:table_id                                           catalog.read
  PATCH  /api/v1/table/tables/:table_id                                           catalog.write
  GET    /api/v1/table/tables/:table_id/schema_history                            catalog.read
  GET    /api/v1/tag                                                              catalog.read
  POST   /api/v1/tag                                                              catalog.write
  DELETE /api/v1/tag/:tag_id                                                      catalog.write
  GET    /api/v1/tag/:tag_id                                                      catalog.read
  PATCH  /api/v1/tag/:tag_id                                                      catalog.write
  GET    /api/v1/trash                                                            catalog.write
  DELETE /api/v1/trash/:resource_id                                               trash.delete
  GET    /api/v1/server/settings                                                  server.manage
  DELETE /api/v1/server/settings/email                                            server.manage
  DELETE /api/v1/server/settings/oidc                                             server.manage
  DELETE /api/v1/server/settings/slack                                            server.manage
  PUT    /api/v1/server/settings/email                                            server.manage
  POST   /api/v1/server/settings/email/test                                       server.manage
  PUT    /api/v1/server/settings/oidc                                             server.manage
  POST   /api/v1/server/settings/oidc/test                                        server.manage
  PUT    /api/v1/server/settings/slack                                            server.manage
  POST   /api/v1/server/settings/slack/test                                       server.manage
  GET    /api/v1/ui/bootstrap                                                     self.read
  GET    /api/v1/ui/columns/:table_id                                             catalog.read
  GET    /api/v1/ui/health                                                        catalog.read
  GET    /api/v1/ui/home                                                          catalog.read
  GET    /api/v1/ui/names                                                         catalog.read
  GET    /api/v1/ui/person/:user_id                                               catalog.read
  GET    /api/v1/ui/resource/:resource_id                                         catalog.read
  GET    /api/v1/ui/stream                                                        self.read
  PUT    /api/v1/ui/tour                                                          self.write
  GET    /api/v1/ui/tree                                                          catalog.read
  GET    /api/v1/user                                                             people.read
  POST   /api/v1/user                                                             people.manage
  DELETE /api/v1/user/:user_id                                                    people.manage
  GET    /api/v1/user/:user_id                                                    people.read
  PATCH  /api/v1/user/:user_id                                                    people.manage
  POST   /api/v1/user/:user_id/invitation                                         people.manage
  GET    /api/v1/user/me                                                          self.read
  GET    /api/v1/view                                                             self.read
  POST   /api/v1/view                                                             self.write
  DELETE /api/v1/view/:view_id                                                    self.write
  GET    /api/v1/view/:view_id                                                    self.read
  PATCH  /api/v1/view/:view_id                                                    self.write
  DELETE /api/v1/view/:view_id/pin                                                self.write
  PUT    /api/v1/view/:view_id/pin                                                self.write
  POST   /aspects                                                                 catalog.write
  GET    /config                                                                  catalog.read
  GET    /docs/                                                                   public
  GET    /docs/js/scalar.js                                                       public
  POST   /entities                                                                catalog.write
  GET    /healthcheck                                                             public
  POST   /mcp                                                                     catalog.read
  GET    /metrics                                                                 public
  POST   /oauth/register                                                          public
  POST   /oauth/revoke                                                            public
  POST   /oauth/token                                                             public
  DELETE /openapi/v3/entity/:type/:urn                                            catalog.write
  PATCH  /openapi/v3/entity/:type                                                 catalog.write
  POST   /openapi/v3/entity/:type                                                 catalog.write
  GET    /readycheck                                                              public
  POST   /usageStats                                                              catalog.write
`

let app: TestApp
let routes: { method: string; url: string; permission: Permission | 'public'; route: RouteOptions }[]
beforeAll(async () => {
  app = await createTestApp()
  await app.fastify.ready()
  // A route with several methods only responds with 405, which is tested below.
  routes = app.routes
    .filter(({ method }) => !Array.isArray(method) && method !== 'HEAD')
    .map((route) => ({ method: String(route.method), url: route.url, permission: route.config!.permission!, route }))
})
afterAll(() => app[Symbol.asyncDispose]())

test('the list contains every route with its permission', () => {
  const found = routes.map(({ method, url, permission }) => `${method} ${url} ${permission}`).sort()
  const written = ROUTE_PERMISSIONS.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).join(' '))
  expect(found).toEqual(written.sort())
})

/** POST routes that support an Idempotency-Key in another way than in the transaction of the handler. Public routes do not know the caller. */
const OTHER_IDEMPOTENCY = `
  /ai/embedded_prompt/                                                     none
  /api/v1/ai/conversations                                                 record
  /api/v1/ai/conversations/:conversation_id/answers                        record
  /api/v1/ai/mcp/tools/call/                                               record
  /api/v1/ai/settings/test                                                 record
  /api/v1/auth/authorization                                               record
  /api/v1/integration/dbt/:integration_id/upload_artifacts/                streamed
  /api/v1/integration/integrations/:integration_id/import_jsonl_metadata/  streamed
  /api/v1/integration/integrations/:integration_id/import_metadata/        streamed
  /api/v1/integration/integrations/:integration_id/import_xlsx_metadata/   streamed
  /api/v1/resource/all/:resource_id/attachments                            streamed
  /api/v1/integration/integrations/:integration_id/patterns                record
  /api/v1/integration/integrations/:integration_id/test                    record
  /api/v1/integration/integrations/patterns                                record
  /api/v1/integration/integrations/test                                    record
  /api/v1/server/settings/email/test                                       record
  /api/v1/server/settings/oidc/test                                        record
  /api/v1/server/settings/slack/test                                       record
  /api/v1/lineage                                                          record
  /api/v1/lineage/batch                                                    record
  /api/v1/lineage/lineage_from_query                                       record
  /api/v1/lineage/what_if                                                  none
  /api/v1/monitor/preview                                                  record
  /api/v1/resource/all/:resource_id/query                                  none
  /api/v1/monitor/replay                                                   none
  /api/v1/notification/channels/:notification_channel_id/test              record
  /api/v1/notification/templates/preview                                   none
  /api/v1/notification/webhooks/:webhook_id/test                           record
  /api/v1/user/:user_id/invitation                                         record
  /mcp                                                                     none
`

test('every other POST supports an Idempotency-Key in the transaction of its write', () => {
  const found = routes
    .filter(
      ({ method, permission, route }) => method === 'POST' && permission !== 'public' && getIdempotency(route.config) !== 'transaction',
    )
    .map(({ url, route }) => `${url} ${getIdempotency(route.config)}`)
  const written = OTHER_IDEMPOTENCY.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).join(' '))
  expect(found.sort()).toEqual(written.sort())
  const open = routes.filter(({ method, permission }) => method === 'POST' && permission === 'public')
  expect(open.map(({ route }) => getIdempotency(route.config))).toEqual(open.map(() => 'none'))
})

test('fields that are returned once are optional in the document: a replay does not contain them', () => {
  const found = routes.flatMap(({ url, route }) =>
    (route.config?.shown_once ?? []).map((field) => {
      const { response = {} } = (route.schema ?? {}) as { response?: Record<string, { properties?: object; required?: string[] }> }
      const { properties = {}, required = [] } = Object.entries(response).find(([status]) => status.startsWith('2'))?.[1] ?? {}
      return `${url} ${field}: ${field in properties ? (required.includes(field) ? 'required' : 'optional') : 'missing'}`
    }),
  )
  expect(found).not.toEqual([])
  expect(found.filter((each) => !each.endsWith(': optional'))).toEqual([])
})

let routeContract: Promise<ReturnType<typeof loadContract>> | undefined
/** Created once: its schemas are compiled on first use. */
const loadRouteContract = () => {
  routeContract ??= loadOpenApi(app.fastify).then(loadContract)
  return routeContract
}

/** A request for records that do not exist, with the example body of the route. */
const filled = (url: string, ids: Record<string, string> = {}) =>
  url.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? (name.endsWith('_id') ? newId() : '1'))
const exampleOf = ({ schema }: RouteOptions): unknown => {
  const { body } = (schema ?? {}) as { body?: { examples?: unknown[] } }
  return body && (body.examples?.[0] ?? {})
}

test('without a token every route returns 401, whatever the method', async () => {
  for (const { method, url, permission, route } of routes) {
    if (permission === 'public') continue
    const response = await app.call(method, filled(url), { token: null, body: exampleOf(route) })
    expect([method, url, response.status]).toEqual([method, url, 401])
    if (method === 'GET') expect((await app.call('HEAD', filled(url), { token: null })).status).toBe(401)
  }
})

for (const role of ROLES)
  for (const scope of SCOPES)
    test(`${role} with token scope ${scope}: rejected exactly as permissions.ts says`, async () => {
      const contract = await loadRouteContract()
      const { token, ctx } = await app.createUser(role, { scope })
      const wrong: string[] = []
      for (const { method, url, permission, route } of routes) {
        if (permission === 'public' || isEndless(route) || !url.startsWith('/api/v1')) continue
        const response = await app.call(method, filled(url), { token, body: exampleOf(route) })
        const allowed = can(ctx.actor, permission)
        if (allowed === (response.status === 403) || response.status === 401 || response.status >= 500)
          wrong.push(`${method} ${url}: ${response.status} ${response.text}`)
        const problem = contract(method, url, response)
        if (problem) wrong.push(problem)
      }
      expect(wrong).toEqual([])
    })

test('every GET route responds as documented', async () => {
  const contract = await loadRouteContract()
  const ids = await createOneOfEach()
  const wrong: string[] = []
  for (const { method, url, route } of routes) {
    if (method !== 'GET' || !url.startsWith('/api/v1') || url.endsWith('/events') || url.endsWith('openapi.json') || isEndless(route))
      continue
    if (url.includes('/auth/oidc/')) continue // redirects to an identity provider
    for (const [, name = ''] of url.matchAll(/:(\w+)/g)) expect(ids, `oneOfEach needs a ${name} for ${url}`).toHaveProperty(name)
    const response = await app.call(method, `${filled(url, ids)}${getRequiredQuery(route, ids)}`)
    // Rows come from a source, and there is none here: that is an error response, too.
    const expected = url.includes('/preview_v2/') ? 409 : 200
    if (response.status !== expected) wrong.push(`${url}: ${response.status} ${response.text}`)
    const problem = contract(method, url, response)
    if (problem) wrong.push(problem)
  }
  expect(wrong).toEqual([])
})

/** A monitor with a measurement outside its limits. */
const createMeasuredMonitor = async (target: string): Promise<Record<string, string>> => {
  const condition = { condition_auto_sensitivity: null, condition_manual_max: 5 }
  const { body: monitor } = await app.call('POST', '/monitor/monitors', { body: { target, metric_type: 'pushed', ...condition } })
  const { body } = await app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor: monitor.id, value: 7 }] } })
  const [{ id, incident }] = body.results
  const { pathname, searchParams } = new URL(await signChartUrl(app.ctx, 'https://catalog.example.com', monitor.id))
  const chart = { chart_file: pathname.split('/').at(-1)!, exp: searchParams.get('exp')!, sig: searchParams.get('sig')! }
  return { monitor_id: monitor.id, measurement_id: id, incident_id: incident, ...chart }
}

/** One record of each type, by the name of its path parameter. */
const createOneOfEach = async (): Promise<Record<string, string>> => {
  const resource = await app.createResource({ title: 'orders', owners: [newId()], description: 'One row for each order.' })
  const kinds = {
    ...{ document_id: 'document', database_id: 'database', schema_id: 'schema', table_id: 'table', column_id: 'column' },
    ...{ dashboard_id: 'dashboard', chart_id: 'chart', query_id: 'query', collection_id: 'collection', glossary_id: 'glossary' },
    ...{ question_id: 'question', reply_id: 'question_reply', event_id: 'event', event_property_id: 'event_property' },
  }
  const typed: Record<string, string> = {}
  for (const [name, entity_type] of Object.entries({ ...kinds, event_category_id: 'category' }))
    typed[name] = (await app.createResource({ entity_type, title: name })).id
  await app.call('PATCH', `/resource/all/${resource.id}`, { body: { description: 'Changed.' } })
  const user = await app.createUser('editor')
  const { body: badge } = await app.call('GET', `/resource/all/${resource.id}/badge_link`)
  const { by, signature } = Object.fromEntries(new URL(badge.url).searchParams)
  await app.call('PUT', '/sharing/settings', { body: { embed_origins: ['https://wiki.example.com'], public_links: true } })
  const { body: card } = await app.call('GET', `/resource/all/${resource.id}/embed_link`)
  const card_signature = new URL(card.url).searchParams.get('card_signature')!
  const { body: group } = await app.call('POST', '/auth/group', { body: { name: 'group' } })
  const { body: tag } = await app.call('POST', '/tag', { body: { name: 'tag' } })
  const { body: integration } = await app.call('POST', '/integration/integrations', { body: { name: 'shop' } })
  const { body: property } = await app.call('POST', '/resource/all_v2/custom_properties/', {
    body: { name: 'Class', value_type: 'string' },
  })
  await app.call('PUT', `/resource/all_v2/custom_properties/Class/${resource.id}`, { body: { value: 'gold' } })
  const job = await createJob(app.ctx, { kind: 'none', title: 'job' })
  const suggestion = {
    id: newId(),
    resource_id: typed.column_id!,
    integration: integration.id,
    class: 'email',
    confidence: 0.9,
    status: 'open',
  }
  await app.db
    .insertInto('pii_suggestions')
    .values({
      ...suggestion,
      evidence: sql`'{"name": null, "checked": 0, "matched": 0, "shapes": []}'`,
      created_at: app.ctx.now,
      updated_at: app.ctx.now,
    })
    .execute()
  const { body: changeSuggestion } = await app.call('POST', '/change_suggestions', {
    body: { resource_id: resource.id, field: 'tag', value: 'tag' },
  })
  const { body: comment } = await app.call('POST', '/comments', { body: { resource_id: resource.id, text: 'comment' } })
  const notification = await createTestNotification(user.ctx)
  const { body: lineage } = await app.call('POST', '/lineage/manual', {
    body: { from_entity: resource.id, to_entity: typed.query_id, direction: 'DOWNSTREAM' },
  })
  await importLines(app, [{ databuilder_id: 'imported', title: 'imported' }], { integration: integration.id })
  return {
    ...typed,
    resource_id: resource.id,
    ...{ by: by!, signature: signature!, card_signature },
    custom_property_id: property.id,
    entity_id: resource.id,
    version: '1',
    user_id: user.id,
    token_id: user.ctx.actor.token_id!,
    team_id: await app.createTeam(),
    group_id: group.id,
    tag_id: tag.id,
    job_id: job.id,
    suggestion_id: suggestion.id,
    change_suggestion_id: changeSuggestion.id,
    ...{ comment_id: comment.id, reaction: 'heart' },
    ...{ kind: 'questions', item_id: resource.id },
    ...(await createClient()),
    ...notification,
    ...(await createTestWebhook()),
    ...(await createTestRouting()),
    activity_id: (await app.db.selectFrom('activities').select('id').where('resource_id', '=', resource.id).executeTakeFirstOrThrow()).id,
    ...(await createMeasuredMonitor(typed.table_id!)),
    lineage_id: lineage.id,
    sql: 'select%201',
    from: resource.id,
    to: resource.id,
    integration_id: integration.id,
    sync_id: await createSync(integration.id),
    ...(await createPublicFile(typed.document_id!)),
    import_id: (await app.call('GET', '/imports')).body.results[0].id,
    view_id: (await app.call('POST', '/view', { body: { name: 'mine', query: '' } })).body.id,
    ids: resource.id,
    ...(await createConversation()),
  }
}

/** An attachment that the page of a public link shows. */
const createPublicFile = async (document: string): Promise<Record<string, string>> => {
  const { body: attachment } = await app.call('POST', `/resource/all/${document}/attachments?name=a.txt`, {
    headers: { 'content-type': 'text/plain' },
    body: 'a',
  })
  await app.call('PATCH', `/resource/all/${document}`, { body: { definition: `[a.txt](${attachment.url})` } })
  const { body: link } = await app.call('POST', `/resource/all/${document}/public_links`, { body: {} })
  const { body: page } = await app.call('POST', '/public_link/open', { body: { code: new URL(link.url).hash.slice(1) } })
  const file_signature = /file_signature=([\w-]+)/.exec(page.definition)![1]!
  return { attachment_id: attachment.id, public_link_id: link.id, file_signature, path: new URL(link.url).pathname }
}

const createConversation = async (): Promise<Record<string, string>> => {
  const [conversation_id, answer_id] = [newId(), newId()]
  const times = { created_at: new Date(), updated_at: new Date() }
  await app.db
    .insertInto('assistant_conversations')
    .values({ id: conversation_id, user_id: app.ctx.actor.user_id!, title: 'Where?', ...times })
    .execute()
  await app.db
    .insertInto('assistant_answers')
    .values({
      id: answer_id,
      conversation_id,
      question: 'Where?',
      status: 'completed',
      provider: 'openai',
      model: 'm',
      heartbeat_at: new Date(),
      ...times,
    })
    .execute()
  return { conversation_id, answer_id }
}

/** A registered OAuth client. */
const createClient = async (): Promise<Record<string, string>> => {
  const redirect_uri = 'https://assistant.example.com/callback'
  const { client_id } = await registerClient(app.ctx, { redirect_uris: [redirect_uri] })
  return { client_id, redirect_uri }
}

const createSync = async (integration: string): Promise<string> => {
  const id = newId()
  await app.db.insertInto('integration_syncs').values({ id, integration, status: 'COMPLETED', created_at: new Date() }).execute()
  return id
}

/** Another user changes a resource the caller owns, which creates a notification and a message. */
const createTestNotification = async (other: Context) => {
  const { id } = await app.createResource({ title: 'owned', owners: [app.ctx.actor.user_id!] })
  await editResource({ ...other, now: new Date() }, id, { description: 'By another.' })
  const ctx = { ...app.ctx, now: new Date() }
  await followChanges(ctx, ['email'])
  await buildDigests(ctx, ['email'])
  const idOf = async (table: 'notifications' | 'deliveries') =>
    (await app.db.selectFrom(table).select('id').where('user_id', '=', app.ctx.actor.user_id!).executeTakeFirstOrThrow()).id
  return { notification_id: await idOf('notifications'), delivery_id: await idOf('deliveries') }
}

const createTestWebhook = async () => {
  const { body } = await app.call('POST', '/notification/webhooks', { body: { url: 'https://hooks.example.com' } })
  const id = newId()
  const times = { due_at: new Date(), created_at: new Date(), updated_at: new Date() }
  await app.db
    .insertInto('deliveries')
    .values({ id, channel: 'webhook', webhook_id: body.id, event: 'ping', status: 'failed', ...times })
    .execute()
  return { webhook_id: body.id, webhook_delivery_id: id }
}

const createTestRouting = async () => {
  const { body: channel } = await app.call('POST', '/notification/channels', { body: { name: 'Ops', type: 'opsgenie', key: 'k3y' } })
  const { body: rule } = await app.call('POST', '/notification/rules', { body: { name: 'All', channels: [channel.id] } })
  return { notification_channel_id: channel.id, notification_rule_id: rule.id }
}

/** The required query parameters of a route. */
const getRequiredQuery = ({ schema, url }: RouteOptions, ids: Record<string, string>): string => {
  if (url.endsWith('/monitor/gate')) return `?resource_id=${ids.table_id}` // one of two parameters
  if (url.endsWith('/monitor/suggestions')) return `?resource_id=${ids.table_id}` // tables only
  if (url.endsWith('/monitor/measurements')) return `?monitor=${ids.monitor_id}` // one of two parameters
  type Properties = Record<string, { type?: string; enum?: string[] }>
  const { querystring } = (schema ?? {}) as { querystring?: { required?: string[]; properties?: Properties } }
  const { required = [], properties = {} } = querystring ?? {}
  const value = (name: string) => (properties[name]?.type === 'integer' ? 1 : (ids[name] ?? properties[name]?.enum?.[0] ?? 1))
  return required.length === 0 ? '' : `?${required.map((name) => `${name}=${value(name)}`).join('&')}`
}

test('known paths with another method return 405', async () => {
  const byPath = Map.groupBy(routes, ({ url }) => url.replace(/\/$/, ''))
  expect(byPath.size).toBeGreaterThan(100)
  const wrong: string[] = []
  for (const [url, known] of byPath) {
    if (url.includes('*')) continue
    const methods = known.map(({ method }) => method)
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((each) => !methods.includes(each))) {
      const { status, headers } = await app.call(method, filled(url).replace(/^\/(?!api)/, ''), { token: null })
      if (status !== 405 || headers.allow !== allow) wrong.push(`${method} ${url}: ${status}, ${headers.allow} instead of ${allow}`)
    }
  }
  expect(wrong).toEqual([])
})

test('a route without a permission is rejected at startup', async () => {
  await using other = await createTestApp({ newApp: true })
  expect(() => other.fastify.get('/api/v1/back_door', () => 'hello')).toThrow(/declares no permission/)
})

test('the document is OpenAPI 3.1 and lints clean', async () => {
  const { body } = await app.call('GET', '/api/v1/openapi.json', { token: null })
  expect(body.openapi).toMatch(/^3\.1\./)
  const rules = { 'no-path-trailing-slash': 'off' } as const // the contract has a trailing slash in some paths; both forms are served
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source: JSON.stringify(body), config })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)).toEqual([])
})

/** Routes that respond immediately, or with a job if there is much to do. */
test('every route of the API is documented', async () => {
  const { paths } = await loadOpenApi(app.fastify)
  // The redirects of an identity provider are for browsers.
  const served = routes.filter(({ url }) => url.startsWith('/api/v1') && !url.endsWith('/openapi.json') && !url.includes('/auth/oidc/'))
  const names = new Set<string>()
  for (const { method, url } of served) {
    const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    expect(operation, `${method} ${url}`).toMatchObject({ summary: expect.stringMatching(/^[A-Z]/), operationId: expect.any(String) })
    expect(operation!.tags, `${method} ${url}`).toHaveLength(1)
    // Routes that may take long also document a background job (202).
    const successes = Object.keys(operation!.responses).filter((status) => status.startsWith('2') && status !== '202')
    const job = '202' in operation!.responses
    if (successes.length !== 1) expect([method, url, successes, job]).toEqual([method, url, [], true])
    expect(Object.keys(operation!.responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500']))
    for (const [status, { content }] of Object.entries(operation!.responses).filter(([status]) => Number(status) >= 400))
      expect([method, url, status, Object.keys(content ?? {})]).toEqual([method, url, status, expect.arrayContaining(['application/json'])])
    names.add(operation!.operationId!)
  }
  expect(names.size).toBe(served.length)
  const documented = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
  expect(documented).toHaveLength(served.length)
})

test('the document describes the headers of requests and responses', async () => {
  const { paths } = await loadOpenApi(app.fastify)
  const headersOf = (method: string, path: string, status: string) => Object.keys(paths[path]![method]!.responses[status]!.headers ?? {})
  const sentTo = (method: string, path: string) =>
    (paths[path]![method]!.parameters ?? []).flatMap(({ $ref }) => ($ref ? $ref.split('/').at(-1)! : []))
  const one = '/api/v1/resource/all/{resource_id}'
  expect(sentTo('patch', one)).toEqual(['IfMatch'])
  expect(sentTo('post', '/api/v1/resource/catalog')).toEqual(['IdempotencyKey'])
  expect(headersOf('get', one, '200')).toContain('ETag')
  expect(headersOf('patch', one, '200')).toEqual(expect.arrayContaining(['ETag', 'Warning', 'RateLimit-Limit', 'RateLimit-Remaining']))
  expect(headersOf('get', '/api/v1/resource/catalog', '200')).not.toContain('ETag')
  for (const status of ['429', '503']) expect(headersOf('get', one, status)).toContain('Retry-After')
})

test('the examples in the document are valid', () => {
  const ajv = new Ajv({ strict: false })
  for (const { method, url, route } of routes) {
    const { body } = (route.schema ?? {}) as { body?: object & { examples?: unknown[] } }
    if (!body) continue
    expect(body.examples?.length, `${method} ${url} has an example`).toBeGreaterThan(0)
    for (const example of body.examples!)
      expect([method, url, ajv.validate({ ...body, $id: undefined }, example)]).toEqual([method, url, true])
  }
})
