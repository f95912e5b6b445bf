// Generates the client's types from the OpenAPI document: `npm run client`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { createApp } from '../src/app/app.ts'
import { createRuntime } from '../src/app/runtime.ts'

interface Operation {
  readonly responses: Readonly<Record<string, object>>
}
interface Paths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const PREFIX = '/api/v1'

/** The document for the client: paths without the prefix, which the client adds itself, and without errors, which have one shape and are thrown. */
const forClient = <T extends Paths>(document: T): T => ({
  ...document,
  paths: mapEntries(document.paths, (path, operations) => [
    path.slice(PREFIX.length),
    mapEntries(operations, (method, each) => [method, keepSuccessful(each)]),
  ]),
})

const keepSuccessful = (operation: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))),
})

const mapEntries = <T>(object: Readonly<Record<string, T>>, map: (key: string, value: T) => [string, T]): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => map(key, value)))

/** The hash of the document, so that a test can detect outdated types. */
export const computeDigest = (document: Paths): string =>
  createHash('sha256')
    .update(JSON.stringify(forClient(document)))
    .digest('hex')

/** No query is run, so no database is needed. */
const readDocument = async (): Promise<Paths> => {
  await using runtime = createRuntime('postgres://nobody@127.0.0.1:1/nothing')
  const config = { rateLimit: 0, requestTimeoutMs: 1000, logLevel: 'silent' as const, secretKeys: ['none'] }
  const app = await createApp({ runtime, workspace_id: '', config })
  await app.ready()
  const document = app.swagger() as unknown as Paths
  await app.close()
  return document
}

const GENERATOR = new URL('../client/node_modules/openapi-typescript/dist/index.mjs', import.meta.url)
const TYPES = new URL('../client/src/api.ts', import.meta.url)

/** The generator uses the compiler API, which TypeScript 7 lacks, so it is installed in the client's folder with its own compiler. */
const generate = async (document: object): Promise<string> => {
  if (!existsSync(GENERATOR))
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: new URL('../client', import.meta.url), stdio: 'inherit' })
  const { default: typesOf, astToString } = (await import(GENERATOR.href)) as {
    default: (document: string, options: object) => Promise<unknown>
    astToString: (nodes: unknown) => string
  }
  return astToString(await typesOf(JSON.stringify(document), { alphabetize: false, defaultNonNullable: false }))
}

const main = async (): Promise<void> => {
  const document = await readDocument()
  const current = forClient(document)
  const text = `// Made by \`npm run client\` from the document ${computeDigest(document)}. Do not edit.

${await generate(current)}`
  writeFileSync(TYPES, text)
  console.log(`client/src/api.ts: ${Object.keys(current.paths).length} paths`)
}

if (import.meta.main) await main()
