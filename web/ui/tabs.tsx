import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { Menu } from './menu.tsx'
import { formatCount } from './number.ts'

export interface Tab {
  readonly id: string
  readonly label: string
  readonly count?: number
}

/** Scrolls the selected tab into view where not all fit. */
const intoView = (tab: HTMLElement | null) => {
  if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 24
}

/**
 * Tabs as links to the same page with another `tab`, so that they can be shared and work with Back. Where not all fit, a menu lists them:
 * a mouse cannot scroll sideways, and those beyond the edge would not be found.
 */
export const Tabs = ({ tabs, chosen, label }: { tabs: readonly Tab[]; chosen: string; label: string }) => {
  const row = useRef<HTMLElement>(null)
  const [overflows, setOverflows] = useState(false)
  const navigate = useNavigate()
  const toSearch = (id: string) => (before: Record<string, unknown>) => ({ ...before, tab: id === tabs[0]?.id ? undefined : id })
  // The frame and not the row: the menu takes its place from the row, which would then measure itself again.
  useEffect(() => {
    const [nav, frame] = [row.current!, row.current!.parentElement!] // the reference is empty before the observer is disconnected
    const observer = new ResizeObserver(() => setOverflows(nav.scrollWidth > frame.clientWidth)) // measures now, too
    observer.observe(frame)
    return () => observer.disconnect()
  }) // after every change of the tabs and their counts
  return (
    <div className="-mb-px flex border-b border-line">
      <nav ref={row} aria-label={label} className="scroll-shadows flex min-w-0 flex-1 overflow-x-auto">
        {tabs.map(({ id, label, count: n }) => (
          <Link
            key={id}
            to="."
            search={toSearch(id)}
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
      {overflows && (
        <Menu
          label={label}
          align="end"
          items={tabs.map(({ id, label, count: n }) => ({
            label,
            checked: id === chosen,
            hint: n === undefined ? undefined : formatCount(n),
            onSelect: () => void navigate({ to: '.', search: toSearch(id) }),
          }))}
          trigger={(props) => <IconButton {...props} label={t('All tabs')} icon={ChevronDown} className="my-auto" />}
        />
      )}
    </div>
  )
}
