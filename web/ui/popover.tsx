import { type ReactNode, type Ref, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'

/** Props for the button that opens a popover. */
export interface TriggerProps {
  readonly ref: Ref<HTMLButtonElement>
  readonly popoverTarget: string
  readonly 'aria-haspopup': 'dialog' | 'menu'
  readonly 'aria-expanded': boolean
}

interface PopoverProps {
  readonly trigger: (props: TriggerProps) => ReactNode
  readonly label: string
  readonly align?: 'start' | 'end'
  readonly side?: 'below' | 'above' | 'right'
  readonly role?: 'dialog' | 'menu'
  readonly className?: string
  readonly onOpen?: () => void
  /** Open when mounted. */
  readonly opened?: boolean
  readonly onClose?: () => void
  readonly children: (close: () => void) => ReactNode
}

const GAP = 4
const EDGE = 8

const positionPopover = (anchor: Element, box: HTMLElement, align: 'start' | 'end', side: 'below' | 'above' | 'right'): void => {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const below = at.bottom + GAP
  const above = at.top - GAP - height
  const fitsBelow = below + height <= innerHeight - EDGE
  const y = side === 'right' ? at.top : side === 'above' ? (above >= EDGE ? above : below) : fitsBelow || above < EDGE ? below : above
  const x = side === 'right' ? at.right + GAP : align === 'start' ? at.left : at.right - width
  box.style.left = `${Math.max(EDGE, Math.min(x, innerWidth - width - EDGE))}px`
  box.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - height - EDGE))}px`
}

/**
 * A popover next to its button. The browser's popover API handles the top layer, Escape, clicks outside and returning the focus; the content is
 * mounted only while open.
 */
export const Popover = ({
  trigger,
  label,
  align = 'start',
  side = 'below',
  role = 'dialog',
  className,
  onOpen,
  opened = false,
  onClose,
  children,
}: PopoverProps) => {
  const id = useId()
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const close = useCallback(() => box.current?.hidePopover(), [])

  useEffect(() => {
    if (!opened) return
    anchor.current?.focus({ preventScroll: true }) // gets the focus back on closing
    box.current?.showPopover()
  }, [opened])

  useLayoutEffect(() => {
    if (!open || !anchor.current || !box.current) return
    const [from, to] = [anchor.current, box.current]
    const again = () => positionPopover(from, to, align, side)
    again()
    // Focus after positioning, as browsers scroll to the focused element.
    to.querySelector<HTMLElement>('[data-autofocus], input, [role=menuitem]')?.focus({ preventScroll: true })
    const watch = new ResizeObserver(again)
    watch.observe(to)
    addEventListener('scroll', again, true)
    addEventListener('resize', again)
    return () => {
      watch.disconnect()
      removeEventListener('scroll', again, true)
      removeEventListener('resize', again)
    }
  }, [open, align, side])

  return (
    <>
      {trigger({ ref: anchor, popoverTarget: id, 'aria-haspopup': role, 'aria-expanded': open })}
      <div
        ref={box}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        onToggle={(event) => {
          if (event.target !== event.currentTarget) return // a nested popover
          const now = event.newState === 'open'
          setOpen(now)
          if (now) onOpen?.()
          else onClose?.()
        }}
        className={cx(
          'overflow-auto rounded-lg border border-line bg-raised text-ink shadow-float',
          className ?? 'max-h-[min(32rem,calc(100dvh-1rem))] min-w-44 p-1',
        )}
      >
        {open && children(close)}
      </div>
    </>
  )
}

const SHOW_DELAY_MS = 250
const HIDE_DELAY_MS = 120 // long enough to move from the link to the card

/**
 * A hover card for links, also on focus. Its content must be reachable in another way, too.
 * Put the returned handlers on the container of the links; `find` returns the link of an event target.
 */
export const useHoverCard = (find: (target: Element) => Element | null) => {
  const [anchor, setAnchor] = useState<Element>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const schedule = (next: Element | undefined, after: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(next), after)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const over = (event: { target: EventTarget }) => {
    const found = event.target instanceof Element ? find(event.target) : null
    if (found) schedule(found, SHOW_DELAY_MS)
    else schedule(undefined, HIDE_DELAY_MS)
  }
  const out = () => schedule(undefined, HIDE_DELAY_MS)
  const close = useCallback(() => setAnchor(undefined), [])
  return {
    anchor,
    handlers: { onPointerOver: over, onPointerLeave: out, onFocus: over, onBlur: out },
    card: { onPointerEnter: () => clearTimeout(timer.current), onPointerLeave: out },
    close,
  }
}

interface FloatingProps {
  readonly anchor: Element
  readonly onClose: () => void
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
  readonly children: ReactNode
}

/** The card itself; Escape closes it. */
export const FloatingCard = ({ anchor, onClose, children, ...handlers }: FloatingProps) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const card = box.current!
    card.showPopover()
    const again = () => positionPopover(anchor, card, 'start', 'below')
    again()
    const watch = new ResizeObserver(again)
    watch.observe(card)
    const hide = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    addEventListener('keydown', hide)
    return () => {
      watch.disconnect()
      removeEventListener('keydown', hide)
    }
  }, [anchor, onClose])
  return (
    <div
      ref={box}
      popover="manual"
      role="tooltip"
      {...handlers}
      className="w-80 rounded-lg border border-line bg-raised p-3 text-start text-sm shadow-float"
    >
      {children}
    </div>
  )
}
