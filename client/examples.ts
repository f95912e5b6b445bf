import { type Client, TablinumError } from './src/index.ts'

/** The examples of README.md, type-checked and run by a test, which also compares their text with README.md. */

export const readAndWrite = async (client: Client): Promise<string> => {
  const table = await client.post('/resource/catalog', { body: { title: 'orders', entity_type: 'table' } })

  const edited = await client.patch('/resource/all/{resource_id}', {
    path: { resource_id: table.id },
    body: { description: 'One row for each order.', verified: true },
  })
  console.log(edited.title_full, edited.description)
  return edited.id
}

export const walk = async (client: Client): Promise<number> => {
  const filter = { operator: 'exact', field: 'type', value: 'table' }
  let tables = 0
  for await (const table of client.all('/resource/catalog', { query: { filter, sort: { field: 'title', order: 'asc' } } })) {
    console.log(table.title_full, table.owners)
    tables += 1
  }
  return tables
}

export const errors = async (client: Client): Promise<TablinumError | undefined> => {
  try {
    await client.post('/resource/catalog', { body: { parent: '00000000-0000-0000-0000-000000000000' } })
  } catch (error) {
    if (!(error instanceof TablinumError)) throw error
    console.log(error.status, error.code, error.detail, error.errors, error.request_id)
    return error
  }
}

export const conditional = async (client: Client, id: string): Promise<unknown> => {
  const response = await client.raw('GET', '/resource/all/{resource_id}', { path: { resource_id: id } })
  const edited = await client.patch('/resource/all/{resource_id}', {
    path: { resource_id: id },
    body: { pii: true },
    headers: { 'If-Match': response.headers.get('etag') ?? '*' },
  })
  return edited.pii
}

export const files = async (client: Client, integration: string): Promise<string> => {
  await client.post('/integration/integrations/{integration_id}/import_metadata/', {
    path: { integration_id: integration },
    body: 'databuilder_id,entity_type,title\nshop,database,shop\n',
    headers: { 'content-type': 'text/csv' },
  })

  const { body } = await client.raw('GET', '/resource/export', { query: { format: 'jsonl' } })
  let text = ''
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk
  return text
}

export const limits = async (client: Client): Promise<number> => {
  const signal = AbortSignal.timeout(10_000)
  const page = await client.get('/search', { query: { q: 'orders' }, signal })
  return page.count
}
