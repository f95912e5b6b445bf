import type { AccessTables } from './tables/access.ts'
import type { CatalogTables } from './tables/catalog.ts'
import type { LineageTables } from './tables/lineage.ts'
import type { MonitorsTables } from './tables/monitors.ts'
import type { NotifyTables } from './tables/notify.ts'
import type { ProfilesTables } from './tables/profiles.ts'
import type { SessionsTables } from './tables/sessions.ts'
import type { SourcesTables } from './tables/sources.ts'
import type { VoicesTables } from './tables/voices.ts'
import type { WorkTables } from './tables/work.ts'

/** The tables after all migrations; a test compares these types with the database. */
export interface Tables
  extends AccessTables,
    CatalogTables,
    LineageTables,
    MonitorsTables,
    NotifyTables,
    ProfilesTables,
    SessionsTables,
    SourcesTables,
    VoicesTables,
    WorkTables {}
