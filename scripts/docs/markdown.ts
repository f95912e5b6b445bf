// What the site, its link check and the commands test know about Markdown.

const CODE = /^( *)(```+)[^\n]*\n.*?^\1\2$|(?<!`)(`+)(?!`)(?:(?!\n\n).)*?(?<!`)\3(?!`)/gms

/** Changes the text outside of code. */
export const outsideCode = (markdown: string, change: (text: string) => string): string => {
  const codes: string[] = []
  const masked = markdown.replace(CODE, (code) => `\u0000${codes.push(code) - 1}\u0000`)
  return change(masked).replace(/\u0000(\d+)\u0000/g, (_, i) => codes[Number(i)]!)
}

const LINK = /(?<=\]\()[^)\s]+(?=\))/g

/** Replaces the target of each link and picture. */
export const mapLinks = (markdown: string, map: (target: string) => string): string =>
  outsideCode(markdown, (text) => text.replace(LINK, map))

export const listLinks = (markdown: string): string[] => {
  const links: string[] = []
  mapLinks(markdown, (target) => {
    links.push(target)
    return target
  })
  return links
}

/** The anchor of a heading, as GitHub writes it. */
export const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const HEADING = /^#{1,6} (.+?)(?: #+)?$/gm

/** The anchors of a page. A heading that is repeated gets a number. */
export const listAnchors = (markdown: string): Set<string> => {
  const anchors = new Set<string>()
  const text = markdown.replace(/^( *)(```+)[^\n]*\n.*?^\1\2$/gms, '')
  for (const [, heading] of text.matchAll(HEADING)) {
    const slug = slugify(heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''))
    for (let n = 0; ; n += 1) {
      const anchor = n === 0 ? slug : `${slug}-${n}`
      if (anchors.has(anchor)) continue
      anchors.add(anchor)
      break
    }
  }
  return anchors
}
