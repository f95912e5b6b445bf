import { HttpError } from '../../../../connector/src/http.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import type { View } from '../bi/view-counts.ts'

/** Who viewed reports and dashboards in the last day, after the activity log of the admin API. */

const PATH = '/v1.0/myorg/admin/activityevents'
const DAY_MS = 24 * 3_600_000
/** By kind, the field with its ID. */
const KINDS = [
  { activity: 'ViewReport', kind: 'report', id: 'ReportId' },
  { activity: 'ViewDashboard', kind: 'dashboard', id: 'DashboardId' },
] as const

type Get = (path: string, query: Readonly<Record<string, string>>) => Promise<unknown>

/** A request is about one UTC day, and has one page of many: empty ones may come before others. Calls `toKey` with IDs in lower case. */
export async function* listViews(
  get: Get,
  toKey: (workspace: string, kind: 'report' | 'dashboard', id: string) => string,
  now: Date,
): AsyncGenerator<View, void> {
  for (const [from, to] of listDays(new Date(now.getTime() - DAY_MS), now))
    for (const { activity, kind, id } of KINDS) {
      const seen = new Set<string>()
      let query: Record<string, string> | undefined = {
        ...{ startDateTime: `'${from.toISOString()}'`, endDateTime: `'${to.toISOString()}'`, $filter: `Activity eq '${activity}'` },
      }
      while (query) {
        const page = new Shape(await get(PATH, query), `GET ${PATH}`)
        for (const event of page.optionalList('activityEventEntities')) {
          const [workspace, viewed] = [event.optionalText('WorkSpaceId') ?? event.optionalText('WorkspaceId'), event.optionalText(id)]
          // Events may be listed twice, and out of order.
          const name = event.optionalText('Id')
          if (name !== undefined && seen.has(name)) continue
          if (name !== undefined) seen.add(name)
          yield {
            ...(workspace && viewed ? { key: toKey(workspace.toLowerCase(), kind, viewed.toLowerCase()) } : {}),
            ...readUser(event.optionalText('UserId')),
          }
        }
        query = readNext(page.optionalText('continuationUri'))
      }
    }
}

const readUser = (user: string | undefined): Pick<View, 'user'> => (user?.includes('@') ? { user: user.toLowerCase() } : {})

/** The parts of a time span that are within one UTC day. */
const listDays = (from: Date, to: Date): [Date, Date][] => {
  const midnight = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), to.getUTCDate()))
  return from < midnight
    ? [
        [from, new Date(midnight.getTime() - 1)],
        [midnight, to],
      ]
    : [[from, to]]
}

/** Only its parameters: the token is sent to the configured address and to no other. */
const readNext = (uri: string | undefined): Record<string, string> | undefined => {
  if (uri === undefined) return undefined
  if (!URL.canParse(uri)) throw new HttpError(502, 'Power BI: `continuationUri` of the activity events is no address.')
  return Object.fromEntries(new URL(uri).searchParams)
}
