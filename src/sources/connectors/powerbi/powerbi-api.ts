import { setTimeout as sleep } from 'node:timers/promises'
import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient } from '../bi/bi-client.ts'
import { splitIntoBatches } from '../bi/listing.ts'
import { ViewCounts } from '../bi/view-counts.ts'
import { listViews } from './activity-events.ts'
import type { PowerBiSettings } from './powerbi-settings.ts'

const WORKSPACES = '/v1.0/myorg/admin/workspaces'
const SCANNED_AT_ONCE = 100 // the limit of the API
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000
const MAX_WAIT_MS = 30 * 60_000
const DETAILS = { lineage: 'True', datasourceDetails: 'True', datasetSchema: 'True', datasetExpressions: 'True', getArtifactUsers: 'True' }

/** The scanner API: all workspaces, then what is in each hundred of them. */
export class PowerBiApi {
  readonly #client: HttpClient
  readonly #personal: boolean

  private constructor(client: HttpClient, personal: boolean) {
    this.#client = client
    this.#personal = personal
  }

  static async connect(context: RunContext<PowerBiSettings>): Promise<PowerBiApi> {
    const { tenant, client_id, client_secret, url, login_url, scope, personal_workspaces } = context.settings
    const login = createBiClient('Microsoft Entra', login_url, context)
    const client = createBiClient('Power BI', url, context)
    const path = `/${encodeURIComponent(tenant)}/oauth2/v2.0/token`
    const form = { grant_type: 'client_credentials', client_id, client_secret, scope }
    const signIn = async () => {
      const token = new Shape(await login.login(path, { form }), `POST ${path}`).text('access_token')
      client.setHeader('authorization', `Bearer ${token}`)
    }
    await signIn()
    client.renewWith(signIn) // tokens are valid for an hour
    return new PowerBiApi(client, personal_workspaces)
  }

  /** All of them, or those that changed since a time, which must be between half an hour and 30 days ago. */
  async listWorkspaces(modifiedSince?: string): Promise<string[]> {
    const path = `${WORKSPACES}/modified`
    const query = { excludePersonalWorkspaces: this.#personal ? 'False' : 'True', excludeInActiveWorkspaces: 'True' }
    const listed = new Shape(await this.#client.get(path, { ...query, modifiedSince }), `GET ${path}`)
    // The API sends `id`, its description says `Id`.
    return [...new Set(listed.items().map((workspace) => workspace.optionalText('Id') ?? workspace.text('id')))]
  }

  /** Views of the last day. Undefined if the activity log may not be read. */
  countViews(log: (line: string) => Promise<void>, toKey: Parameters<typeof listViews>[1]): Promise<ViewCounts | undefined> {
    return ViewCounts.read(
      listViews((path, query) => this.#client.get(path, query), toKey, new Date()),
      log,
    )
  }

  /** The contents of these workspaces, a hundred at a time. */
  async *scan(ids: readonly string[]): AsyncGenerator<{ requested: readonly string[]; workspaces: Shape[] }, void> {
    for (const requested of splitIntoBatches(ids, SCANNED_AT_ONCE)) {
      const path = `${WORKSPACES}/getInfo`
      const started = new Shape(await this.#client.post(path, { workspaces: requested }, DETAILS), `POST ${path}`)
      const id = started.text('id')
      await this.#waitForScan(id)
      const result = `${WORKSPACES}/scanResult/${id}`
      yield { requested, workspaces: new Shape(await this.#client.get(result), `GET ${result}`).list('workspaces') }
    }
  }

  async #waitForScan(id: string): Promise<void> {
    const path = `${WORKSPACES}/scanStatus/${id}`
    const started = Date.now()
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
      const scan = new Shape(await this.#client.get(path), `GET ${path}`)
      const status = scan.text('status').toLowerCase()
      if (status === 'succeeded') return
      if (status === 'failed')
        throw new Error(`Power BI: the scan failed: ${scan.optionalObject('error')?.optionalText('message') ?? 'no reason given'}.`)
      if (Date.now() - started > MAX_WAIT_MS) throw new Error(`Power BI: the scan has not ended after ${MAX_WAIT_MS / 60_000} minutes.`)
      await sleep(delay)
    }
  }
}
