import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Cassette, RecordedAnswer } from '../../connector/src/replay.ts'

/** What a vendor's published description of its API says of the answers that a connector reads: fields, types, which are required, which may be null. */
export interface ApiDescription {
  /** Where the vendor publishes the description. */
  readonly source: DescriptionSource | readonly DescriptionSource[]
  /** JSON Schemas of successful answers by operation: `GET /api/v2/dags/{dag_id}`. */
  readonly answers: Readonly<Record<string, object>>
  /** Schemas that others refer to as `#/$defs/name`. */
  readonly $defs: Readonly<Record<string, object>>
}

/** A file of a repository, or a page of documentation. */
type DescriptionSource =
  | {
      readonly repository: string
      readonly path: string
      readonly commit: string
      /** In words, where the commit does not tell: `6.1.0`. */
      readonly version?: string
    }
  | { readonly page: string; readonly read: string }

interface Operation {
  readonly path: RegExp
  readonly method: string
  readonly validate: ValidateFunction
}

/** Checks recorded answers against the description in `<vendor>.json`. An answer to an operation that the description does not have is wrong, too. */
export const checkAgainst = (vendor: string): NonNullable<Cassette['checkAnswer']> => {
  const file = join(import.meta.dirname, `${vendor}.json`)
  const { answers, $defs }: ApiDescription = JSON.parse(readFileSync(file, 'utf8'))
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, discriminator: true })
  addFormats.default(ajv)
  const operations = Object.entries(answers).map(([operation, schema]): Operation => {
    const [method, path] = operation.split(' ') as [string, string]
    return { method, path: toPattern(path), validate: ajv.compile({ ...schema, $defs }) }
  })
  return ({ method, path, status, body }: RecordedAnswer) => {
    if (status >= 300) return // the descriptions are of what succeeds; an error is told by its status
    const operation = operations.find((each) => each.method === method && each.path.test(path))
    if (!operation) return `${method} ${path} is not in the API description of ${vendor}`
    if (operation.validate(body)) return
    const [error] = operation.validate.errors!
    const unknown = error!.params.additionalProperty ?? error!.params.unevaluatedProperty
    return `the answer differs from the API description of ${vendor}: ${error!.instancePath || 'it'} ${error!.message}${unknown ? ` (${unknown})` : ''}`
  }
}

/** `/dags/{dag_id}` matches `/dags/load`. */
const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
