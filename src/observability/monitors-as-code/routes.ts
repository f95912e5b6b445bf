import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ApiError } from '../../platform/core/errors.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { ConfigPut, ConfigQuery, ConfigResult } from './schema.ts'

const PATH = '/monitor/config'
const YAML = 'application/yaml'
const YAML_CONTENT_TYPES = [YAML, 'text/yaml', 'application/x-yaml', 'text/x-yaml', 'text/plain', 'application/json'] // every JSON document is also YAML
const MAX_CONFIG_BYTES = 1024 * 1024
const tags = ['Monitors']
const EXAMPLE = `version: 1
monitors:
  - name: Row count of orders
    target: shop.public.orders
    metric_type: row_count
    schedule: { cadence: daily, hour: 3 }
    notify_slack_channel: C024BE91L
`

/** Export and import of monitors as a YAML file. */
export const asCodeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(YAML_CONTENT_TYPES, { parseAs: 'buffer', bodyLimit: MAX_CONFIG_BYTES }, (_, body, done) => {
    try {
      done(null, new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer))
    } catch {
      done(new ApiError('validation_failed', 'The file is not valid UTF-8.'))
    }
  })

  app.get(
    PATH,
    {
      config: { permission: 'monitors.config' },
      schema: {
        summary: 'Export monitors as a YAML file',
        description: 'Contains the monitors you can see. The output is deterministic, so it can be committed to version control.',
        tags,
        querystring: ConfigQuery,
        response: { 200: { description: 'The file.', content: { [YAML]: { schema: Type.String() } } }, ...errorResponses(400) },
      },
    },
    async (request, reply) => {
      const { formatConfig } = await import('./format-config.ts') // loads the YAML package
      const text = await formatConfig(request.ctx, request.query.file)
      reply.type(`${YAML}; charset=utf-8`)
      return reply.send(text) as unknown as string // the reply type expects the body type of the schema
    },
  )

  app.put(
    PATH,
    {
      config: { permission: 'monitors.write' },
      schema: {
        summary: 'Apply a YAML file of monitors',
        description:
          'Either the whole file is applied or nothing is changed; errors include line numbers. A monitor is identified by its name and the path of its target. Monitors that this file created and no longer contains are deleted unless `prune=false`.',
        tags,
        consumes: YAML_CONTENT_TYPES,
        querystring: ConfigPut,
        body: Type.String({ maxLength: MAX_CONFIG_BYTES, examples: [EXAMPLE] }),
        response: { 200: ConfigResult, ...errorResponses(400, 404, 409) },
      },
    },
    async (request) => {
      const { applyConfig } = await import('./apply-config.ts')
      return applyConfig(request.ctx, request.body, request.query)
    },
  )
}
