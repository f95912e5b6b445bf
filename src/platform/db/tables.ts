import type { AccessTables } from './tables/access.ts'
import type { AssistantTables } from './tables/assistant.ts'
import type { CatalogTables } from './tables/catalog.ts'
import type { LineageTables } from './tables/lineage.ts'
import type { MonitorsTables } from './tables/monitors.ts'
import type { NotifyTables } from './tables/notify.ts'
import type { ProfilesTables } from './tables/profiles.ts'
import type { QueueTables } from './tables/queue.ts'
import type { SearchTables } from './tables/search.ts'
import type { SecondarySourceTables } from './tables/secondary-sources.ts'
import type { SessionsTables } from './tables/sessions.ts'
import type { SourcesTables } from './tables/sources.ts'

/** The tables after all migrations; a test compares these types with the database. */
export interface Tables
  extends AccessTables,
    AssistantTables,
    CatalogTables,
    LineageTables,
    MonitorsTables,
    NotifyTables,
    ProfilesTables,
    SearchTables,
    SessionsTables,
    SourcesTables,
    SecondarySourceTables,
    QueueTables {}
