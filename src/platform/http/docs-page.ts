import fastify, { type FastifyInstance } from 'fastify'

/** The docs page must not load anything from other servers: no fonts, assistants or telemetry. */
const DOCS_CONFIGURATION = {
  title: 'Tablinum API',
  url: '/api/v1/openapi.json',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
} as const

/** The page for the OpenAPI document. Its package contains 4 MB of script, so it is loaded when somebody opens the page. */
export const addDocsPage = (app: FastifyInstance): void => {
  let loading: Promise<FastifyInstance> | undefined
  for (const url of ['/docs/', '/docs/js/scalar.js'])
    app.get(url, { config: { permission: 'public' }, schema: { hide: true } }, async (request, reply) => {
      loading ??= loadDocsApp()
      const { statusCode, headers, rawPayload } = await (await loading).inject({
        method: 'GET',
        url: request.url,
        headers: { host: request.host },
      })
      const { 'content-type': type, location } = headers
      if (type) reply.type(String(type))
      if (location) reply.header('Location', location)
      return reply.code(statusCode).send(rawPayload)
    })
}

const loadDocsApp = async (): Promise<FastifyInstance> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await app.register(scalar, { routePrefix: '/docs', configuration: DOCS_CONFIGURATION })
  return app
}
