import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { CornerDownLeft, type LucideIcon, Search, Settings, UserRound, UsersRound, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { peopleQuery } from '../api/picker-options.ts'
import { useBootstrap, useMe } from '../api/session.ts'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { typeAheadQuery } from '../search/queries.ts'
import { homeQuery } from '../start/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { PathText } from '../ui/path-text.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { COMMANDS, type CommandId, getCommandText, isCommandName } from './commands.ts'
import { findOtherPageCommands, findSettingsPages, matchesAllWords } from './other-page-commands.ts'
import { runWhenReady, useAvailable } from './use-command.ts'

const ITEM = 'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1 text-sm data-[selected=true]:bg-accent-soft'
const GROUP =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-faint'

const MAX_PEOPLE = 3 // and as many teams and groups

/** The command palette (⌘K and `/`): searches the catalog and all commands. */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const [typed, setTyped] = useState('')
  const query = useThrottled(typed.trim())
  const navigate = useNavigate()
  const available = useAvailable()
  const { data: found, isPlaceholderData } = useQuery({ ...typeAheadQuery(query), placeholderData: keepPreviousData })
  const { data: home } = useQuery({ ...homeQuery, enabled: query === '' })

  const go = (id: string) => {
    onClose()
    void navigate({ to: '/r/$id', params: { id } })
  }
  const run = (perform: () => void) => {
    onClose()
    perform()
  }
  const { permissions } = useMe()
  const may = (permission: (typeof permissions)[number]) => permissions.includes(permission)
  const commands = [...available].filter(([id]) => !COMMANDS[id].keyOnly && matchesAllWords(query, getCommandText(id)))
  const otherPageCommands = query === '' ? [] : findOtherPageCommands(query, new Set(available.keys()), may)
  const settings = query === '' ? [] : findSettingsPages(query, may)
  const { data: people } = useQuery({ ...peopleQuery(query), enabled: may('people.read') && query.length > 1 })
  const persons = query.length > 1 ? (people?.results ?? []).slice(0, MAX_PEOPLE) : []
  const { teams, groups } = useBootstrap()
  const memberGroups = query.length > 1 && may('teams.read') ? findMemberGroups(query, teams, groups) : []
  const hits = query === '' ? [] : (found?.results ?? [])

  // The best match is selected as soon as it arrives. A command that was typed out is meant, whatever the catalog has.
  const [meant, performMeant] = commands.find(([id]) => isCommandName(id, query)) ?? []
  const best =
    meant ??
    hits[0]?.id ??
    (query === '' ? home?.recent[0]?.id : undefined) ??
    persons[0]?.id ??
    memberGroups[0]?.id ??
    commands[0]?.[0] ??
    otherPageCommands[0]?.id ??
    ''
  const [chosen, setChosen] = useState(best)
  useEffect(() => setChosen(best), [best])

  // Enter pressed before the results of the last letter arrive runs the command that was typed out, or opens the first result.
  const typedTerm = typed.trim()
  const typedOut = typedTerm === query && meant !== undefined
  const isPending = !typedOut && typedTerm !== '' && (typedTerm !== query || isPlaceholderData || !found)
  const [entered, setEntered] = useState(false)
  const first = hits[0]?.id
  useEffect(() => {
    if (!entered || isPending) return
    setEntered(false)
    if (performMeant) run(performMeant)
    else if (first) go(first)
  })

  return (
    <Dialog title={t('Search and commands')} bare onClose={onClose} className="mt-[12vh] w-[40rem]">
      <Command
        shouldFilter={false}
        value={chosen}
        onValueChange={setChosen}
        label={t('Search and commands')}
        className="flex min-h-0 flex-col"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !isPending) return
          event.preventDefault()
          setEntered(true)
        }}
      >
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Search aria-hidden size={17} className="text-faint" />
          <Command.Input
            data-autofocus
            value={typed}
            onValueChange={setTyped}
            placeholder={t('Search tables, columns, dashboards, commands…')}
            className="h-12 flex-1 bg-transparent text-[0.9375rem] outline-none"
          />
          <Kbd keys="Escape" />
        </div>
        <Command.List label={t('Suggestions')} className="max-h-[26rem] overflow-auto p-1.5">
          {query !== '' &&
            hits.length + commands.length + otherPageCommands.length + settings.length + persons.length + memberGroups.length === 0 && (
              <Command.Empty className="px-3 py-8 text-center text-sm text-soft">
                {t('No results for “{words}”', { words: query })}
              </Command.Empty>
            )}
          {hits.length > 0 && (
            <Command.Group heading={t('Catalog')} className={GROUP}>
              {hits.map(({ id, title, title_full, entity_type, verified, reason }) => (
                <Command.Item key={id} value={id} onSelect={() => go(id)} className={ITEM}>
                  <EntityTypeIcon type={entity_type} />
                  <span className="min-w-0 flex-1 truncate" dir="auto">
                    {reason.field === 'title' ? <Highlight text={reason.snippet} ranges={reason.ranges} /> : title}
                    <span className="ms-1.5 inline-flex gap-1 align-middle">
                      <TrustBadges id={id} verified={verified} />
                    </span>
                  </span>
                  <PathText
                    text={title_full === title ? entityTypeLabel(entity_type) : title_full}
                    className="max-w-[50%] text-xs text-faint"
                  />
                </Command.Item>
              ))}
              <Command.Item
                value="all-results"
                onSelect={() => {
                  onClose()
                  void navigate({ to: '/search', search: { q: query } })
                }}
                className={ITEM}
              >
                <CornerDownLeft aria-hidden size={16} className="text-faint" />
                <span className="flex-1">{t('All results for “{words}”', { words: query })}</span>
              </Command.Item>
            </Command.Group>
          )}
          {query === '' && (home?.recent.length ?? 0) > 0 && (
            <Command.Group heading={t('Recently viewed')} className={GROUP}>
              {home?.recent.slice(0, 5).map(({ id, title, title_full, entity_type }) => (
                <Command.Item key={id} value={id} onSelect={() => go(id)} className={ITEM}>
                  <EntityTypeIcon type={entity_type} />
                  <span className="flex min-w-0 flex-1 items-center gap-1.5" dir="auto">
                    <span className="truncate">{title}</span>
                    <TrustBadges id={id} size={13} />
                  </span>
                  <PathText
                    text={title_full === title ? entityTypeLabel(entity_type) : title_full}
                    className="max-w-[50%] text-xs text-faint"
                  />
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <PeopleGroup
            heading={t('People')}
            icon={UserRound}
            entries={persons.map(({ id, name, email }) => ({ id, name, about: email }))}
            onSelect={({ id }) => {
              onClose()
              void navigate({ to: '/people/$id', params: { id } })
            }}
          />
          <PeopleGroup
            heading={t('Teams and groups')}
            icon={UsersRound}
            entries={memberGroups}
            onSelect={({ id, to }) => {
              onClose()
              void navigate({ to, params: { id } })
            }}
          />
          {commands.length + otherPageCommands.length + settings.length > 0 && (
            <Command.Group heading={t('Commands')} className={GROUP}>
              {commands.map(([id, perform]) => (
                <CommandRow key={id} id={id} onSelect={() => run(perform)} />
              ))}
              {otherPageCommands.map(({ id, path }) => (
                <CommandRow
                  key={id}
                  id={id}
                  elsewhere
                  onSelect={() => {
                    onClose()
                    runWhenReady(id)
                    void navigate({ to: path })
                  }}
                />
              ))}
              {settings.map(({ section, label }) => (
                <Command.Item
                  key={label}
                  value={`settings ${label}`}
                  onSelect={() => {
                    onClose()
                    void navigate({ to: '/settings/$section', params: { section } })
                  }}
                  className={ITEM}
                >
                  <Settings aria-hidden size={16} className="text-faint" />
                  <span className="flex-1">{t('Settings: {section}', { section: label })}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

const findMemberGroups = (query: string, teams: readonly Named[], groups: readonly Named[]) => {
  const matching = (all: readonly Named[]) => all.filter(({ name }) => matchesAllWords(query, name.toLowerCase()))
  return [
    ...matching(teams).map((team) => ({ ...team, to: '/teams/$id' as const, about: t('Team') })),
    ...matching(groups).map((group) => ({ ...group, to: '/groups/$id' as const, about: t('Group') })),
  ].slice(0, MAX_PEOPLE)
}

interface PeopleGroupProps<T> {
  readonly heading: string
  readonly icon: LucideIcon
  readonly entries: readonly T[]
  readonly onSelect: (entry: T) => void
}

const PeopleGroup = <T extends Named & { readonly about: string }>({ heading, icon: Icon, entries, onSelect }: PeopleGroupProps<T>) =>
  entries.length > 0 && (
    <Command.Group heading={heading} className={GROUP}>
      {entries.map((entry) => (
        <Command.Item key={entry.id} value={entry.id} onSelect={() => onSelect(entry)} className={ITEM}>
          <Icon aria-hidden size={16} className="text-faint" />
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {entry.name}
          </span>
          <span className="max-w-[50%] truncate text-xs text-faint">{entry.about}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )

const CommandRow = ({ id, elsewhere = false, onSelect }: { id: CommandId; elsewhere?: boolean; onSelect: () => void }) => {
  const { label, group, keys } = COMMANDS[id]
  return (
    <Command.Item value={id} onSelect={onSelect} className={ITEM}>
      <Zap aria-hidden size={16} className="text-faint" />
      <span className="flex-1">{group === 'Go to' ? t('Go to {page}', { page: label }) : label}</span>
      {keys && !elsewhere && <Kbd keys={keys} />}
    </Command.Item>
  )
}
