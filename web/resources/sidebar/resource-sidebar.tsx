import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNames } from '../../api/names.ts'
import { useOwnersEdit } from '../../api/owner-edits.ts'
import { getOwnerIds } from '../../api/owners.ts'
import { type PickerOptions, useOwnerOptions, useTagOptions, useTeamOptions, useTermOptions } from '../../api/picker-options.ts'
import { useBootstrap, useCan, useMe } from '../../api/session.ts'
import type { Named, ResourceEdit, ResourceView } from '../../api/types.ts'
import { Synonyms } from '../../glossary/synonyms.tsx'
import { TermUsage } from '../../glossary/term-details.tsx'
import { TermCards, TermLink } from '../../glossary/term-links.tsx'
import { OwnTermSuggestions } from '../../glossary/term-suggestions.tsx'
import { pluralize, t } from '../../i18n/messages.ts'
import { SourceIcon } from '../../integrations/icon.tsx'
import { TagChip } from '../../ui/badge.tsx'
import { formatBytes, formatCount } from '../../ui/number.ts'
import { PersonLink } from '../../ui/person-link.tsx'
import { Picker } from '../../ui/picker.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useCollectionOptions, useNewCollection } from './collections.ts'
import { useNewTag } from './new-tag.ts'
import { OpenLineageFacets } from './openlineage-facets.tsx'
import { Partitions } from './partitions.tsx'
import { Properties } from './properties.tsx'
import { SourceStructure } from './source-structure.tsx'

interface ResourceSidebarProps {
  readonly view: ResourceView
  readonly onChange: (edit: ResourceEdit) => void
}

const toggleId = (ids: readonly string[], id: string): string[] => (ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])

const LISTS = {
  owners: { title: t('Owners'), change: t('Edit owners') },
  tags: { title: t('Tags'), change: t('Edit tags') },
  terms: { title: t('Glossary terms'), change: t('Edit terms') },
  teams: { title: t('Teams'), change: t('Edit teams') },
  collections: { title: t('Collections'), change: t('Edit collections') },
}
type ListField = keyof typeof LISTS

