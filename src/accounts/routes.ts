import type { FastifyPluginAsync } from 'fastify'
import { groupRoutes, teamRoutes } from './member-groups/member-group-routes.ts'
import { tokenRoutes } from './tokens/token-routes.ts'
import { userRoutes } from './users/user-routes.ts'

/** Routes for tokens, users, teams and groups. */
export const accessRoutes: FastifyPluginAsync = async (app) => {
  for (const routes of [tokenRoutes, userRoutes, teamRoutes, groupRoutes]) await app.register(routes)
}
