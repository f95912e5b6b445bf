import type { FastifyInstance } from 'fastify'

/** Security headers of every response. Browsers must treat responses as data only, except the API docs page. */
const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
const DATA_HEADERS = { ...COMMON_HEADERS, 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" }
const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
}

/** For one year, without subdomains: other hosts of the domain are not Tablinum's to decide about. */
const HSTS_VALUE = 'max-age=31536000'

export const addHeaders = (app: FastifyInstance, { https }: { https: boolean }): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith('/docs') ? PAGE_HEADERS : DATA_HEADERS).header('X-Request-Id', request.id)
    if (https) reply.header('Strict-Transport-Security', HSTS_VALUE)
    done()
  })
}
