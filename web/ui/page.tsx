import { type ReactNode, useEffect } from 'react'
import { cx } from './cx.ts'

/** Sets the document title. */
export const useTitle = (title: string | undefined): void => {
  useEffect(() => {
    if (title) document.title = `${title} · Tablinum`
  }, [title])
}

interface PageProps {
  readonly title: string
  /** The document title, if it says more than the heading. */
  readonly documentTitle?: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  /** Shown above the title, e.g. breadcrumbs. */
  readonly above?: ReactNode
  /** The content scrolls instead of the page, e.g. a virtual list. */
  readonly fixed?: boolean
  readonly narrow?: boolean
  readonly children: ReactNode
}

/** Page layout: header and content. */
export const Page = ({ title, documentTitle = title, about, actions, above, fixed, narrow, children }: PageProps) => {
  useTitle(documentTitle)
  return (
    <div className={cx('relative h-full', fixed ? 'flex flex-col overflow-hidden' : 'overflow-auto')}>
      <div
        className={cx(
          'mx-auto flex w-full flex-col gap-4 px-4 py-4 md:px-6',
          fixed && 'min-h-0 flex-1',
          narrow ? 'max-w-3xl' : 'max-w-[90rem]',
        )}
      >
        <header className="grid gap-1">
          {above}
          <div className="flex min-h-8 flex-wrap items-center gap-2">
            <h1 className="min-w-0 flex-1 text-lg font-semibold break-words">{title}</h1>
            {actions}
          </div>
          {about && <div className="text-sm text-soft">{about}</div>}
        </header>
        {children}
      </div>
    </div>
  )
}

/** A titled section of a page. */
export const Section = ({
  title,
  actions,
  children,
  className,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
  className?: string
}) => (
  <section className={className}>
    <div className="mb-2 flex min-h-7 items-center gap-2">
      <h2 className="flex-1 text-xs font-semibold tracking-wide text-faint uppercase">{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)
