import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import type { Cassette, RecordedAnswer } from '../../connector/src/replay.ts'
import { findUnknownFields } from './requested-fields.ts'
import { parseRison } from './rison.ts'

/** What a vendor's published description of its API says of the answers that a connector reads: fields, types, which are required, which may be null. */
export interface ApiDescription {
  /** Where the vendor publishes the description. */
  readonly source: DescriptionSource | readonly DescriptionSource[]
  /** JSON Schemas of successful answers by operation: `GET /api/v2/dags/{dag_id}`, or as AWS names them in a header: `POST AWSGlue.GetTables`. */
  readonly answers: Readonly<Record<string, object>>
  /**
   * JSON Schemas of what is sent, where it is described: the parameters of `GET`, which are texts, the body of other methods. Two more keywords describe
   * parameters: `rison` is the schema of the value that is written as Rison, `fieldsOf` that of the object whose fields are named.
   */
  readonly requests?: Readonly<Record<string, object>>
  /** Schemas that others refer to as `#/$defs/name`. */
  readonly $defs: Readonly<Record<string, object>>
}

/** A file of a repository, or a page of documentation. */
export type DescriptionSource =
  | {
      readonly repository: string
      readonly path: string
      /** Or the tag of a release. */
      readonly commit: string
      /** Of the product or of the description, if it is known. */
      readonly version?: string
    }
  | { readonly page: string; readonly read: string }

interface Operation {
  readonly name: string
  readonly path: RegExp
  readonly method: string
}

/** What a description says, in one document: a schema that several operations use is compiled once, and only if an operation is used. */
class Description {
  readonly #operations: readonly Operation[]
  readonly #ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, discriminator: true })

  constructor({ answers, requests = {}, $defs }: ApiDescription) {
    addFormats.default(this.#ajv)
    addParameterKeywords(this.#ajv, $defs)
    const named = (what: string, schemas: Readonly<Record<string, object>>) =>
      Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${what} ${name}`, schema]))
    this.#ajv.addSchema({ $id: ROOT, $defs: { ...$defs, ...named('answer', answers), ...named('request', requests) } })
    this.#operations = Object.keys(answers).map((name): Operation => {
      const [method, path] = name.split(' ') as [string, string]
      return { name, method, path: toPattern(path) }
    })
  }

  find(method: string, path: string): string | undefined {
    return this.#operations.find((each) => each.method === method && each.path.test(path))?.name
  }

  /** Undefined if the description has no such schema. */
  getValidator(what: 'answer' | 'request', operation: string): ValidateFunction | undefined {
    const pointer = `${what} ${operation}`.replaceAll('~', '~0').replaceAll('/', '~1')
    return this.#ajv.getSchema(`${ROOT}#/$defs/${encodeURIComponent(pointer)}`)
  }
}

const ROOT = 'description'
const descriptions = new Map<string, Description>()

const getDescription = (vendor: string): Description => {
  const description =
    descriptions.get(vendor) ?? new Description(JSON.parse(readFileSync(join(import.meta.dirname, `${vendor}.json`), 'utf8')))
  descriptions.set(vendor, description)
  return description
}

/** Checks recorded answers against the description in `<vendor>.json`. An answer to an operation that the description does not have is wrong, too. */
export const checkAgainst = (vendor: string): NonNullable<Cassette['checkAnswer']> => {
  const description = getDescription(vendor)
  return ({ method, path, status, body, query, request, requestHeaders }: RecordedAnswer) => {
    if (status >= 300) return // the descriptions are of what succeeds; an error is told by its status
    const name = String(requestHeaders['x-amz-target'] ?? path)
    const operation = description.find(method, name)
    if (!operation) return `${method} ${name} is not in the API description of ${vendor}`
    const sent = method === 'GET' ? query : request
    return (
      explain(vendor, 'request', sent, description.getValidator('request', operation)) ??
      explain(vendor, 'answer', body, description.getValidator('answer', operation))
    )
  }
}

const addParameterKeywords = (ajv: Ajv2020, $defs: ApiDescription['$defs']): void => {
  const define = (keyword: string, findProblem: (schema: object, value: string) => string | undefined) => {
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'object',
      errors: true,
      compile: (schema: object) => {
        const check: DataValidateFunction = (value: string) => {
          const message = findProblem(schema, value)
          check.errors = message === undefined ? [] : [{ keyword, message, params: {} }]
          return message === undefined
        }
        return check
      },
    })
  }
  const compiled = new WeakMap<object, ValidateFunction>()
  define('rison', (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, $defs })
    compiled.set(schema, validate)
    try {
      return validate(parseRison(value)) ? undefined : `has ${ajv.errorsText(validate.errors, { dataVar: 'a value' })}`
    } catch (error) {
      return (error as Error).message
    }
  })
  define('fieldsOf', (schema, value) => {
    const unknown = findUnknownFields(value, schema, $defs)
    if (!unknown) return 'is no list of fields'
    return unknown.length === 0 ? undefined : `names unknown fields: ${unknown.join(', ')}`
  })
}

const explain = (vendor: string, what: string, value: unknown, validate: ValidateFunction | undefined): string | undefined => {
  if (!validate || validate(value)) return
  const [error] = validate.errors!
  const unknown = error!.params.additionalProperty ?? error!.params.unevaluatedProperty
  return `the ${what} differs from the API description of ${vendor}: ${error!.instancePath || 'it'} ${error!.message}${unknown ? ` (${unknown})` : ''}`
}

/** `/dags/{dag_id}` matches `/dags/load`. */
const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
