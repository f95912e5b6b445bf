import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { ApiError } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Button, IconButton } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly bad?: boolean
  /** Informational: neither success nor error. */
  readonly notice?: boolean
  readonly request_id?: string
  readonly action?: { readonly label: string; readonly perform: () => void }
}

/** How long a message stays. Errors stay until dismissed. */
const VISIBLE_MS = 6_000
const VISIBLE_WITH_ACTION_MS = 20_000
const CHECK_MS = 500

let toasts: readonly Toast[] = []
let next = 1
const listeners = new Set<() => void>()
const setToasts = (now: readonly Toast[]) => {
  toasts = now
  for (const listener of listeners) listener()
}
const dismissToast = (id: number) => setToasts(toasts.filter((toast) => toast.id !== id))

const addToast = (toast: Omit<Toast, 'id'>): void => setToasts([...toasts.slice(-3), { ...toast, id: next++ }])

/** Success message, with an optional Undo. */
export const showToast = (text: string, undo?: () => void): void =>
  addToast({ text, ...(undo && { action: { label: t('Undo'), perform: undo } }) })

/** Informational message: neither success nor error. */
export const showNotice = (text: string): void => addToast({ text, notice: true })

/** Error message with the server's details and request ID. */
export const showErrorToast = (what: string, error: unknown, retry?: () => void): void =>
  addToast({
    text: `${what} ${error instanceof Error ? error.message : String(error)}`,
    bad: true,
    request_id: error instanceof ApiError ? error.request_id : undefined,
    ...(retry && { action: { label: t('Retry'), perform: retry } }),
  })

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Container of the toasts; announced to screen readers. */
export const Toasts = () => {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed end-4 bottom-[calc(var(--bottom-bar,0px)+4rem)] z-50 grid max-w-[calc(100vw-2rem)] grid-cols-[minmax(0,1fr)] gap-2 md:bottom-[calc(var(--bottom-bar,0px)+1rem)]"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

/** One message. Its time does not run while the pointer or the focus is on it, or while the page is in the background. */
const ToastCard = ({ toast: { id, text, bad, notice, request_id, action } }: { toast: Toast }) => {
  const card = useRef<HTMLDivElement>(null)
  const visibleMs = bad ? Number.POSITIVE_INFINITY : action ? VISIBLE_WITH_ACTION_MS : VISIBLE_MS
  useEffect(() => {
    let left = visibleMs
    const timer = setInterval(() => {
      if (document.hidden || card.current?.matches(':hover, :focus-within')) return
      left -= CHECK_MS
      if (left <= 0) dismissToast(id)
    }, CHECK_MS)
    return () => clearInterval(timer)
  }, [id, visibleMs])
  return (
    <div
      ref={card}
      className="pointer-events-auto flex w-96 max-w-full items-start gap-2 rounded-lg border border-line bg-raised p-3 shadow-float"
    >
      {bad ? (
        <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-bad" />
      ) : notice ? (
        <Info aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
      ) : (
        <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-good" />
      )}
      <div className="min-w-0 flex-1 text-sm">
        <p className="break-words">{text}</p>
        {request_id && <p className="text-xs text-faint">{t('Request ID: {id}', { id: request_id })}</p>}
      </div>
      {action && (
        <Button
          small
          look="quiet"
          onClick={() => {
            dismissToast(id)
            action.perform()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t('Dismiss')} icon={X} onClick={() => dismissToast(id)} className="-m-1" />
    </div>
  )
}
