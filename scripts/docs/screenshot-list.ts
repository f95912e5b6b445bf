/** The pictures of the documentation, on the demo. */
export interface Screenshot {
  /** docs/images/<name>.png */
  readonly name: string
  /** The page; `{monitor}` is the ID of the monitor with the incident, `{incident}` that of the incident. */
  readonly path: string
  /** What is there when the page has loaded. */
  readonly until: string
  readonly size?: readonly [width: number, height: number]
}

// The same in every demo.
const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388'
const DAILY_REVENUE = '65467954-c670-5efc-839d-ca93e4a62e83'
const FCT_ORDERS = '408240dd-3987-558d-9644-7e6034b36de5'
const BUILD = 'e083373e-edcc-5627-aaa8-4fe5db5363b0' // How a table gets here
const REVENUE = 'ff8cebb6-a250-5c00-b91a-def2742fff67'

export const SCREENSHOTS: readonly Screenshot[] = [
  { name: 'catalog', path: '/search?q=orders', until: 'role=grid >> text=fct_orders' },
  { name: 'table', path: `/r/${ORDERS}`, until: 'text=never add them up' },
  { name: 'lineage', path: `/lineage/${ORDERS}?level=column`, until: 'role=button[name=/^Trace status/]' },
  { name: 'what-if', path: `/lineage/${ORDERS}?view=what-if&change=gone`, until: 'role=table >> text=stg_orders' },
  { name: 'monitor', path: '/monitors/{monitor}', until: 'role=table', size: [1280, 760] },
  { name: 'incident', path: '/incidents/{incident}', until: 'text=cohort_retention', size: [1440, 760] },
  { name: 'insights', path: '/insights', until: 'role=row >> text=Shop warehouse' },
  { name: 'documents', path: `/documents/${BUILD}`, until: 'role=img[name="From the shop to the dashboards"]', size: [1280, 640] },
  { name: 'glossary', path: `/glossary?term=${REVENUE}`, until: 'text=Average order value', size: [1280, 760] },
  { name: 'discussion', path: `/r/${ORDERS}?tab=discussion`, until: 'text=Are cancelled orders deleted', size: [1280, 760] },
  { name: 'root-cause', path: `/why/${DAILY_REVENUE}`, until: 'text=Open incident', size: [1280, 640] },
  { name: 'relationships', path: `/r/${ORDERS}?tab=relationships`, until: 'role=group[name="customers"]', size: [1280, 760] },
  { name: 'code', path: `/r/${FCT_ORDERS}?tab=code`, until: 'role=textbox >> text=create table', size: [1280, 860] },
  { name: 'schema-changes', path: `/r/${ORDERS}?tab=schema`, until: 'text=gift_message', size: [1280, 900] },
  { name: 'usage', path: `/r/${FCT_ORDERS}?tab=usage`, until: 'role=img[name="Uses in the source"]', size: [1280, 860] },
  { name: 'needs-you', path: '/needs-you', until: 'role=main >> role=listitem', size: [1280, 860] },
  { name: 'api', path: '/docs', until: 'text=Resources of every entity type', size: [1400, 900] },
]

export const MONITOR_NAME = 'Orders loaded each night'
