import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Refusal } from '../errors.ts'
import { failures } from '../http/openapi.ts'
import { parseFilter } from '../lists/filter.ts'
import { addressOf, pageRequest } from '../lists/page.ts'
import { parseSort } from '../lists/sort.ts'
import { LOG_FIELDS, NEWEST_FIRST } from './fields.ts'
import { listAuditLog } from './list.ts'
import { AuditLogPage, AuditLogQuery } from './schema.ts'

/** The log of the workspace. A resource's own log and versions have their doors in `resources/version-routes.ts`. */
export const historyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/activity_log/audit_logs/',
    {
      config: { permission: 'audit.read' },
      schema: {
        summary: 'List the audit log',
        description: `Newest first unless \`sort\` or \`cursor\` says otherwise. Fields: ${LOG_FIELDS.names().join(', ')}.`,
        tags: ['Activity log'],
        querystring: AuditLogQuery,
        response: { 200: AuditLogPage, ...failures(400) },
      },
    },
    (request) => {
      if (request.query.cursor !== undefined && request.query.sort)
        throw new Refusal('invalid_sort', 'sort: with cursor the entries come in the order of their commits, and no other.')
      return listAuditLog(request.ctx, {
        ...pageRequest(request.query, addressOf(request)),
        filter: request.query.filter ? parseFilter(request.query.filter, LOG_FIELDS) : undefined,
        sort: request.query.sort ? parseSort(request.query.sort, LOG_FIELDS) : NEWEST_FIRST,
      })
    },
  )
}
