import { BadgeCheck, Eye, EyeOff, type LucideIcon, ShieldAlert, Unplug } from 'lucide-react'
import type { Resource, ResourceEdit } from '../api/types.ts'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { When } from '../ui/time.tsx'

interface Flag {
  readonly field: 'verified' | 'pii' | 'published'
  readonly on: string
  readonly off: string
  /** What pressing it does. */
  readonly press: string
  readonly undo: string
  readonly icon: LucideIcon
  readonly offIcon?: LucideIcon
  readonly look: string
}

const FLAGS: readonly Flag[] = [
  {
    field: 'verified',
    on: 'Verified',
    off: 'Not verified',
    press: 'Verify it',
    undo: 'Take the verification back',
    icon: BadgeCheck,
    look: 'bg-good-soft text-good',
  },
  {
    field: 'pii',
    on: 'Personal data',
    off: 'No personal data',
    press: 'Mark as personal data',
    undo: 'It holds no personal data',
    icon: ShieldAlert,
    look: 'bg-warn-soft text-warn',
  },
  {
    field: 'published',
    on: 'Published',
    off: 'Not published',
    press: 'Publish it: viewers see it then',
    undo: 'Hide it from viewers',
    icon: Eye,
    offIcon: EyeOff,
    look: 'bg-accent-soft text-accent',
  },
]

/** The flags of a resource. Who may write it presses them; everyone else sees those that hold. */
export const FlagToggles = ({ resource, onChange }: { resource: Resource; onChange: (edit: ResourceEdit) => void }) => {
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
        const shape = 'inline-flex h-6 items-center gap-1 rounded-full px-2 text-xs font-medium'
        if (!writes)
          return (
            <span key={field} className={cx(shape, look)}>
              {inner}
            </span>
          )
        return (
          <button
            key={field}
            type="button"
            title={set ? undo : press}
            onClick={() => onChange({ [field]: !set })}
            className={cx(shape, set ? look : 'border border-dashed border-line-strong/60 text-faint hover:text-ink')}
          >
            {inner}
          </button>
        )
      })}
      {resource.archived && <Badge tone="warn">Archived</Badge>}
      {resource.stale && (
        <Badge tone="bad" icon={Unplug}>
          Gone from its source since <When at={resource.stale_at} />
        </Badge>
      )}
    </div>
  )
}
