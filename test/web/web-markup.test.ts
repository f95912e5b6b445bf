import { describe, expect, test } from 'vitest'
import { stripDisallowedMarkup } from '../../web/markdown/allowed-markup.ts'

const allowed = {
  tags: new Set(['a', 'b', 'details', 'img', 'input', 'p']),
  attributes: new Set(['href', 'src', 'alt', 'title', 'open', 'checked']),
}
const clean = (html: string) => stripDisallowedMarkup(html, allowed)

describe('keeps only allowed tags and attributes', () => {
  for (const [html, left] of [
    ['plain & simple', 'plain & simple'],
    ['<p>one <b>two</b></p>\n', '<p>one <b>two</b></p>\n'],
    ['<a href="/r/1" title=\'say "hi"\'>x</a>', '<a href="/r/1" title="say &quot;hi&quot;">x</a>'],
    ['<input checked disabled>', '<input checked="">'],
    ['<img src=x onerror="run()">', '<img src="x">'],
    ['<IMG SRC=x OnError=run()>', '<img src="x">'],
    ['<img src=x\nonerror=run()\talt=y />', '<img src="x" alt="y">'],
    ['<img/src=x/onerror=run()>', '<img src="x/onerror=run()">'],
    ['<img/onerror=run()>', '<img>'],
    ['<img src="x"onerror="run()">', '<img src="x">'],
    ['<img title="> <img onerror=run()>" onerror=run()>', '<img title="&gt; &lt;img onerror=run()&gt;">'],
    ['<img src=x onerror=run()', ''],
    ['<img src="x onerror=run()>', ''],
    ['<img ="x" onerror=run()>', '<img>'],
    ['<details open ontoggle=run()>x</details>', '<details open="">x</details>'],
    ['<svg onload=run()>x</svg>y', 'y'],
    ['<svg/onload=run()>', ''],
    ['<form action=x><p>kept</p></form>', '<p>kept</p>'],
    ['<script>"</b>" < 1</script>y', 'y'],
    ['<SCRIPT>x</Script >y', 'y'],
    ['<style><a title="</style><img src=x onerror=run()>">z', '<img src="x">">z'],
    ['<!-- <a title=" --> <img onerror=run()> " -->', ' <img> " -->'],
    ['<!--> <img onerror=run()> -->', ' <img> -->'],
    ['<!-- --!> <img onerror=run()>', ' <img>'],
    ['<!doctype html><?x <img onerror=run()>y', 'y'],
    ['</ <img onerror=run()>y', 'y'],
    ['1 < 2 <> <3', '1 &lt; 2 &lt;> &lt;3'],
    ['</b x="1>">y', '</b>y'],
  ] as const)
    test(html, () => expect(clean(html)).toBe(left))
})

test('is idempotent', () => {
  const corpus = ['<', '>', '"', "'", '=', '/', ' ', '!--', '-->', 'img', 'b', 'svg', 'style', ' onerror=x', ' src=y', 'text']
  let seed = 7
  const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648)
  for (let i = 0; i < 5000; i += 1) {
    const html = Array.from({ length: 3 + (next() % 12) }, () => corpus[next() % corpus.length]).join('')
    const once = clean(html)
    expect([html, clean(once)]).toEqual([html, once])
    expect(once, html).not.toMatch(/<[a-z][^>]*\son/)
  }
})
