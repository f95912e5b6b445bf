import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { EditConflictError } from '../api/save-edit.ts'
import { useMe } from '../api/session.ts'
import type { Resource } from '../api/types.ts'
import { saveResource } from '../resources/use-edit.ts'
import { Drafts } from './drafts.ts'

const DRAFT_MS = 300
const DRAFT_MS_PER_CHARACTER = 0.001 // storing 2 MB takes tens of milliseconds, so it is done every two seconds
const AUTOSAVE_DELAY_MS = 2_000 // a sentence becomes one version, and closing the laptop loses at most a sentence

export type Saving =
  | { readonly state: 'saved' | 'waiting' | 'saving' }
  | { readonly state: 'failed'; readonly error: Error }
  | { readonly state: 'conflict'; readonly theirs: Resource }

/**
 * Saves a text when typing pauses and never overwrites changes of other users. An unsaved text stays in the browser as a draft until it is
 * saved.
 */
export const useAutosave = (resource: Resource, onSaved: (after: Resource) => void) => {
  const [saving, setSaving] = useState<Saving>({ state: 'saved' })
  const { id } = useMe()
  const drafts = useMemo(() => new Drafts(id), [id])
  const [draft] = useState(() => drafts.find(resource.id))
  /** The initial text: an unsaved draft, or the saved text. */
  const [first] = useState(draft?.text ?? resource.definition ?? '')
  // A draft keeps the version it was based on, so that a later change of another user is a conflict and not overwritten.
  const base = useRef({ ...resource, ...draft?.base })
  const read = useRef(() => resource.definition ?? '')
  const drafting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const length = useRef(first.length)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const busy = useRef(false)
  const done = useRef(onSaved)
  useEffect(() => {
    done.current = onSaved
  })

  const saveDraft = useCallback(() => {
    if (drafting.current === undefined) return
    clearTimeout(drafting.current)
    drafting.current = undefined
    const text = read.current()
    length.current = text.length
    drafts.save(resource.id, { text, base: { version: base.current.version, definition: base.current.definition } })
  }, [resource.id, drafts])

  const save = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    saveDraft()
    const textToSave = read.current()
    if (textToSave === (base.current.definition ?? '')) {
      drafts.delete(resource.id)
      setSaving({ state: 'saved' })
      return true
    }
    if (busy.current) return false
    busy.current = true
    setSaving({ state: 'saving' })
    try {
      base.current = await saveResource(base.current, { definition: textToSave === '' ? null : textToSave })
      done.current(base.current)
      drafts.delete(resource.id)
      setSaving({ state: 'saved' })
    } catch (error) {
      setSaving(
        error instanceof EditConflictError
          ? { state: 'conflict', theirs: error.theirs as Resource }
          : { state: 'failed', error: error as Error },
      )
      return false
    } finally {
      busy.current = false
    }
    // Saves again if the text changed while the request was running.
    return read.current() === textToSave ? true : save()
  }, [resource.id, drafts, saveDraft])

  const change = useCallback(
    (now: () => string) => {
      read.current = now
      drafting.current ??= setTimeout(saveDraft, Math.max(DRAFT_MS, length.current * DRAFT_MS_PER_CHARACTER))
      clearTimeout(timer.current)
      setSaving((before) => (before.state === 'conflict' ? before : { state: 'waiting' }))
      timer.current = setTimeout(() => void save(), AUTOSAVE_DELAY_MS)
    },
    [saveDraft, save],
  )

  /** After a conflict: continue from the other version. */
  const settle = useCallback((theirs: Resource) => {
    base.current = theirs
    setSaving({ state: 'waiting' })
  }, [])

  useEffect(() => {
    const leaving = (event: BeforeUnloadEvent) => {
      if (read.current() === (base.current.definition ?? '')) return
      void save()
      event.preventDefault()
    }
    addEventListener('beforeunload', leaving)
    addEventListener('pagehide', saveDraft)
    document.addEventListener('visibilitychange', saveDraft)
    return () => {
      removeEventListener('beforeunload', leaving)
      removeEventListener('pagehide', saveDraft)
      document.removeEventListener('visibilitychange', saveDraft)
      clearTimeout(timer.current)
      void save()
    }
  }, [save, saveDraft])

  return { first, saving, change, save, settle }
}
