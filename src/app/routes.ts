import type { FastifyPluginAsync } from 'fastify'
import { accessRoutes } from '../accounts/routes.ts'
import { draftRoutes } from '../assistant/api/draft-routes.ts'
import { assistantSettingsRoutes } from '../assistant/api/settings-routes.ts'
import { attachmentRoutes } from '../catalog/attachments/routes.ts'
import { changeSuggestionRoutes } from '../catalog/change-suggestions/routes.ts'
import { commentRoutes } from '../catalog/comments/routes.ts'
import { backlinkRoutes } from '../catalog/engagement/backlink-routes.ts'
import { userRelationRoutes } from '../catalog/engagement/user-relation-routes.ts'
import { glossaryRoutes } from '../catalog/glossary/routes.ts'
import { propertyRoutes } from '../catalog/properties/routes.ts'
import { propertyValueRoutes } from '../catalog/properties/value-routes.ts'
import { resourceAccessRoutes } from '../catalog/resources/access-routes.ts'
import { resourceRoutes } from '../catalog/resources/routes.ts'
import { typedRoutes } from '../catalog/resources/typed-routes.ts'
import { TYPED_ROUTES } from '../catalog/resources/typed-routes-list.ts'
import { versionRoutes } from '../catalog/resources/version-routes.ts'
import { searchRoutes } from '../catalog/search/routes.ts'
import { tagRoutes } from '../catalog/tags/routes.ts'
import { trashRoutes } from '../catalog/trash/routes.ts'
import { graphRoutes } from '../lineage/api/graph-routes.ts'
import { lineageRoutes } from '../lineage/api/routes.ts'
import { dataQueryRoutes } from '../observability/data-queries/routes.ts'
import { failingRowsRoutes } from '../observability/failing-rows/routes.ts'
import { gateRoutes } from '../observability/gate/routes.ts'
import { incidentRoutes } from '../observability/incidents/incident-routes.ts'
import { insightRoutes } from '../observability/insights/routes.ts'
import { suggestRoutes } from '../observability/monitor-suggestions/routes.ts'
import { measurementRoutes } from '../observability/monitors/measurement-routes.ts'
import { monitorRoutes } from '../observability/monitors/routes.ts'
import { asCodeRoutes } from '../observability/monitors-as-code/routes.ts'
import { piiRoutes } from '../observability/pii/pii-routes.ts'
import { profileRoutes } from '../observability/profiles/routes.ts'
import { rootCauseRoutes } from '../observability/root-cause/routes.ts'
import { backupRoutes } from '../operations/backup/routes.ts'
import { demoRoutes } from '../operations/demo/routes.ts'
import { importsRoutes } from '../operations/imports/routes.ts'
import { transferRoutes } from '../operations/transfer/routes.ts'
import { historyRoutes } from '../platform/history/routes.ts'
import { jobRoutes } from '../platform/jobs/routes.ts'
import { driverRoutes } from '../sources/drivers/routes.ts'
import { exampleQueryRoutes } from '../sources/example-queries/routes.ts'
import { datahubRoutes } from '../sources/integrations/datahub-routes.ts'
import { dbtRoutes } from '../sources/integrations/dbt-routes.ts'
import { queryLogRoutes } from '../sources/integrations/query-log-routes.ts'
import { integrationRoutes } from '../sources/integrations/routes.ts'
import { jobRunRoutes } from '../sources/job-flows/routes.ts'
import { openLineageRoutes } from '../sources/openlineage/routes.ts'
import { relationshipRoutes } from '../sources/relationships/routes.ts'
import { provenanceRoutes, schemaHistoryRoutes } from '../sources/sync/routes.ts'
import { usageRoutes } from '../sources/usage-history/routes.ts'
import { needsYouRoutes } from '../web-api/needs-you/routes.ts'
import { viewRoutes } from '../web-api/saved-views/routes.ts'

/** Every route of the API that needs no settings. */
export const ROUTES: readonly FastifyPluginAsync[] = [
  accessRoutes,
  demoRoutes,
  jobRoutes,
  integrationRoutes,
  driverRoutes,
  dbtRoutes,
  queryLogRoutes,
  datahubRoutes,
  resourceRoutes,
  typedRoutes(TYPED_ROUTES),
  userRelationRoutes,
  tagRoutes,
  glossaryRoutes,
  viewRoutes,
  backlinkRoutes,
  versionRoutes,
  attachmentRoutes,
  trashRoutes,
  resourceAccessRoutes,
  historyRoutes,
  propertyRoutes,
  propertyValueRoutes,
  lineageRoutes,
  openLineageRoutes,
  graphRoutes,
  relationshipRoutes,
  jobRunRoutes,
  usageRoutes,
  exampleQueryRoutes,
  searchRoutes,
  provenanceRoutes,
  schemaHistoryRoutes,
  changeSuggestionRoutes,
  commentRoutes,
  assistantSettingsRoutes,
  draftRoutes,
  profileRoutes,
  dataQueryRoutes,
  piiRoutes,
  transferRoutes,
  importsRoutes,
  backupRoutes,
  asCodeRoutes,
  gateRoutes,
  monitorRoutes,
  incidentRoutes,
  insightRoutes,
  rootCauseRoutes,
  needsYouRoutes,
  measurementRoutes,
  failingRowsRoutes,
  suggestRoutes,
]
