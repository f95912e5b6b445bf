import fastify from 'fastify'

/** The upper limit of the HTTP layer: a route that does nothing. */
const app = fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ port: Number(process.env.PORT) })
process.send?.('ready')
