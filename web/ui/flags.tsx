import { EyeOff, ShieldAlert, Unplug } from 'lucide-react'
import type { Resource } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { TrustBadges } from './trust-badges.tsx'

type WithFlags = Pick<Resource, 'verified' | 'pii' | 'published' | 'stale'> & { readonly id?: string }

/** Status icons of a resource. */
export const Flags = ({ id, verified, pii, published, stale }: WithFlags) => (
  <span className="inline-flex shrink-0 items-center gap-1">
    <TrustBadges id={id} verified={verified} />
    {pii && <ShieldAlert role="img" aria-label={t('PII')} size={14} className="text-warn" />}
    {!published && <EyeOff role="img" aria-label={t('Unpublished')} size={14} className="text-faint" />}
    {stale && <Unplug role="img" aria-label={t('No longer in source')} size={14} className="text-bad" />}
  </span>
)
