import { type Content, findParameter, type OpenApi, type Operation, type Schema } from '../openapi.ts'
import { escapeText, expressType, placeTypes, type TypePages, toCell, writeFields } from './api-types.ts'
import { slugify } from './markdown.ts'
import type { SideBarEntry } from './side-bar.ts'

export interface ApiReference {
  /** Markdown by path in the site. */
  readonly pages: ReadonlyMap<string, string>
  readonly sideBar: SideBarEntry
}

interface Endpoint extends Operation {
  readonly method: string
  readonly path: string
}

const JSON_TYPE = 'application/json'
const FOLDER = 'reference'

/** A page for each group of operations of the OpenAPI document, with the types they use, and an overview. */
export const writeApiReference = (document: OpenApi): ApiReference => {
  const groups = groupByTag(document)
  const slugs = new Map([...groups].map(([tag, endpoints]) => [slugify(tag), endpoints]))
  const types = placeTypes(document, slugs)
  const pages = new Map([[`${FOLDER}/index.md`, writeOverview(document, groups, types)]])
  for (const [tag, endpoints] of groups) pages.set(`${FOLDER}/${slugify(tag)}.md`, writeGroup(document, tag, endpoints, types))
  const items = [...groups.keys()].map((tag) => ({ text: tag, link: `/${FOLDER}/${slugify(tag)}` }))
  return { pages, sideBar: { text: 'API reference', collapsed: true, items: [{ text: 'All operations', link: `/${FOLDER}/` }, ...items] } }
}

/** In the order of the document's tags; an operation belongs to its first one. */
const groupByTag = ({ tags = [], paths }: OpenApi): Map<string, Endpoint[]> => {
  const groups = new Map<string, Endpoint[]>(tags.map(({ name }) => [name, []]))
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other'
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, method: method.toUpperCase(), path }])
    }
  return new Map([...groups].filter(([, endpoints]) => endpoints.length > 0))
}

const writeOverview = (document: OpenApi, groups: ReadonlyMap<string, readonly Endpoint[]>, types: TypePages): string => {
  const sections = [...groups].flatMap(([tag, endpoints]) => [
    `## ${tag}`,
    '',
    '| | |',
    '|---|---|',
    ...endpoints.map(({ method, path, summary = '' }) => `| \`${method} ${path}\` | [${toCell(summary)}](./${slugify(tag)}.md) |`),
    '',
  ])
  return [
    '# API reference',
    '',
    `Every operation of version ${document.info.version}, generated from its OpenAPI document. How lists, writes, errors and access work: [the API](../api.md).`,
    'A running server has the same at `/docs`, where requests can be tried, and the document at `/api/v1/openapi.json`.',
    '',
    ...sections,
    '## Error',
    '',
    'The body of every response that is not a success.',
    '',
    ...writeFields(document.components.schemas.Error ?? {}, types),
  ].join('\n')
}

const writeGroup = (document: OpenApi, tag: string, endpoints: readonly Endpoint[], types: TypePages): string => {
  const { description } = document.tags?.find(({ name }) => name === tag) ?? {}
  const own = [...types].filter(([, page]) => page === slugify(tag)).map(([name]) => name)
  return [
    `# ${tag}`,
    '',
    ...(description ? [escapeText(description), ''] : []),
    ...endpoints.flatMap((endpoint) => writeEndpoint(document, endpoint, types)),
    ...(own.length > 0 ? ['## Types', ''] : []),
    ...own.sort().flatMap((name) => writeType(name, document.components.schemas[name]!, types)),
  ].join('\n')
}

const writeEndpoint = (document: OpenApi, { method, path, summary, ...endpoint }: Endpoint, types: TypePages): string[] => {
  const parameters = (endpoint.parameters ?? []).map((each) => findParameter(document, each))
  const rows = parameters.map(
    ({ name, in: place, required, schema, description = schema?.description ?? '' }) =>
      `| \`${name}\`${required ? '' : ' (optional)'} | ${place} | ${toCell(expressType(schema, types))} | ${toCell(description)} |`,
  )
  const statuses = Object.keys(endpoint.responses).filter((status) => !status.startsWith('2'))
  return [
    `## ${escapeText(summary ?? path)}`,
    '',
    `\`${method} ${path}\`${endpoint.deprecated ? ' (deprecated)' : ''}`,
    '',
    ...(endpoint.description ? [escapeText(endpoint.description), ''] : []),
    ...(rows.length > 0 ? ['| parameter | in | type | |', '|---|---|---|---|', ...rows, ''] : []),
    ...writeContent('Body', endpoint.requestBody?.content, types),
    ...Object.entries(endpoint.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content }]) => writeContent(`Response \`${status}\``, content ?? {}, types)),
    `Errors: ${statuses.map((status) => `\`${status}\``).join(', ')}`,
    '',
  ]
}

const writeContent = (title: string, content: Content | undefined, types: TypePages): string[] => {
  if (!content) return []
  const schema: Schema | undefined = content[JSON_TYPE]?.schema
  const files = Object.keys(content).filter((each) => each !== JSON_TYPE)
  const kinds = [...(schema ? [toCell(expressType(schema, types))] : []), ...files.map((each) => `\`${each}\``)]
  const example = content[JSON_TYPE]?.example
  return [
    `**${title}:** ${kinds.join(', ') || 'empty'}`,
    '',
    ...(schema ? writeFields(schema.items ?? schema, types) : []),
    ...(example === undefined ? [] : ['```json', JSON.stringify(example, null, 2), '```', '']),
  ]
}

const writeType = (name: string, schema: Schema, types: TypePages): string[] => {
  const fields = writeFields(schema, types)
  return [
    `### ${name}`,
    '',
    ...(schema.description ? [escapeText(schema.description), ''] : []),
    ...(fields.length > 0 ? fields : [toCell(expressType(schema, types)), '']),
  ]
}
