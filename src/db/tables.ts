import type { AccessTables } from './tables/access.ts'
import type { CatalogTables } from './tables/catalog.ts'
import type { LineageTables } from './tables/lineage.ts'
import type { NotifyTables } from './tables/notify.ts'
import type { SourcesTables } from './tables/sources.ts'
import type { WorkTables } from './tables/work.ts'

/** The database as the migrations leave it; a test holds these pages against it. */
export interface Tables extends AccessTables, CatalogTables, LineageTables, NotifyTables, SourcesTables, WorkTables {}
