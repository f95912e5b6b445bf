import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { DEMO_QUEUE } from '../../sources/credentials/demo-connection.ts'

export const DEMO_JOB = 'seed_demo'

export const demoRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/demo',
    {
      config: { permission: 'people.manage' },
      schema: {
        summary: 'Fill the catalog with the demo shop',
        description: 'Runs as a background job. If the demo already exists, nothing changes.',
        tags: ['Demo'],
        response: { 200: Job, ...errorResponses(409) },
      },
    },
    (request) => createJob(request.ctx, { kind: DEMO_JOB, title: 'Fill the catalog with the demo shop', queue: DEMO_QUEUE }),
  )
}

export const runSeedDemoJob: JobHandler = async (ctx, _, report) => {
  const lines: string[] = []
  await report(5, 'Building the demo shop')
  const { connectDemoSource } = await import('./connect-source.ts')
  const { seedDemo } = await import('./seed.ts') // only few servers ever need the demo
  const { created } = await seedDemo(ctx, (line) => lines.push(line))
  await connectDemoSource(ctx, (line) => lines.push(line))
  for (const line of lines) await report(95, line)
  if (!created) await report(95, 'The demo already exists.')
}

export const runDropDemoJob: JobHandler = async (ctx, _, report) => {
  const { dropDemo } = await import('./seed.ts')
  const dropped = await dropDemo(ctx)
  await report(95, dropped ? 'Dropped the demo database.' : 'There is no demo database to drop.')
}
