import type { components, paths } from './api.ts'

/** Types of calls, derived from the OpenAPI document. */

export type Schemas = components['schemas']
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have this method. */
export type PathsOf<M extends Method> = { [P in keyof paths]: paths[P][M] extends Operation ? P : never }[keyof paths]
export type OperationOf<M extends Method, P extends keyof paths> = paths[P][M]

interface Operation {
  responses: unknown
}

export interface RequestOptions {
  /** Additional headers, e.g. `If-Match` or your own `Idempotency-Key`. */
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** The content of a file; set its `content-type` in `headers`. */
export type FileBody = string | Uint8Array | Blob | FormData | ReadableStream

/** Options of a call: `path`, `query` and `body`, as far as the operation has them. */
export type Options<O> = RequestOptions & Part<'path', PathOf<O>> & Part<'query', QueryInput<QueryOf<O>>> & Part<'body', BodyOf<O>>

type Part<Name extends string, T> = [T] extends [never]
  ? { [N in Name]?: undefined }
  : undefined extends T
    ? { [N in Name]?: T }
    : Record<never, never> extends T
      ? { [N in Name]?: T }
      : { [N in Name]: T }

type PathOf<O> = O extends { parameters: { path: infer P } } ? P : never
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never
type BodyOf<O> = O extends { requestBody: { content: infer C } }
  ? Content<C>
  : O extends { requestBody?: { content: infer C } }
    ? Content<C> | undefined
    : never
type Content<C> = C extends { 'application/json': infer J } ? J : FileBody

/** Filters and sorts are sent as JSON; callers can pass objects. */
type QueryInput<Q> = [Q] extends [never] ? never : { [K in keyof Q]: K extends 'filter' | 'sort' ? Q[K] | Filter | Sort : Q[K] }

export type Filter =
  | { operator: 'and' | 'or' | 'not'; operands: readonly Filter[] }
  | { operator: string; field: string; value?: unknown; operands?: readonly never[] }
export interface Sort {
  field: string
  order: 'asc' | 'desc'
  tie_breaker?: { field: string; order: 'asc' | 'desc' }
}

/** The body of a successful response. */
export type ResponseOf<O> = O extends { responses: infer R } ? { [S in keyof R]: ContentOf<R[S]> }[keyof R] : never
type ContentOf<R> = R extends { content: { 'application/json': infer J } } ? J : R extends { content: object } ? string : undefined

/** Paths of lists: their response is a page of `results`. */
export type Lists = { [P in PathsOf<'get'>]: ResponseOf<OperationOf<'get', P>> extends { results: unknown[] } ? P : never }[PathsOf<'get'>]
export type Item<P extends Lists> = ResponseOf<OperationOf<'get', P>> extends { results: (infer T)[] } ? T : never
export type ListOptions<P extends Lists> = RequestOptions &
  Part<'path', PathOf<OperationOf<'get', P>>> & { query?: Omit<QueryInput<QueryOf<OperationOf<'get', P>>>, 'page' | 'cursor'> }

/** The options can be left out if none of them is required. */
export type OptionalArgument<T> = Record<never, never> extends T ? [options?: T] : [options: T]
