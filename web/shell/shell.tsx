import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { signOut, useBootstrap } from '../api/session.ts'
import { subscribeToEvents } from '../api/stream.ts'
import type { CommandId } from '../commands/commands.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { ErrorBoundary, Skeleton } from '../ui/states.tsx'
import { setTheme } from '../ui/theme.ts'
import { DESTINATIONS, type Destination } from './nav.ts'
import { BottomBar, Sidebar } from './sidebar.tsx'

const loadPalette = async () => ({ default: (await import('../commands/palette.tsx')).Palette })
const Palette = lazy(loadPalette)
const ShortcutsDialog = lazy(async () => ({ default: (await import('../commands/shortcuts-dialog.tsx')).ShortcutsDialog }))
const Inbox = lazy(async () => ({ default: (await import('./inbox.tsx')).Inbox }))

type Overlay = 'palette' | 'keys' | 'inbox'

/** App shell: sidebar, command palette, inbox and global shortcuts. */
export const Shell = ({ children }: { children: ReactNode }) => {
  const [overlay, setOverlay] = useState<Overlay>()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const close = () => setOverlay(undefined)

  useEffect(() => subscribeToEvents(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes overlays
  useEffect(() => setOverlay(undefined), [pathname])
  useFocusRecovery()
  useEffect(() => {
    const soon = setTimeout(loadPalette, 1500) // preloaded when idle, so that the first ⌘K opens at once
    return () => clearTimeout(soon)
  }, [])

  useCommand('palette', () => setOverlay('palette'))
  useCommand('search', () => setOverlay('palette'))
  useCommand('keys', () => setOverlay('keys'))
  useCommand('inbox', () => setOverlay('inbox'))
  useCommand('theme.light', () => setTheme('light'))
  useCommand('theme.dark', () => setTheme('dark'))
  useCommand('theme.system', () => setTheme('system'))
  useCommand('sign-out', () => void signOut())
  useCommand('lineage.sql', () => void navigate({ to: '/lineage/sql' }))

  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2">
        {t('Skip to content')}
      </a>
      {DESTINATIONS.map((destination) => (
        <DestinationCommand key={destination.to} {...destination} />
      ))}
      <Sidebar onPalette={() => setOverlay('palette')} onInbox={() => setOverlay('inbox')} onKeys={() => setOverlay('keys')} />
      <main id="content" tabIndex={-1} className="min-h-0 min-w-0 flex-1 overflow-hidden">
        <ErrorBoundary reset={pathname}>
          <Suspense fallback={<Skeleton lines={6} className="p-6" />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <BottomBar onPalette={() => setOverlay('palette')} onInbox={() => setOverlay('inbox')} onKeys={() => setOverlay('keys')} />
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} />}
        {overlay === 'keys' && <ShortcutsDialog onClose={close} />}
        {overlay === 'inbox' && <Inbox onClose={close} />}
      </Suspense>
    </div>
  )
}

/**
 * When the focused element is removed (its page was left, its action is done), the content gets the focus: the next Tab starts there instead of
 * at the top of the page. Whoever knows a better place focuses it while rendering, before this looks.
 */
const useFocusRecovery = (): void =>
  useEffect(() => {
    let focused: Node | null = document.activeElement
    const remember = ({ target }: FocusEvent) => {
      focused = target as Node
    }
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return
      focused = null
      document.getElementById('content')?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])

/** Binds the command of a destination. */
const DestinationCommand = ({ to, command, permission, setting }: Destination & { command: CommandId }) => {
  const navigate = useNavigate()
  const { me, settings } = useBootstrap()
  useCommand(command, () => void navigate({ to }), (!permission || me.permissions.includes(permission)) && (!setting || settings[setting]))
  return null
}
