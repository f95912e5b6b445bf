import { t as translated } from '../i18n/messages.ts'

const englishLabels = new Map<string, string>()

/** Keeps the English name, so that commands can be found by it in every language. */
const t = (message: string): string => {
  const label = translated(message)
  englishLabels.set(label, message)
  return label
}

/** Command groups and their labels. */
export const GROUPS = {
  General: t('General'),
  'Go to': t('Go to'),
  Results: t('Results'),
  Resource: t('Resource'),
  Lineage: t('Lineage'),
  Monitors: t('Monitors'),
  Integrations: t('Integrations'),
  Documents: t('Documents'),
  Glossary: t('Glossary'),
  Editor: t('Editor'),
}

/**
 * Every command and its keys: used by the command palette, the shortcuts dialog (`?`) and the keyboard handler.
 * A page binds a command while it is mounted (`useCommand`).
 *
 * `mod` is ⌘ on a Mac and Ctrl elsewhere; `g s` is one key after the other.
 */
interface Command {
  readonly label: string
  readonly group: keyof typeof GROUPS
  readonly keys?: string
  /** Not listed in the palette: navigation, or only useful as a key. */
  readonly keyOnly?: boolean
}

const defineCommands = <T extends Record<string, Command>>(commands: T): Record<keyof T, Command> => commands

