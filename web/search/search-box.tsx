import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleHelp, Search as SearchIcon } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { Kbd } from '../ui/kbd.tsx'
import { Popover } from '../ui/popover.tsx'
import { useCaret } from '../ui/use-caret.ts'
import { valuesQuery } from './queries.ts'
import { findFields, findToken, insertTerm, QUERY_FIELDS } from './query-completion.ts'
import { QuerySyntax } from './query-syntax.tsx'

interface SearchBoxProps {
  readonly box: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly autoFocus: boolean
  readonly onType: (text: string) => void
  /** To the first result. */
  readonly onLeave: () => void
}

interface Suggestion {
  readonly term: string
  readonly label: string
  readonly detail: string | null
}

/** The search box of the catalog. It completes fields of the query language: the arrow keys select, Enter and Tab accept, Escape closes. */
export const SearchBox = ({ box, text, autoFocus, onType, onLeave }: SearchBoxProps) => {
  const list = useId()
  const [caret, setCaret] = useState<number>()
  const [at, setAt] = useState(-1)
  const token = caret === undefined ? undefined : findToken(text, caret)
  const value = useThrottled(token?.text ?? '')
  const { data } = useQuery({
    ...valuesQuery(token?.field ?? 'type', value),
    enabled: token?.field !== undefined,
    placeholderData: keepPreviousData,
  })
  const suggestions: readonly Suggestion[] = !token
    ? []
    : token.field === undefined
      ? findFields(token).map((field) => ({ term: `${field}:`, label: `${field}:`, detail: QUERY_FIELDS[field].label }))
      : (data?.results ?? [])
          .filter(({ term }) => term.startsWith(`${token.field}:`))
          .map(({ term, value, detail }) => ({ term, label: value, detail }))
  // A finished term needs no completion.
  const typedTerm = token && text.slice(token.start, token.end)
  const shown = suggestions.length > 0 && !(suggestions.length === 1 && suggestions[0]!.term === typedTerm)
  const key = shown ? suggestions.map(({ term }) => term).join('\n') : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: other suggestions start without a selection
  useEffect(() => setAt(-1), [key])

  const moveCaret = useCaret(box)
  const accept = ({ term }: Suggestion) => {
    const next = insertTerm(text, token!, term)
    moveCaret(next.caret)
    setCaret(next.caret)
    onType(next.text)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const chosen = shown ? suggestions[at] : undefined
    const size = suggestions.length + 1
    if (event.key === 'Escape') {
      if (shown) setCaret(undefined)
      else event.currentTarget.blur()
    } else if (shown && event.key === 'ArrowDown') setAt(((at + 2) % size) - 1)
    else if (shown && event.key === 'ArrowUp') setAt(((at + size) % size) - 1)
    else if (chosen && (event.key === 'Enter' || event.key === 'Tab')) accept(chosen)
    else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      setCaret(undefined)
      onLeave()
    } else return
    event.preventDefault() // browsers clear a search input on Escape
  }
  return (
    <div className="relative min-w-0 flex-1">
      <SearchIcon aria-hidden size={16} className="absolute start-3 top-2.5 text-faint" />
      <input
        ref={box}
        type="search"
        role="combobox"
        aria-label={t('Search the catalog')}
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? list : undefined}
        aria-activedescendant={shown && at >= 0 ? `${list}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('Search tables, columns, dashboards, documents…')}
        value={text}
        onChange={({ target }) => {
          setCaret(target.selectionStart ?? target.value.length)
          onType(target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(undefined)}
        // biome-ignore lint/a11y/noAutofocus: searching is the purpose of the page
        autoFocus={autoFocus}
        className="h-9 w-full rounded-lg border border-line-strong/60 bg-bg ps-9 pe-10 focus-visible:border-accent"
      />
      <span className="pointer-events-none absolute end-10 top-2 hidden sm:block">{text === '' && <Kbd keys="/" />}</span>
      <span className="absolute end-1 top-1">
        <Popover
          label={t('Search syntax')}
          align="end"
          className="max-h-[70dvh] w-96 max-w-[calc(100vw-1rem)] p-3"
          trigger={(props) => (
            <button
              type="button"
              {...props}
              aria-label={t('Search syntax')}
              title={t('Search syntax')}
              className="inline-flex size-7 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
            >
              <CircleHelp aria-hidden size={16} />
            </button>
          )}
        >
          {() => <QuerySyntax />}
        </Popover>
      </span>
      <p role="status" className="sr-only">
        {shown ? t('{n:# suggestion|# suggestions}. Use the arrow keys to select.', { n: suggestions.length }) : ''}
      </p>
      {shown && (
        <div
          id={list}
          role="listbox"
          aria-label={t('Suggestions')}
          className="absolute inset-x-0 top-10 z-20 max-h-80 max-w-xl overflow-auto rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          {suggestions.map((suggestion, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            <div
              key={suggestion.term}
              id={`${list}-${i}`}
              role="option"
              aria-selected={i === at}
              tabIndex={-1}
              ref={(option) => {
                if (i === at) option?.scrollIntoView({ block: 'nearest' })
              }}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => accept(suggestion)}
              onPointerMove={() => setAt(i)}
              className={cx('flex min-h-8 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm', i === at && 'bg-accent-soft')}
            >
              <span className="min-w-0 flex-1 truncate" dir="auto">
                {suggestion.label}
              </span>
              {suggestion.detail && <span className="max-w-[50%] truncate text-xs text-faint">{suggestion.detail}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
