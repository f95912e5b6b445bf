import { createHash } from 'node:crypto'
import type { HealthStatus } from '../../catalog/records/health.ts'
import { escapeHtml } from '../../platform/core/escape-html.ts'
import { shortenText } from './preview-text.ts'
import type { CardLanguage } from './schema.ts'

/** The HTML of a card: no script, all text escaped, one style sheet that the Content-Security-Policy names by its hash. Pure. */
export interface CardData {
  readonly title: string
  readonly description: string | null
  readonly health: HealthStatus
  readonly verified: boolean
  readonly deprecated: boolean
  readonly owners: readonly string[]
  readonly columns: readonly { readonly title: string; readonly native_type: string | null; readonly description: string | null }[]
  /** There are more columns. */
  readonly more: boolean
}

type Label = HealthStatus | 'health' | 'owners' | 'nobody' | 'columns' | 'verified' | 'deprecated' | 'open' | 'more'

const LABELS: Readonly<Record<CardLanguage, Readonly<Record<Label, string>>>> = {
  en: {
    health: 'Health',
    incident: 'Incident',
    warning: 'Warning',
    ok: 'OK',
    unknown: 'Unknown',
    owners: 'Owners',
    nobody: 'No owner',
    columns: 'Columns',
    verified: 'Verified',
    deprecated: 'Deprecated',
    open: 'Open in Tablinum',
    more: 'There are more columns.',
  },
  de: {
    health: 'Zustand',
    incident: 'Vorfall',
    warning: 'Warnung',
    ok: 'OK',
    unknown: 'Unbekannt',
    owners: 'Verantwortliche',
    nobody: 'Niemand verantwortlich',
    columns: 'Spalten',
    verified: 'Verifiziert',
    deprecated: 'Veraltet',
    open: 'In Tablinum öffnen',
    more: 'Es gibt weitere Spalten.',
  },
  es: {
    health: 'Estado',
    incident: 'Incidente',
    warning: 'Advertencia',
    ok: 'Correcto',
    unknown: 'Desconocido',
    owners: 'Responsables',
    nobody: 'Sin responsable',
    columns: 'Columnas',
    verified: 'Verificada',
    deprecated: 'Obsoleta',
    open: 'Abrir en Tablinum',
    more: 'Hay más columnas.',
  },
  fr: {
    health: 'État',
    incident: 'Incident',
    warning: 'Avertissement',
    ok: 'OK',
    unknown: 'Inconnu',
    owners: 'Responsables',
    nobody: 'Aucun responsable',
    columns: 'Colonnes',
    verified: 'Vérifiée',
    deprecated: 'Obsolète',
    open: 'Ouvrir dans Tablinum',
    more: 'Il y a d’autres colonnes.',
  },
}

const STYLE = `:root{color-scheme:light dark;--line:#d9dde3;--faint:#5b6472}
@media(prefers-color-scheme:dark){:root{--line:#3b4350;--faint:#a3acb9}}
body{margin:0;padding:16px;font:14px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
h1{margin:0;font-size:18px;overflow-wrap:anywhere}h2{margin:16px 0 4px;font-size:14px}p{margin:6px 0;white-space:pre-line;overflow-wrap:anywhere}
.facts{display:flex;flex-wrap:wrap;gap:4px 12px;color:var(--faint)}.badge{padding:0 8px;border-radius:9px;color:#fff;background:#5b6472}
.incident{background:#b42318}.warning{background:#8a5a00}.ok{background:#176b3a}
table{width:100%;border-collapse:collapse}td{padding:4px 8px 4px 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
td+td{color:var(--faint)}code{font-size:12px}a{color:inherit}`

/** The policy of the card: nothing but its style, in frames of these origins only. */
export const getCardPolicy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.join(' ')}`,
  ].join('; ')

const MAX_TEXT_LENGTH = 1_000

export const renderCard = (card: CardData, { lang, url }: { readonly lang: CardLanguage; readonly url: string }): string => {
  const label = LABELS[lang]
  const rows = card.columns.map(
    ({ title, native_type, description }) =>
      `<tr><td><code dir="auto">${escapeHtml(title)}</code></td><td><code>${escapeHtml(native_type ?? '')}</code></td><td dir="auto">${escapeHtml(shortenText(description ?? '', 200))}</td></tr>`,
  )
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(card.title)}</title><style>${STYLE}</style></head>
<body><h1 dir="auto">${escapeHtml(card.title)}</h1>
<p class="facts"><span>${label.health}: <span class="badge ${card.health}">${label[card.health]}</span></span>${card.verified ? `<span>${label.verified}</span>` : ''}${card.deprecated ? `<span>${label.deprecated}</span>` : ''}
<span>${card.owners.length === 0 ? label.nobody : `${label.owners}: ${escapeHtml(card.owners.join(', '))}`}</span></p>
${card.description ? `<p dir="auto">${escapeHtml(shortenText(card.description, MAX_TEXT_LENGTH))}</p>` : ''}
${rows.length === 0 ? '' : `<h2>${label.columns}</h2><table><tbody>${rows.join('')}</tbody></table>${card.more ? `<p>${label.more}</p>` : ''}`}
<p><a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${label.open}</a></p></body></html>
`
}
