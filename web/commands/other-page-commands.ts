import type { Permission } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { COMMANDS, type CommandId, getCommandText } from './commands.ts'

/** Commands of other pages: the palette opens the page and runs the command there. */
const COMMAND_PAGES: Partial<
  Record<CommandId, { readonly path: '/monitors' | '/integrations' | '/documents' | '/glossary'; readonly needs: Permission }>
> = {
  'monitors.new': { path: '/monitors', needs: 'monitors.write' },
  'monitors.config': { path: '/monitors', needs: 'monitors.config' },
  'integrations.new': { path: '/integrations', needs: 'integrations.manage' },
  'documents.new': { path: '/documents', needs: 'catalog.write' },
  'glossary.new': { path: '/glossary', needs: 'catalog.write' },
}

/** A settings section and its search keywords. */
interface SettingsPage {
  readonly section: string
  readonly label: string
  readonly needs?: Permission
  readonly also?: string
}

const SETTINGS_PAGES: readonly SettingsPage[] = [
  { section: 'profile', label: t('Profile'), also: 'language password name' },
  { section: 'sessions', label: t('Sessions') },
  { section: 'tokens', label: t('API tokens'), needs: 'tokens.own', also: 'api key' },
  { section: 'notifications', label: t('Notifications'), also: 'e-mail email slack' },
  { section: 'people', label: t('People'), needs: 'people.read', also: 'users members' },
  { section: 'people', label: t('Invite people'), needs: 'people.manage', also: 'invite user member' },
  { section: 'teams', label: t('Teams'), needs: 'teams.read' },
  { section: 'groups', label: t('Groups'), needs: 'teams.read' },
  { section: 'properties', label: t('Properties'), needs: 'catalog.write' },
  { section: 'tags', label: t('Tags'), needs: 'catalog.write' },
  { section: 'search', label: t('Search ranking'), needs: 'search.manage', also: 'weights pin hide' },
  { section: 'assistant', label: t('Assistant'), needs: 'assistant.manage', also: 'ai model llm openai anthropic ollama' },
  { section: 'routing', label: t('Alert routing'), needs: 'notifications.manage' },
  { section: 'webhooks', label: t('Webhooks'), needs: 'notifications.manage' },
  { section: 'server', label: t('This server'), needs: 'server.manage', also: 'e-mail mail smtp slack backup sso oidc' },
]

const CREATE_WORDS = ['new', 'create', 'add', 'make']

/** Whether the text contains every word; "new", "create", "add" and "make" are synonyms. */
export const matchesAllWords = (query: string, text: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every(
      (word) => text.includes(word) || (CREATE_WORDS.includes(word) && CREATE_WORDS.some((other) => text.split(/\s+/).includes(other))),
    )

export const findOtherPageCommands = (query: string, here: ReadonlySet<CommandId>, may: (permission: Permission) => boolean) =>
  (Object.keys(COMMAND_PAGES) as CommandId[])
    .filter((id) => !here.has(id) && may(COMMAND_PAGES[id]!.needs) && matchesAllWords(query, getCommandText(id)))
    .map((id) => ({ id, path: COMMAND_PAGES[id]!.path, label: COMMANDS[id].label }))

export const findSettingsPages = (query: string, may: (permission: Permission) => boolean): readonly SettingsPage[] =>
  SETTINGS_PAGES.filter(
    ({ section, label, needs, also = '' }) =>
      (!needs || may(needs)) && matchesAllWords(query, `settings ${t('Settings')} ${section} ${label} ${also}`.toLowerCase()),
  )
