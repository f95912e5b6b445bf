import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useNames } from '../api/names.ts'
import { useOwnersEdit } from '../api/owner-edits.ts'
import { getOwnerIds } from '../api/owners.ts'
import { type PickerOptions, useOwnerOptions, useTermOptions } from '../api/picker-options.ts'
import type { ResourceEdit, ResourceView } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { entityTypeCount } from '../ui/entity-type.tsx'
import { Picker } from '../ui/picker.tsx'
import { QueryView, Skeleton } from '../ui/states.tsx'
import { linkedTermsQuery, namedAlikeQuery, termUsageQuery, useAssignTerms } from './queries.ts'
import { Synonyms } from './synonyms.tsx'
import { TermCards, TermLink } from './term-links.tsx'

interface TermDetailsProps {
  readonly view: ResourceView
  readonly onChange: (edit: ResourceEdit) => void
}

/** What surrounds a term: synonyms, owners, broader, narrower and related terms, and where it is used. */
export const TermDetails = ({ view, onChange }: TermDetailsProps) => {
  const { resource } = view
  const { id, parent, terms } = resource
  const writes = resource.current_user_permissions.write
  const [open, setOpen] = useState(false)
  const owners = useOwnerOptions(open)
  const choices = useTermOptions(open)
  const others: PickerOptions = { ...choices, options: choices.options.filter((option) => option.id !== id) }
  const withOwner = useOwnersEdit()
  const ownerIds = getOwnerIds(resource)
  const narrower = useQuery(linkedTermsQuery(id, 'parent')).data?.results ?? []
  const naming = useQuery(linkedTermsQuery(id, 'terms')).data?.results ?? []
  const relatedIds = [...new Set([...terms, ...naming.map((term) => term.id)])].filter((each) => each !== id)
  const names = useNames([...ownerIds, ...relatedIds, ...(parent ? [parent] : [])])
  const nameOf = (each: string): string | undefined => names(each)?.name ?? view.names[each]?.name
  const picker = (
    label: string,
    action: string,
    options: PickerOptions,
    chosen: readonly string[],
    onToggle: (id: string) => void,
    single = false,
  ) =>
    writes && (
      <Picker
        label={label}
        onOpen={() => setOpen(true)}
        {...options}
        chosen={chosen}
        onToggle={onToggle}
        single={single}
        trigger={(props) => (
          <button
            type="button"
            {...props}
            aria-label={action}
            className="flex size-6 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
          >
            {single ? <Pencil aria-hidden size={13} /> : <Plus aria-hidden size={15} />}
          </button>
        )}
      />
    )
  const toggle = (ids: readonly string[], each: string) => (ids.includes(each) ? ids.filter((one) => one !== each) : [...ids, each])
  const link = (each: string, remove?: () => void) => {
    const name = nameOf(each)
    return (
      name && (
        <span key={each} className="inline-flex items-center gap-0.5">
          <TermLink id={each} name={name} />
          {writes && remove && (
            <button
              type="button"
              aria-label={t('Remove {name}', { name })}
              onClick={remove}
              className="flex size-6 items-center justify-center rounded text-faint hover:text-bad"
            >
              <X aria-hidden size={13} />
            </button>
          )}
        </span>
      )
    )
  }
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 text-sm">
      <Row name={t('Synonyms')} shown={writes || hasSynonyms(resource)}>
        <Synonyms term={resource} className="min-w-40 flex-1" />
      </Row>
      <Row name={t('Owners')} shown={writes || ownerIds.some(nameOf)}>
        {ownerIds.map((owner) => {
          const name = nameOf(owner)
          return name && <Person key={owner} name={name} />
        })}
        {picker(t('Owners'), t('Edit owners'), owners, ownerIds, (owner) =>
          onChange(withOwner(resource, owner, !ownerIds.includes(owner))),
        )}
      </Row>
      <Row name={t('Broader term')} shown={writes || (parent !== null && nameOf(parent) !== undefined)}>
        {parent && link(parent)}
        {picker(
          t('Broader term'),
          t('Edit broader term'),
          others,
          parent ? [parent] : [],
          (each) => onChange({ parent: each === parent ? null : each }),
          true,
        )}
      </Row>
      <Row name={t('Narrower terms')} shown={narrower.length > 0}>
        {narrower.map((term) => (
          <TermLink key={term.id} id={term.id} name={term.title} />
        ))}
      </Row>
      <Row name={t('Related terms')} shown={writes || relatedIds.some(nameOf)}>
        {relatedIds.map((each) => link(each, terms.includes(each) ? () => onChange({ terms: toggle(terms, each) }) : undefined))}
        {picker(t('Related terms'), t('Edit related terms'), others, terms, (each) => onChange({ terms: toggle(terms, each) }))}
      </Row>
      <Row name={t('Used on')} shown>
        <TermUsage id={id} />
      </Row>
    </dl>
  )
}

const hasSynonyms = (resource: object): boolean => ((resource as { synonyms?: readonly string[] }).synonyms?.length ?? 0) > 0

const Row = ({ name, shown, children }: { name: string; shown: boolean; children: ReactNode }) =>
  shown && (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">
        <TermCards className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">{children}</TermCards>
      </dd>
    </>
  )

/** `34 columns, 3 tables`, each a link to them. Related terms are listed as such. */
export const TermUsage = ({ id }: { id: string }) => (
  <QueryView of={useQuery(termUsageQuery(id))} loading={<Skeleton lines={1} className="w-24" />}>
    {({ by_type }) => {
      const used = by_type.filter(({ entity_type }) => entity_type !== 'glossary')
      if (used.length === 0) return <span className="text-faint">{t('Nothing yet')}</span>
      return used.map(({ entity_type, count }) => (
        <Link
          key={entity_type}
          to="/search"
          search={{ terms: id, entity_type }}
          className="inline-flex min-h-6 items-center text-accent hover:underline"
        >
          {entityTypeCount(count, entity_type)}
        </Link>
      ))
    }}
  </QueryView>
)

const MAX_SHOWN = 8

/** Resources named like the term, to add it to them. */
export const NamedAlike = ({ id }: { id: string }) => {
  const { data } = useQuery(namedAlikeQuery(id))
  const assign = useAssignTerms()
  if (!data || data.results.length === 0) return null
  const { results, truncated } = data
  const count = results.length
  return (
    <section aria-label={t('Resources with the same name')} className="grid gap-2 rounded-lg border border-line bg-sunken/40 p-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1">
          {truncated
            ? t('More than {n:# resource has|# resources have} the same name.', { n: count })
            : t('{n:# resource has|# resources have} the same name.', { n: count })}
        </p>
        <Button
          small
          icon={Plus}
          busy={assign.isPending}
          onClick={() => assign.add(results.map((each) => ({ resource_id: each.id, term_id: id })))}
        >
          {t('Add the term to all')}
        </Button>
      </div>
      <ul className="grid gap-0.5">
        {results.slice(0, MAX_SHOWN).map((each) => (
          <li key={each.id} className="flex min-w-0 items-center gap-2">
            <Link to="/r/$id" params={{ id: each.id }} className="min-w-0 flex-1 truncate hover:text-accent hover:underline" dir="auto">
              {each.title_full}
            </Link>
            <Button small look="quiet" onClick={() => assign.add([{ resource_id: each.id, term_id: id }])}>
              {t('Add')}
              <span className="sr-only"> {each.title_full}</span>
            </Button>
          </li>
        ))}
      </ul>
      {count > MAX_SHOWN && <p className="text-xs text-faint">{t('and {n:# other|# others}', { n: count - MAX_SHOWN })}</p>}
    </section>
  )
}
