import { type Entry, entryId } from './entries.ts'
import { readStatements } from './files.ts'
import { INTEGRATIONS } from './id.ts'
import { PEOPLE, type Person, TEAMS } from './people.ts'
import type { Model } from './warehouse.ts'

/** The tools around the warehouse: pipelines that fill it, dashboards and saved queries that read it. */

const toSqlBlock = (sql: string): string => `\`\`\`sql\n${sql}\n\`\`\``

const PIPELINES = [
  ['load_shop', 'Copies the shop application’s tables into demo_raw, every hour.'],
  ['load_ads', 'Fetches yesterday’s ad spend from the platforms, every morning.'],
  ['export_finance', 'Books the day’s sales into the ledger.'],
] as const

/** Loading jobs, and one job per model with the statement that builds it. */
export const jobEntries = (models: readonly Model[]): Entry[] => {
  const group = (name: string, title: string, description: string): Entry => ({
    id: entryId('job_group', name),
    entity_type: 'job_group',
    title,
    description,
    integration: INTEGRATIONS.pipelines.id,
    published: true,
    owners: [PEOPLE.ada.id],
    databuilder_id: name,
  })
  return [
    group('load', 'Load', 'Brings data in from the shop, the ad platforms and the ledger.'),
    group('build_staging', 'Build staging', 'Views that clean the raw tables.'),
    group('build_marts', 'Build marts', 'Rebuilds the marts every night after the load, in the order they depend on each other.'),
    ...PIPELINES.map(
      ([title, description]): Entry => ({
        id: entryId('job', title),
        entity_type: 'job',
        parent: entryId('job_group', 'load'),
        title,
        native_type: 'pipeline',
        description,
        published: true,
        owners: [PEOPLE.ada.id],
        databuilder_id: title,
        external_usage: 24,
      }),
    ),
    ...models.map(
      ({ schema, name, kind, description, statement }): Entry => ({
        id: entryId('job', name),
        entity_type: 'job',
        parent: entryId('job_group', schema.replace('demo_', 'build_')),
        title: name,
        native_type: `model (${kind})`,
        description: `Builds ${schema}.${name}. ${description}`,
        definition: toSqlBlock(statement),
        published: schema === 'demo_marts',
        owners: [PEOPLE.grace.id],
        databuilder_id: `${schema}.${name}`,
        external_usage: 1,
        details: { sql: statement },
      }),
    ),
  ]
}

interface Dashboard {
  readonly key: string
  readonly group: string
  readonly title: string
  readonly description: string
  readonly owner: Person
  readonly uses: number
  readonly closed?: boolean
  readonly verified?: boolean
}

const DASHBOARDS: readonly Dashboard[] = [
  {
    key: 'morning-numbers',
    group: 'Company',
    title: 'Morning numbers',
    description: 'Orders, revenue and new customers up to last night. On the screen in the kitchen.',
    owner: 'grace',
    uses: 310,
    verified: true,
  },
  {
    key: 'customers',
    group: 'Company',
    title: 'Customers and retention',
    description: 'Who stays, who leaves, and what they are worth.',
    owner: 'ada',
    uses: 58,
  },
  {
    key: 'campaigns',
    group: 'Marketing',
    title: 'Campaigns',
    description: 'What each campaign costs and brings.',
    owner: 'grace',
    uses: 84,
  },
  {
    key: 'warehouse-and-delivery',
    group: 'Operations',
    title: 'Warehouse and delivery',
    description: 'What runs out, and which parcels are late.',
    owner: 'ada',
    uses: 121,
  },
  {
    key: 'month-end',
    group: 'Finance',
    title: 'Month end',
    description: 'The ledger against the marts. Both must agree before the month is closed.',
    owner: 'katsu',
    uses: 22,
    closed: true,
  },
]

/** Groups, dashboards, and the charts of `sql/charts.sql`. */
export const dashboardEntries = async (): Promise<Entry[]> => {
  const charts = Map.groupBy(await readStatements('charts'), ({ about }) => about[0])
  const groups = [...new Map(DASHBOARDS.map(({ group, closed }) => [group, closed]))].map(
    ([title, closed]): Entry => ({
      id: entryId('dashboard_group', title),
      entity_type: 'dashboard_group',
      title,
      integration: INTEGRATIONS.dashboards.id,
      published: true,
      teams: [closed ? TEAMS.finance.id : TEAMS.shop.id],
      databuilder_id: title,
    }),
  )
  return [...groups, ...DASHBOARDS.flatMap((dashboard) => toDashboardEntries(dashboard, charts.get(dashboard.key) ?? []))]
}

const toDashboardEntries = (
  { key, group, title, description, owner, uses, closed = false, verified = false }: Dashboard,
  charts: Awaited<ReturnType<typeof readStatements>>,
): Entry[] => {
  const shared = { published: true, owners: [PEOPLE[owner].id], teams: [closed ? TEAMS.finance.id : TEAMS.shop.id] }
  const url = `https://dashboards.shop.example.com/${key}`
  const dashboard: Entry = {
    ...shared,
    id: entryId('dashboard', key),
    entity_type: 'dashboard',
    parent: entryId('dashboard_group', group),
    title,
    description,
    verified,
    url,
    databuilder_id: key,
    external_usage: uses,
  }
  return [
    dashboard,
    ...charts.map(({ about: [, title = '', kind], sql }, i): Entry => {
      const chart = `${key}/${title}`
      return {
        ...shared,
        id: entryId('chart', chart),
        entity_type: 'chart',
        parent: dashboard.id,
        title,
        native_type: kind,
        definition: toSqlBlock(sql),
        url: `${url}#${i + 1}`,
        databuilder_id: chart,
        external_usage: Math.floor(uses / (2 + i)),
        details: { sql },
      }
    }),
  ]
}

/** The saved queries of `sql/queries.sql`. Queries of closed tables are closed too. */
export const queryEntries = async (): Promise<Entry[]> =>
  (await readStatements('queries')).map(({ about: [title = '', by, uses, description], sql }, i): Entry => {
    const author = by as Person // from our own file
    return {
      id: entryId('query', title),
      entity_type: 'query',
      title,
      description,
      definition: toSqlBlock(sql),
      integration: INTEGRATIONS.warehouse.id,
      published: true,
      owners: [PEOPLE[author].id],
      teams: [sql.includes('demo_finance') ? TEAMS.finance.id : TEAMS.shop.id],
      databuilder_id: `query/${title}`,
      external_usage: Number(uses),
      external_users: [author],
      details: { sql },
      own: { type: 'saved', freq: Number(uses) },
      by: author,
      days_ago: 60 - 5 * i,
    }
  })
