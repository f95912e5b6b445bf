import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle, type LucideIcon, Radio, Trash2 } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { type Integration, type IntegrationTypeRecord, isRunning } from './queries.ts'

const getHealth = (
  { last_sync_status, last_synced_at, removal_job, resource_count }: Integration,
  type: IntegrationTypeRecord | undefined,
): readonly [Tone, LucideIcon, string] => {
  if (removal_job) return ['bad', Trash2, t('Deleting')]
  if (type?.pushes_only) return resource_count > 0 ? ['good', Radio, t('Receiving data')] : ['neutral', Radio, t('No data received')]
  if (isRunning(last_sync_status)) return ['accent', LoaderCircle, last_sync_status === 'PENDING' ? t('Sync queued') : t('Syncing')]
  if (last_sync_status === 'FAILED') return ['bad', CircleAlert, t('Failing')]
  return last_synced_at ? ['good', CircleCheck, t('Healthy')] : ['neutral', CircleDashed, t('Never synced')]
}

/** Status badge of an integration. */
export const HealthBadge = ({ of, type }: { of: Integration; type?: IntegrationTypeRecord }) => {
  const [tone, icon, label] = getHealth(of, type)
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  )
}
