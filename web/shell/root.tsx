import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../api/session.ts'
import { ErrorView, Skeleton } from '../ui/states.tsx'
import { Toasts } from '../ui/toast.tsx'
import { Shell } from './shell.tsx'

const SignIn = lazy(async () => ({ default: (await import('../session/sign-in.tsx')).SignIn }))
const WITHOUT_SHELL = /^\/(sign-in|welcome|shared(\/.*)?)$/
/** Needs a signed-in user, but is a question of another application rather than a page of this one. */
const CONSENT = '/oauth/authorize'

/** Shows the sign-in form at any URL when not signed in, so that users end up on the page they opened. */
export const Root = () => {
  const { pathname } = useLocation()
  const session = useSession()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (session.data && !wasSignedIn) setWasSignedIn(true)
  const inner = WITHOUT_SHELL.test(pathname) ? (
    <Outlet />
  ) : session.data && pathname === CONSENT ? (
    <Outlet />
  ) : session.data ? (
    <Shell>
      <Outlet />
    </Shell>
  ) : session.data === null ? (
    <SignIn ended={wasSignedIn} />
  ) : session.error ? (
    <ErrorView error={session.error} retry={() => void session.refetch()} />
  ) : (
    <Skeleton lines={6} className="p-6" />
  )
  return (
    <>
      <Suspense>{inner}</Suspense>
      <Toasts />
    </>
  )
}
