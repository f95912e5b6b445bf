// The OpenAPI document, read from the routes. Used by the generators of the clients and of the API reference.
import { createHash } from 'node:crypto'
import { createApp } from '../src/app/app.ts'
import { createRuntime } from '../src/app/runtime.ts'

export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>
}

export interface OpenApi {
  readonly info: { readonly version: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly parameters?: Readonly<Record<string, Parameter>> }
}

/** No query is run, so no database is needed. */
export const readDocument = async (): Promise<OpenApi> => {
  await using runtime = createRuntime('postgres://nobody@127.0.0.1:1/nothing')
  const config = { rateLimit: 0, requestTimeoutMs: 1000, logLevel: 'silent' as const, secretKeys: ['none'] }
  const app = await createApp({ backend: { runtime, workspace_id: '', now: () => new Date() }, config })
  await app.ready()
  const document = app.swagger() as unknown as OpenApi
  await app.close()
  return document
}

const PREFIX = '/api/v1'

interface WithPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, object>> }>>>>
}

/** The document for clients: paths without the prefix, which clients add themselves, and without errors, which have one shape and are thrown. */
export const forClients = <T extends WithPaths>(document: T): T => ({
  ...document,
  paths: mapEntries(document.paths, (path, operations) => [
    path.slice(PREFIX.length),
    mapEntries(operations, (method, each) => [method, keepSuccessful(each)]),
  ]),
})

const keepSuccessful = <T extends { readonly responses: object }>(operation: T): T => ({
  ...operation,
  responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))),
})

const mapEntries = <T>(object: Readonly<Record<string, T>>, map: (key: string, value: T) => [string, T]): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => map(key, value)))

/** The hash of the document, so that a test can detect outdated types. */
export const computeDigest = (document: WithPaths): string =>
  createHash('sha256')
    .update(JSON.stringify(forClients(document)))
    .digest('hex')

/** `#/components/schemas/Resource` → `Resource` */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A parameter, or the shared one that it refers to. */
export const findParameter = ({ components }: OpenApi, parameter: Parameter): Parameter =>
  parameter.$ref === undefined ? parameter : components.parameters![refName(parameter.$ref)]!

if (import.meta.main) console.log(JSON.stringify(await readDocument()))
