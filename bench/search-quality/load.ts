import { GROUP } from '../../src/accounts/member-groups/member-group-types.ts'
import { createMemberGroup } from '../../src/accounts/member-groups/member-groups.ts'
import { inviteUser } from '../../src/accounts/users/manage-users.ts'
import { createCustomProperty } from '../../src/catalog/properties/define.ts'
import { setValues } from '../../src/catalog/properties/values.ts'
import type { ResourceCreate } from '../../src/catalog/records/schema.ts'
import { createResources, type ReportedMetadata } from '../../src/catalog/resources/create.ts'
import { createTag } from '../../src/catalog/tags/tags.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { type Catalog, type CatalogTable, PROPERTIES, toResourceId } from './catalog.ts'

type Entry = ResourceCreate & ReportedMetadata & { readonly entity_type: string }

const BUSINESS_TERM = 'Business term'
const BATCH = 2_000

/** Loads the catalog with the functions the product itself uses: people, groups, tags, resources, custom properties. */
export const loadCatalog = async (ctx: Context, catalog: Catalog): Promise<void> => {
  const { tables, domains, dashboards, documents, terms } = catalog
  const people = await createByName([...new Set(domains.flatMap(({ owners }) => owners))], (name) => createPerson(ctx, name))
  const groups = await createByName(
    domains.map(({ group }) => group),
    (name) => createMemberGroup(ctx, GROUP, { name }),
  )
  const tags = await createByName([...new Set(tables.flatMap((table) => table.tags))], (name) => createTag(ctx, { name }))
  const toEntry = (table: CatalogTable): Entry => ({
    id: table.id,
    entity_type: 'table',
    native_type: table.layer.name === 'view' ? 'view' : 'table',
    title: table.title,
    parent: toResourceId('schema', toSchemaPath(table)),
    description: table.description,
    owners: table.owner ? [people.get(table.owner)!] : undefined,
    owners_groups: table.layer.rank === 0 ? [groups.get(table.subject.domain.group)!] : undefined,
    tags: table.tags.map((name) => tags.get(name)!),
    external_usage: table.usage,
    published: true,
  })
  const schemas = [...new Set(tables.map(toSchemaPath))]
  const databases = [...new Set(schemas.map((path) => path.split('.')[0]!))]
  await createAll(
    ctx,
    databases.map((title) => ({ id: toResourceId('database', title), entity_type: 'database', title, published: true })),
  )
  await createAll(
    ctx,
    schemas.map((path) => {
      const [database, title] = path.split('.')
      return {
        id: toResourceId('schema', path),
        entity_type: 'schema',
        title,
        parent: toResourceId('database', database!),
        published: true,
      }
    }),
  )
  await createAll(ctx, tables.map(toEntry))
  await createAll(
    ctx,
    tables.flatMap(({ id, path, columns }) =>
      columns.map(({ name, description }) => ({
        id: toResourceId('column', `${path}.${name}`),
        entity_type: 'column',
        title: name,
        description,
        parent: id,
        published: true,
      })),
    ),
  )
  const pages = [
    ...dashboards.map((page) => ({ ...page, entity_type: 'dashboard' as const })),
    ...documents.map((page) => ({ ...page, entity_type: 'document' as const })),
    ...terms.map((page) => ({ ...page, entity_type: 'glossary' as const })),
  ]
  await createAll(
    ctx,
    pages.map(({ entity_type, title, text }) => ({
      id: toResourceId(entity_type, title),
      entity_type,
      title,
      ...(entity_type === 'document' ? { definition: text } : { description: text }),
      published: true,
    })),
  )
  await setProperties(ctx, catalog)
}

const createByName = async (names: readonly string[], create: (name: string) => Promise<{ id: string }>): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, (await create(name)).id)
  return ids
}

const createPerson = (ctx: Context, name: string) => {
  const [first_name, ...rest] = name.split(' ')
  const last_name = rest.join(' ')
  const email = `${name
    .normalize('NFD')
    .replace(/[^a-zA-Z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@example.com`
  return inviteUser(ctx, { email, role: 'editor', first_name, last_name })
}

/** Two writers keep both cores busy: one waits for Postgres while the other builds rows. */
const createAll = async (ctx: Context, entries: readonly Entry[]): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(entries.length / BATCH) }, (_, i) => entries.slice(i * BATCH, (i + 1) * BATCH))
  const write = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) await createResources(ctx, batch)
  }
  await Promise.all([write(), write()])
}

/** Tables with the same value are written together. */
const setProperties = async (ctx: Context, { tables, terms }: Catalog): Promise<void> => {
  for (const name of PROPERTIES) await createCustomProperty(ctx, { name, value_type: 'string', entity_types: ['table'] })
  await createCustomProperty(ctx, { name: BUSINESS_TERM, value_type: 'resource', entity_types: ['table'] })
  for (const name of PROPERTIES)
    for (const [value, described] of Map.groupBy(tables, ({ properties }) => properties[name] ?? ''))
      if (value !== '') await setValues(ctx, { entity_ids: toTableIds(described), properties: { [name]: value } })
  for (const { title, subjects } of terms) {
    const explained = tables.filter(({ subject, layer }) => layer.rank === 0 && subjects.includes(subject.key))
    await setValues(ctx, { entity_ids: toTableIds(explained), properties: { [BUSINESS_TERM]: toResourceId('glossary', title) } })
  }
}

const toTableIds = (tables: readonly CatalogTable[]): string[] => tables.map(({ id }) => id)
const toSchemaPath = ({ path, title }: CatalogTable): string => path.slice(0, -title.length - 1)
