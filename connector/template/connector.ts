import { defineConnector, HttpClient, HttpError, readPages, runConnector, Shape } from '@tablinum/connector'

interface Settings {
  readonly url: string
  readonly token: string
}

/** Reads reports and their folders from an HTTP API. Replace the API with yours. */
const connector = defineConnector<Settings>({
  name: 'reports',
  label: 'Reports',
  version: '0.1.0',
  settings: {
    type: 'object',
    required: ['url', 'token'],
    properties: {
      url: { type: 'string', title: 'URL', destination: true },
      token: { type: 'string', title: 'Token', secret: true },
    },
  },
  grants: 'A token that may read reports.',

  test: async ({ settings }) => {
    const reports = new Shape(await connect(settings).get('/reports', { offset: 0 }), 'GET /reports')
    return `Connected: ${reports.integer('total')} reports.`
  },

  async *discover({ settings, log }) {
    const client = connect(settings)
    for (const folder of new Shape(await client.get('/folders'), 'GET /folders').items())
      yield { type: 'item', key: `folder/${folder.integer('id')}`, entity_type: 'dashboard_group', title: folder.text('name') }

    const reports = readPages('GET /reports', async (offset) => {
      const page = new Shape(await client.get('/reports', { offset }), 'GET /reports')
      return { items: page.list('reports'), total: page.integer('total') }
    })
    for await (const report of reports) {
      const id = report.integer('id')
      const key = `report/${id}`
      try {
        const details = new Shape(await client.get(`/reports/${id}`), `GET /reports/${id}`)
        yield {
          type: 'item',
          key,
          parent: `folder/${report.integer('folder')}`,
          entity_type: 'chart',
          title: report.text('title'),
          description: details.optionalText('description') ?? null,
          owners: [details.text('owner')],
          usage: { count: details.integer('views'), hours: 24 },
          query: { sql: details.text('sql'), dialect: 'postgres' },
        }
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        if (error.status === 404) await log(`Report ${id} was deleted meanwhile.`)
        else if (error.status >= 500) yield { type: 'unlisted', key, reason: error.message }
        else throw error
      }
    }
  },
})

const connect = ({ url, token }: Settings) =>
  new HttpClient({ name: 'Reports', baseUrl: url, headers: { authorization: `Bearer ${token}` } })

await runConnector(connector)
