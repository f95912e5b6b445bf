import type { LucideIcon } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Popover, type TriggerProps } from './popover.tsx'

export interface MenuItem {
  readonly label: string
  /** Language of the label, if it differs from the page's. */
  readonly lang?: string
  readonly icon?: LucideIcon
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Shows a check mark. */
  readonly checked?: boolean
  readonly hint?: ReactNode
  readonly onSelect: () => void
}

const handleMenuKeys = (event: KeyboardEvent<HTMLElement>): void => {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]:not([disabled])')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}

/** A button with a menu; the arrow keys move through it. */
export const Menu = ({
  trigger,
  label,
  items,
  align,
  side,
}: {
  trigger: (props: TriggerProps) => ReactNode
  label: string
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  side?: 'below' | 'above' | 'right'
}) => {
  const hasChecks = items.some(({ checked }) => checked !== undefined) // then all labels begin at the same place
  return (
    <Popover trigger={trigger} label={label} role="menu" align={align} side={side}>
      {(close) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the menu around it
        <div onKeyDown={handleMenuKeys} className="grid">
          {items.map(({ label, lang, icon: Icon, danger, disabled, checked, hint, onSelect }) => (
            <button
              key={label}
              type="button"
              lang={lang}
              role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={checked}
              disabled={disabled}
              onClick={() => {
                close()
                onSelect()
              }}
              className={cx(
                'flex h-8 items-center gap-2 rounded-md px-2 text-start text-sm hover:bg-hover focus-visible:bg-hover disabled:opacity-55',
                danger && 'text-bad',
              )}
            >
              {hasChecks && (
                <span aria-hidden className="w-4 text-accent">
                  {checked ? '✓' : ''}
                </span>
              )}
              {Icon && <Icon aria-hidden size={15} className={danger ? '' : 'text-faint'} />}
              <span className="flex-1 truncate">{label}</span>
              {hint && <span className="ps-4 text-xs text-faint">{hint}</span>}
            </button>
          ))}
        </div>
      )}
    </Popover>
  )
}
