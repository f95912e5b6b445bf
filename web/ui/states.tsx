import type { UseQueryResult } from '@tanstack/react-query'
import { Lock, type LucideIcon, RotateCw, SearchX, TriangleAlert } from 'lucide-react'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

/** Empty state with an optional action. */
export const EmptyState = ({
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

/** Instead of a page that the role of the user does not allow. */
export const NoAccess = () => (
  <EmptyState icon={Lock} title={t('You don’t have access')}>
    {t('Your role does not allow this. Ask an admin.')}
  </EmptyState>
)

/** Error with request ID and retry. */
export const ErrorView = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const apiError = error instanceof ApiError ? error : undefined
  if (apiError?.status === 403) return <NoAccess />
  if (apiError?.status === 404)
    return <EmptyState title={t('Not found')}>{t('It may have been deleted, or you may not have access to it.')}</EmptyState>
  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-12 text-center">
      <TriangleAlert aria-hidden size={26} strokeWidth={1.5} className="text-bad" />
      <p className="font-medium">{apiError ? t('Something went wrong') : t('This page crashed')}</p>
      <p className="text-sm break-words text-soft">{error instanceof Error ? error.message : String(error)}</p>
      {apiError?.request_id && <p className="font-mono text-xs text-faint">{t('Request ID: {id}', { id: apiError.request_id })}</p>}
      {retry && (
        <Button icon={RotateCw} onClick={retry}>
          {t('Retry')}
        </Button>
      )}
    </div>
  )
}

/** Placeholder lines, shown after 200 ms to avoid flicker. */
export const Skeleton = ({ lines = 3, className }: { lines?: number; className?: string }) => (
  <div role="status" aria-label={t('Loading')} className={cx('grid gap-2.5', className)}>
    {Array.from({ length: lines }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key
      <div key={i} className="skeleton h-4" style={{ width: `${90 - ((i * 23) % 45)}%` }} />
    ))}
  </div>
)

/** State of a query: skeleton, error with retry, or data. Old data stays while new data is fetched. */
export const QueryView = <T,>({
  of,
  loading = <Skeleton className="p-4" />,
  children,
}: {
  of: UseQueryResult<T>
  loading?: ReactNode
  children: (data: T) => ReactNode
}) => {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorView error={of.error} retry={() => void of.refetch()} />
  return loading
}

/** Catches rendering errors, so that they do not take down the whole page. */
export class ErrorBoundary extends Component<{ children: ReactNode; reset?: unknown }, { error?: unknown }> {
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
    return <ErrorView error={this.state.error} retry={() => this.setState({ error: undefined })} />
  }
}
