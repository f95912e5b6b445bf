import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'
import { RelativeTime } from './time.tsx'

/** How a kind of problem or task is shown. */
export interface SignalLook {
  readonly label: string
  readonly icon: LucideIcon
  /** Color of its icon. */
  readonly look: string
}

export const SignalIcon = ({ of: { icon: Icon, look }, size = 16 }: { of: SignalLook; size?: number }) => (
  <Icon aria-hidden size={size} className={cx('shrink-0', look)} />
)

/** When it began. */
export const Since = ({ at }: { at: string }) => (
  <span className="shrink-0 text-xs text-faint">
    <RelativeTime at={at} />
  </span>
)
