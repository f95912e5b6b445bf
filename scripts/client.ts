// Generates both clients from the OpenAPI document: `npm run client`.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { computeDigest, forClients, readDocument } from './openapi.ts'
import { generatePython } from './python-client/generate.ts'

const GENERATOR = new URL('../client/node_modules/openapi-typescript/dist/index.mjs', import.meta.url)
const TYPES = new URL('../client/src/api.ts', import.meta.url)
const PYTHON = new URL('../client-python/tablinum/', import.meta.url)

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

const document = await readDocument()
const paths = Object.keys(document.paths).length
for (const [name, text] of Object.entries(generatePython(document))) writeFileSync(new URL(name, PYTHON), text)
console.log(`client-python/tablinum: ${paths} paths`)
const text = `// Made by \`npm run client\` from the document ${computeDigest(document)}. Do not edit.

${await generate(forClients(document))}`
writeFileSync(TYPES, text)
console.log(`client/src/api.ts: ${paths} paths`)
