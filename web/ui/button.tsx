import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

type ButtonVariant = 'plain' | 'primary' | 'quiet' | 'danger'

const VARIANT_CLASSES: Record<ButtonVariant, string> = {
  plain: 'border border-line bg-raised text-ink hover:bg-hover',
  primary: 'border border-transparent bg-accent-fill text-on-accent hover:opacity-90',
  quiet: 'border border-transparent text-soft hover:bg-hover hover:text-ink',
  danger: 'border border-transparent bg-bad-fill text-on-accent hover:opacity-90',
}

/** Button classes, also for links that look like buttons. */
export const buttonClass = (look: ButtonVariant = 'plain', small = false, more?: string): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    small ? 'h-7 px-2 text-sm' : 'h-8 px-3 text-sm',
    VARIANT_CLASSES[look],
    more,
  )

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: ButtonVariant
  readonly small?: boolean
  readonly icon?: LucideIcon
  /** Its action is running: does nothing until it has finished. It keeps the focus, which a disabled button loses. */
  readonly busy?: boolean
  readonly children?: ReactNode
}

export const Button = ({ look, small, icon: Icon, busy, className, children, onClick, ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    aria-disabled={busy || undefined}
    aria-busy={busy}
    className={buttonClass(look, small, className)}
  >
    {Icon && <Icon aria-hidden size={15} />}
    {children}
  </button>
)

/** An icon-only button; the label is for screen readers and the tooltip. */
export const IconButton = ({ label, icon: Icon, className, ...props }: ComponentProps<'button'> & { label: string; icon: LucideIcon }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    {...props}
    className={cx(
      'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink disabled:opacity-55',
      className,
    )}
  >
    <Icon aria-hidden size={16} />
  </button>
)
