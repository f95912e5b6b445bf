/** The pictures of the documentation, on the demo. */
export interface Screenshot {
  /** docs/images/<name>.png */
  readonly name: string
  /** The page; `{monitor}` is the ID of the monitor with the incident. */
  readonly path: string
  /** What is there when the page has loaded. */
  readonly until: string
  readonly size?: readonly [width: number, height: number]
}

const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388' // the same in every demo

export const SCREENSHOTS: readonly Screenshot[] = [
  { name: 'catalog', path: '/search?q=orders', until: 'role=grid >> text=fct_orders' },
  { name: 'table', path: `/r/${ORDERS}`, until: 'text=never add them up' },
  { name: 'lineage', path: `/lineage/${ORDERS}?level=column`, until: 'role=button[name=/^Trace status/]' },
  { name: 'what-if', path: `/lineage/${ORDERS}?view=what-if&change=gone`, until: 'role=table >> text=stg_orders' },
  { name: 'monitor', path: '/monitors/{monitor}', until: 'role=table', size: [1280, 760] },
  { name: 'insights', path: '/insights', until: 'role=row >> text=Shop warehouse' },
  { name: 'api', path: '/docs', until: 'text=Resources of every entity type', size: [1400, 900] },
]

export const MONITOR_NAME = 'Orders loaded each night'
