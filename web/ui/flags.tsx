import { BadgeCheck, EyeOff, ShieldAlert, Unplug } from 'lucide-react'
import type { Resource } from '../api/types.ts'
import { t } from '../words/words.ts'

/** What one should know before trusting it, as small signs. */
export const Flags = ({ verified, pii, published, stale }: Pick<Resource, 'verified' | 'pii' | 'published' | 'stale'>) => (
  <span className="inline-flex shrink-0 items-center gap-1">
    {verified && <BadgeCheck role="img" aria-label={t('Verified')} size={14} className="text-good" />}
    {pii && <ShieldAlert role="img" aria-label={t('Personal data')} size={14} className="text-warn" />}
    {!published && <EyeOff role="img" aria-label={t('Not published')} size={14} className="text-faint" />}
    {stale && <Unplug role="img" aria-label={t('Gone from its source')} size={14} className="text-bad" />}
  </span>
)