/** Owners, tags, properties and facts: next to the page, or below it on narrow screens. */
export const ResourceSidebar = ({ view, onChange }: ResourceSidebarProps) => {
  const { resource, names } = view
  const { teams, integrations } = useBootstrap()
  const me = useMe()
  const writes = resource.current_user_permissions.write
  const [openPicker, setOpenPicker] = useState<ListField>()
  const owners = useOwnerOptions(openPicker === 'owners')
  const tagChoices = useTagOptions()
  const teamChoices = useTeamOptions()
  const termChoices = useTermOptions(openPicker === 'terms')
  const chosenName = useNames(
    [...getOwnerIds(resource), ...resource.tags, ...resource.terms, ...resource.teams, ...resource.collections].filter((id) => !names[id]),
  )
  const collections = useCollectionOptions(openPicker === 'collections')
  const withOwner = useOwnersEdit()
  const toggled: Record<ListField, (id: string) => ResourceEdit> = {
    owners: (id) => withOwner(resource, id, !getOwnerIds(resource).includes(id)),
    tags: (id) => ({ tags: toggleId(resource.tags, id) }),
    terms: (id) => ({ terms: toggleId(resource.terms, id) }),
    teams: (id) => ({ teams: toggleId(resource.teams, id) }),
    collections: (id) => ({ collections: toggleId(resource.collections, id) }),
  }
  const nameOf = (id: string): Named | undefined => {
    if (names[id]) return names[id]
    if (id === me.id) return { type: 'user', name: me.name }
    const named = chosenName(id)
    if (named) return named
    const other =
      integrations.find((each) => each.id === id)?.name ??
      [...owners.options, ...termChoices.options, ...collections.options].find((each) => each.id === id)?.label
    return other === undefined ? undefined : { type: 'team', name: other }
  }
  const createTag = useNewTag((id) => onChange({ tags: [...resource.tags, id] }))
  const createCollection = useNewCollection((id) => onChange({ collections: [...resource.collections, id] }))
  const chosen = (field: ListField): readonly string[] => (field === 'owners' ? getOwnerIds(resource) : resource[field])
  const list = (field: ListField, draw: (name: Named, id: string) => ReactNode) =>
    chosen(field).flatMap((id) => {
      const name = nameOf(id)
      return name
        ? [
            <SelectedItem key={id} label={name.name} onRemove={writes ? () => onChange(toggled[field](id)) : undefined}>
              {draw(name, id)}
            </SelectedItem>,
          ]
        : []
    })
  const add = (
    field: ListField,
    choices: Partial<PickerOptions> & Pick<PickerOptions, 'options'>,
    more?: { onCreate?: (name: string) => void },
  ) =>
    writes && (
      <Picker
        label={LISTS[field].title}
        align="end"
        onOpen={() => setOpenPicker(field)}
        {...choices}
        chosen={chosen(field)}
        onToggle={(id) => onChange(toggled[field](id))}
        {...more}
        trigger={(props) => (
          <button
            type="button"
            {...props}
            aria-label={LISTS[field].change}
            className="flex size-6 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
          >
            <Plus aria-hidden size={15} />
          </button>
        )}
      />
    )
  const sources = useCan('integrations.read')
  const source = resource.integration ? nameOf(resource.integration)?.name : undefined
  const sourceType =
    (resource.integration ? nameOf(resource.integration)?.integration_type : undefined) ??
    integrations.find((each) => each.id === resource.integration)?.type ??
    ''
  return (
    <aside aria-label={t('Details')} className="text-sm max-xl:border-t max-xl:border-line max-xl:pt-4">
      <SidebarSection title={LISTS.owners.title} empty={getOwnerIds(resource).length === 0} action={add('owners', owners)}>
        {list('owners', ({ name, type }, id) => (
          <PersonLink id={id} name={name} type={type === 'group' || type === 'team' ? type : 'user'} avatar />
        ))}
      </SidebarSection>
      {resource.entity_type === 'glossary' && (
        <>
          <SidebarSection title={t('Synonyms')} empty={false}>
            <Synonyms term={resource} />
          </SidebarSection>
          <SidebarSection title={t('Used on')} empty={false}>
            <div className="flex flex-wrap gap-x-2">
              <TermUsage id={resource.id} />
            </div>
          </SidebarSection>
        </>
      )}
      <SidebarSection
        title={LISTS.tags.title}
        empty={resource.tags.length === 0}
        action={add('tags', tagChoices, { onCreate: (name) => createTag.mutate(name) })}
      >
        <div className="flex flex-wrap gap-1">
          {list('tags', ({ name, color }) => (
            <TagChip name={name} color={color} />
          ))}
        </div>
      </SidebarSection>
      {(writes || resource.terms.some(nameOf)) && (
        <SidebarSection
          title={resource.entity_type === 'glossary' ? t('Related terms') : LISTS.terms.title}
          empty={false}
          action={add('terms', { ...termChoices, options: termChoices.options.filter(({ id }) => id !== resource.id) })}
        >
          <TermCards className="flex flex-wrap gap-1">
            {list('terms', ({ name }, id) => (
              <TermLink id={id} name={name} />
            ))}
            {!resource.terms.some(nameOf) && <span className="text-faint">{t('None')}</span>}
            {writes && <OwnTermSuggestions id={resource.id} />}
          </TermCards>
        </SidebarSection>
      )}
      {(teams.length > 0 || resource.teams.some(nameOf)) && (
        <SidebarSection title={LISTS.teams.title} empty={!resource.teams.some(nameOf)} action={add('teams', teamChoices)}>
          {list('teams', ({ name }) => (
            <span>{name}</span>
          ))}
        </SidebarSection>
      )}
      {resource.entity_type !== 'collection' && (writes || chosen('collections').length > 0) && (
        <SidebarSection
          title={LISTS.collections.title}
          empty={chosen('collections').length === 0}
          action={add('collections', collections, { onCreate: (title) => createCollection.mutate(title) })}
        >
          {list('collections', ({ name }, id) => (
            <Link
              to="/r/$id"
              params={{ id }}
              search={{ tab: 'members' }}
              className="wrap-anywhere hover:text-accent hover:underline"
              dir="auto"
            >
              {name}
            </Link>
          ))}
        </SidebarSection>
      )}
      <Properties view={view} />
      <Partitions resource={resource} />
      <SourceStructure resource={resource} />
      <OpenLineageFacets resource={resource} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 pt-3">
        {source && resource.integration && (
          <Fact name={t('Source')}>
            {sources ? (
              <Link
                to="/integrations/$id"
                params={{ id: resource.integration }}
                className="flex min-w-0 items-start gap-1.5 hover:text-accent hover:underline"
              >
                <SourceIcon type={sourceType} size={16} /> <span className="min-w-0 break-words whitespace-normal">{source}</span>
              </Link>
            ) : (
              <span className="flex min-w-0 items-start gap-1.5">
                <SourceIcon type={sourceType} size={16} /> <span className="min-w-0 break-words whitespace-normal">{source}</span>
              </span>
            )}
          </Fact>
        )}
        {resource.native_type && resource.native_type !== resource.entity_type && <Fact name={t('Type')}>{resource.native_type}</Fact>}
        {resource.row_count !== null && <Fact name={t('Rows')}>{formatCount(resource.row_count)}</Fact>}
        {resource.byte_size !== null && <Fact name={t('Size')}>{formatBytes(resource.byte_size)}</Fact>}
        <Fact name={t('Queries (24 h)')}>{formatCount(resource.external_usage)}</Fact>
        <Fact name={t('Page views (90 days)')}>{formatCount(resource.internal_usage)}</Fact>
        <Fact name={t('Updated')}>
          <RelativeTime at={resource.updated_at} />
        </Fact>
        <Fact name={t('Created')}>
          <RelativeTime at={resource.created_at} />
        </Fact>
        {resource.external_updated_at && (
          <Fact name={t('Data updated')}>
            <RelativeTime at={resource.external_updated_at} />
          </Fact>
        )}
        {view.tabs.backlinks > 0 && (
          <Fact name={t('Mentioned')}>
            <Link to="." search={{ tab: 'mentions' }} className="text-accent hover:underline">
              {pluralize(view.tabs.backlinks, 'time')}
            </Link>
          </Fact>
        )}
      </dl>
    </aside>
  )
}

const SidebarSection = ({ title, action, empty, children }: { title: string; action?: ReactNode; empty: boolean; children: ReactNode }) => (
  <section className="grid gap-1 border-b border-line py-2.5 first:pt-0">
    <div className="flex min-h-6 items-center justify-between">
      <h2 className="text-xs font-semibold text-faint">{title}</h2>
      {action}
    </div>
    {empty ? <p className="text-faint">{t('None')}</p> : children}
  </section>
)

const SelectedItem = ({ label, onRemove, children }: { label: string; onRemove?: () => void; children: ReactNode }) => (
  <span className="group/chosen flex min-w-0 items-center gap-1">
    <span className="min-w-0">{children}</span>
    {onRemove && (
      <button
        type="button"
        aria-label={t('Remove {name}', { name: label })}
        onClick={onRemove}
        className="rounded text-faint opacity-0 group-hover/chosen:opacity-100 hover:text-bad focus-visible:opacity-100"
      >
        <X aria-hidden size={14} />
      </button>
    )}
  </span>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-faint">{name}</dt>
    <dd className="min-w-0 truncate">{children}</dd>
  </>
)
