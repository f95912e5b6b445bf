import { BadgeCheck, CircleAlert, CircleSlash, TriangleAlert } from 'lucide-react'
import { useHealth } from '../api/health.ts'
import type { HealthStatus } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { cx } from './cx.ts'

interface TrustSignsProps {
  readonly status: HealthStatus
  readonly deprecated: boolean
  readonly verified: boolean
  readonly size?: number
}

/** Icons of health, deprecation and verification. The check mark is only green if nothing speaks against using the resource. */
export const TrustSigns = ({ status, deprecated, verified, size = 14 }: TrustSignsProps) => (
  <>
    {status === 'incident' && <Sign icon={CircleAlert} label={t('Open incident')} size={size} className="text-bad" />}
    {status === 'warning' && !deprecated && <Sign icon={TriangleAlert} label={t('Needs attention')} size={size} className="text-warn" />}
    {status === 'ok' && (
      <span role="img" aria-label={t('Healthy')} title={t('Healthy')} className="inline-block size-1.5 shrink-0 rounded-full bg-good" />
    )}
    {deprecated && <Sign icon={CircleSlash} label={t('Deprecated')} size={size} className="text-warn" />}
    {verified && (
      <Sign
        icon={BadgeCheck}
        label={t('Verified')}
        size={size}
        className={status === 'incident' || status === 'warning' ? 'text-faint' : 'text-good'}
      />
    )}
  </>
)

/** The same, with the health loaded for a resource that came without it. */
export const TrustBadges = ({ id, verified = false, size }: { id: string | undefined; verified?: boolean; size?: number }) => (
  <TrustSigns {...(useHealth(id) ?? { status: 'unknown', deprecated: false })} verified={verified} size={size} />
)

interface SignProps {
  readonly icon: typeof BadgeCheck
  readonly label: string
  readonly size: number
  readonly className: string
}

const Sign = ({ icon: Icon, label, size, className }: SignProps) => (
  <span role="img" aria-label={label} title={label} className={cx('inline-flex shrink-0', className)}>
    <Icon aria-hidden size={size} />
  </span>
)
