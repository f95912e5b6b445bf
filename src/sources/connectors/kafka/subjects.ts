/** The subjects whose schemas a topic's messages have. */
export interface TopicSubjects {
  readonly key?: string
  readonly values: readonly string[]
}

/**
 * Subjects by topic, by the names they have: `<topic>-key`, `<topic>-value`, or `<topic>-<record>` if a topic has several types of messages. A
 * subject that is only named after its record belongs to no topic that could be known. Pure.
 */
export const attachSubjects = (
  topics: readonly string[],
  subjects: readonly string[],
): { readonly byTopic: ReadonlyMap<string, TopicSubjects>; readonly others: readonly string[] } => {
  const known = new Set(topics)
  const keys = new Map<string, string>()
  const values = new Map<string, string[]>()
  const others: string[] = []
  for (const subject of subjects.toSorted()) {
    const [topic, role] = split(subject, known)
    if (topic === undefined) others.push(subject)
    else if (role === 'key') keys.set(topic, subject)
    else values.set(topic, [...(values.get(topic) ?? []), subject])
  }
  const byTopic = new Map(
    [...new Set([...keys.keys(), ...values.keys()])].map((topic) => {
      const key = keys.get(topic)
      return [topic, { ...(key === undefined ? {} : { key }), values: values.get(topic) ?? [] }]
    }),
  )
  return { byTopic, others }
}

/** Topics can contain a dash: the longest one that exists. Subjects of a context are written `:.context:subject`. */
const split = (whole: string, known: ReadonlySet<string>): [string | undefined, string] => {
  const subject = whole.replace(/^:\.[^:]*:/, '')
  for (let end = subject.lastIndexOf('-'); end > 0; end = subject.lastIndexOf('-', end - 1))
    if (known.has(subject.slice(0, end))) return [subject.slice(0, end), subject.slice(end + 1)]
  return [undefined, '']
}
