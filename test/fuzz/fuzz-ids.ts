import type { Document } from '../support/contract.ts'
import type { TestResponse } from '../support/test-app.ts'
import type { Operation } from './fuzz-requests.ts'

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

/** Existing IDs and where they can be used: learned from responses, so that new routes need no entry here. */
export class FuzzIds {
  /** IDs of resources, which most paths and bodies use. */
  readonly everywhere: string[] = []
  readonly #byPath = new Map<string, string[]>()
  readonly #byRecord = new Map<string, string[]>()
  readonly #preferred = new Map<string, Readonly<Record<string, readonly string[]>>>()
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
  }

  /** IDs for these names in the requests to a path: what it does is possible for few records. `''` are the keys of property values. */
  prefer(path: string, ids: Readonly<Record<string, readonly string[]>>): void {
    this.#preferred.set(plain(`/api/v1${path}`), ids)
  }

  /** IDs created or listed here. */
  learn({ method, path }: Operation, { status, body }: TestResponse): void {
    const record = this.#recordOf(path, method, status)
    if (typeof body?.id === 'string' && method === 'post') {
      add(this.#byPath, plain(path), body.id)
      if (record) add(this.#byRecord, record, body.id)
    }
    if (!Array.isArray(body?.results) || !record?.endsWith('Page')) return
    for (const { id } of body.results) if (typeof id === 'string') add(this.#byRecord, record.slice(0, -'Page'.length), id)
  }

  /** For the bodies and queries of a path: any resource, preferably of a sibling path, e.g. `/question/questions` for `/question/replies`. */
  near(path: string): readonly string[] {
    const siblingIds = this.#findSiblings(path)
    return [...this.everywhere, ...siblingIds, ...siblingIds, ...siblingIds]
  }

  #findSiblings(path: string): readonly string[] {
    const collection = path.split('/').slice(0, 4).join('/')
    return [...this.#byPath]
      .filter(([other]) => other.startsWith(`${collection}/`) && other !== plain(path))
      .flatMap(([, ids]) => ids.slice(-5))
  }

  /** IDs that fit a name in a body or query better than any resource. */
  named(path: string, name: string): readonly string[] | undefined {
    const preferred = this.#preferred.get(plain(path))?.[name]
    if (preferred) return preferred
    if (name === '') return this.#byRecord.get('CustomProperty') // the keys of property values
    if (/^(user|members)$/.test(name)) return this.#byRecord.get('User')
    if (name !== 'parent') return undefined
    const siblingIds = this.#findSiblings(path)
    return siblingIds.length > 0 ? siblingIds : undefined
  }

  /** IDs created at the path, or of its record type; streams are never requested, because they do not end. */
  inPath(path: string, name: string): readonly string[] {
    if (this.#document.paths[path]?.get?.responses[200]?.content?.['text/event-stream']) return [UNKNOWN_ID]
    const preferred = this.#preferred.get(plain(path))?.[name]
    if (preferred) return preferred
    const upTo = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)
    const created = this.#byPath.get(plain(upTo.slice(0, upTo.lastIndexOf('/'))))
    if (created) return created
    const where = [upTo, ...Object.keys(this.#document.paths).filter((other) => other.endsWith(`/{${name}}`))]
    const record = where.map((each) => this.#recordOf(each, 'get', 200)).find((each) => each && this.#byRecord.has(each))
    const named = toRecordName(name)
    // A record whose secret is returned once is created as another type, e.g. `NewPublicLink`.
    return (record && this.#byRecord.get(record)) || this.#byRecord.get(named) || this.#byRecord.get(`New${named}`) || this.everywhere
  }

  #recordOf(path: string, method: string, status: number): string | undefined {
    const schema = this.#document.paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema as
      | { $ref?: string }
      | undefined
    return schema?.$ref?.split('/').at(-1)
  }
}

/** `attachment_id` is the ID of an `Attachment`. */
const toRecordName = (name: string): string =>
  name
    .replace(/_id$/, '')
    .split('_')
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join('')

const plain = (path: string): string => path.replace(/\/$/, '')
const add = (map: Map<string, string[]>, key: string, id: string): void => void map.set(key, [...(map.get(key) ?? []), id])
