import { useEffect, useRef, useSyncExternalStore } from 'react'
import { COMMANDS, type CommandId } from './commands.ts'
import { type BlurredField, isStillTyping, toChord, toSequences } from './keys.ts'

/** Current command bindings. The newest one wins: a page's before the shell's. */
interface Binding {
  readonly id: CommandId
  readonly perform: () => void
}

let bindings: readonly Binding[] = []
const listeners = new Set<() => void>()
const setBindings = (now: readonly Binding[]) => {
  bindings = now
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

let pendingCommand: { readonly id: CommandId; readonly until: number } | undefined
const PENDING_MS = 10_000

/** Runs a command as soon as the page being opened has bound it. */
export const runWhenReady = (id: CommandId): void => {
  pendingCommand = { id, until: performance.now() + PENDING_MS }
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
    setBindings([...bindings, binding])
    if (pendingCommand?.id === id) {
      const ready = performance.now() < pendingCommand.until
      pendingCommand = undefined
      if (ready) binding.perform()
    }
    return () => setBindings(bindings.filter((each) => each !== binding))
  }, [id, when])
}

/** The commands that are bound now. */
export const useAvailable = (): ReadonlyMap<CommandId, () => void> => {
  const now = useSyncExternalStore(subscribe, () => bindings)
  return new Map(now.map(({ id, perform }) => [id, perform]))
}

const SINGLE_KEYS_STORAGE_KEY = 'single-keys'
/** Single-key shortcuts can be turned off, e.g. for users of dictation. */
export const areSingleKeysEnabled = (): boolean => localStorage.getItem(SINGLE_KEYS_STORAGE_KEY) !== 'off'
export const setSingleKeys = (on: boolean): void => {
  if (on) localStorage.removeItem(SINGLE_KEYS_STORAGE_KEY)
  else localStorage.setItem(SINGLE_KEYS_STORAGE_KEY, 'off')
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isCheckable(target)
const isCheckable = (target: HTMLElement): boolean => target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type)
/** Enter and Space activate the focused button or link. */
const ACTIVATED_BY: Record<string, string> = {
  Enter: 'a, button, summary, input, [role=option]',
  Space: 'button, summary, input, [role=option]',
}
const isActivating = (target: EventTarget | null, chord: string): boolean =>
  chord in ACTIVATED_BY && target instanceof HTMLElement && target.closest(ACTIVATED_BY[chord]!) !== null

let blurredField: BlurredField | undefined

/** In the capture phase, as the field may be gone after its own handler. Search boxes are excluded: Escape moves from them to the results. */
const onKeyCapture = ({ key, target, timeStamp }: KeyboardEvent): void => {
  if (key !== 'Enter' && key !== 'Escape') return
  const field = isTyping(target) && !(target as HTMLElement).matches('[type=search], [role=combobox]')
  blurredField = field ? { at: timeStamp } : undefined
}
document.addEventListener('keydown', onKeyCapture, true)
document.addEventListener('pointerdown', () => {
  blurredField = undefined
})

/** Whether the user is still typing although the focus moved from the field to the page or to the button that replaced it (`data-field`). */
const continuesTyping = (event: KeyboardEvent): boolean => {
  if (event.key.length > 1) blurredField = undefined
  const lost = event.target === document.body || (event.target instanceof Element && event.target.hasAttribute('data-field'))
  if (!lost || !isStillTyping(blurredField, event.timeStamp)) return false
  blurredField = { at: event.timeStamp, typed: true }
  return true
}

/** The spaces of a text that is typed on after leaving its field must not open the field again, and take in the rest of it. */
const isSpaceOfText = (event: KeyboardEvent): boolean => event.key === ' ' && blurredField?.typed === true && continuesTyping(event)

let previousKey: { chord: string; at: number } | undefined

const onKey = (event: KeyboardEvent): void => {
  const chord = toChord(event)
  if (!chord || event.defaultPrevented || event.isComposing) return
  const withMod = chord.startsWith('mod+')
  if (!withMod && isSpaceOfText(event)) {
    event.preventDefault()
    return
  }
  if (!withMod && (isTyping(event.target) || isActivating(event.target, chord) || !areSingleKeysEnabled())) return
  if (!withMod && continuesTyping(event)) return
  if (!withMod && document.querySelector('dialog[open], [popover]:popover-open:not([popover=manual])')) return
  const sequences = toSequences(previousKey, chord, event.timeStamp)
  previousKey = { chord, at: event.timeStamp }
  for (const keys of sequences) {
    const binding = bindings.findLast(({ id }) => COMMANDS[id].keys === keys)
    if (!binding) continue
    event.preventDefault()
    previousKey = undefined
    binding.perform()
    return
  }
}
document.addEventListener('keydown', onKey)
