import mermaidUrl from '@mermaid-js/tiny/dist/mermaid.tiny.js?url'
import { t } from '../i18n/messages.ts'

/**
 * Draws Mermaid diagrams of Markdown as pictures. The library (2.9 MB) is loaded with the first diagram. A diagram is shown as an image, so that
 * nothing in it can run, load or link to anything.
 */
interface Mermaid {
  initialize(options: object): void
  render(id: string, source: string): Promise<{ readonly svg: string }>
}

const MAX_SOURCE_LENGTH = 20_000
const MAX_CACHED = 50
const drawn = new Map<string, Promise<Picture>>()
let loading: Promise<Mermaid> | undefined
let count = 0

interface Picture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** Draws every diagram below an element. Called again, it draws those that are new. */
export const drawDiagrams = (root: Element, dark: boolean): void => {
  for (const box of root.querySelectorAll<HTMLElement>('[data-diagram=""]')) {
    box.dataset.diagram = 'drawing'
    const source = box.querySelector('code')?.textContent ?? ''
    void getPicture(source, dark).then(
      (picture) => showPicture(box, picture),
      (error: unknown) => showProblem(box, error),
    )
  }
}

const getPicture = (source: string, dark: boolean): Promise<Picture> => {
  const key = `${dark} ${source}`
  const known = drawn.get(key)
  if (known) return known
  const picture = draw(source, dark)
  drawn.set(key, picture)
  if (drawn.size > MAX_CACHED) drawn.delete(drawn.keys().next().value!)
  return picture
}

const draw = async (source: string, dark: boolean): Promise<Picture> => {
  if (source.length > MAX_SOURCE_LENGTH) throw new Error(t('The diagram is too long.'))
  const mermaid = await loadMermaid()
  // Directives in the text (`%%{init: …}%%`) cannot change these.
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'htmlLabels',
      'flowchart',
      'fontFamily',
      'themeCSS',
    ],
    suppressErrorRendering: true,
    maxTextSize: MAX_SOURCE_LENGTH,
    maxEdges: 500,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    fontFamily: 'sans-serif',
    theme: dark ? 'dark' : 'neutral',
  })
  count += 1
  const { svg } = await mermaid.render(`diagram-${count}`, source)
  return toPicture(svg)
}

const toPicture = (svg: string): Picture => {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  root.setAttribute('width', String(width))
  root.setAttribute('height', String(height))
  const text = new XMLSerializer().serializeToString(root)
  return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, width, height }
}

/** The library is a script that sets a global variable. */
const loadMermaid = (): Promise<Mermaid> => {
  loading ??= new Promise<Mermaid>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = mermaidUrl
    script.onload = () => resolve((globalThis as unknown as { mermaid: Mermaid }).mermaid)
    script.onerror = () => {
      loading = undefined
      script.remove()
      reject(new Error(t('Couldn’t load the diagram.')))
    }
    document.head.append(script)
  })
  return loading
}

/** The source stays in the page, for the button that copies it. */
const showPicture = (box: HTMLElement, { url, width, height }: Picture): void => {
  const image = document.createElement('img')
  Object.assign(image, { src: url, width: Math.ceil(width), height: Math.ceil(height), alt: describe(box) })
  box.dataset.diagram = 'drawn'
  box.querySelector('pre')!.hidden = true
  box.prepend(image)
}

/** The title that its author gave it (`accTitle: …` or `title: …`). */
const describe = (box: HTMLElement): string =>
  /^\s*(?:accTitle|title)\s*:?\s*(.+)$/m.exec(box.querySelector('code')?.textContent ?? '')?.[1]?.trim() || t('Diagram')

const showProblem = (box: HTMLElement, error: unknown): void => {
  box.dataset.diagram = 'failed'
  const problem = document.createElement('p')
  problem.className = 'diagram-problem'
  problem.textContent = t('The diagram can’t be drawn: {why}', { why: String((error as Error)?.message ?? error).slice(0, 500) })
  box.prepend(problem)
}
