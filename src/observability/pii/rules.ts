import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getIntegrationName } from '../../sources/integrations/read.ts'
import type { PiiRule, PiiRuleEdit } from './pii-schema.ts'
import { acceptConfidentSuggestions } from './suggestions.ts'

/** What happens automatically with PII suggestions of an integration. */
export const findPiiRule = async (ctx: Context, integration_id: string): Promise<PiiRule> => {
  const { rows } = await sql<PiiRule>`
    select p.integration as integration_id, p.accept_from, p.scan_after_sync, p.scanned_at, p.updated_at from pii_rules p where p.integration = ${integration_id}
  `.execute(ctx.db)
  return rows[0] ?? { integration_id, accept_from: null, scan_after_sync: false, scanned_at: null, updated_at: null }
}

export const getPiiRule = async (ctx: Context, integration_id: string): Promise<PiiRule> => {
  await getIntegrationName(ctx, integration_id)
  return findPiiRule(ctx, integration_id)
}

/** Pending suggestions with sufficient confidence are accepted immediately. */
export const editPiiRule = (ctx: Context, integration_id: string, edit: PiiRuleEdit): Promise<PiiRule> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'integrations.manage')
    const name = await getIntegrationName(ctx, integration_id)
    const before = await findPiiRule(ctx, integration_id)
    const { accept_from = before.accept_from, scan_after_sync = before.scan_after_sync } = edit
    const changes = [
      { field: 'accept_from', from: before.accept_from, to: accept_from },
      { field: 'scan_after_sync', from: before.scan_after_sync, to: scan_after_sync },
    ].filter(({ from, to }) => from !== to)
    if (changes.length === 0) return before
    await sql`
      insert into pii_rules (integration, accept_from, scan_after_sync, updated_at)
      values (${integration_id}, ${accept_from}::float8, ${String(scan_after_sync)}::text::boolean, ${ctx.now}::timestamptz)
      on conflict (integration) do update set accept_from = excluded.accept_from, scan_after_sync = excluded.scan_after_sync, updated_at = excluded.updated_at
    `.execute(ctx.db)
    await recordActivity(ctx, {
      activity_type: 'pii_rule_updated',
      resource_id: integration_id,
      resource_type: 'integration',
      resource_title: name,
      integration_id,
      changes,
    })
    if (accept_from !== null) await acceptConfidentSuggestions(ctx, integration_id, accept_from)
    return findPiiRule(ctx, integration_id)
  })
