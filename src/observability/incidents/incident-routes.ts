import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { Incident, IncidentEdit, IncidentQuery, IncidentTable } from './incident-schema.ts'
import { editIncident, getIncident, listIncidents, listIncidentTables } from './incidents.ts'

const params = Type.Object({ incident_id: Id() })
const READ = { permission: 'monitors.read' } as const
const WRITE = { permission: 'monitors.write' } as const
const tags = ['Incidents']

export const incidentRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/monitor/incidents',
    {
      config: READ,
      schema: {
        summary: 'List incidents, newest first',
        tags,
        querystring: IncidentQuery,
        response: { 200: PageSchema(Incident, 'IncidentPage'), ...errorResponses(400) },
      },
    },
    (request) => listIncidents(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.get(
    '/monitor/incidents/tables',
    {
      config: READ,
      schema: {
        summary: 'List incidents by table: those with open ones first, by severity',
        tags,
        querystring: IncidentQuery,
        response: { 200: PageSchema(IncidentTable, 'IncidentTablePage'), ...errorResponses(400) },
      },
    },
    (request) => listIncidentTables(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  // The contract uses the singular; the plural is offered because clients expect it.
  for (const [path, also] of [
    ['/monitor/incident/:incident_id', ''],
    ['/monitor/incidents/:incident_id', ' (plural path)'],
  ] as const) {
    app.get(
      path,
      { config: READ, schema: { summary: `Get an incident${also}`, tags, params, response: { 200: Incident, ...errorResponses(404) } } },
      (request) => getIncident(request.ctx, request.params.incident_id),
    )

    app.patch(
      path,
      {
        config: WRITE,
        schema: {
          summary: `Acknowledge, snooze, resolve, assign or comment on an incident${also}`,
          tags,
          params,
          body: IncidentEdit,
          response: { 200: Incident, ...errorResponses(400, 404, 409, 412) },
        },
      },
      (request) => editIncident(request.ctx, request.params.incident_id, request.body),
    )
  }
}
