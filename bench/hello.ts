import fastify from 'fastify'

/** The bare limit of the HTTP edge: a route that does nothing. */
const app = fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ port: Number(process.env.PORT) })
process.send?.('ready')
