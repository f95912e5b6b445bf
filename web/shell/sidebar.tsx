import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Ellipsis, Inbox, Keyboard, LogOut, Monitor, Moon, PanelsTopLeft, Pin, Search, Sun } from 'lucide-react'
import { signOut, useBootstrap } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Avatar } from '../ui/avatar.tsx'
import { cx } from '../ui/cx.ts'
import { Kbd } from '../ui/kbd.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { setTheme, useTheme } from '../ui/theme.ts'
import { DESTINATIONS, type Destination } from './nav.ts'

interface NavigationProps {
  readonly onPalette: () => void
  readonly onInbox: () => void
  readonly onKeys: () => void
}

const ITEM =
  'flex h-8 w-full items-center gap-2.5 rounded-md px-2.5 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent'

const useDestinations = (): readonly Destination[] => {
  const { me, settings } = useBootstrap()
  return DESTINATIONS.filter(
    ({ permission, setting }) => (!permission || me.permissions.includes(permission)) && (!setting || settings[setting]),
  )
}

const useAccountMenu = (onKeys: () => void): MenuItem[] => {
  const theme = useTheme()
  return [
    { label: t('Light'), icon: Sun, checked: theme === 'light', onSelect: () => setTheme('light') },
    { label: t('Dark'), icon: Moon, checked: theme === 'dark', onSelect: () => setTheme('dark') },
    { label: t('System'), icon: Monitor, checked: theme === 'system', onSelect: () => setTheme('system') },
    { label: t('Keyboard shortcuts'), icon: Keyboard, hint: <Kbd keys="?" />, onSelect: onKeys },
    { label: t('API reference'), icon: PanelsTopLeft, onSelect: () => void window.open('/docs', '_blank', 'noopener') },
    { label: t('Sign out'), icon: LogOut, onSelect: () => void signOut() },
  ]
}

const UnreadBadge = ({ count, className }: { count: number; className?: string }) =>
  count > 0 && (
    <span
      role="img"
      className={cx('rounded-full bg-accent-fill px-1.5 text-[0.6875rem] leading-4 font-semibold text-on-accent', className)}
      aria-label={t('{n} unread', { n: count })}
    >
      {count > 99 ? '99+' : count}
    </span>
  )

/** Sidebar: 196 pixels wide, icons only on narrow screens, hidden on phones. */
export const Sidebar = ({ onPalette, onInbox, onKeys }: NavigationProps) => {
  const { me, workspace, unread_count } = useBootstrap()
  const menu = useAccountMenu(onKeys)
  return (
    <header className="hidden w-14 shrink-0 flex-col gap-1 border-e border-line bg-sunken p-2 md:flex lg:w-49">
      <Link to="/" className="flex h-9 items-center gap-2 rounded-md px-1.5 font-semibold lg:px-2">
        <img src="/favicon.svg" alt="" width={22} height={22} className="shrink-0" />
        <span className="truncate max-lg:sr-only">{workspace.name}</span>
      </Link>
      <button
        type="button"
        onClick={onPalette}
        className="mb-1 flex h-8 w-full items-center gap-2 rounded-md border border-line bg-raised px-2.5 text-sm text-faint hover:border-line-strong max-lg:justify-center max-lg:px-0"
      >
        <Search aria-hidden size={15} className="lg:hidden" />
        <span className="flex-1 text-start max-lg:sr-only">{t('Jump to…')}</span>
        <span className="max-lg:hidden">
          <Kbd keys="mod+k" />
        </span>
      </button>
      <nav aria-label={t('Main')} className="grid gap-0.5">
        {useDestinations().map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={cx(ITEM, 'max-lg:justify-center')}
            title={label}
          >
            <Icon aria-hidden size={16} className="shrink-0" />
            <span className="max-lg:sr-only">{label}</span>
          </Link>
        ))}
      </nav>
      <PinnedViews />
      <div className="mt-auto grid grid-cols-1 gap-0.5">
        <button type="button" onClick={onInbox} className={cx(ITEM, 'relative max-lg:justify-center')} title={t('Inbox')}>
          <Inbox aria-hidden size={16} className="shrink-0" />
          <span className="flex-1 text-start max-lg:sr-only">{t('Inbox')}</span>
          <UnreadBadge count={unread_count} className="max-lg:absolute max-lg:end-0 max-lg:top-0" />
        </button>
        <Menu
          label={t('Account')}
          side="above"
          items={menu}
          trigger={(props) => (
            <button type="button" {...props} className={cx(ITEM, 'max-lg:justify-center')}>
              <Avatar name={me.name} />
              <span className="min-w-0 flex-1 truncate text-start max-lg:sr-only">{me.name}</span>
              <span className="sr-only">{t(': account menu')}</span>
              <ChevronsUpDown aria-hidden size={14} className="text-faint max-lg:hidden" />
            </button>
          )}
        />
      </div>
    </header>
  )
}

/** Saved views that the user pinned; on narrow screens they are on the home page only. */
const PinnedViews = () => {
  const { pinned_views } = useBootstrap()
  if (pinned_views.length === 0) return null
  return (
    <nav
      aria-label={t('Pinned views')}
      className="mt-2 grid min-h-0 grid-cols-[minmax(0,1fr)] gap-0.5 overflow-y-auto border-t border-line pt-2 max-lg:hidden"
    >
      {pinned_views.map(({ id, name, query }) => (
        <RowLink key={id} href={`/search?${query}`} className={ITEM} title={name}>
          <Pin aria-hidden size={14} className="shrink-0" />
          <span className="truncate" dir="auto">
            {name}
          </span>
        </RowLink>
      ))}
    </nav>
  )
}

const TAB =
  'relative flex h-full flex-1 flex-col items-center justify-center gap-0.5 text-[0.6875rem] text-soft aria-[current=page]:text-accent'

/** Bottom navigation on phones. */
export const BottomBar = ({ onPalette, onInbox, onKeys }: NavigationProps) => {
  const { unread_count } = useBootstrap()
  const destinations = useDestinations()
  const menu = useAccountMenu(onKeys)
  return (
    <nav aria-label={t('Main')} className="flex h-14 shrink-0 border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden">
      {destinations
        .filter(({ first }) => first)
        .map(({ to, label, icon: Icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className={TAB}>
            <Icon aria-hidden size={18} />
            {label}
          </Link>
        ))}
      <button type="button" onClick={onInbox} className={TAB}>
        <Inbox aria-hidden size={18} />
        {t('Inbox')}
        <UnreadBadge count={unread_count} className="absolute end-2 top-1" />
      </button>
      <MoreDestinations
        destinations={destinations.filter(({ first }) => !first)}
        menu={[{ label: t('Search and commands'), icon: Search, onSelect: onPalette }, ...menu]}
      />
    </nav>
  )
}

const MoreDestinations = ({ destinations, menu }: { destinations: readonly Destination[]; menu: readonly MenuItem[] }) => {
  const navigate = useNavigate()
  const items = [...destinations.map(({ to, label, icon }) => ({ label, icon, onSelect: () => void navigate({ to }) })), ...menu]
  return (
    <Menu
      label={t('More')}
      align="end"
      side="above"
      items={items}
      trigger={(props) => (
        <button type="button" {...props} className={TAB}>
          <Ellipsis aria-hidden size={18} />
          {t('More')}
        </button>
      )}
    />
  )
}
