/** Prompts that clients offer to people, e.g. as slash commands. */
interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

export interface PromptTemplate {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  readonly write: (args: Readonly<Record<string, string>>) => string
}

const required = (name: string, description: string): PromptArgument => ({ name, description, required: true })

export const PROMPTS: readonly PromptTemplate[] = [
  {
    name: 'find_table',
    title: 'Find the right table',
    description: 'Find the table that answers a question, and check that it can be trusted.',
    arguments: [required('question', 'What you want to know, e.g. "revenue by country last month"')],
    write: ({ question }) =>
      `Find the table that answers this question: ${question}\n\nUse search, then get_entity for the best candidates. Prefer verified, much used tables with owners. Check the chosen one with check_gate, and look at list_queries for how others use it. Answer with the table, why it is the right one, its owners, its link, and what to watch out for. If no table answers the question, say so.`,
  },
  {
    name: 'assess_change',
    title: 'Assess a change',
    description: 'What a change of a table would break, and who has to know.',
    arguments: [required('table', 'The table, by path or ID'), required('change', 'The change, as SQL or in words')],
    write: ({ table, change }) =>
      `I plan this change of ${table}: ${change}\n\nUse get_impact with the change to find what it breaks. List what breaks with its owners, what is uncertain, and a safe order of steps. Change nothing.`,
  },
  {
    name: 'explain_incident',
    title: 'Explain an incident',
    description: 'What is wrong with a table, since when, and where it comes from.',
    arguments: [required('table', 'The table, by path or ID')],
    write: ({ table }) =>
      `Explain the data problems of ${table}. Use list_incidents, check_gate with upstream true, and get_lineage upstream. Say what is wrong, since when, the most likely cause, what is affected downstream, and whom to ask.`,
  },
]
