import { openStage, TOKEN } from './stage.ts'
import { drive } from './drive.ts'
import { serve } from './server.ts'

await using stage = await openStage()
{
  await using hello = await serve('bench/hello.ts', {})
  console.log('hello', await drive({ port: hello.port, next: () => ({ path: '/' }) }))
}
await using tablinum = await serve('src/server.ts', { DATABASE_URL: stage.url, TABLINUM_RATE_LIMIT: '0' })
const { port } = tablinum
const api = '/api/v1/resource'
const f = (o: unknown) => encodeURIComponent(JSON.stringify(o))
console.log('first page', await drive({ port, token: TOKEN, next: () => ({ path: `${api}/catalog?page_size=20` }) }))
console.log('filter', await drive({ port, token: TOKEN, next: () => ({ path: `${api}/catalog?page_size=20&filter=${f({ operator: 'exact', field: 'type', value: 'table' })}` }) }))
console.log('page 200', await drive({ port, token: TOKEN, next: () => ({ path: `${api}/catalog?page_size=20&page=200` }) }))
