import { Ajv, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * Compiles a schema when it is first used, because compiling all of them at startup takes half of the startup time. Each is compiled once per
 * process, however many servers it runs (every test starts one) and however often it is written down.
 */
export class SchemaCompiler {
  readonly #options: Options
  #ajv: Ajv | undefined
  readonly #bySchema = new WeakMap<object, ValidateFunction>()
  readonly #byText = new Map<string, ValidateFunction>()

  constructor(options: Options) {
    this.#options = { strict: false, ...options }
  }

  compile(schema: object): ValidateFunction {
    const known = this.#bySchema.get(schema)
    if (known) return known
    const text = JSON.stringify(schema)
    const validate = this.#byText.get(text) ?? this.#getAjv().compile(schema)
    this.#byText.set(text, validate)
    this.#bySchema.set(schema, validate)
    return validate
  }

  #getAjv(): Ajv {
    this.#ajv ??= this.#options.validateFormats ? withFormats(new Ajv(this.#options)) : new Ajv(this.#options)
    return this.#ajv
  }
}

const withFormats = (ajv: Ajv): Ajv => {
  // The package is CommonJS: only some loaders put its function under `default`.
  const add = (addFormats as unknown as { default?: (ajv: Ajv) => void }).default ?? (addFormats as unknown as (ajv: Ajv) => void)
  add(ajv)
  return ajv
}
