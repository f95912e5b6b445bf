import { BadgeCheck, Eye, EyeOff, type LucideIcon, ShieldAlert, Unplug } from 'lucide-react'
import type { HealthStatus, Resource, ResourceEdit } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { RelativeTime } from '../ui/time.tsx'

interface Flag {
  readonly field: 'verified' | 'pii' | 'published'
  readonly on: string
  readonly off: string
  /** Tooltip: what a click does. */
  readonly press: string
  readonly undo: string
  readonly icon: LucideIcon
  readonly offIcon?: LucideIcon
  readonly look: string
  readonly sign: string
}

const FLAGS: readonly Flag[] = [
  {
    field: 'verified',
    on: t('Verified'),
    off: t('Not verified'),
    press: t('Mark as verified'),
    undo: t('Remove verification'),
    icon: BadgeCheck,
    look: 'bg-good-soft text-good',
    sign: 'text-good',
  },
  {
    field: 'pii',
    on: t('PII'),
    off: t('Not marked as PII'),
    press: t('Mark as PII'),
    undo: t('Remove PII flag'),
    icon: ShieldAlert,
    look: 'bg-warn-soft text-warn',
    sign: 'text-warn',
  },
  {
    field: 'published',
    on: t('Published'),
    off: t('Unpublished'),
    press: t('Make visible to viewers'),
    undo: t('Hide from viewers'),
    icon: Eye,
    offIcon: EyeOff,
    look: 'bg-accent-soft text-accent',
    sign: 'text-soft',
  },
]

interface FlagTogglesProps {
  readonly resource: Resource
  readonly onChange: (edit: ResourceEdit) => void
  /** Something to know before using it: then the verification is not green. */
  readonly health?: HealthStatus
  /** Icons only, for a table cell; `tabIndex` decides whether Tab reaches them. */
  readonly signs?: { readonly tabIndex: number }
}

/** Flags of a resource: toggles for those who can edit it, badges for everyone else. */
export const FlagToggles = ({ resource, onChange, health, signs }: FlagTogglesProps) => {
  if (signs)
    return (
      <span className="-ms-1.5 flex">
        {FLAGS.map(({ field, on, press, undo, icon, offIcon, sign }) => {
          const set = resource[field]
          const Icon = set ? icon : (offIcon ?? icon)
          return (
            <button
              key={field}
              type="button"
              aria-label={on}
              aria-pressed={set}
              title={set ? undo : press}
              tabIndex={signs.tabIndex}
              onClick={() => onChange({ [field]: !set })}
              className={cx(
                'flex size-7 items-center justify-center rounded-md -outline-offset-2 hover:bg-bg',
                set ? sign : 'text-faint hover:text-ink',
                !set && !offIcon && 'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 pointer-coarse:opacity-100',
              )}
            >
              <Icon aria-hidden size={15} />
            </button>
          )
        })}
      </span>
    )
  const writes = resource.current_user_permissions.write
  const shown = FLAGS.filter(({ field }) => writes || (resource[field] && field !== 'published'))
  return (
    <div className="mt-2 flex flex-wrap items-center gap-1.5">
      {shown.map(({ field, on, off, press, undo, icon, offIcon, look }) => {
        const set = resource[field]
        const Icon = set ? icon : (offIcon ?? icon)
        const inner = (
          <>
            <Icon aria-hidden size={13} /> {set ? on : off}
          </>
        )
        const tone = field === 'verified' && (health === 'incident' || health === 'warning') ? 'bg-hover text-soft' : look
        const shape = 'inline-flex h-6 items-center gap-1 rounded-full px-2 text-xs font-medium'
        if (!writes)
          return (
            <span key={field} className={cx(shape, tone)}>
              {inner}
            </span>
          )
        return (
          <button
            key={field}
            type="button"
            title={set ? undo : press}
            onClick={() => onChange({ [field]: !set })}
            className={cx(shape, set ? tone : 'border border-dashed border-line-strong/60 text-faint hover:text-ink')}
          >
            {inner}
          </button>
        )
      })}
      {resource.archived && <Badge tone="warn">{t('Archived')}</Badge>}
      {resource.stale && (
        <Badge tone="bad" icon={Unplug}>
          <Trans message="Not in source since {when}" when={<RelativeTime at={resource.stale_at} />} />
        </Badge>
      )}
    </div>
  )
}
