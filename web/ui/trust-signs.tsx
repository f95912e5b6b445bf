import { BadgeCheck, CircleAlert } from 'lucide-react'
import { useOpenIncidents } from '../api/health.ts'
import { t } from '../words/words.ts'
import { cx } from './cx.ts'

/** Whether it can be trusted: verified, and no incident is open. Of something with an open incident the tick is not green. */
export const TrustSigns = ({ id, verified, size = 14 }: { id: string | undefined; verified: boolean; size?: number }) => {
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
