import { t as translated } from '../words/words.ts'

const english = new Map<string, string>()

/** Who knows a command by its English name finds it in every language. */
const t = (words: string): string => {
  const said = translated(words)
  english.set(said, words)
  return said
}

/** The groups of commands, and what they are called. */
export const GROUPS = {
  Everywhere: t('Everywhere'),
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
 * Every command of the app and its key, in one place: the palette, the `?` sheet and the keyboard are made from this list.
 * A page says what a command does while it is on screen (`useCommand`).
 *
 * `mod` is ⌘ on a Mac and Ctrl elsewhere; `g s` is one key after the other.
 */
interface Command {
  readonly label: string
  readonly group: keyof typeof GROUPS
  readonly keys?: string
  /** Too small for the palette: moving about, or what only a key makes sense of. */
  readonly keyOnly?: boolean
}

const define = <T extends Record<string, Command>>(commands: T): Record<keyof T, Command> => commands

export const COMMANDS = define({
  palette: { label: t('Search and commands'), group: 'Everywhere', keys: 'mod+k', keyOnly: true },
  search: { label: t('Search'), group: 'Everywhere', keys: '/', keyOnly: true },
  keys: { label: t('Keyboard shortcuts'), group: 'Everywhere', keys: '?' },
  inbox: { label: t('Open the inbox'), group: 'Everywhere', keys: 'g n' },
  'theme.light': { label: t('Light theme'), group: 'Everywhere' },
  'theme.dark': { label: t('Dark theme'), group: 'Everywhere' },
  'theme.system': { label: t('Theme of the system'), group: 'Everywhere' },
  'sign-out': { label: t('Sign out'), group: 'Everywhere' },

  'go.home': { label: t('Home'), group: 'Go to', keys: 'g h' },
  'go.search': { label: t('Catalog'), group: 'Go to', keys: 'g c' },
  'go.tree': { label: t('Browse the tree'), group: 'Go to', keys: 'g t' },
  'go.lineage': { label: t('Lineage'), group: 'Go to', keys: 'g l' },
  'go.monitors': { label: t('Monitors'), group: 'Go to', keys: 'g m' },
  'go.incidents': { label: t('Incidents'), group: 'Go to', keys: 'g o' },
  'go.integrations': { label: t('Integrations'), group: 'Go to', keys: 'g i' },
  'go.documents': { label: t('Documents'), group: 'Go to', keys: 'g d' },
  'go.glossary': { label: t('Glossary'), group: 'Go to', keys: 'g y' },
  'go.activity': { label: t('Activity'), group: 'Go to', keys: 'g a' },
  'go.trash': { label: t('Trash'), group: 'Go to', keys: 'g x' },
  'go.settings': { label: t('Settings'), group: 'Go to', keys: 'g s' },

  'results.next': { label: t('Next result'), group: 'Results', keys: 'j', keyOnly: true },
  'results.previous': { label: t('Previous result'), group: 'Results', keys: 'k', keyOnly: true },
  'results.open': { label: t('Open the result'), group: 'Results', keys: 'Enter', keyOnly: true },
  'results.peek': { label: t('Peek at the result'), group: 'Results', keys: 'Space', keyOnly: true },
  'results.select': { label: t('Select the result'), group: 'Results', keys: 'x', keyOnly: true },
  'results.edit': { label: t('Edit the description of the result'), group: 'Results', keys: 'e', keyOnly: true },
  'results.select-all': { label: t('Select all loaded results'), group: 'Results', keys: 'shift+x' },
  'results.clear': { label: t('Clear the selection, or close the peek'), group: 'Results', keys: 'Escape', keyOnly: true },
  'results.export': { label: t('Export these results as CSV'), group: 'Results' },
  'results.save-view': { label: t('Save this view'), group: 'Results' },
  'results.clear-filters': { label: t('Clear all filters'), group: 'Results' },

  'resource.edit': { label: t('Edit the documentation'), group: 'Resource', keys: 'e' },
  'resource.verify': { label: t('Verify, or take it back'), group: 'Resource', keys: 'v' },
  'resource.bookmark': { label: t('Bookmark'), group: 'Resource', keys: 'b' },
  'resource.subscribe': { label: t('Subscribe to changes'), group: 'Resource', keys: 's' },
  'resource.copy-link': { label: t('Copy the link'), group: 'Resource', keys: 'c' },

  'resource.previous-tab': { label: t('Previous tab'), group: 'Resource', keys: '[', keyOnly: true },
  'resource.next-tab': { label: t('Next tab'), group: 'Resource', keys: ']', keyOnly: true },
  'resource.describe': { label: t('Describe the next column without a description'), group: 'Resource', keys: 'd' },

  'lineage.find': { label: t('Find in graph'), group: 'Lineage', keys: 'f' },
  'lineage.upstream': { label: t('Show what is upstream of the chosen resource'), group: 'Lineage', keys: '[' },
  'lineage.downstream': { label: t('Show what is downstream of the chosen resource'), group: 'Lineage', keys: ']' },
  'lineage.columns': { label: t('Show or hide the columns of the chosen resource'), group: 'Lineage', keys: 'o' },
  'lineage.link': { label: t('Link the chosen resource to…'), group: 'Lineage', keys: 'n' },
  'lineage.list': { label: t('Graph or list'), group: 'Lineage', keys: 'l' },
  'lineage.what-if': { label: t('What breaks if this changes…'), group: 'Lineage', keys: 'w' },
  'lineage.sql': { label: t('Lineage from SQL…'), group: 'Lineage' },
  'lineage.fit': { label: t('Fit everything'), group: 'Lineage', keys: '0' },
  'lineage.zoom-in': { label: t('Zoom in'), group: 'Lineage', keys: '+', keyOnly: true },
  'lineage.zoom-out': { label: t('Zoom out'), group: 'Lineage', keys: '-', keyOnly: true },
  'lineage.clear': { label: t('Clear the choice'), group: 'Lineage', keys: 'Escape', keyOnly: true },
  'lineage.png': { label: t('Export the drawing as PNG'), group: 'Lineage' },
  'lineage.svg': { label: t('Export the drawing as SVG'), group: 'Lineage' },
  'lineage.csv': { label: t('Export the links as CSV'), group: 'Lineage' },

  'monitors.new': { label: t('New monitor'), group: 'Monitors', keys: 'n' },
  'monitors.config': { label: t('Monitors as code'), group: 'Monitors' },
  'monitors.run': { label: t('Run the monitor now'), group: 'Monitors', keys: 'r' },
  'incident.acknowledge': { label: t('Acknowledge the incident'), group: 'Monitors', keys: 'a' },
  'incident.resolve': { label: t('Resolve the incident'), group: 'Monitors', keys: 'shift+r' },
  'incident.normal': { label: t('Mark incident as expected'), group: 'Monitors' },

  'documents.new': { label: t('New document'), group: 'Documents', keys: 'n' },
  'glossary.new': { label: t('New term'), group: 'Glossary', keys: 'n' },

  'integrations.new': { label: t('Add a source'), group: 'Integrations', keys: 'n' },
  'integrations.sync': { label: t('Sync now'), group: 'Integrations', keys: 'y' },
  'integrations.test': { label: t('Test the connection'), group: 'Integrations' },

  'editor.save': { label: t('Save now'), group: 'Editor', keys: 'mod+s', keyOnly: true },
  'editor.preview': { label: t('Show or hide the preview'), group: 'Editor', keys: 'mod+shift+p', keyOnly: true },
})
export type CommandId = keyof typeof COMMANDS

/** What a command is found by: its name and its group, as the reader calls them and in English. */
export const calledBy = (id: CommandId): string => {
  const { label, group } = COMMANDS[id]
  return `${group} ${english.get(label)} ${GROUPS[group]} ${label}`.toLowerCase()
}