export const COMMANDS = defineCommands({
  palette: { label: t('Search and commands'), group: 'General', keys: 'mod+k', keyOnly: true },
  search: { label: t('Search'), group: 'General', keys: '/', keyOnly: true },
  keys: { label: t('Keyboard shortcuts'), group: 'General', keys: '?' },
  inbox: { label: t('Open inbox'), group: 'General', keys: 'g n' },
  'theme.light': { label: t('Light theme'), group: 'General' },
  'theme.dark': { label: t('Dark theme'), group: 'General' },
  'theme.system': { label: t('System theme'), group: 'General' },
  'sign-out': { label: t('Sign out'), group: 'General' },

  'go.home': { label: t('Home'), group: 'Go to', keys: 'g h' },
  'go.needs-you': { label: t('Needs you'), group: 'Go to', keys: 'g u' },
  'go.search': { label: t('Catalog'), group: 'Go to', keys: 'g c' },
  'go.tree': { label: t('Browse'), group: 'Go to', keys: 'g t' },
  'go.lineage': { label: t('Lineage'), group: 'Go to', keys: 'g l' },
  'go.monitors': { label: t('Monitors'), group: 'Go to', keys: 'g m' },
  'go.incidents': { label: t('Incidents'), group: 'Go to', keys: 'g o' },
  'go.insights': { label: t('Insights'), group: 'Go to', keys: 'g r' },
  'go.integrations': { label: t('Integrations'), group: 'Go to', keys: 'g i' },
  'go.documents': { label: t('Documents'), group: 'Go to', keys: 'g d' },
  'go.glossary': { label: t('Glossary'), group: 'Go to', keys: 'g y' },
  'go.assistant': { label: t('Assistant'), group: 'Go to', keys: 'g q' },
  'go.activity': { label: t('Activity'), group: 'Go to', keys: 'g a' },
  'go.trash': { label: t('Trash'), group: 'Go to', keys: 'g x' },
  'go.settings': { label: t('Settings'), group: 'Go to', keys: 'g s' },

  'results.next': { label: t('Next result'), group: 'Results', keys: 'j', keyOnly: true },
  'results.previous': { label: t('Previous result'), group: 'Results', keys: 'k', keyOnly: true },
  'results.open': { label: t('Open result'), group: 'Results', keys: 'Enter', keyOnly: true },
  'results.peek': { label: t('Preview result'), group: 'Results', keys: 'Space', keyOnly: true },
  'results.select': { label: t('Select result'), group: 'Results', keys: 'x', keyOnly: true },
  'results.edit': { label: t('Edit description'), group: 'Results', keys: 'e', keyOnly: true },
  'results.select-all': { label: t('Select all loaded results'), group: 'Results', keys: 'shift+x' },
  'results.clear': { label: t('Clear selection or close preview'), group: 'Results', keys: 'Escape', keyOnly: true },
  'results.filter': { label: t('Filter results'), group: 'Results', keys: 'f' },
  'results.group': { label: t('Group results by type'), group: 'Results' },
  'results.export': { label: t('Export results as CSV'), group: 'Results' },
  'results.save-view': { label: t('Save view'), group: 'Results' },
  'results.clear-filters': { label: t('Clear filters'), group: 'Results' },

  'resource.edit': { label: t('Edit documentation'), group: 'Resource', keys: 'e' },
  'resource.verify': { label: t('Verify or remove verification'), group: 'Resource', keys: 'v' },
  'resource.bookmark': { label: t('Bookmark'), group: 'Resource', keys: 'b' },
  'resource.subscribe': { label: t('Subscribe to changes'), group: 'Resource', keys: 's' },
  'resource.copy-link': { label: t('Copy link'), group: 'Resource', keys: 'c' },

  'resource.previous-tab': { label: t('Previous tab'), group: 'Resource', keys: '[', keyOnly: true },
  'resource.next-tab': { label: t('Next tab'), group: 'Resource', keys: ']', keyOnly: true },
  'resource.describe': { label: t('Describe the next undocumented column'), group: 'Resource', keys: 'd' },

  'lineage.find': { label: t('Find in graph'), group: 'Lineage', keys: 'f' },
  'lineage.upstream': { label: t('Show upstream of the selected resource'), group: 'Lineage', keys: '[' },
  'lineage.downstream': { label: t('Show downstream of the selected resource'), group: 'Lineage', keys: ']' },
  'lineage.columns': { label: t('Show or hide columns of the selected resource'), group: 'Lineage', keys: 'o' },
  'lineage.link': { label: t('Link the selected resource to…'), group: 'Lineage', keys: 'n' },
  'lineage.list': { label: t('Switch between graph and list'), group: 'Lineage', keys: 'l' },
  'lineage.what-if': { label: t('Simulate a change…'), group: 'Lineage', keys: 'w' },
  'lineage.sql': { label: t('Lineage from SQL…'), group: 'Lineage' },
  'lineage.fit': { label: t('Fit everything'), group: 'Lineage', keys: '0' },
  'lineage.zoom-in': { label: t('Zoom in'), group: 'Lineage', keys: '+', keyOnly: true },
  'lineage.zoom-out': { label: t('Zoom out'), group: 'Lineage', keys: '-', keyOnly: true },
  'lineage.clear': { label: t('Clear selection'), group: 'Lineage', keys: 'Escape', keyOnly: true },
  'lineage.png': { label: t('Export graph as PNG'), group: 'Lineage' },
  'lineage.svg': { label: t('Export graph as SVG'), group: 'Lineage' },
  'lineage.csv': { label: t('Export links as CSV'), group: 'Lineage' },

  'monitors.new': { label: t('New monitor'), group: 'Monitors', keys: 'n' },
  'monitors.config': { label: t('Monitors as code'), group: 'Monitors' },
  'monitors.run': { label: t('Run monitor now'), group: 'Monitors', keys: 'r' },
  'incident.acknowledge': { label: t('Acknowledge incident'), group: 'Monitors', keys: 'a' },
  'incident.resolve': { label: t('Resolve incident'), group: 'Monitors', keys: 'shift+r' },
  'incident.normal': { label: t('Mark incident as expected'), group: 'Monitors' },

  'documents.new': { label: t('New document'), group: 'Documents', keys: 'n' },
  'glossary.new': { label: t('New term'), group: 'Glossary', keys: 'n' },

  'integrations.new': { label: t('Add integration'), group: 'Integrations', keys: 'n' },
  'integrations.sync': { label: t('Sync now'), group: 'Integrations', keys: 'y' },
  'integrations.test': { label: t('Test connection'), group: 'Integrations' },

  'editor.save': { label: t('Save'), group: 'Editor', keys: 'mod+s', keyOnly: true },
  'editor.preview': { label: t('Show or hide preview'), group: 'Editor', keys: 'mod+shift+p', keyOnly: true },
})
export type CommandId = keyof typeof COMMANDS

/** The text a command is found by: name and group, translated and in English. */
export const getCommandText = (id: CommandId): string => {
  const { label, group } = COMMANDS[id]
  return `${group} ${englishLabels.get(label)} ${GROUPS[group]} ${label}`.toLowerCase()
}

/** Whether this is the whole name of the command, translated or in English. */
export const isCommandName = (id: CommandId, typed: string): boolean => {
  const { label } = COMMANDS[id]
  return [label, englishLabels.get(label)].some((name) => name?.toLowerCase() === typed.toLowerCase())
}
