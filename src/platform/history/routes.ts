import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ApiError } from '../core/errors.ts'
import { errorResponses } from '../http/openapi.ts'
import { parseFilter } from '../lists/filter.ts'
import { getRequestUrl, parsePageRequest } from '../lists/page.ts'
import { parseSort } from '../lists/sort.ts'
import { LOG_FIELDS, NEWEST_FIRST_SORT } from './fields.ts'
import { listAuditLog } from './list.ts'
import { AuditLogPage, AuditLogQuery } from './schema.ts'

/** The audit log of the workspace. The routes of a resource's own log and versions are in `catalog/resources/version-routes.ts`. */
export const historyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/activity_log/audit_logs/',
    {
      config: { permission: 'audit.read' },
      schema: {
        summary: 'List the audit log',
        description: `Newest first unless \`sort\` or \`cursor\` is set. Fields: ${LOG_FIELDS.names().join(', ')}.`,
        tags: ['Activity log'],
        querystring: AuditLogQuery,
        response: { 200: AuditLogPage, ...errorResponses(400) },
      },
    },
    (request) => {
      if (request.query.cursor !== undefined && request.query.sort)
        throw new ApiError('invalid_sort', 'sort: cannot be combined with cursor, which returns entries in commit order.')
      return listAuditLog(request.ctx, {
        ...parsePageRequest(request.query, getRequestUrl(request)),
        filter: request.query.filter ? parseFilter(request.query.filter, LOG_FIELDS) : undefined,
        sort: request.query.sort ? parseSort(request.query.sort, LOG_FIELDS) : NEWEST_FIRST_SORT,
      })
    },
  )
}
