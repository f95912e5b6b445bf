import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { MAX_INTEGER } from '../../platform/core/integer.ts'
import { Id, IdInput } from '../../platform/core/schema-types.ts'
import type { HistoryRequest } from '../../platform/history/list.ts'
import { FieldChange, HistoryQuery, ResourceLogPage, VersionHistoryPage } from '../../platform/history/schema.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { getRequestUrl, parsePageRequest } from '../../platform/lists/page.ts'
import { Resource } from '../records/schema.ts'
import { compareVersions, getVersionRecord, listResourceActivities, listVersions } from '../versions/versions.ts'
import { restoreResource } from './restore.ts'

const ResourceParams = Type.Object({ resource_id: Id() })
const VersionParams = Type.Object({ resource_id: Id(), version: Type.String({ description: 'The version number.', examples: ['2'] }) })
const Version = Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'The version number.', examples: [2] })
const Restore = Type.Object({ version: Type.Optional(Version) }, { title: 'Restore', examples: [{ version: 2 }] })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const

/** Versions are readable by everyone who can see the resource; its activity log requires `catalog.write`. */
export const versionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/activity_log/resource_logs/',
    {
      config: WRITE,
      schema: {
        summary: 'List the activities of a resource, newest first',
        tags: ['Activity log'],
        querystring: Type.Object({ ...HistoryQuery.properties, resource_id: IdInput }),
        response: { 200: ResourceLogPage, ...errorResponses(400, 404) },
      },
    },
    (request) => listResourceActivities(request.ctx, toHistoryRequest(request), parseId(request.query.resource_id)!),
  )

  app.get(
    '/resource/all/:resource_id/versions',
    {
      config: READ,
      schema: {
        summary: 'List the versions of a resource, newest first',
        tags: ['Versions'],
        params: ResourceParams,
        querystring: HistoryQuery,
        response: { 200: VersionHistoryPage, ...errorResponses(400, 404) },
      },
    },
    (request) => listVersions(request.ctx, toHistoryRequest(request), request.params.resource_id),
  )

  app.get(
    '/resource/all/:resource_id/versions/compare',
    {
      config: READ,
      schema: {
        summary: 'Compare two versions of a resource',
        tags: ['Versions'],
        params: ResourceParams,
        querystring: Type.Object({ from: Version, to: Version }),
        response: { 200: Type.Array(FieldChange, { description: 'The versioned fields that differ.' }), ...errorResponses(400, 404) },
      },
    },
    (request) => compareVersions(request.ctx, request.params.resource_id, request.query.from, request.query.to),
  )

  app.get(
    '/resource/all/:resource_id/versions/:version',
    {
      config: READ,
      schema: {
        summary: 'Get a version of a resource',
        description:
          'Returns the full record after this version. The version of a deletion returns the record as it was before. Fields without history (usage, row count, bookmarks) have their current values.',
        tags: ['Versions'],
        params: VersionParams,
        response: { 200: Resource, ...errorResponses(404) },
      },
    },
    (request) => getVersionRecord(request.ctx, request.params.resource_id, parseVersion(request.params.version)),
  )

  app.post(
    '/resource/all/:resource_id/restore',
    {
      config: WRITE,
      schema: {
        summary: 'Restore a version of a resource, or a deleted resource',
        description:
          'Creates a new version with the versioned fields of an earlier one. A deleted resource is restored under its ID if its parent still exists; for 90 days this includes everything below it, its lineage, custom property values, monitors, bookmarks and subscriptions, and `version` can be omitted. More than 10,000 resources are restored by a background job: the response is 202 with the job.',
        tags: ['Versions'],
        params: ResourceParams,
        body: Restore,
        response: { 200: Resource, 202: Job, ...errorResponses(400, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { job, record } = await restoreResource(request.ctx, request.params.resource_id, request.body.version)
      return job ? reply.code(202).send(job) : reply.code(200).send(record)
    },
  )
}

const toHistoryRequest = (request: Parameters<typeof getRequestUrl>[0] & { query: Static<typeof HistoryQuery> }): HistoryRequest =>
  parsePageRequest(request.query, getRequestUrl(request))

const parseVersion = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('version')
  return Number(text)
}
