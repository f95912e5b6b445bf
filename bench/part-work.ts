import { createRuntime } from '../src/app/runtime.ts'
import { findRowsWithVersion } from '../src/catalog/records/resource-rows.ts'
import { editResource, editResources } from '../src/catalog/resources/edit.ts'
import { parseAndSaveLineage } from '../src/lineage/queries/from-query.ts'
import type { Context } from '../src/platform/context/context.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'

/** What the benchmark of parts runs, with a runtime of its own: imported twice, once with a part replaced. */
export const openWork = (url: string, workspace_id: string) => {
  const runtime = createRuntime(url)
  const { db } = runtime.databases.request
  const ctx = (): Context => ({ db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} })
  return {
    editTitle: (id: string, title: string) => editResource(ctx(), id, { title }),
    editOwners: (ids: readonly string[], owners: string[]) =>
      editResources(
        ctx(),
        ids.map((id) => ({ id, data: { owners } })),
      ),
    replaceLineage: (sql: string) => parseAndSaveLineage(ctx(), { sql }, { replace: true }),
    readRows: (ids: readonly string[]) => findRowsWithVersion(db, ids),
    readVersions: (ids: readonly string[]) => Promise.all(ids.map((id) => runtime.rowVersions.resource(id))),
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  }
}

export type Work = ReturnType<typeof openWork>
