import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { useValidity } from './use-validity.ts'

const BOX_CLASS =
  'rounded-md border border-line-strong/60 bg-bg text-ink -outline-offset-1 focus-visible:border-accent disabled:opacity-60 aria-invalid:border-bad'
const QUIET_CLASS = 'rounded-md border border-transparent bg-transparent text-soft -outline-offset-1 hover:bg-hover hover:text-ink'

interface Size {
  /** 28 pixels high, for rows and toolbars. */
  readonly small?: boolean
  /** As wide as its content. */
  readonly fit?: boolean
}

const getSizeClass = ({ small, fit }: Size): string => cx(small ? 'h-7 px-1.5 text-sm' : 'h-8 px-2.5', !fit && 'w-full min-w-0')

export const Input = ({ className, small, fit, ...props }: ComponentProps<'input'> & Size) => (
  <input autoComplete="off" spellCheck={false} {...props} className={cx(BOX_CLASS, getSizeClass({ small, fit }), className)} />
)

export const TextArea = ({ className, ...props }: ComponentProps<'textarea'>) => (
  <textarea rows={3} {...props} className={cx(BOX_CLASS, 'w-full px-2.5 py-1.5', className)} />
)

export const Select = ({ className, small, fit, quiet, ...props }: ComponentProps<'select'> & Size & { readonly quiet?: boolean }) => (
  <select {...props} className={cx(quiet ? QUIET_CLASS : BOX_CLASS, getSizeClass({ small, fit }), className)} />
)

export const Checkbox = ({ className, ...props }: ComponentProps<'input'>) => (
  <input type="checkbox" {...props} className={cx('size-4 shrink-0 accent-accent-fill', className)} />
)

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** Validation error from the server. */
  readonly error?: string | string[]
  readonly className?: string
  readonly children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ReactNode
}

/** A control with label, hint and error, linked for screen readers. */
export const Field = ({ label, hint, error, className, children }: FieldProps) => {
  const id = useId()
  const { message, events } = useValidity()
  const wrong = message ?? (Array.isArray(error) ? error.join(' ') : error)
  const described = wrong || hint ? `${id}-about` : undefined
  return (
    <div className={cx('grid gap-1', className)} {...events}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': wrong ? true : undefined })}
      {described && (
        <p id={described} className={cx('text-xs first-letter:uppercase', wrong ? 'text-bad' : 'text-faint')}>
          {wrong || hint}
        </p>
      )}
    </div>
  )
}

/** A switch for settings that apply immediately. */
export const Switch = ({
  checked,
  onChange,
  label,
  disabled,
}: {
  checked: boolean
  onChange: (on: boolean) => void
  label: string
  disabled?: boolean
}) => (
  <button
    type="button"
    role="switch"
    aria-checked={checked}
    aria-label={label}
    disabled={disabled}
    onClick={() => onChange(!checked)}
    className={cx(
      'inline-flex h-5 w-9 shrink-0 items-center rounded-full border p-0.5 transition-colors disabled:opacity-55',
      checked ? 'justify-end border-accent-fill bg-accent-fill' : 'border-line-strong bg-hover',
    )}
  >
    <span aria-hidden className={cx('size-3.5 rounded-full', checked ? 'bg-on-accent' : 'bg-line-strong')} />
  </button>
)
