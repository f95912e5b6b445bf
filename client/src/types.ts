import type { components, paths } from './api.ts'

/** What the document says, as types to call with. */

export type Schemas = components['schemas']
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have this method. */
export type PathsOf<M extends Method> = { [P in keyof paths]: paths[P][M] extends Operation ? P : never }[keyof paths]
export type OperationOf<M extends Method, P extends keyof paths> = paths[P][M]

interface Operation {
  responses: unknown
}

export interface Common {
  /** More headers, such as `If-Match` or an `Idempotency-Key` of your own. */
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** What a file is sent as; its kind goes into `headers`. */
export type FileBody = string | Uint8Array | Blob | FormData | ReadableStream

/** What a call needs, in the parts that have something: `path`, `query`, `body`. */
export type Options<O> = Common & Part<'path', PathOf<O>> & Part<'query', Written<QueryOf<O>>> & Part<'body', BodyOf<O>>

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

/** Filters and sorts travel as JSON text; they may be given as they are. */
type Written<Q> = [Q] extends [never] ? never : { [K in keyof Q]: K extends 'filter' | 'sort' ? Q[K] | Filter | Sort : Q[K] }

export type Filter =
  | { operator: 'and' | 'or' | 'not'; operands: readonly Filter[] }
  | { operator: string; field: string; value?: unknown; operands?: readonly never[] }
export interface Sort {
  field: string
  order: 'asc' | 'desc'
  tie_breaker?: { field: string; order: 'asc' | 'desc' }
}

/** What a call that went well brings. */
export type Answer<O> = O extends { responses: infer R } ? { [S in keyof R]: Brought<R[S]> }[keyof R] : never
type Brought<R> = R extends { content: { 'application/json': infer J } } ? J : R extends { content: object } ? string : undefined

/** The lists: what answers with a page of `results`. */
export type Lists = { [P in PathsOf<'get'>]: Answer<OperationOf<'get', P>> extends { results: unknown[] } ? P : never }[PathsOf<'get'>]
export type Item<P extends Lists> = Answer<OperationOf<'get', P>> extends { results: (infer T)[] } ? T : never
export type ListOptions<P extends Lists> = Common &
  Part<'path', PathOf<OperationOf<'get', P>>> & { query?: Omit<Written<QueryOf<OperationOf<'get', P>>>, 'page' | 'cursor'> }

/** A call may leave its options out when none of them is needed. */
export type Given<T> = Record<never, never> extends T ? [options?: T] : [options: T]
