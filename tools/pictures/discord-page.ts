import { distance } from '../../src/lib/view/format.ts'

/** A Components V2 message as Discord's dark theme would show it: enough of it for a picture, drawn from the payload itself. */
export const discordPage = (message: unknown, files: Record<string, string>): string =>
  `<!doctype html><meta charset="utf-8"><style>${css}</style><article><i></i><div><h4>Bellhop <b>APP</b> <time>Today at 03:00</time></h4>${childrenOf(message, files)}</div></article>`

type Component = {
  type: number
  content?: string
  components?: Component[]
  accent_color?: number | null
  label?: string
  placeholder?: string
  style?: number
  items?: { media: { url: string } }[]
  file?: { url: string }
  accessory?: Component
}

const childrenOf = (node: unknown, files: Record<string, string>): string =>
  ((node as { components?: Component[] }).components ?? []).map((one) => draw(one, files)).join('')

const draw = (node: Component, files: Record<string, string>): string => {
  switch (node.type) {
    case 17:
      return `<section style="border-color:#${(node.accent_color ?? 0x4e5058).toString(16).padStart(6, '0')}">${childrenOf(node, files)}</section>`
    case 10:
      return `<div class="text">${markdown(node.content ?? '')}</div>`
    case 9:
      return `<div class="beside"><div>${childrenOf(node, files)}</div>${node.accessory === undefined ? '' : draw(node.accessory, files)}</div>`
    case 1:
      return `<div class="row">${childrenOf(node, files)}</div>`
    case 2:
      return `<button class="s${node.style}">${escaped(node.label ?? '')}</button>`
    case 3:
      return `<div class="pick">${escaped(node.placeholder ?? '')}<b>⌄</b></div>`
    case 12:
      return (node.items ?? []).map(({ media }) => `<img src="${files[media.url] ?? ''}">`).join('')
    case 14:
      return '<hr>'
    default:
      return ''
  }
}

const markdown = (text: string): string =>
  text
    .split(/(```[\s\S]*?```)/)
    .map((part) =>
      part.startsWith('```') ? `<pre>${escaped(part.replace(/^```\w*\n?|```$/g, ''))}</pre>` : lines(part),
    )
    .join('')

const lines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mark = '', words = ''] = /^(## |### |-# |- |> )?(.*)$/u.exec(line) ?? []
      const tag = { '## ': 'h2', '### ': 'h3', '-# ': 'small', '- ': 'li', '> ': 'blockquote' }[mark] ?? 'p'
      return `<${tag}>${inline(words)}</${tag}>`
    })
    .join('')

const inline = (words: string): string =>
  escaped(words)
    .replace(/(?<!\\)\*\*(.+?)(?<!\\)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\\*])\*([^*]+?)(?<!\\)\*/g, '<em>$1</em>')
    .replace(/&lt;t:(\d+):f&gt;/g, (_, at) => new Date(at * 1000).toUTCString().slice(5, 22))
    .replace(/&lt;t:(\d+):R&gt;/g, (_, at) => distance(at * 1000, Date.now()))
    .replace(/(?<!\\)~~(.+?)(?<!\\)~~/g, '<s>$1</s>')
    .replace(/(?<!\\)`([^`]+)`/g, '<code>$1</code>')
    .replace(/\\([\p{P}\p{S}])/gu, '$1')

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const css = `
body { margin: 0; padding: 18px; width: 640px; background: #313338; color: #dbdee1; font: 16px/1.375 'Noto Sans', 'Noto Color Emoji', sans-serif }
article { display: flex; gap: 14px } article > i { flex: none; width: 40px; height: 40px; border-radius: 50%; background: #0b5c53 }
article > div { flex: 1; min-width: 0 } h4 { margin: 0 0 6px; font-size: 15px; color: #f2f3f5 }
h4 b { background: #5865f2; border-radius: 4px; padding: 1px 5px; font-size: 10px; vertical-align: 2px } time { color: #949ba4; font-size: 12px; font-weight: 400 }
section { background: #2b2d31; border-left: 4px solid; border-radius: 8px; padding: 12px 16px; display: grid; gap: 10px }
h2 { margin: 0; font-size: 19px; color: #f2f3f5 } h3 { margin: 0; font-size: 16px } p, li { margin: 0 } small { color: #949ba4; font-size: 12.5px }
pre { margin: 4px 0; padding: 8px; background: #1e1f22; border-radius: 4px; font: 13px/1.35 'Liberation Mono', monospace; white-space: pre-wrap }
code { background: #1e1f22; border-radius: 3px; padding: 1px 4px; font: 13px 'Liberation Mono', monospace }
.row { display: flex; gap: 8px } .beside { display: flex; gap: 12px; align-items: start } .beside > div { flex: 1 } blockquote { margin: 0; border-left: 4px solid #4e5058; padding-left: 10px } button { border: 0; border-radius: 8px; padding: 8px 16px; font: 500 14px 'Noto Sans', sans-serif; color: #fff; background: #4e5058 }
.pick { flex: 1; display: flex; justify-content: space-between; background: #1e1f22; border-radius: 8px; padding: 9px 12px; color: #949ba4 }
.s1 { background: #5865f2 } .s3 { background: #248046 } .s4 { background: #da373c } img { max-width: 100%; border-radius: 6px } hr { border: 0; border-top: 1px solid #3f4147; width: 100% }`
