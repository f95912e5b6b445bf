import type { UseQueryResult } from '@tanstack/react-query'
import { CircleCheckBig } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Page } from './page.tsx'
import { EmptyState, QueryView } from './states.tsx'

interface SignalPageProps<T> extends Pick<ComponentProps<typeof Page>, 'title' | 'about' | 'above'> {
  readonly of: UseQueryResult<T>
  /** What to say if there are no problems or tasks; undefined if there are some. */
  readonly nothing: (data: T) => { readonly title: string; readonly about: string } | undefined
  /** Below the list, and also if it is empty. */
  readonly note?: (data: T) => ReactNode
  readonly children: (data: T) => ReactNode
}

/** A page with a list of problems or tasks. */
export const SignalPage = <T,>({ of, nothing, note, children, ...page }: SignalPageProps<T>) => (
  <Page narrow {...page}>
    <QueryView of={of}>
      {(data) => {
        const empty = nothing(data)
        return (
          <div className="grid grid-cols-1 gap-3">
            {empty ? (
              <EmptyState icon={CircleCheckBig} title={empty.title}>
                {empty.about}
              </EmptyState>
            ) : (
              children(data)
            )}
            {note && <p className="text-xs text-faint">{note(data)}</p>}
          </div>
        )
      }}
    </QueryView>
  </Page>
)
