import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { OneOf } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { DRIVER_NAMES } from './driver-packages.ts'
import { installDriver, listDrivers } from './install-driver.ts'
import { Driver } from './schema.ts'

const MANAGE = { permission: 'server.manage' } as const
const tags = ['Integrations']

export const driverRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/integration/drivers',
    {
      config: MANAGE,
      schema: {
        summary: 'List optional drivers',
        description: 'State on the server that answers this request.',
        tags,
        response: { 200: Type.Array(Driver), ...errorResponses() },
      },
    },
    (request) => listDrivers(request.ctx),
  )

  app.post(
    '/integration/drivers/:name/install',
    {
      config: MANAGE,
      schema: {
        summary: 'Install a driver in a background job',
        description:
          'Runs npm on the server, without scripts, and installs exactly the packages this release was tested with. While it is queued or running, its job is returned; cancel that job to stop it. 409 if it is installed, or if this server cannot install it, with the reason.',
        tags,
        params: Type.Object({ name: OneOf(DRIVER_NAMES) }),
        response: { 200: Job, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => installDriver(request.ctx, request.params.name),
  )
}
