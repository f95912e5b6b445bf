import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { type Format, XLSX_TYPE } from './column.ts'
import { createDisconnectSignal } from './disconnect-signal.ts'
import { exportActivities, exportResources, recordExport } from './export.ts'
import { ActivityExportQuery, ResourceExportQuery } from './schema.ts'
import { transferContext } from './transfer-context.ts'

const File = {
  description: 'The file as a stream.',
  content: {
    'text/csv': { schema: Type.String() },
    'application/x-ndjson': { schema: Type.String({ description: 'One JSON object per line.' }) },
    [XLSX_TYPE]: { schema: Type.String({ format: 'binary' }) },
  },
}

const MEDIA_TYPE: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  xlsx: XLSX_TYPE,
}

export const exportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/export',
    {
      config: { permission: 'catalog.read', long: true, replica: true },
      schema: {
        summary: 'Export resources',
        description:
          'Exports everything the catalog list returns for these parameters, as one consistent snapshot. Ordered by `id` unless `sort` is set.',
        tags: ['Import and export'],
        querystring: ResourceExportQuery,
        response: { 200: File, ...errorResponses(400) },
      },
    },
    (request, reply) =>
      sendExport(request, reply, 'catalog', request.query, () =>
        exportResources(transferContext(request.ctx, createDisconnectSignal(reply)), request.query),
      ),
  )

  app.get(
    '/activity_log/export',
    {
      config: { permission: 'audit.read', long: true },
      schema: {
        summary: 'Export the audit log',
        tags: ['Import and export'],
        querystring: ActivityExportQuery,
        response: { 200: File, ...errorResponses(400) },
      },
    },
    (request, reply) =>
      sendExport(request, reply, 'audit-log', request.query, () =>
        exportActivities(transferContext(request.ctx, createDisconnectSignal(reply)), request.query),
      ),
  )
}

const sendExport = async (
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  { format = 'csv' }: { format?: Format },
  open: () => Promise<Readable>,
): Promise<string> => {
  const filename = `${name}-${request.ctx.now.toISOString().slice(0, 10)}.${format}`
  const file = request.method === 'HEAD' ? '' : await open()
  if (file) await recordExport(request.ctx, file, name, filename, request.query as Record<string, unknown>)
  reply.type(MEDIA_TYPE[format])
  reply.header('Content-Disposition', `attachment; filename="${filename}"`)
  reply.header('Cache-Control', 'no-store')
  return reply.send(file) as unknown as string // satisfies the reply type
}
