import { BadgeCheck, CircleAlert } from 'lucide-react'
import { useOpenIncidents } from '../api/health.ts'
import { t } from '../i18n/messages.ts'
import { cx } from './cx.ts'

/** Verified and open-incident icons. The check mark is not green while an incident is open. */
export const TrustBadges = ({ id, verified, size = 14 }: { id: string | undefined; verified: boolean; size?: number }) => {
  const open = useOpenIncidents(id)
  return (
    <>
      {open > 0 && (
        <CircleAlert
          role="img"
          aria-label={t('{n:# open incident|# open incidents}', { n: open })}
          size={size}
          className="inline shrink-0 text-bad"
        />
      )}
      {verified && (
        <BadgeCheck
          role="img"
          aria-label={t('Verified')}
          size={size}
          className={cx('inline shrink-0', open > 0 ? 'text-faint' : 'text-good')}
        />
      )}
    </>
  )
}
