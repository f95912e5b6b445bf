import { createHmac } from 'node:crypto'
import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient, HttpRequest } from '../../../../connector/src/http.ts'
import { readPagesByToken } from '../../../../connector/src/paging.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient } from '../bi/bi-client.ts'
import type { LakeAzureSettings } from './lake-settings.ts'
import { encodeName, toTime } from './s3-storage.ts'
import { emptyIfOutOfRange, explainStorageError, joinPath, type Storage, type StorageEntry, trimSlashes } from './storage.ts'
import { parseXml } from './xml.ts'

const API_VERSION = '2021-12-02'
const PAGE_SIZE = 5000
const LISTS = ['Blob', 'BlobPrefix']

type Query = Readonly<Record<string, string | undefined>>

/** A container of Azure Blob Storage; also of ADLS Gen2, which has the same API besides its own. */
export class AzureStorage implements Storage {
  readonly #client: HttpClient
  readonly #base: URL
  readonly #container: string
  readonly #prefix: string
  readonly #account: string
  readonly #key: Buffer | undefined
  readonly #token: Query

  constructor(context: RunContext<LakeAzureSettings>) {
    const { url, container, prefix, account, account_key, sas_token } = context.settings
    if (!/^(\$root|\$web|[a-z0-9][a-z0-9-]{2,62})$/.test(container)) throw new Error('The container must be its name alone, e.g. lake.')
    if (!account_key && !sas_token) throw new Error('Azure needs the key of the storage account or a SAS token.')
    // Addresses of ADLS Gen2 lead to the same account.
    const baseUrl = url.replace(/^(https?:\/\/[^./]+)\.dfs\./i, '$1.blob.').replace(/\/+$/, '')
    this.#client = createBiClient('Azure', baseUrl, context)
    this.#base = new URL(baseUrl)
    this.#container = container
    this.#prefix = trimSlashes(prefix)
    this.#account = account || this.#base.hostname.split('.')[0]!
    this.#key = account_key ? Buffer.from(account_key, 'base64') : undefined
    this.#token = this.#key ? {} : Object.fromEntries(new URLSearchParams(sas_token!.replace(/^\?/, '')))
  }

  get title(): string {
    return joinPath(this.#container, this.#prefix)
  }

  locate(path: string): string {
    const host = this.#base.hostname.replace('.blob.', '.dfs.')
    return `abfss://${this.#container}@${host}/${joinPath(this.#prefix, path)}`
  }

  /** Azure has no way to start after a name: all are listed. */
  list(folder: string): AsyncGenerator<StorageEntry, void> {
    const prefix = joinPath(this.#prefix, folder) === '' ? '' : `${joinPath(this.#prefix, folder)}/`
    const what = `GET /${this.#container} (${prefix || 'everything'})`
    return readPagesByToken(what, async (marker) => {
      const query = {
        restype: 'container',
        comp: 'list',
        delimiter: '/',
        maxresults: String(PAGE_SIZE),
        prefix: prefix || undefined,
        marker,
      }
      const page = parseXml(await this.#send<string>(`/${this.#container}`, query, { text: true }), 'EnumerationResults', LISTS, what)
      return { items: page.at('Blobs').value === '' ? [] : readEntries(page.object('Blobs'), prefix), next: page.text('NextMarker') }
    })
  }

  async read(path: string, start: number, end: number): Promise<Buffer> {
    const name = joinPath(this.#prefix, path).split('/').map(encodeName).join('/')
    const headers = { 'x-ms-range': `bytes=${start}-${end - 1}` }
    const bytes = await this.#send<Buffer>(`/${this.#container}/${name}`, {}, { bytes: true, headers }).catch(emptyIfOutOfRange)
    return bytes.subarray(0, end - start)
  }

  async #send<T>(path: string, query: Query, request: HttpRequest): Promise<T> {
    const headers = { ...request.headers, 'x-ms-date': new Date().toUTCString(), 'x-ms-version': API_VERSION }
    const signed = this.#key ? { ...headers, authorization: this.#authorize(this.#key, path, query, headers) } : headers
    try {
      return (await this.#client.send(path, { ...request, headers: signed, query: { ...query, ...this.#token } })) as T
    } catch (error) {
      throw explainStorageError(error)
    }
  }

  /** https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key */
  #authorize(key: Buffer, path: string, query: Query, headers: Readonly<Record<string, string>>): string {
    const { pathname } = new URL(`${this.#base.href.replace(/\/+$/, '')}${path}`)
    const sortedHeaders = Object.entries(headers).sort(compareNames)
    const parameters = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    const text = [
      'GET',
      ...Array(11).fill(''), // standard headers: none of them is sent
      ...sortedHeaders.map(([name, value]) => `${name}:${value}`),
      `/${this.#account}${pathname}`,
      ...parameters.sort(compareNames).map(([name, value]) => `${name}:${value}`),
    ].join('\n')
    return `SharedKey ${this.#account}:${createHmac('sha256', key).update(text, 'utf8').digest('base64')}`
  }
}

const compareNames = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1)

const readEntries = (blobs: Shape, prefix: string): StorageEntry[] => {
  const folders = blobs.optionalList('BlobPrefix').map((each) => ({ folder: each.text('Name').slice(prefix.length, -1) }))
  const files = blobs.optionalList('Blob').flatMap((each) => {
    const properties = each.object('Properties')
    if (properties.optionalText('ResourceType') === 'directory') return []
    const modified = toTime(properties.optionalText('Last-Modified'))
    return [{ file: { name: each.text('Name').slice(prefix.length), size: properties.integer('Content-Length'), modified } }]
  })
  return [...folders, ...files]
}
