import type { FastifyPluginAsync } from 'fastify'
import { exportRoutes } from './export-routes.ts'
import { importRoutes } from './import-routes.ts'

export const transferRoutes: FastifyPluginAsync = async (app) => {
  await app.register(exportRoutes)
  await app.register(importRoutes)
}
