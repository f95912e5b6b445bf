import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { signOut, useMe } from '../api/session.ts'
import { listen } from '../api/stream.ts'
import type { CommandId } from '../commands/all.ts'
import { useCommand } from '../commands/use-command.ts'
import { Boundary, Skeleton } from '../ui/states.tsx'
import { chooseTheme } from '../ui/theme.ts'
import { t } from '../words/words.ts'
import { DESTINATIONS, type Destination } from './nav.ts'
import { BottomBar, Rail } from './rail.tsx'

const loadPalette = async () => ({ default: (await import('../commands/palette.tsx')).Palette })
const Palette = lazy(loadPalette)
const KeysSheet = lazy(async () => ({ default: (await import('../commands/sheet.tsx')).KeysSheet }))
const Inbox = lazy(async () => ({ default: (await import('./inbox.tsx')).Inbox }))

type Over = 'palette' | 'keys' | 'inbox'

/** App shell: sidebar, command palette, inbox and global shortcuts. */
export const Shell = ({ children }: { children: ReactNode }) => {
  const [over, setOver] = useState<Over>()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const close = () => setOver(undefined)

  useEffect(() => listen(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes overlays
  useEffect(() => setOver(undefined), [pathname])
  useEffect(() => {
    const soon = setTimeout(loadPalette, 1500) // preloaded when idle, so that the first ⌘K opens at once
    return () => clearTimeout(soon)
  }, [])

  useCommand('palette', () => setOver('palette'))
  useCommand('search', () => setOver('palette'))
  useCommand('keys', () => setOver('keys'))
  useCommand('inbox', () => setOver('inbox'))
  useCommand('theme.light', () => chooseTheme('light'))
  useCommand('theme.dark', () => chooseTheme('dark'))
  useCommand('theme.system', () => chooseTheme('system'))
  useCommand('sign-out', () => void signOut())
  useCommand('lineage.sql', () => void navigate({ to: '/lineage/sql' }))

  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2">
        {t('Skip to content')}
      </a>
      {DESTINATIONS.map((destination) => (
        <GoTo key={destination.to} {...destination} />
      ))}
      <Rail onPalette={() => setOver('palette')} onInbox={() => setOver('inbox')} onKeys={() => setOver('keys')} />
      <main id="content" tabIndex={-1} className="min-h-0 min-w-0 flex-1 overflow-hidden">
        <Boundary reset={pathname}>
          <Suspense fallback={<Skeleton lines={6} className="p-6" />}>{children}</Suspense>
        </Boundary>
      </main>
      <BottomBar onPalette={() => setOver('palette')} onInbox={() => setOver('inbox')} onKeys={() => setOver('keys')} />
      <Suspense>
        {over === 'palette' && <Palette onClose={close} />}
        {over === 'keys' && <KeysSheet onClose={close} />}
        {over === 'inbox' && <Inbox onClose={close} />}
      </Suspense>
    </div>
  )
}

/** Binds the command of a destination. */
const GoTo = ({ to, command, permission }: Destination & { command: CommandId }) => {
  const navigate = useNavigate()
  const { permissions } = useMe()
  useCommand(command, () => void navigate({ to }), !permission || permissions.includes(permission))
  return null
}
