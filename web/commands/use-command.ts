import { useEffect, useRef, useSyncExternalStore } from 'react'
import { COMMANDS, type CommandId } from './all.ts'
import { chordOf, type LeftField, sequenceOf, stillTyping } from './keys.ts'

/** Current command bindings. The newest one wins: a page's before the shell's. */
interface Binding {
  readonly id: CommandId
  readonly perform: () => void
}

let bindings: readonly Binding[] = []
const watchers = new Set<() => void>()
const set = (now: readonly Binding[]) => {
  bindings = now
  for (const tell of watchers) tell()
}
const watch = (tell: () => void) => {
  watchers.add(tell)
  return () => void watchers.delete(tell)
}

let awaited: { readonly id: CommandId; readonly until: number } | undefined
const AWAITED_MS = 10_000

/** Runs a command as soon as the page being opened has bound it. */
export const performWhenReady = (id: CommandId): void => {
  awaited = { id, until: performance.now() + AWAITED_MS }
}

/** Binds a command while the component is mounted and `when` is true. */
export const useCommand = (id: CommandId, perform: () => void, when = true): void => {
  const latest = useRef(perform)
  useEffect(() => {
    latest.current = perform
  })
  useEffect(() => {
    if (!when) return
    const binding = { id, perform: () => latest.current() }
    set([...bindings, binding])
    if (awaited?.id === id) {
      const ready = performance.now() < awaited.until
      awaited = undefined
      if (ready) binding.perform()
    }
    return () => set(bindings.filter((each) => each !== binding))
  }, [id, when])
}

/** The commands that are bound now. */
export const useAvailable = (): ReadonlyMap<CommandId, () => void> => {
  const now = useSyncExternalStore(watch, () => bindings)
  return new Map(now.map(({ id, perform }) => [id, perform]))
}

const SINGLE_KEYS = 'single-keys'
/** Single-key shortcuts can be turned off, e.g. for users of dictation. */
export const singleKeysOn = (): boolean => localStorage.getItem(SINGLE_KEYS) !== 'off'
export const setSingleKeys = (on: boolean): void => {
  if (on) localStorage.removeItem(SINGLE_KEYS)
  else localStorage.setItem(SINGLE_KEYS, 'off')
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isTick(target)
const isTick = (target: HTMLElement): boolean => target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type)
/** Enter and Space activate the focused button or link. */
const PRESSED_BY: Record<string, string> = {
  Enter: 'a, button, summary, input, [role=option]',
  Space: 'button, summary, input, [role=option]',
}
const isPressing = (target: EventTarget | null, chord: string): boolean =>
  chord in PRESSED_BY && target instanceof HTMLElement && target.closest(PRESSED_BY[chord]!) !== null

let left: LeftField | undefined

/** In the capture phase, as the field may be gone after its own handler. Search boxes are excluded: Escape moves from them to the results. */
const onKeyBefore = ({ key, target, timeStamp }: KeyboardEvent): void => {
  if (key !== 'Enter' && key !== 'Escape') return
  const field = isTyping(target) && !(target as HTMLElement).matches('[type=search], [role=combobox]')
  left = field ? { at: timeStamp } : undefined
}
document.addEventListener('keydown', onKeyBefore, true)
document.addEventListener('pointerdown', () => {
  left = undefined
})

/** Whether the user is still typing although the focus moved from the field to the page or to the button that replaced it (`data-field`). */
const typesOn = (event: KeyboardEvent): boolean => {
  if (event.key.length > 1) left = undefined
  const lost = event.target === document.body || (event.target instanceof Element && event.target.hasAttribute('data-field'))
  if (!lost || !stillTyping(left, event.timeStamp)) return false
  left = { at: event.timeStamp }
  return true
}

let before: { chord: string; at: number } | undefined

const onKey = (event: KeyboardEvent): void => {
  const chord = chordOf(event)
  if (!chord || event.defaultPrevented || event.isComposing) return
  const withMod = chord.startsWith('mod+')
  if (!withMod && (isTyping(event.target) || isPressing(event.target, chord) || !singleKeysOn())) return
  if (!withMod && typesOn(event)) return
  if (!withMod && document.querySelector('dialog[open], [popover]:popover-open:not([popover=manual])')) return
  const said = sequenceOf(before, chord, event.timeStamp)
  before = { chord, at: event.timeStamp }
  for (const keys of said) {
    const binding = bindings.findLast(({ id }) => COMMANDS[id].keys === keys)
    if (!binding) continue
    event.preventDefault()
    before = undefined
    binding.perform()
    return
  }
}
document.addEventListener('keydown', onKey)
