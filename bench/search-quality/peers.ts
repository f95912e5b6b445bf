import type { Db } from '../../src/platform/db/connect.ts'
import type { Catalog } from './catalog.ts'
import type { Engine } from './evaluate.ts'

export const createPeers = async (_db: Db, _catalog: Catalog): Promise<Engine[]> => []
