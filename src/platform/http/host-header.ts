import type { FastifyInstance } from 'fastify'
import { ApiError } from '../core/errors.ts'

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Links in responses are built from the Host header, so anything but a host is rejected. HTTP/1.0 health checks send none. */
export const addHostCheck = (app: FastifyInstance): void => {
  let lastValid: string | undefined // nearly always the same
  app.addHook('onRequest', (request, _, done) => {
    const { host } = request
    const isMissing = host === '' && request.routeOptions.config.permission === 'public'
    if (host !== lastValid && !isMissing) {
      if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return done(new ApiError('validation_failed', 'Invalid Host header.'))
      lastValid = host
    }
    done()
  })
}
