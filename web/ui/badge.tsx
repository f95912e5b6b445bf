import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

const TONES: Record<Tone, string> = {
  neutral: 'bg-hover text-soft',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
}

/** A short label, e.g. a status or count. */
export const Badge = ({
  tone = 'neutral',
  icon: Icon,
  title,
  children,
}: {
  tone?: Tone
  icon?: LucideIcon
  title?: string
  children: ReactNode
}) => (
  <span
    title={title}
    className={cx('inline-flex items-center gap-1 rounded-full px-1.5 py-px text-xs font-medium whitespace-nowrap', TONES[tone])}
  >
    {Icon && <Icon aria-hidden size={12} />}
    {children}
  </span>
)

/** A tag with its color. */
export const TagChip = ({ name, color, children }: { name: string; color?: string | null; children?: ReactNode }) => (
  <span className="inline-flex max-w-48 items-center gap-1.5 rounded-md border border-line bg-raised px-1.5 py-px text-xs text-soft">
    <span aria-hidden className="size-2 shrink-0 rounded-full bg-line-strong" style={color ? { backgroundColor: color } : undefined} />
    <span className="truncate" dir="auto">
      {name}
    </span>
    {children}
  </span>
)
