import { Document } from 'yaml'
import type { Context } from '../../platform/context/context.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findResourcesByPath } from '../monitor-model/paths.ts'
import { toItem } from './item.ts'
import { DEFAULT_FILE } from './schema.ts'
import { findMonitorsOfFile } from './store.ts'

const HEADER_COMMENT = ` Monitors as code. Edit, commit and apply this file:
   curl -X PUT $TABLINUM/api/v1/monitor/config -H "Authorization: Bearer $TOKEN" \\
     -H "Content-Type: application/yaml" --data-binary @monitors.yaml
 Add ?dry_run=true to see the changes without applying them.`

/** Exports monitors as YAML. The output is deterministic, so that it can be kept in version control. */
export const formatConfig = async (ctx: Context, file?: string): Promise<string> => {
  requirePermission(ctx.actor, 'monitors.config')
  const rows = await findMonitorsOfFile(ctx, file)
  const resourcesByPath = await findResourcesByPath(
    ctx,
    rows.map(({ of }) => of.title_full),
  )
  const items = rows.map((row) => {
    const others = resourcesByPath.get(row.of.title_full) ?? []
    const integration = others.find(({ id }) => id === row.target)?.integration_name
    return toItem(row, others.length > 1 && integration ? integration : undefined)
  })
  const document = new Document({ version: 1, ...(file === undefined || file === DEFAULT_FILE ? {} : { file }), monitors: items })
  document.commentBefore = HEADER_COMMENT
  return document.toString({ lineWidth: 0, aliasDuplicateObjects: false } as object)
}
