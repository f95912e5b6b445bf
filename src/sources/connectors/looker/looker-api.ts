import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed } from '../bi/bi-client.ts'
import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import type { QueryDatabase } from '../bi/item-parts.ts'
import { loadOnce } from '../bi/listing.ts'
import { type Explore, readExplore } from './looker-explore.ts'
import type { LookerSettings } from './looker-settings.ts'

const API = '/api/4.0'
const FIELD = 'name,view,type,label_short,description,sql'
const EXPLORE_FIELDS = `name,label,description,view_name,sql_table_name,connection_name,dialect_name,joins(name,sql_table_name),fields(dimensions(${FIELD}),measures(${FIELD}))`

/** The parts of the API that are read. What is the same for many objects is requested once. */
export class LookerApi {
  readonly #client: HttpClient
  readonly #emails = new Map<string, Promise<string | undefined>>()
  readonly #connections = new Map<string, Promise<QueryDatabase>>()
  readonly #explores = new Map<string, Promise<Explore>>()

  private constructor(client: HttpClient) {
    this.#client = client
  }

  static async connect(context: RunContext<LookerSettings>): Promise<LookerApi> {
    const { url = '', client_id = '', client_secret = '' } = context.settings
    const client = createBiClient('Looker', url, context)
    const path = `${API}/login`
    const signIn = async () => {
      const login = new Shape(await client.login(path, { form: { client_id, client_secret } }), `POST ${path}`)
      client.setHeader('authorization', `token ${login.text('access_token')}`)
    }
    await signIn()
    client.renewWith(signIn) // tokens are valid for an hour
    return new LookerApi(client)
  }

  /** `fields` limits the answer to what is read. */
  async get(path: string, fields: string): Promise<Shape> {
    return new Shape(await this.#client.get(`${API}${path}`, { fields }), `GET ${API}${path}`)
  }

  findEmail(user: string): Promise<string | undefined> {
    return loadOnce(this.#emails, user, async () =>
      (await findIfAllowed(this.get(`/users/${encodeURIComponent(user)}`, 'email')))?.optionalText('email'),
    )
  }

  /** Undefined if this user may not see it. */
  findExplore(model: string, name: string): Promise<Explore | undefined> {
    return findIfAllowed(this.getExplore(model, name))
  }

  getExplore(model: string, name: string): Promise<Explore> {
    return loadOnce(this.#explores, `${model} ${name}`, async () => {
      const path = `/lookml_models/${encodeURIComponent(model)}/explores/${encodeURIComponent(name)}`
      const shape = await this.get(path, EXPLORE_FIELDS)
      const connection = shape.optionalText('connection_name')
      const database = connection ? await this.findConnection(connection) : {}
      // Those who may not see the connection see its dialect.
      const dialect = database.dialect ?? findEngineDialect(shape.optionalText('dialect_name') ?? '')
      return readExplore(shape, { ...database, dialect, schema: database.schema ?? DEFAULT_SCHEMAS[dialect ?? ''] })
    })
  }

  /** The SQL that Looker makes of a query, if this user may see it. */
  findSql(query: string): Promise<string | undefined> {
    return findIfAllowed(this.#client.getText(`${API}/queries/${encodeURIComponent(query)}/run/sql`))
  }

  /** What Looker does not return, or the token may not read, is left out. */
  findConnection(name: string): Promise<QueryDatabase> {
    return loadOnce(this.#connections, name, async () => {
      const connection = await findIfAllowed(this.get(`/connections/${encodeURIComponent(name)}`, 'name,dialect_name,database,schema'))
      const dialect = findEngineDialect(connection?.optionalText('dialect_name') ?? '')
      const schema = connection?.optionalText('schema') || DEFAULT_SCHEMAS[dialect ?? '']
      return { dialect, database: connection?.optionalText('database') || undefined, schema }
    })
  }
}
