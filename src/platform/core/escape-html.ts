/** Text for the content of an element or a quoted attribute of HTML. Pure. */
export const escapeHtml = (text: string): string => text.toWellFormed().replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
