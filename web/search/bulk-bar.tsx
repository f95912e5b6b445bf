import { useMutation } from '@tanstack/react-query'
import { BadgeCheck, BookOpen, Eye, Folder, ShieldAlert, Tag, UserPlus, Users, X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { useOwnerField } from '../api/owner-edits.ts'
import { getOwnerIds } from '../api/owners.ts'
import { useOwnerOptions, useTagOptions, useTeamOptions, useTermOptions } from '../api/picker-options.ts'
import { queryClient } from '../api/query-client.ts'
import type { ResourceEdit, Schemas } from '../api/types.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { useCollectionOptions, useNewCollection } from '../resources/sidebar/collections.ts'
import { useNewTag } from '../resources/sidebar/new-tag.ts'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Picker } from '../ui/picker.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { BulkMore } from './bulk-more.tsx'
import { type BulkRow, MAX_EDITS_PER_REQUEST } from './bulk-rows.ts'

type Edits = Schemas['BulkUpdate']
type ListField = 'owners' | 'owners_groups' | 'tags' | 'terms' | 'teams' | 'collections'
interface Change {
  readonly what: string
  readonly edits: Edits
  /** For Undo. */
  readonly back?: Edits
}

const sendEdits = async ({ edits }: Change): Promise<void> => {
  for (let i = 0; i < edits.length; i += MAX_EDITS_PER_REQUEST)
    await api.post('/resource/all/bulk_update/', edits.slice(i, i + MAX_EDITS_PER_REQUEST))
}

/** Adds an ID to a list of each row, or removes it. Others may change the same lists at the same time. */
const changeLists = (rows: readonly BulkRow[], fieldOf: (row: BulkRow) => ListField, id: string, on: boolean): Edits =>
  rows.map((row) => ({ id: row.id, data: {}, [on ? 'add' : 'remove']: { [fieldOf(row)]: [id] } }))

interface BulkBarProps {
  readonly rows: readonly BulkRow[]
  /** The queries that show the rows. */
  readonly queryKey: readonly unknown[]
  readonly className: string
  /** Selects all matches; absent if all are selected. */
  readonly onAll?: { readonly label: string; readonly perform: () => Promise<void> }
  readonly onClear: () => void
}

