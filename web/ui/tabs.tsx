import { Link } from '@tanstack/react-router'
import { cx } from './cx.ts'
import { formatCount } from './number.ts'

export interface Tab {
  readonly id: string
  readonly label: string
  readonly count?: number
}

/** Scrolls the selected tab into view on phones. */
const intoView = (tab: HTMLElement | null) => {
  if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 24
}

/** Tabs as links to the same page with another `tab`, so that they can be shared and work with Back. */
export const Tabs = ({ tabs, chosen, label }: { tabs: readonly Tab[]; chosen: string; label: string }) => (
  <nav aria-label={label} className="scroll-shadows -mb-px flex overflow-x-auto border-b border-line">
    {tabs.map(({ id, label, count: n }, i) => (
      <Link
        key={id}
        to="."
        search={(before: Record<string, unknown>) => ({ ...before, tab: i === 0 ? undefined : id })}
        ref={id === chosen ? intoView : undefined}
        aria-current={id === chosen ? 'page' : undefined}
        className={cx(
          'flex h-9 items-center gap-1.5 border-b-2 px-2.5 text-sm whitespace-nowrap -outline-offset-2',
          id === chosen ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
        )}
      >
        {label}
        {n !== undefined && <span className="text-xs text-faint">{formatCount(n)}</span>}
      </Link>
    ))}
  </nav>
)
