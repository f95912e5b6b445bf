import { Link, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useMe } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, NoAccess, Skeleton } from '../ui/states.tsx'
import { SECTIONS } from './sections.ts'

const ITEM =
  'flex min-h-8 items-center rounded-md px-2.5 text-sm whitespace-nowrap text-soft md:py-1 md:whitespace-normal -outline-offset-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent'

/** On a phone the sections scroll sideways: keep the current one visible. */
const scrollIntoView = (item: HTMLElement | null): void => item?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

/** Settings; each section has its own URL. */
export const Settings = () => {
  const { section = SECTIONS[0]!.id } = useParams({ strict: false })
  const { permissions } = useMe()
  const mine = SECTIONS.filter(({ permission }) => !permission || permissions.includes(permission))
  const chosen = mine.find(({ id }) => id === section)
  return (
    <Page title={t('Settings')} documentTitle={chosen && `${chosen.label} · ${t('Settings')}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-[11rem_minmax(0,1fr)] md:gap-8">
        <nav
          aria-label={t('Settings')}
          className="flex gap-1 overflow-x-auto max-md:border-b max-md:border-line max-md:pb-2 md:grid md:gap-0.5"
        >
          {mine.map(({ id, label, group }, i) => (
            <Link
              key={id}
              to="/settings/$section"
              params={{ section: id }}
              aria-current={id === section ? 'page' : undefined}
              ref={id === section ? scrollIntoView : undefined}
              className={cx(ITEM, i > 0 && group !== mine[i - 1]!.group && 'md:mt-3')}
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="grid max-w-4xl min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
          {chosen ? (
            <SettingsSection key={chosen.id} section={chosen} />
          ) : SECTIONS.some(({ id }) => id === section) ? (
            <NoAccess />
          ) : (
            <EmptyState title={t('Not found')}>{t('This settings page doesn’t exist.')}</EmptyState>
          )}
        </div>
      </div>
    </Page>
  )
}

const SettingsSection = ({ section: { component: Part } }: { section: (typeof SECTIONS)[number] }) => (
  <Suspense fallback={<Skeleton lines={5} />}>
    <Part />
  </Suspense>
)
