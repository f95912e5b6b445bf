import { Document } from 'yaml'
import { mustBeAble } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { findByPaths } from '../paths.ts'
import { toItem } from './item.ts'
import { DEFAULT_FILE } from './schema.ts'
import { findOfFile } from './store.ts'

const HEAD = ` Monitors as code. Edit, commit and apply this file:
   curl -X PUT $TABLINUM/api/v1/monitor/config -H "Authorization: Bearer $TOKEN" \\
     -H "Content-Type: application/yaml" --data-binary @monitors.yaml
 Add ?dry_run=true to see the changes without applying them.`

/** Exports monitors as YAML. The output is deterministic, so that it can be kept in version control. */
export const writeConfig = async (ctx: Context, file?: string): Promise<string> => {
  mustBeAble(ctx.actor, 'monitors.config')
  const rows = await findOfFile(ctx, file)
  const namesakes = await findByPaths(
    ctx,
    rows.map(({ of }) => of.title_full),
  )
  const items = rows.map((row) => {
    const others = namesakes.get(row.of.title_full) ?? []
    const integration = others.find(({ id }) => id === row.target)?.integration_name
    return toItem(row, others.length > 1 && integration ? integration : undefined)
  })
  const document = new Document({ version: 1, ...(file === undefined || file === DEFAULT_FILE ? {} : { file }), monitors: items })
  document.commentBefore = HEAD
  return document.toString({ lineWidth: 0, aliasDuplicateObjects: false } as object)
}
