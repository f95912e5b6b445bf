import type { UseQueryResult } from '@tanstack/react-query'
import { Lock, type LucideIcon, RotateCw, SearchX, TriangleAlert } from 'lucide-react'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Failure } from '../api/client.ts'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

/** Nothing is here yet, and the one thing to do about it. */
export const Empty = ({
  icon: Icon = SearchX,
  title,
  children,
  action,
}: {
  icon?: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <div className="mx-auto grid max-w-sm justify-items-center gap-2 px-4 py-14 text-center">
    <Icon aria-hidden size={26} strokeWidth={1.5} className="text-faint" />
    <p className="font-medium">{title}</p>
    {children && <div className="text-sm text-soft">{children}</div>}
    {action && <div className="pt-1">{action}</div>}
  </div>
)

/** What failed, the number to ask about it, and another try. */
export const FailureView = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const failure = error instanceof Failure ? error : undefined
  if (failure?.status === 403)
    return (
      <Empty icon={Lock} title={t('This is not yours to see')}>
        {failure.message}
      </Empty>
    )
  if (failure?.status === 404)
    return <Empty title={t('There is nothing here')}>{t('It may have been deleted, or you may not be allowed to see it.')}</Empty>
  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-12 text-center">
      <TriangleAlert aria-hidden size={26} strokeWidth={1.5} className="text-bad" />
      <p className="font-medium">{failure ? t('That did not work') : t('Something broke on this page')}</p>
      <p className="text-sm break-words text-soft">{error instanceof Error ? error.message : String(error)}</p>
      {failure?.request_id && <p className="font-mono text-xs text-faint">{t('Request {id}', { id: failure.request_id })}</p>}
      {retry && (
        <Button icon={RotateCw} onClick={retry}>
          {t('Retry')}
        </Button>
      )}
    </div>
  )
}

/** Grey lines where text will be. They appear after 200 ms: what comes sooner needs none. */
export const Skeleton = ({ lines = 3, className }: { lines?: number; className?: string }) => (
  <div role="status" aria-label={t('Loading')} className={cx('grid gap-2.5', className)}>
    {Array.from({ length: lines }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
      <div key={i} className="skeleton h-4" style={{ width: `${90 - ((i * 23) % 45)}%` }} />
    ))}
  </div>
)

/** One answer of the server on screen: skeleton, failure with Retry, or what it says. Older data stays while newer is fetched. */
export const Answer = <T,>({
  of,
  loading = <Skeleton className="p-4" />,
  children,
}: {
  of: UseQueryResult<T>
  loading?: ReactNode
  children: (data: T) => ReactNode
}) => {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <FailureView error={of.error} retry={() => void of.refetch()} />
  return loading
}

/** Keeps what breaks while drawing from taking the whole page along. */
export class Boundary extends Component<{ children: ReactNode; reset?: unknown }, { error?: unknown }> {
  override state: { error?: unknown } = {}
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }
  override componentDidUpdate(before: { reset?: unknown }) {
    if (before.reset !== this.props.reset && this.state.error !== undefined) this.setState({ error: undefined })
  }
  override render() {
    if (this.state.error === undefined) return this.props.children
    return <FailureView error={this.state.error} retry={() => this.setState({ error: undefined })} />
  }
}
