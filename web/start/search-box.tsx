import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CornerDownLeft, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { typeAheadQuery } from '../search/queries.ts'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Flags } from '../ui/flags.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { PathText } from '../ui/path-text.tsx'

/** Search box of the home page with suggestions: Enter opens all results, the arrow keys select a suggestion. */
export const SearchBox = () => {
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const list = useId()
  const navigate = useNavigate()
  const query = useThrottled(typed.trim())
  const { data } = useQuery({ ...typeAheadQuery(query), placeholderData: keepPreviousData })
  const hits = query === '' ? [] : (data?.results ?? [])
  const shown = open && hits.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results start without a selection
  useEffect(() => setAt(-1), [query])

  const goTo = (id: string) => void navigate({ to: '/r/$id', params: { id } })
  const goToAll = () => void navigate({ to: '/search', search: { q: typed.trim() || undefined } })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!shown) return
    if (event.key === 'Escape') setOpen(false)
    else if (event.key === 'ArrowDown') setAt(((at + 2) % (hits.length + 1)) - 1)
    else if (event.key === 'ArrowUp') setAt(((at + hits.length + 1) % (hits.length + 1)) - 1)
    else return
    event.preventDefault()
  }
  return (
    <search>
      <form
        className="relative mx-auto w-full max-w-2xl"
        onSubmit={(event) => {
          event.preventDefault()
          const chosen = shown ? hits[at] : undefined
          if (chosen) goTo(chosen.id)
          else goToAll()
        }}
        onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}
      >
        <Search aria-hidden size={18} className="absolute start-4 top-3.5 text-faint" />
        <input
          type="search"
          name="q"
          aria-label={t('Search the catalog')}
          aria-controls={shown ? list : undefined}
          aria-autocomplete="list"
          aria-activedescendant={shown && at >= 0 ? `${list}-${at}` : undefined}
          autoComplete="off"
          placeholder={t('Search tables, columns, dashboards, documents…')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setOpen(true)
          }}
          onKeyDown={onKeyDown}
          // biome-ignore lint/a11y/noAutofocus: searching is the purpose of the page
          autoFocus={matchMedia('(min-width: 48rem)').matches}
          className="h-12 w-full rounded-xl border border-line-strong/60 bg-bg ps-11 pe-4 text-[0.9375rem] text-ellipsis sm:pe-20 shadow-sm focus-visible:border-accent"
        />
        <span className="pointer-events-none absolute end-3.5 top-3.5 hidden sm:block">
          <Kbd keys="Enter" />
        </span>
        <p role="status" className="sr-only">
          {shown ? t('{n:# suggestion|# suggestions}. Use the arrow keys to select.', { n: hits.length }) : ''}
        </p>
        {shown && (
          <div className="absolute inset-x-0 top-13 z-20 overflow-hidden rounded-xl border border-line bg-raised p-1.5 shadow-float">
            <div id={list} role="listbox" aria-label={t('Suggestions')}>
              {hits.map(({ id, title, title_full, entity_type, reason, ...flags }, i) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
                <div
                  key={id}
                  id={`${list}-${i}`}
                  role="option"
                  aria-selected={i === at}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => goTo(id)}
                  onPointerMove={() => setAt(i)}
                  className={cx(
                    'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 text-sm',
                    i === at && 'bg-accent-soft',
                  )}
                >
                  <EntityTypeIcon type={entity_type} />
                  <span className="min-w-0 flex-1" dir="auto">
                    <span className="flex items-center gap-1.5">
                      <span className="truncate">
                        {reason.field === 'title' ? <Highlight text={reason.snippet} ranges={reason.ranges} /> : title}
                      </span>
                      <Flags id={id} {...flags} />
                    </span>
                    <PathText text={title_full} className="text-xs text-faint sm:hidden" />
                  </span>
                  <PathText text={title_full} className="max-w-[50%] text-xs text-faint max-sm:hidden" />
                </div>
              ))}
            </div>
            <button
              type="button"
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={goToAll}
              className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 text-start text-sm text-soft hover:bg-hover"
            >
              <CornerDownLeft aria-hidden size={16} className="text-faint" /> {t('All results')}
            </button>
          </div>
        )}
      </form>
    </search>
  )
}
