/** How many people a mention suggests. */
export const MAX_PEOPLE = 8

/** The mention being typed at the end of a text, without its `@`: `ask @ad` → `ad`. An `@` inside a word is part of an address. */
export const findTypedMention = (text: string): string | undefined => /(?<![\p{L}\p{N}._%+@-])@([\p{L}\p{N}._%+-]*)$/u.exec(text)?.[1]
