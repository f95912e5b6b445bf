import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Drafts } from '../editor/drafts.ts'
import { t } from '../i18n/messages.ts'
import { api, isApiError, onSignedOut } from './client.ts'
import { queryClient } from './query-client.ts'
import type { CustomProperty, Me, Permission, User } from './types.ts'

export interface Session {
  readonly id: string
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
  readonly method: 'password' | 'token' | 'oidc' | 'invitation'
  readonly address: string | null
  readonly user_agent: string | null
  readonly scope: string
  readonly user: string
  readonly current: boolean
}

/** What every page needs, in one response. */
export interface Bootstrap {
  readonly me: Me & { readonly initials: string }
  readonly workspace: { readonly id: string; readonly name: string }
  readonly session: (Session & { readonly has_password: boolean }) | null
  readonly unread_count: number
  readonly settings: { readonly public_url: string | null; readonly email: boolean; readonly slack: boolean; readonly version: string }
  readonly tags: readonly { readonly id: string; readonly name: string; readonly color: string | null }[]
  readonly teams: readonly { readonly id: string; readonly name: string; readonly icon: string | null; readonly closed: boolean }[]
  readonly groups: readonly { readonly id: string; readonly name: string }[]
  readonly integrations: readonly { readonly id: string; readonly name: string; readonly type: string }[]
  readonly properties: readonly CustomProperty[]
  /** The catalog has no resources yet. */
  readonly empty: boolean
}

/** The signed-in user with their permissions; null when not signed in. */
export const bootstrapQuery = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: async ({ signal }): Promise<Bootstrap | null> => {
    try {
      return await api.get<Bootstrap>('/ui/bootstrap', { signal })
    } catch (error) {
      if (isApiError(error, 'unauthenticated')) return null
      throw error
    }
  },
  staleTime: 60_000,
})

onSignedOut(() => {
  if (queryClient.getQueryData(bootstrapQuery.queryKey)) queryClient.setQueryData(bootstrapQuery.queryKey, null)
})

export const useSession = () => useQuery(bootstrapQuery)

/** For pages behind the sign-in. */
export const useBootstrap = (): Bootstrap => {
  const { data } = useSuspenseQuery(bootstrapQuery)
  if (!data) throw new Error(t('Not signed in.'))
  return data
}

export const useMe = (): Bootstrap['me'] => useBootstrap().me

/** Decides what is shown; the server enforces the permission. */
export const useCan = (permission: Permission): boolean => useMe().permissions.includes(permission)

/** What the sign-in page needs before anyone is signed in. */
export interface Setup {
  readonly setup_needed: boolean
  readonly has_passwords: boolean
  readonly oidc: { readonly name: string; readonly url: string } | null
}
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get<Setup>('/auth/setup', { signal }),
})

export interface SignedIn {
  readonly session: Session
  readonly user: User
}

/** After a sign-in: drops the data of the previous user. */
export const reloadSession = async (): Promise<void> => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bootstrap' })
  await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 })
}

export const signOut = async (): Promise<void> => {
  const me = queryClient.getQueryData(bootstrapQuery.queryKey)?.me
  await api.post('/auth/sign_out')
  if (me) new Drafts(me.id).deleteAll()
  queryClient.clear()
  location.assign('/sign-in')
}