/** Bulk edit of the selected resources, in requests of 100 that succeed or fail as a whole. */
export const BulkBar = ({ rows, queryKey, className, onAll, onClear }: BulkBarProps) => {
  const tags = useTagOptions()
  const [hasOpened, setHasOpened] = useState(false)
  const owners = useOwnerOptions(hasOpened)
  const ownerField = useOwnerField()
  const terms = useTermOptions(hasOpened)
  const teams = useTeamOptions()
  const collections = useCollectionOptions(hasOpened)
  const change = useMutation({
    mutationFn: sendEdits,
    // Not in the mutate call: the bar may be unmounted when the edited resources no longer match the filters.
    onSuccess: (_, { what, edits, back }) => {
      if (back) showToast(t('{what}: {n:# resource|# resources}', { what, n: edits.length }), () => change.mutate({ what, edits: back }))
      return queryClient.invalidateQueries({ queryKey })
    },
    onError: (error) => showErrorToast(t('Couldn’t apply all changes.'), error),
  })
  const editAll = (what: string, edit: ResourceEdit) => {
    const edits = rows.map((row) => ({ id: row.id, data: edit }))
    const back = rows.map((row) => ({ id: row.id, data: getPreviousValues(row, edit) }))
    change.mutate({ what, edits, back })
  }
  /** Adds the ID to those that lack it; if all have it, removes it. */
  const toggle = (what: string, of: (row: BulkRow) => readonly string[], fieldOf: (row: BulkRow) => ListField, id: string) => {
    const without = rows.filter((row) => !of(row).includes(id))
    const on = without.length > 0
    const changed = on ? without : rows
    change.mutate({ what, edits: changeLists(changed, fieldOf, id, on), back: changeLists(changed, fieldOf, id, !on) })
  }
  const more = useMutation({
    mutationFn: async () => onAll?.perform(),
    onError: (error) => showErrorToast(t('Couldn’t select all results.'), error),
  })
  const everyone = (has: (row: BulkRow) => boolean) => rows.length > 0 && rows.every(has)
  const flag = (field: 'verified' | 'published' | 'pii', on: string, off: string, icon: typeof Eye) => {
    const set = everyone((row) => row[field])
    return (
      <Button small icon={icon} busy={change.isPending} onClick={() => editAll(set ? off : on, { [field]: !set })}>
        {set ? off : on}
      </Button>
    )
  }
  /** What all rows have, and what only some have. */
  const choicesOf = (of: (row: BulkRow) => readonly string[]) => {
    const some = [...new Set(rows.flatMap(of))]
    const chosen = some.filter((id) => rows.every((row) => of(row).includes(id)))
    return { chosen, partial: some.filter((id) => !chosen.includes(id)) }
  }
  const toggleTag = (id: string) =>
    toggle(
      t('Tags changed'),
      (row) => row.tags,
      () => 'tags',
      id,
    )
  const toggleCollection = (id: string) =>
    toggle(
      t('Collections changed'),
      (row) => row.collections,
      () => 'collections',
      id,
    )
  const create = useNewCollection(toggleCollection)
  const createTag = useNewTag(toggleTag)
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // Toasts are placed above the bar, whatever its height.
    const root = document.documentElement.style
    const watch = new ResizeObserver(() => root.setProperty('--bottom-bar', `${bar.current?.offsetHeight ?? 0}px`))
    watch.observe(bar.current!)
    return () => {
      watch.disconnect()
      root.removeProperty('--bottom-bar')
    }
  }, [])
  return (
    <section
      ref={bar}
      aria-label={t('Bulk edit')}
      className={cx(
        'flex flex-wrap items-center gap-2 border-line bg-sunken px-4 py-2 max-2xl:gap-1.5 max-2xl:[&>p~button>svg]:hidden',
        className,
      )}
    >
      <IconButton label={t('Clear selection')} icon={X} onClick={onClear} />
      <p aria-live="polite" className="me-2 text-sm font-medium">
        {pluralize(rows.length, 'selected', 'selected')}
      </p>
      {onAll && (
        <Button small look="quiet" busy={more.isPending} onClick={() => more.mutate(undefined)}>
          {onAll.label}
        </Button>
      )}
      {flag('verified', t('Verify'), t('Remove verification'), BadgeCheck)}
      {flag('published', t('Publish'), t('Unpublish'), Eye)}
      {flag('pii', t('Mark as PII'), t('Remove PII flag'), ShieldAlert)}
      <Picker
        label={t('Owners')}
        onOpen={() => setHasOpened(true)}
        {...owners}
        {...choicesOf(getOwnerIds)}
        onToggle={(id) => toggle(t('Owners changed'), getOwnerIds, (row) => ownerField(row, id), id)}
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <UserPlus aria-hidden size={15} /> {t('Owners')}
          </button>
        )}
      />
      <Picker
        label={t('Tags')}
        {...tags}
        {...choicesOf((row) => row.tags)}
        onToggle={toggleTag}
        onCreate={(name) => createTag.mutate(name)}
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <Tag aria-hidden size={15} /> {t('Tags')}
          </button>
        )}
      />
      <Picker
        label={t('Glossary terms')}
        onOpen={() => setHasOpened(true)}
        {...terms}
        {...choicesOf((row) => row.terms)}
        onToggle={(id) =>
          toggle(
            t('Terms changed'),
            (row) => row.terms,
            () => 'terms',
            id,
          )
        }
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <BookOpen aria-hidden size={15} /> {t('Terms')}
          </button>
        )}
      />
      <Picker
        label={t('Teams')}
        {...teams}
        {...choicesOf((row) => row.teams)}
        onToggle={(id) =>
          toggle(
            t('Teams changed'),
            (row) => row.teams,
            () => 'teams',
            id,
          )
        }
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <Users aria-hidden size={15} /> {t('Teams')}
          </button>
        )}
      />
      <Picker
        label={t('Collections')}
        onOpen={() => setHasOpened(true)}
        {...collections}
        {...choicesOf((row) => row.collections)}
        onToggle={toggleCollection}
        onCreate={(title) => create.mutate(title)}
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <Folder aria-hidden size={15} /> {t('Collections')}
          </button>
        )}
      />
      <BulkMore
        rows={rows}
        queryKey={queryKey}
        onArchive={(archived) => editAll(archived ? t('Archived') : t('Unarchived'), { archived })}
      />
    </section>
  )
}

/** The previous values of the edited fields. */
const getPreviousValues = (row: BulkRow, edit: ResourceEdit): ResourceEdit =>
  Object.fromEntries(Object.keys(edit).map((field) => [field, row[field as keyof BulkRow]])) as ResourceEdit
