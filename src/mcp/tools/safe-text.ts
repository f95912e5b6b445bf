/**
 * Text of the catalog is data that anyone may have written, and the reader of a tool's answer is a language model. Invisible characters are
 * removed, because people who review a text cannot see them. Text that looks like an instruction is reported, never rewritten. Pure.
 */

/** Control characters except tab and line breaks, and characters that are never shown, except the two that join emoji. */
const INVISIBLE = /(?![\u200d\ufe0f])\p{Default_Ignorable_Code_Point}|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]/gu
/** Characters that carry hidden text: nothing but an attempt to hide it needs them. */
const HIDDEN_TEXT = /[\u202d\u202e\u{e0000}-\u{e0fff}]/u

const SUSPICIOUS: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['asks to ignore instructions', /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules|guidelines)\b/i],
  [
    'addresses a language model',
    /\b(?:as an? (?:ai|language model|assistant)|you are (?:now )?(?:an? )?(?:ai|assistant|chatgpt|claude|gemini))\b/i,
  ],
  ['speaks as the system', /<\/?\s*(?:system|assistant|tool_call|instructions?)\s*>|\[\/?INST\]|<\|im_(?:start|end)\|>|\bsystem prompt\b/i],
  ['asks to call a tool', /\b(?:call|invoke|use|run|execute) (?:the )?[`'"]?\w+[`'"]? (?:tool|function)\b/i],
  [
    'asks to hide something from the user',
    /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|show|showing) (?:it to |this to )?(?:the )?user\b/i,
  ],
]

export interface SuspiciousText {
  readonly at: string
  readonly reason: string
}

export interface CleanedAnswer<T> {
  readonly value: T
  readonly suspicious: readonly SuspiciousText[]
}

const MAX_REPORTED = 50

/** Removes invisible characters from every text of the answer, and lists the texts that look like instructions with their place. */
export const cleanAnswer = <T>(answer: T): CleanedAnswer<T> => {
  const suspicious: SuspiciousText[] = []
  const clean = (value: unknown, at: string): unknown => {
    if (typeof value === 'string') return cleanText(value, at)
    if (Array.isArray(value)) return value.map((each, i) => clean(each, `${at}[${i}]`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [removeInvisible(name), clean(each, at ? `${at}.${name}` : name)]),
    )
  }
  const cleanText = (text: string, at: string): string => {
    const visible = removeInvisible(text)
    const reason = HIDDEN_TEXT.test(text) ? 'contained hidden characters' : SUSPICIOUS.find(([, pattern]) => pattern.test(visible))?.[0]
    if (reason && suspicious.length < MAX_REPORTED) suspicious.push({ at, reason })
    return visible
  }
  return { value: clean(answer, '') as T, suspicious }
}

export const removeInvisible = (text: string): string => text.replace(INVISIBLE, '')
