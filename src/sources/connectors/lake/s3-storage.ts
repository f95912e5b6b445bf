import type { HttpClient, HttpRequest } from '../../../../connector/src/http.ts'
import { readPagesByToken } from '../../../../connector/src/paging.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { emptyIfOutOfRange, explainStorageError, joinPath, type Storage, type StorageEntry } from './storage.ts'
import { parseXml } from './xml.ts'

interface S3Options {
  readonly client: HttpClient
  /** `s3` or `gs`. */
  readonly scheme: string
  readonly bucket: string
  /** Without a slash at its ends. */
  readonly prefix: string
  /** Headers that authenticate a request; none if the client does it. */
  readonly sign?: (path: string, request: Pick<HttpRequest, 'query' | 'headers'>) => Promise<Record<string, string>>
}

const PAGE_SIZE = 1000
const LISTS = ['Contents', 'CommonPrefixes']

/** A bucket with the API of S3, which Google Cloud Storage, MinIO and others have too. The bucket is in the path, not in the host name. */
export class S3Storage implements Storage {
  readonly #options: S3Options

  constructor(options: S3Options) {
    if (!/^[a-zA-Z0-9][\w.-]{1,221}$/.test(options.bucket)) throw new Error('The bucket must be its name alone, e.g. lake.')
    this.#options = options
  }

  get title(): string {
    return joinPath(this.#options.bucket, this.#options.prefix)
  }

  locate(path: string): string {
    return `${this.#options.scheme}://${joinPath(this.title, path)}`
  }

  list(folder: string, after?: string): AsyncGenerator<StorageEntry, void> {
    const prefix = this.#toKey(folder === '' ? '' : `${folder}/`)
    const what = `GET /${this.#options.bucket} (${prefix || 'everything'})`
    return readPagesByToken(what, async (token) => {
      const query = {
        ...{ 'list-type': '2', 'encoding-type': 'url', 'max-keys': PAGE_SIZE, delimiter: '/', prefix },
        'start-after': after === undefined || token !== undefined ? undefined : `${prefix}${after}`,
        'continuation-token': token,
      }
      const page = parseXml(await this.#send<string>(`/${this.#options.bucket}`, { query, text: true }), 'ListBucketResult', LISTS, what)
      return {
        items: readEntries(page, prefix),
        next: page.text('IsTruncated') === 'true' ? page.text('NextContinuationToken') : undefined,
      }
    })
  }

  async read(path: string, start: number, end: number): Promise<Buffer> {
    const key = this.#toKey(path).split('/').map(encodeName).join('/')
    const headers = { range: `bytes=${start}-${end - 1}` }
    const bytes = await this.#send<Buffer>(`/${this.#options.bucket}/${key}`, { headers, bytes: true }).catch(emptyIfOutOfRange)
    return bytes.subarray(0, end - start)
  }

  #toKey(path: string): string {
    const { prefix } = this.#options
    return prefix === '' ? path : `${prefix}/${path}`
  }

  async #send<T>(path: string, request: HttpRequest): Promise<T> {
    const { client, sign } = this.#options
    try {
      const headers = (await sign?.(path, request)) ?? request.headers ?? {}
      return (await client.send(path, { ...request, headers })) as T
    } catch (error) {
      throw explainStorageError(error)
    }
  }
}

const decodeName = (name: string): string => decodeURIComponent(name.replaceAll('+', ' '))

/** As signatures are computed: also the characters that encodeURIComponent leaves as they are. */
export const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const readEntries = (page: Shape, prefix: string): StorageEntry[] => {
  const decode = page.optionalText('EncodingType') === 'url' ? decodeName : (name: string) => name
  const folders = page.optionalList('CommonPrefixes').map((each) => ({ folder: decode(each.text('Prefix')).slice(prefix.length, -1) }))
  const files = page.optionalList('Contents').map((each) => ({
    file: {
      name: decode(each.text('Key')).slice(prefix.length),
      size: each.integer('Size'),
      modified: toTime(each.optionalText('LastModified')),
    },
  }))
  return [...folders, ...files.filter(({ file }) => file.name !== '')]
}

export const toTime = (text: string | undefined): string | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()
